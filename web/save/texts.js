/* texts - the text of saved files: names, CSV, JSON, the page that holds a figure. Texts of the
 * reader and of vocabularies stay inert in each: no formula, no markup, no characters that XML
 * forbids. Pure.
 */

/** @import {Cell, Table, ViewState as State} from '../views/view.js' */

/** Characters that XML forbids become pictures of themselves (U+2400 and on) or U+FFFD.
 * @param {string} text */
export const inert = text =>
    text
        .replace(/\p{Surrogate}/gu, '\ufffd')
        .replace(/[\0-\x08\x0b\x0c\x0e-\x1f]/g, c => String.fromCharCode(0x2400 + c.charCodeAt(0)))
        .replace(/[\x7f-\x84\x86-\x9f\ufdd0-\ufdef\ufffe\uffff]/g, '\ufffd');

/** 'headlight-head-layer-2-heads-0-3': view, layer and heads as far as the view has them.
 * @param {{id: string, controls: string[]}} view @param {Pick<State, 'layer' | 'heads'>} state
 * @param {number} layers */
export function fileName({id, controls}, {layer, heads}, layers) {
    const parts = ['headlight', id];
    if (controls.includes('layer')) parts.push(`layer-${Math.min(layer, layers - 1)}`);
    if (controls.includes('heads')) {
        parts.push(
            !heads.length
                ? 'all-heads'
                : `${heads.length > 1 ? 'heads' : 'head'}-${heads.slice(0, 12).join('-')}`,
        );
    }
    return parts.join('-').replace(/[^\w.-]/g, '_');
}

/** @param {Cell} cell */
const valueOf = cell =>
    typeof cell !== 'object' ? cell : 'user' in cell ? inert(cell.text) : cell.value;

const guarded = (/** @type {string} */ text) =>
    /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text) ? `'${text}` : text;

/** A cell that a spreadsheet would take for a formula gets an apostrophe before it, as OWASP
 * advises, and so does one that looks as if it had one: who reads it takes one off. Numbers stay.
 * @param {Cell} cell */
