/* eslint.config - the rules of the JavaScript tree that neither tsc nor Prettier checks: which
 * layer may import which (statically or dynamically) or name its types, who may touch what, no HTML from text, no
 * word of one language outside web/words, how long a function may be. `make check` runs it; the
 * rules for C are in tests/check_c.mjs, long files in tests/js/long.test.mjs. tests/js/lint.test.mjs plants an offence of each kind.
 */
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, normalize, relative, sep} from 'node:path';

/** Parts of a view that are fetched late, as their words are. */
const LATE = ['views/head/over/long.js', 'views/head/over/mark_link.js'];

/** What every room of the document may import besides the rooms below it. */
const ROOM = ['base', 'state', 'state/state.js', 'draw', 'views', 'words', 'session', 'packages'];

/** What writes a file of a table or a picture. */
const FILES = ['save/texts.js', 'save/files.js', 'save/pairs.js'];

/** What the files of a folder of web/ may import. Folders are in order: a room knows those above it
 * in this list, never one below. A row of its own has a file of the worker's side, and an entry;
 * 'packages' are the dependencies of web/package.json, 'node:' the modules of Node. */
const LAYERS = {
    base: [],
    // types that all rooms share, and nothing to run
    'base/shared.js': ['files', 'engine', 'state', 'state/state.js', 'views', 'session'],
    files: ['base', 'files'],
    'worker/instantiate.js': [],
    'worker/threads.js': ['worker/instantiate.js'],
    'worker/helper.js': ['worker/instantiate.js'],
    'worker/wasm.js': ['base', 'worker/threads.js', 'worker/instantiate.js', 'worker/relaxed.js'],
    'worker/two.js': ['worker/wasm.js'],
    'worker/relaxed.js': [],
    'worker/passes.js': ['base', 'worker/wasm.js', 'worker/two.js'],
    'worker/indexes.js': ['worker/wasm.js', 'worker/passes.js'],
    'worker/interventions.js': ['worker/wasm.js', 'worker/passes.js'],
    'worker/worker.js': [
        'base',
        'files',
        'worker/wasm.js',
        'worker/two.js',
        'worker/indexes.js',
        'worker/interventions.js',
        'worker/passes.js',
    ],
    'engine/anywhere.js': ['base', 'worker/worker.js'],
    engine: ['base', 'files', 'engine'],
    // a view's fields know the kinds of fields; state gathers them, and sees nothing else of a view
    'state/fields.js': ['base'],
    'views/*/fields.js': ['state/fields.js'],
    'views/fields.js': ['views/*/fields.js'],
    'state/state.js': ['state', 'state/fields.js', 'views/fields.js'],
    state: ['base', 'state', 'state/state.js'],
    draw: ['draw', 'packages'],
    words: ['words', 'draw'],
    views: ['base', 'draw', 'views', ...LATE, 'packages'],
    ...Object.fromEntries(LATE.map(path => [path, ['draw', 'views', 'words', 'packages']])),
    // the rooms of the document
    session: ['base', 'files', 'engine', 'views', 'session'],
    shell: ['base', 'words', 'shell', 'packages'],
    text: [...ROOM, 'shell', 'text', 'lessons'],
    figure: [...ROOM, ...FILES, 'engine', 'shell', 'text', 'figure'],
    model: [...ROOM, 'files', 'shell', 'figure', 'model'],
    compare: [...ROOM, 'shell', 'figure', 'model', 'compare'],
    'lessons/own.js': ['state/state.js'],
    'lessons/list.js': ['lessons', 'lessons/own.js'],
    lessons: [
        ...[...ROOM, 'shell', 'text', 'compare', ...FILES],
        ...['lessons', 'lessons/own.js', 'lessons/list.js'],
    ],
    cards: [...ROOM, 'shell', 'lessons', 'cards'],
    element: [
        ...ROOM,
        'files',
        'engine',
        'engine/anywhere.js',
        'shell',
        'text',
        'figure',
        'model',
        'compare',
        'lessons/list.js',
        'element',
    ],
    notebook: [...ROOM, 'files', 'shell', 'text', 'figure', 'model', 'element', 'notebook'],
    'save/texts.js': [],
    'save/files.js': ['save/texts.js', 'packages'],
    'save/pairs.js': ['save/texts.js', 'draw'],
    save: [
        ...[...ROOM, ...LATE, ...FILES, 'files', 'shell', 'figure', 'compare'],
        ...['lessons/own.js', 'lessons/list.js', 'element', 'save'],
    ],
    studies: [
        ...[...ROOM, ...FILES, 'files', 'engine', 'shell', 'text', 'figure', 'model', 'save'],
        'studies',
    ],
    app: [
        ...ROOM,
        'files',
        'shell',
        'text',
        'figure',
        'model',
        'compare',
        'lessons',
        'cards',
        'save',
        'studies',
        'app',
    ],
    // entries
    'boot.js': ['base', 'engine', 'app'],
    'main.js': ['boot.js', 'app'],
    'offline.js': ['engine', 'state', 'shell', 'app'],
    'element.js': ['element'],
    'embed.js': ['state', 'element'],
    'lesson.js': ['state', 'element'],
    'notebook.js': ['engine', 'notebook'],
    'sw.js': [],
    package: [...ROOM, ...FILES, 'engine', 'save', 'package', 'node:'],
    'package/hub_cache.js': ['base', 'files', 'package', 'node:'],
    'package/node_worker.js': [
        'files',
        'worker/worker.js',
        'worker/helper.js',
        'package/hub_cache.js',
        'node:',
    ],
};

