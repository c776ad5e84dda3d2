// check_layers - the rules of the source tree that a compiler does not check: which layer may use
// which, who may touch what, and how long functions may be (not types nor formatting). node
// tests/check_layers.mjs [root] prints "file:line: sentence" for each offence, and "file: warning"
// for a file that has grown long, which is no offence: no subject is split to please a counter.
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {dirname, extname, join, normalize, relative, sep} from 'node:path';
import {maskSource} from './mask_source.mjs';

const ROOT = process.argv[2] ?? join(dirname(new URL(import.meta.url).pathname), '..');
const FILE = 500,
    C_FUNCTION = 60,
    JS_FUNCTION = 220, // ESLint is to take this over: formatted functions of 40 lines and more are on its list
    OPENING = 2;

// What the C files of a folder of src/ may include: folders, besides headlight.h where it is named.
const C_LAYERS = {
    base: ['base'],
    text: ['base', 'text'],
    math: ['base', 'math'],
    model: ['base', 'text', 'math', 'model'],
    measure: ['base', 'text', 'math', 'model', 'measure'],
    study: ['base', 'text', 'math', 'model', 'measure', 'study'],
    port: ['headlight.h', 'base', 'text', 'math', 'model', 'measure', 'study', 'port'],
    cli: ['headlight.h', 'cli'],
    'headlight.h': [],
};

// What the files of a folder of web/ may import. The worker's side are files of core/, with rows of
// their own; 'packages' are the dependencies of web/package.json, 'node:' the modules of Node.
const JS_LAYERS = {
    'core/instantiate.js': [],
    'core/threads.js': ['core/instantiate.js'],
    'core/helper.js': ['core/instantiate.js'],
    'core/wasm.js': ['core/threads.js', 'core/instantiate.js', 'core/relaxed.js'],
    'core/relaxed.js': [],
    'core/build.js': [],
    'core/passes.js': ['core/wasm.js', 'core/worker.js'], // of worker.js, types
    // of core/: load.js and what it reads files with
    'core/worker.js': ['core', 'core/wasm.js', 'core/build.js', 'core/passes.js'],
    'sw.js': [],
    'core/anywhere.js': ['core', 'core/worker.js'],
    core: ['core', 'core/build.js'],
    draw: ['draw', 'packages'],
    views: ['draw', 'views', 'packages'],
    text: ['text'],
    ui: ['core', 'core/anywhere.js', 'core/build.js', 'draw', 'views', 'text', 'ui', 'packages'],
    'boot.js': ['core', 'core/build.js', 'ui'],
    'main.js': ['core', 'boot.js', 'ui'],
    'offline.js': ['core', 'ui'],
    'element.js': ['ui'],
    'embed.js': ['core', 'ui'],
    'index.js': ['core'],
    'node.js': ['core', 'node:'],
    'node_worker.js': ['core/worker.js', 'node:'],
};

// A word that only some files of web/ may use. An object's own member of that name (x.location)
// does not count, window.location does.
const global = word =>
    new RegExp(`(?<![.\\w$])(?:(?:window|globalThis|self)\\s*\\??\\.\\s*)?${word}\\b(?!\\s*:)`);
const WORDS = [
    {
        word: /\bmemory\.buffer\b|\bWebAssembly\.Memory\b|\bexports\.memory\b/,
        in: ['core/wasm.js', 'core/threads.js'],
        why: 'only core/wasm.js sees linear memory, and core/threads.js makes one that is shared',
    },
    {
        word: /\bpostMessage\s*\(/,
        except: /\b(?:parent|opener)\s*\.\s*postMessage/,
        in: [
            'core/engine.js',
            'core/anywhere.js',
            'core/worker.js',
            'core/threads.js',
            'core/install.js',
            'node.js',
        ],
        why: 'only core/engine.js posts messages to the worker (through core/anywhere.js), core/worker.js answers, and core/threads.js starts helpers',
    },
    {
        word: /\bnew\s+(?:Shared)?Worker\b/,
        in: ['core/engine.js', 'core/anywhere.js', 'core/threads.js', 'node.js'],
        why: 'only core/engine.js and core/anywhere.js make workers, and node.js threads (core/threads.js: helpers)',
    },
    {
        word: global('document'),
        in: ['ui/', 'main.js', 'offline.js', 'embed.js'],
        why: 'only ui/ and the entries touch `document`',
    },
    {word: global('location'), in: ['core/store.js'], why: 'only core/store.js touches `location`'},
];
const HTML_FROM_TEXT =
    /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|document\s*\.\s*write(?:ln)?)\b/;