export function csvCell(cell) {
    const value = valueOf(cell);
    if (typeof value === 'number') return Number.isFinite(value) ? String(value) : '';
    const safe = /^[-+]?\d+([.,]\d+)?( %)?$/.test(value) ? value : guarded(value);
    return /[",\r\n;]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Columns before those of a table: what its numbers are of, so that files of several figures can be put together. */
const SOURCES = /** @type {const} */ ([
    ...['model', 'file', 'part', 'text', 'textB', 'layer', 'heads', 'word'],
]);

/** @param {Record<string, any>} about @returns {[string, Cell][]} */
const sourcesOf = about =>
    SOURCES.filter(name => ![undefined, null, '', 'all'].includes(about[name])).map(name => [
        name === 'textB' ? 'text_b' : name,
        name === 'layer' ? about.layer : {text: [about[name]].flat().join(' '), user: true},
    ]);

/** RFC 4180, with the mark that tells spreadsheets it is UTF-8. @param {Table} table
 * @param {Record<string, any>} about what the figure shows, before each row */
export function csvOf({columns, rows, word}, about = {}) {
    const sources = sourcesOf({...about, word});
    const [names, cells] = [0, 1].map(i => sources.map(one => one[i]));
    const all = [[...names, ...columns], ...rows.map(row => [...cells, ...row])];
    return `\ufeff${all.map(row => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** The same for a table that comes from C, whose texts are as they are there (src/base/csv.h). @param {string} csv */
export const guardedCsv = csv =>
    csv.replace(/"(?:[^"]|"")*"|[^",\n]+/g, cell =>
        cell.startsWith('"')
            ? `"${guarded(cell.slice(1))}`
            : Number.isFinite(Number(cell))
              ? cell
              : guarded(cell),
    );

/** A table with the rows of what is on screen first: those whose first column says so. None of them holds a line
 * break. @param {string} csv of a study, whose lines end in \n @param {string} first */
export function withFirst(csv, first) {
    const [names, ...rows] = csv.trimEnd().split('\n');
    const isFirst = (/** @type {string} */ row) => row.startsWith(`${first},`);
    const sorted = [...rows.filter(isFirst), ...rows.filter(row => !isFirst(row))];
    return `${[names, ...sorted].join('\n')}\n`;
}

/** @param {Table} table @param {Record<string, unknown>} about what the figure shows */
export const jsonOf = ({caption, columns, rows, word}, about) =>
    `${JSON.stringify({...about, word, caption, columns, rows: rows.map(row => row.map(valueOf))}, null, 1)}\n`;

const CHANGES = /** @type {const} */ ([
    ...['text', 'textB', 'masked', 'off', 'zeroed', 'without', 'swapped', 'written', 'show'],
]);

/** What a figure shows, in words for programs. @param {{t: {code: string}, source: {model: string} | {file: string,
 *     part: string}, view: {id: string, controls: string[]}, state: any, data: {model: {layers: number, heads: number}},
 *     pass?: {tokens: {piece: string}[]} | null}} shown   source: a model, or a file of attention */
export const aboutOf = ({t, source, view, state, data: {model}, pass}) => ({
    madeWith: 'Headlight',
    language: t.code,
    view: view.id,
    layer: view.controls.includes('layer') ? state.layer : null,
    heads: state.heads.length ? state.heads : 'all',
    layers: model.layers,
    headsPerLayer: model.heads,
    ...source,
    ...('model' in source && Object.fromEntries(CHANGES.map(name => [name, state[name]]))),
    tokens: pass?.tokens.map(({piece}) => piece) ?? [],
});

/** @param {(Uint8Array | string)[]} parts @returns {Promise<string>} '' where the browser has no crypto: not on https */
export async function hashOf(parts) {
    if (!globalThis.crypto?.subtle) return '';
    const bytes = new Uint8Array(await new Blob(/** @type {any[]} */ (parts)).arrayBuffer());
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    return `sha256:${[...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** JSON that can stand in a script element: no < is left in it. @param {unknown} value */
export const jsonForScript = value =>
    JSON.stringify(value).replace(
        /[<\u2028\u2029]/g,
        c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );

/** A script that can stand in a script element. @param {string} code */
export const codeForScript = code =>
    code.replace(/<\/(?=script)/gi, '<\\/').replaceAll('<!--', '<\\!--');

/** A text as the value of an attribute. @param {string} text */
export const attribute = text => inert(text).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

/** @param {Float32Array} numbers */
function base64(numbers) {
    const bytes = new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000)
        text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
}

/** Answers as a saved page has them: tensors packed; predictions, the logit lens, interventions with their numbers as
 * lists. @param {Iterable<[string, any]>} answers */
export const packed = answers =>
    [...answers]
        .filter(([, answer]) => answer)
        .map(([name, answer]) =>
            answer.data
                ? {name, shape: answer.shape, numbers: base64(answer.data)}
                : {
                      name,
                      answer: JSON.parse(
                          JSON.stringify(answer, (_, value) =>
                              ArrayBuffer.isView(value)
                                  ? Array.from(/** @type {any} */ (value))
                                  : value,
                          ),
                      ),
                  },
        );

/** One file with the figure and what makes it move. The picture stands in it for where scripts do
 * not run; its policy allows no address of the network and no script but this one.
 * @param {{lang: string, title: string, svg: string, style: string, data: unknown, code: string,
 *     hash: string}} parts
 *   svg as serialised XML; hash: of the code, base64 SHA-256, '' when it cannot be made */
export function savedPage({lang, title, svg, style, data, code, hash}) {
    const script = hash ? `'sha256-${hash}'` : "'unsafe-inline'";
    return `<!doctype html>
<html lang="${attribute(lang)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src ${script}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="color-scheme" content="light dark">
<title>${attribute(title)}</title>
<style>
${style.replace(/<\/(?=style)/gi, '<\\/')}
</style>
</head>
<body class="saved">
<div id="app">${svg}</div>
<script type="application/json" id="data">${jsonForScript(data)}</script>
<script>${code}</script>
</body>
</html>
`;
}