/** What lies below the rooms: values of its types go up and down, so any file may name them in a comment. */
const TYPES = [
    ...['base', 'base/shared.js', 'files', 'engine', 'state', 'state/state.js', 'state/fields.js'],
    ...['views', 'words', ...Object.keys(LAYERS).filter(layer => layer.startsWith('worker/'))],
];

const slashed = path => path.split(sep).join('/');
function layerOf(path) {
    if (/^views\/.+\/fields\.js$/.test(path)) return 'views/*/fields.js';
    return path in LAYERS ? path : path.split('/')[0];
}

/** The names of the packages that web/package.json depends on. @param {string} web */
const packagesOf = web =>
    Object.keys(JSON.parse(readFileSync(join(web, 'package.json'), 'utf8')).dependencies ?? {});

/** Why a file of web/ may not import this, '' when it may.
 * @param {string} web the folder @param {string} path of the file below it
 * @param {string} target as written */
function refusal(web, path, target) {
    const layer = layerOf(path);
    const allowed = LAYERS[layer];
    if (target.startsWith('node:') && allowed.includes('node:')) return '';
    if (!target.startsWith('.')) {
        const known = packagesOf(web).some(
            name => target === name || target.startsWith(`${name}/`),
        );
        if (!known) return `${target} is no dependency of web/package.json`;
        return allowed.includes('packages') ? '' : `${layer} may not import packages (${target})`;
    }
    const to = slashed(normalize(join(dirname(path), target)));
    if (!existsSync(join(web, to))) return `imports ${target}, which is no file of web/`;
    return allowed.includes(layerOf(to))
        ? ''
        : `${layer} may not import ${layerOf(to)} (${target})`;
}