let passed = 0,
    failed = 0;

/** @param {string} file @param {{line: number, text: string}[]} offences  of one rule on one file
 */
function report(file, offences) {
    for (const o of offences) console.log(`${file}:${o.line}: ${o.text}`);
    if (offences.length) failed++;
    else passed++;
}

function filesUnder(folder, endings) {
    if (!existsSync(join(ROOT, folder))) return [];
    return readdirSync(join(ROOT, folder), {withFileTypes: true})
        .flatMap(entry => {
            const path = join(folder, entry.name);
            if (entry.isDirectory())
                return entry.name === 'node_modules' ? [] : filesUnder(path, endings);
            return endings.includes(extname(entry.name)) ? [path] : [];
        })
        .sort();
}

const linesWith = (text, pattern, message) =>
    text.split('\n').flatMap((line, i) => {
        const found = pattern.exec(line);
        return found ? [{line: i + 1, text: message(found)}] : [];
    });

// ---- rules for C and JavaScript ----

function openingComment(text) {
    const lines = text.replace(/^#!.*\n/, '').split('\n');
    let length = 0;
    if (lines[0].startsWith('/*')) length = lines.findIndex(line => line.includes('*/')) + 1;
    else while (lines[length]?.startsWith('//')) length++;
    return length >= OPENING
        ? []
        : [
              {
                  line: 1,
                  text: `the file must open with a comment of ${OPENING} lines or more; it has ${length}`,
              },
          ];
}

function warnOfSize(file, text) {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    if (lines > FILE) console.log(`${file}: warning: ${lines} lines; is it still about one thing?`);
}

/**
 * Statements that begin in column 0, as [first, last] line. One that opens a bracket at the end of
 * a line goes on to the line that closes it in column 0; another one ends with ";" or "}".
 */
function topLevel(lines) {
    const statements = [];
    for (let i = 0, first = -1, isOpen = false; i < lines.length; i++) {
        const line = lines[i].trimEnd(),
            opens = /[{[(]$/.test(line),
            closes = /^[}\])]/.test(line);
        if (first < 0 && (line === '' || /^[\s#]/.test(line))) continue;
        if (first < 0) first = i;
        isOpen = opens || (isOpen && !closes);
        if (isOpen || !/[;}]$/.test(line)) continue;
        statements.push([first, i]);
        first = -1;
    }
    return statements;
}

/** @param {(head: string) => string | undefined} nameOf  of the code up to a function's opening
 *                                                       brace */
function functionSizes(code, most, nameOf) {
    const lines = code.split('\n');
    return topLevel(lines).flatMap(([first, last]) => {
        const statement = lines.slice(first, last),
            size = last - first + 1;
        const brace = Math.max(
            statement.findLastIndex(line => /^\S.*\{\s*$/.test(line)),
            statement.findIndex(line => /\{\s*$/.test(line)),
        );
        const name = brace >= 0 && nameOf(statement.slice(0, brace + 1).join(' '));
        if (!name || size <= most) return [];
        return [{line: first + 1, text: `${name} has ${size} lines; at most ${most} are allowed`}];
    });
}

// ---- C ----

const cFunction = head => (head.includes('=') ? undefined : /([A-Za-z_]\w*)\s*\(/.exec(head)?.[1]);

function cIncludes(file, code) {
    const layer = file.split(sep)[1],
        allowed = C_LAYERS[layer];
    if (!allowed) return [{line: 1, text: `src/${layer} is no layer of src/`}];
    return code.split('\n').flatMap((line, i) => {
        const found = /^\s*#\s*include\s*([<"])([^>"]+)[>"]/.exec(line);
        if (!found) return [];
        if (found[2] === 'utf8proc.h')
            return [{line: i + 1, text: 'only build/ may include utf8proc.h'}];
        if (found[2] === 'unicode_data.h')
            return layer === 'text'
                ? []
                : [{line: i + 1, text: 'only text/ may include unicode_data.h'}];
        if (found[1] === '<') return [];
        const target = join('src', found[2]),
            to = target.split(sep)[1]; // written from src/

        if (found[2].includes('..') || !existsSync(join(ROOT, target)))
            return [
                {
                    line: i + 1,
                    text: `includes "${found[2]}", which is no file of src/ (includes are written from there, without ../)`,
                },
            ];
        return allowed.includes(to)
            ? []
            : [{line: i + 1, text: `${layer} may not include ${to} ("${found[2]}")`}];
    });
}

function cExports(file, code) {
    if (file.startsWith(join('src', 'port') + sep)) return [];
    return linesWith(
        code,
        /^(?!\s|#|typedef\b|extern\b)[^;=]*?\b(hl_\w+)\s*\([^;]*$/,
        found => `${found[1]} is defined here; only port/ defines hl_ functions`,
    );
}

function checkC(file) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const isGenerated = file.endsWith('.h') && /^(?:.*\n){0,10}.*\bgenerated by\b/i.test(text);
    const code = maskSource(text, {isScript: false, strings: true});
    if (file.startsWith(`src${sep}`)) {
        report(file, cIncludes(file, maskSource(text, {isScript: false, strings: false})));
        if (file.endsWith('.c')) report(file, cExports(file, code));
    }
    if (isGenerated) return;
    report(file, openingComment(text));
    warnOfSize(file, text);
    report(file, functionSizes(code, C_FUNCTION, cFunction));
}

// ---- JavaScript ----

const JS_FUNCTION_HEAD =
    /^(?:async\s+)?(?:function\s*\*?\s*(\w*)|const\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|.*=>))/;
const jsFunction = head => {
    const found = JS_FUNCTION_HEAD.exec(head.replace(/^export\s+(?:default\s+)?/, ''));
    return found ? found[1] || found[2] || 'the default function' : undefined;
};

const packages = existsSync(join(ROOT, 'web/package.json'))
    ? Object.keys(
          JSON.parse(readFileSync(join(ROOT, 'web/package.json'), 'utf8')).dependencies ?? {},
      )
    : [];

/** The row of JS_LAYERS for a path below web/. */
const layerOf = path => (path in JS_LAYERS ? path : path.split('/')[0]);

function mayImport(path, target) {
    const allowed = JS_LAYERS[layerOf(path)];
    if (target.startsWith('node:') && allowed.includes('node:')) return '';
    if (!target.startsWith('.')) {
        const isListed = packages.some(name => target === name || target.startsWith(`${name}/`));
        if (!isListed) return `${target} is no dependency of web/package.json`;
        return allowed.includes('packages')
            ? ''
            : `${layerOf(path)} may not import packages (${target})`;
    }
    const to = normalize(join(dirname(path), target))
        .split(sep)
        .join('/');
    if (!existsSync(join(ROOT, 'web', to))) return `imports ${target}, which is no file of web/`;
    return allowed.includes(layerOf(to))
        ? ''
        : `${layerOf(path)} may not import ${layerOf(to)} (${target})`;
}

function jsImports(path, text) {
    if (!JS_LAYERS[layerOf(path)])
        return [{line: 1, text: `web/${layerOf(path)} is no layer of web/`}];
    const offences = [];
    for (const found of text.matchAll(/(?:\bfrom|\bimport)\s*\(?\s*(['"])([^'"\n]+)\1/g)) {
        const why = mayImport(path, found[2]);
        if (why) offences.push({line: text.slice(0, found.index).split('\n').length, text: why});
    }
    return offences;
}

function jsWords(path, code) {
    const isPlace = place => path === place || (place.endsWith('/') && path.startsWith(place));
    return WORDS.filter(rule => !rule.in.some(isPlace)).flatMap(rule =>
        linesWith(code, rule.word, found =>
            rule.except?.test(found.input) ? '' : rule.why,
        ).filter(offence => offence.text),
    );
}

function checkJs(file) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const path = file.split(sep).slice(1).join('/');
    const code = maskSource(text, {isScript: true, strings: true});
    const withStrings = maskSource(text, {isScript: true, strings: false});
    if (file.startsWith(`web${sep}`)) {
        report(file, jsImports(path, withStrings));
        report(file, jsWords(path, code));
        report(
            file,
            linesWith(
                withStrings,
                HTML_FROM_TEXT,
                found => `${found[0]} would turn text into HTML`,
            ),
        );
    }
    report(file, openingComment(text));
    warnOfSize(file, text);
    report(file, functionSizes(code, JS_FUNCTION, jsFunction));
}

const cFolders = ['src', join('tests', 'c'), join('tests', 'fuzz')];
for (const file of cFolders.flatMap(folder => filesUnder(folder, ['.c', '.h']))) checkC(file);
for (const file of ['web', 'tests'].flatMap(folder => filesUnder(folder, ['.js', '.mjs'])))
    checkJs(file);
for (const file of filesUnder('web', ['.html']))
    report(
        file,
        linesWith(
            readFileSync(join(ROOT, file), 'utf8'),
            HTML_FROM_TEXT,
            found => `${found[0]} would turn text into HTML`,
        ),
    );
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
