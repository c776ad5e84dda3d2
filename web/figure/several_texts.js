/* several_texts - the similarity of each of several texts with each other, one a line: a matrix, whose
 * cells lead to the pairs of tokens of these two (why_similar.js). Each text has one pass.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {embeddingsOf, matrixOf} from '../engine/similarity.js';
import {signed} from '../draw/chart.js';
import {table} from '../draw/table.js';
import {Files} from './similar_files.js';
import {useFound} from '../shell/use_found.js';

/** @typedef {import('../words/languages.js').Dialogs['similarity']['why']['several']} Words */

export const MOST = 20; // texts
const MOST_INK = 45; // per cent, so that numbers can be read on it

/** One a line, without empty ones. @param {string} typed */
export const linesOf = typed =>
    typed
        .split('\n')
        .map(line => line.trim())
        .filter(Boolean);

/** Why so many texts are not compared; '' where they are. @param {string[]} lines @param {Words} words */
export const whyNot = (lines, words) =>
    lines.length < 2 ? words.few : lines.length > MOST ? words.many(MOST, lines.length) : '';

/** A number, to be pressed. @param {{value: number, full: number, name: string, pressed: boolean, onClick: () =>
 *     void}} props */
function Cell({value, full, name, pressed, onClick}) {
    const share = Math.round(MOST_INK * Math.min(1, Math.abs(value) / full));
    const colour = value < 0 ? 'negative' : 'positive';
    return h(
        'td',
        {
            class: 'number',
            style: {background: `color-mix(in srgb, var(--${colour}) ${share}%, transparent)`},
        },
        buttonOf('plain', {'aria-pressed': pressed, 'aria-label': name, onClick}, signed(value, 2)),
    );
}

/** @param {{lines: string[], data: Float32Array, words: Words, chosen: string[], onPick: (pair: string[]) => void}} props */
export function Matrix({lines, data, words, chosen, onPick}) {
    const n = lines.length;
    const full = Math.max(...data.map((x, i) => (i % (n + 1) ? Math.abs(x) : 0))) || 1;
    const cell = (
        /** @type {string} */ text,
        /** @type {number} */ row,
        /** @type {number} */ col,
    ) =>
        h(Cell, {
            ...{key: col, full, value: data[row * n + col]},
            name: words.pair(row + 1, col + 1, signed(data[row * n + col], 2)),
            pressed: chosen[0] === lines[row] && chosen[1] === text,
            onClick: () => onPick([lines[row], text]),
        });
    const across = lines.map((line, i) => h('th', {key: i, scope: 'col', title: line}, i + 1));
    const down = lines.map((line, row) =>
        h(
            'tr',
            {key: row},
            h('th', {scope: 'row', class: 'one-text'}, `${row + 1} `, h('bdi', null, line)),
            lines.map((text, col) => cell(text, row, col)),
        ),
    );
    return h(
        'div',
        {class: 'pairs-map scroll', role: 'region', tabIndex: 0, 'aria-label': words.title},
        table({columns: [h('td', null), ...across]}, down),
    );
}

/** @param {{found: {lines: string[], data: Float32Array}, kind: string, words: Words, every: (n: number) =>
 *     string, chosen: string[], onPick: (pair: string[]) => void}} props */
const Numbers = ({found: {lines, data}, kind, words, every, chosen, onPick}) => [
    h('p', {key: 'says', class: 'hint'}, words.says),
    h(Matrix, {key: 'map', lines, data, words, chosen, onPick}),
    h(Files, {
        ...{key: 'files', label: words.files},
        matrix: {
            ...{id: 'similarities', title: words.title, rows: lines, cols: lines, data, every},
            ...{axes: words.axes, about: {similarity: kind, texts: lines}},
        },
    }),
];

/** @param {import('./similarity.js').Compare & {texts: string[], words: Words, every: (n: number) => string, chosen: string[], onPick: (pair: string[])
 *     => void}} props */
export function Several({texts, words, every, chosen, onPick, ...compare}) {
    const [typed, setTyped] = useState(texts.join('\n'));
    const [lines, setLines] = useState(/** @type {string[] | null} */ (null));
    const {session, model, precision} = compare;
    const numbers = async (/** @type {AbortSignal} */ signal) => {
        const asked = /** @type {string[]} */ (lines);
        const all = await embeddingsOf(session.beside(), asked, precision, signal);
        return {lines: asked, data: matrixOf(all, model.similarity)};
    };
    const found = useFound(numbers, [session, precision, lines], lines !== null);
    const why = whyNot(linesOf(typed), words);
    const kind = model.similarity ?? 'cosine';
    const go = {disabled: Boolean(why), onClick: () => setLines(linesOf(typed))};
    const coming = lines && !found && words.coming;
    return h(
        'details',
        {class: 'several-texts'},
        h('summary', null, words.open),
        h('label', {class: 'hint', for: 'all-texts'}, words.hint(MOST)),
        h('textarea', {
            ...{id: 'all-texts', rows: 5, value: typed, spellcheck: false},
            onInput: (/** @type {any} */ {currentTarget}) => setTyped(currentTarget.value),
        }),
        h(
            'p',
            null,
            buttonOf('main', {...go}, words.go),
            h('span', {class: 'hint', role: 'status'}, ' ', why || coming),
        ),
        found?.why && h('p', null, found.why),
        found?.found && h(Numbers, {found: found.found, kind, words, every, chosen, onPick}),
    );
}