const layers = {
    create(context) {
        const web = join(context.cwd, 'web');
        const path = slashed(relative(web, context.filename));
        const report = (node, message) => context.report({node, message});
        const layer = layerOf(path);
        const named = ({value, loc}) => {
            for (const [, target] of value.matchAll(/(?:\bimport\(|@import [^']*)'(\.[^']*)'/g)) {
                const to = layerOf(slashed(normalize(join(dirname(path), target))));
                if (to === layer || TYPES.includes(to) || LAYERS[layer].includes(to)) continue;
                context.report({loc, message: `${layer} may not name a type of ${to} (${target})`});
            }
        };
        const check = ({source}) => {
            if (!source) return;
            const message =
                typeof source.value === 'string'
                    ? refusal(web, path, source.value)
                    : 'imports what is computed; name the file, so that the layers can be checked';
            if (message) report(source, message);
        };
        if (!LAYERS[layer])
            return {Program: node => report(node, `web/${layer} is no layer of web/`)};
        return {
            Program: () => context.sourceCode.getAllComments().forEach(named),
            ImportDeclaration: check,
            ImportExpression: check,
            ExportNamedDeclaration: check,
            ExportAllDeclaration: check,
        };
    },
};

/** A file opens with a comment of two lines or more. */
const heading = {
    create: context => ({
        Program(node) {
            const comments = context.sourceCode.getAllComments();
            const from = comments[0]?.type === 'Shebang' ? 1 : 0;
            const code = node.body[0]?.range[0] ?? Infinity;
            const lines = comments
                .slice(from)
                .filter(
                    ({range, loc}, i, list) =>
                        range[1] <= code && loc.start.line === list[0].loc.start.line + i,
                )
                .reduce((sum, {loc}) => sum + loc.end.line - loc.start.line + 1, 0);
            if (lines < 2)
                context.report({node, message: 'the file must open with a comment of 2 lines'});
        },
    }),
};

/** A rule against what a selector finds. @param {string} selector @param {string} message */
const forbid = (selector, message) => ({
    create: context => ({[selector]: node => context.report({node, message})}),
});

const HTML = '/^(innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML)$/';
const rules = {
    layers,
    heading,
    memory: forbid(
        'MemberExpression[property.name="buffer"]:matches([object.name="memory"], [object.property.name="memory"]), ' +
            'MemberExpression[property.name="memory"][object.name="exports"], ' +
            'MemberExpression[object.name="WebAssembly"][property.name="Memory"]',
        'only worker/wasm.js sees linear memory, and worker/threads.js makes one that is shared',
    ),
    messages: forbid(
        'CallExpression:matches([callee.name="postMessage"], [callee.property.name="postMessage"])' +
            ':not([callee.object.name=/^(parent|opener)$/], [callee.object.property.name=/^(parent|opener)$/])',
        'only engine/engine.js posts messages to the worker (through engine/anywhere.js), worker/worker.js answers, and worker/threads.js starts helpers',
    ),
    workers: forbid(
        'NewExpression[callee.name=/^(Shared)?Worker$/], NewExpression[callee.property.name=/^(Shared)?Worker$/]',
        'only engine/engine.js and engine/anywhere.js make workers, worker/threads.js helpers, and package/node_engine.js and node_worker.js threads',
    ),
    passes: forbid(
        'CallExpression[callee.property.name="run"]:matches([callee.object.name="engine"], ' +
            '[callee.object.property.name="engine"], [callee.object.callee.name="engine"])',
        'passes over one text are a question that C answers (src/intervene/), not a loop of runs',
    ),
    html: forbid(
        `Identifier[name=${HTML}], Literal[value=${HTML}], ` +
            'CallExpression[callee.object.name="document"][callee.property.name=/^write(ln)?$/]',
        'this would turn text into HTML',
    ),
    escape: forbid(
        'Literal[value="Escape"]',
        'only shell/ knows Escape: a room opens a layer (shell/layers.js)',
    ),
    typed: forbid(
        'CallExpression[callee.name="h"][arguments.0.value=/^(input|textarea)$/]:has(Property[key.name="onChange"])' +
            ':not(:has(Property[key.name="type"][value.value=/^(checkbox|radio|range|file)$/]))',
        'what is typed here is lost when the page is drawn anew: parts/entered.js keeps it, or a state by onInput',
    ),
    language: forbid(
        'BinaryExpression[operator=/^[!=]==?$/]:matches([left.property.name="code"], [left.name="code"])[right.value=/^[a-z]{2}$/]',
        'only web/words knows of languages; put the difference into its words',
    ),
};

/** A rule for all of web/ but these files. @param {string} name @param {string[]} but */
const except = (name, but) => ({
    files: ['web/**/*.js'],
    ignores: but.map(path => `web/${path}`),
    rules: {[`headlight/${name}`]: 'error'},
});
/** A global that only some files of web/ may use, also as a member of window.
 * @param {string} name @param {string} message @param {string[]} but */
const globalOf = (name, message, but) => ({name, message, but});
const ROOMS =
    'shell text figure model compare lessons cards element notebook save studies app'.split(' ');
const GLOBALS = [
    globalOf('document', 'only the rooms of the document and the entries touch `document`', [
        ...ROOMS.map(room => `${room}/**`),
        'main.js',
        'offline.js',
        'embed.js',
        'lesson.js',
    ]),
    globalOf('location', 'only state/store.js touches `location`', ['state/store.js']),
];
const restricted = globals => [
    'error',
    {
        globals: globals.map(({name, message}) => ({name, message})),
        checkGlobalObject: true,
        globalObjects: ['window', 'self'],
    },
];

const LINES = {skipBlankLines: true, skipComments: true};

export default [
    {ignores: ['**/node_modules/**', 'build/out/**', 'tests/golden/**', 'tests/compat/**']},
    {
        files: ['web/**/*.js', 'tests/**/*.{js,mjs}', 'build/**/*.mjs'],
        plugins: {headlight: {rules}},
        linterOptions: {reportUnusedDisableDirectives: 'error'},
        rules: {
            'headlight/heading': 'error',
            'no-unused-vars': [
                'error',
                {
                    args: 'none',
                    caughtErrors: 'none',
                    ignoreRestSiblings: true,
                    varsIgnorePattern: '^_$',
                },
            ],
            'prefer-const': ['error', {destructuring: 'all'}],
            'no-var': 'error',
            eqeqeq: 'error',
            'no-unreachable': 'error',
            'no-dupe-keys': 'error',
            'no-self-assign': 'error',
            'no-useless-rename': 'error',
        },
    },
    {
        files: ['web/**/*.js'],
        languageOptions: {globals: {window: 'readonly', self: 'readonly'}},
        rules: {
            'headlight/layers': 'error',
            'headlight/html': 'error',
            'no-restricted-globals': restricted(GLOBALS),
            'max-lines-per-function': ['error', {max: 40, ...LINES}],
        },
    },
    ...GLOBALS.map(({but}) => ({
        files: but.map(path => `web/${path}`),
        rules: {'no-restricted-globals': restricted(GLOBALS.filter(one => one.but !== but))},
    })),
    except('memory', ['worker/wasm.js', 'worker/threads.js']),
    except('messages', [
        'engine/engine.js',
        'engine/anywhere.js',
        'worker/worker.js',
        'worker/threads.js',
        'app/install.js',
        'package/node_engine.js',
    ]),
    except('workers', [
        'engine/engine.js',
        'engine/anywhere.js',
        'worker/threads.js',
        'package/node_engine.js',
        'package/node_worker.js',
    ]),
    except('escape', ['shell/**']),
    except('passes', [
        'session/compute.js', // the pass that is shown
        'session/two.js', // the same of a model of two stacks
        'package/**', // what a program asks for
        'element/pool.js', // hands on what the figure asks
        'engine/similarity.js', // embeddings: a pass a text, with no change
        'model/precision/recompute.js', // the same pass, in float32
        'figure/experiments.js', // the pass without the experiment, in the precision of what is shown
    ]),
    except('language', ['words/**']),
    except('typed', ['views/parts/entered.js']),
];
