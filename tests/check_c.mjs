/* check_c - the rules of the C tree that a compiler does not check: which layer may include which,
 * that only port/ defines hl_ functions, that a file opens with a comment, how long a function (60
 * lines) may be. node tests/check_c.mjs [root] prints "file:line: sentence" for each offence.
 * HTML is looked at here, too. For JavaScript: eslint.config.mjs; long files: tests/js/long.test.mjs.
 */
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {extname, join, sep} from 'node:path';

const ROOT = process.argv[2] ?? new URL('..', import.meta.url).pathname;
const FUNCTION = 60,
    OPENING = 2;

/** What the files of a folder of src/ may include: folders, besides headlight.h where it is named. */
const LAYERS = {
    base: ['base'],
    text: ['base', 'text'],
    math: ['base', 'math'],
    model: ['base', 'text', 'math', 'model'],
    measure: ['base', 'text', 'math', 'model', 'measure'],
    intervene: ['base', 'text', 'math', 'model', 'measure', 'intervene'],
    study: ['base', 'text', 'math', 'model', 'measure', 'intervene', 'study'],
    search: ['base', 'text', 'math', 'model', 'measure', 'study', 'search'],
    port: [
        ...['headlight.h', 'base', 'text', 'math', 'model', 'measure', 'intervene', 'study'],
        ...['search', 'port', 'headlight_two.h'],
    ],
    cli: [
        ...['headlight.h', 'headlight_two.h', 'base/bytes.h', 'base/csv.h', 'base/sha256.h', 'cli'],
    ],
    'headlight.h': [],
    'headlight_two.h': ['headlight.h'],
};
const HTML_FROM_TEXT =
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|document\s*\.\s*write(?:ln)?)\b/;

let passed = 0,
    failed = 0;

/** @param {string} file @param {{line: number, text: string}[]} offences of one rule on one file */
function report(file, offences) {
    for (const o of offences) console.log(`${file}:${o.line}: ${o.text}`);
    if (offences.length) failed++;
    else passed++;
}

function filesUnder(folder, endings) {
    if (!existsSync(join(ROOT, folder))) return [];
    return readdirSync(join(ROOT, folder), {recursive: true})
        .map(name => join(folder, name))
        .filter(name => endings.includes(extname(name)) && !name.includes('node_modules'))
        .sort();
}

/** Comments become spaces, strings too when asked; line breaks stay, so positions do. */
const masked = (text, strings) =>
    text.replace(/\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, piece =>
        piece[0] === '/' || strings ? piece.replace(/[^\n]/g, ' ') : piece,
    );

const linesWith = (text, pattern, message) =>
    text.split('\n').flatMap((line, i) => {
        const found = pattern.exec(line);
        return found ? [{line: i + 1, text: message(found)}] : [];
    });

function openingComment(text) {
    const lines = text.split('\n');
    let length = 0;
    if (lines[0].startsWith('/*')) length = lines.findIndex(line => line.includes('*/')) + 1;
    else while (lines[length]?.startsWith('//')) length++;
    if (length >= OPENING) return [];
    const found = `the file must open with a comment of ${OPENING} lines or more; it has ${length}`;
    return [{line: 1, text: found}];
}

/** Functions begin in column 0 with a name and "(", and end with "}" in column 0 (clang-format). */
function functionSizes(code) {
    const offences = [];
    let head = -1;
    for (const [i, line] of code.split('\n').entries()) {
        if (head < 0 && /^[A-Za-z_][^=;]*\(/.test(line)) head = i;
        const size = i - head + 1;
        if (line === '}' && head >= 0 && size > FUNCTION) {
            const [, name] = /(\w+)\s*\(/.exec(code.split('\n')[head]);
            const text = `${name} has ${size} lines; at most ${FUNCTION} are allowed`;
            offences.push({line: head + 1, text});
        }
        if (/^[^\s#].*[;}]\s*$|^\}/.test(line)) head = -1;
    }
    return offences;
}

/** Why a layer may not include this, '' when it may. */
function refusal(layer, system, name) {
    if (name === 'utf8proc.h') return 'only build/ may include utf8proc.h';
    if (name === 'unicode_data.h')
        return layer === 'text' ? '' : 'only text/ may include unicode_data.h';
    if (name === 'stdio.h' && layer !== 'cli')
        return 'only cli/ may include stdio.h: its formatting is 4 kB of headlight.wasm (base/format.h)';
    if (system) return '';
    if (name.includes('..') || !existsSync(join(ROOT, 'src', name)))
        return `includes "${name}", which is no file of src/ (includes are written from there, without ../)`;
    const to = name.split('/')[0];
    return LAYERS[layer].includes(to) || LAYERS[layer].includes(name)
        ? ''
        : `${layer} may not include ${to} ("${name}")`;
}

function includes(file, code) {
    const layer = file.split(sep)[1];
    if (!LAYERS[layer]) return [{line: 1, text: `src/${layer} is no layer of src/`}];
    return linesWith(code, /^\s*#\s*include\s*([<"])([^>"]+)[>"]/, ([, quote, name]) =>
        refusal(layer, quote === '<', name),
    ).filter(({text}) => text);
}

const isInPort = file => file.startsWith(join('src', 'port') + sep);
const exported = code =>
    linesWith(
        code,
        /^(?!\s|#|typedef\b|extern\b)[^;=]*?\b(hl_\w+)\s*\([^;]*$/,
        found => `${found[1]} is defined here; only port/ defines hl_ functions`,
    );

function check(file) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const code = masked(text, true);
    if (file.startsWith(`src${sep}`)) {
        report(file, includes(file, masked(text, false)));
        if (file.endsWith('.c') && !isInPort(file)) report(file, exported(code));
    }
    if (file.endsWith('.h') && /^(?:.*\n){0,10}.*\bgenerated by\b/i.test(text)) return;
    report(file, openingComment(text));
    report(file, functionSizes(code));
}

for (const folder of ['src', join('tests', 'c'), join('tests', 'fuzz')])
    for (const file of filesUnder(folder, ['.c', '.h'])) check(file);
for (const file of filesUnder('web', ['.html'])) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    report(
        file,
        linesWith(text, HTML_FROM_TEXT, found => `${found[0]} would turn text into HTML`),
    );
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
