/* eslint.config - the rules of the JavaScript tree that neither tsc nor Prettier checks: which
 * layer may import which (statically or dynamically), who may touch what, no HTML from text, no
 * word of one language outside web/text, how long a function may be. `make check` runs it; the
 * rules for C are in tests/check_c.mjs. tests/js/lint.test.mjs plants an offence of each kind.
 */
import {existsSync, readFileSync} from 'node:fs';
import {dirname, join, normalize, relative, sep} from 'node:path';

/** What the files of a folder of web/ may import. A row of its own has a file of the worker's side,
 * and an entry; 'packages' are the dependencies of web/package.json, 'node:' the modules of Node. */
const LAYERS = {
    'core/instantiate.js': [],
    'core/threads.js': ['core/instantiate.js'],
    'core/helper.js': ['core/instantiate.js'],
    'core/wasm.js': ['core/threads.js', 'core/instantiate.js', 'core/relaxed.js'],
    'core/relaxed.js': [],
    'core/build.js': [],
    'core/passes.js': ['core/wasm.js'],
    // of core/: load.js and what it reads files with
    'core/worker.js': ['core', 'core/wasm.js', 'core/build.js', 'core/passes.js'],
    'sw.js': [],
    'core/anywhere.js': ['core', 'core/worker.js'],
    // a view's fields know the kinds of fields; state gathers them, and sees nothing else of a view
    'core/fields.js': ['core'],
    'views/*/fields.js': ['core/fields.js'],
    'views/fields.js': ['views/*/fields.js'],
    'core/state.js': ['core', 'core/fields.js', 'views/fields.js'],
    core: ['core', 'core/build.js', 'core/state.js', 'core/fields.js'],
    draw: ['draw', 'packages'],
    views: ['draw', 'views', 'views/head/long.js', 'views/head/mark_link.js', 'packages'],
    // fetched late, as their words are
    'views/head/long.js': ['draw', 'views', 'packages', 'text'],
    'views/head/mark_link.js': ['draw', 'views', 'packages', 'text'],
    text: ['text', 'draw'],
    ui: [
        'core',
        'core/state.js',
        'core/anywhere.js',
        'core/build.js',
        'draw',
        'views',
        'views/head/mark_link.js',
        'text',
        'ui',
        'packages',
    ],
    'boot.js': ['core', 'core/build.js', 'ui'],
    'main.js': ['core', 'boot.js', 'ui'],
    'offline.js': ['core', 'ui'],
    'element.js': ['ui'],
    'embed.js': ['core', 'ui'],
    'notebook.js': ['core', 'ui'],
    'index.js': ['core'],
    'node.js': ['core', 'node_engine.js'],
    'node_engine.js': ['core', 'node:'],
    'figure.js': [
        'draw',
        'core',
        'core/state.js',
        'views',
        'ui',
        'text',
        'packages',
        'node_engine.js',
        'node:',
    ],
    'node_worker.js': ['core/worker.js', 'node:'],
};

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
        const check = ({source}) => {
            if (!source) return;
            const message =
                typeof source.value === 'string'
                    ? refusal(web, path, source.value)
                    : 'imports what is computed; name the file, so that the layers can be checked';
            if (message) report(source, message);
        };
        if (!LAYERS[layerOf(path)])
            return {Program: node => report(node, `web/${layerOf(path)} is no layer of web/`)};
        return {
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
        'only core/wasm.js sees linear memory, and core/threads.js makes one that is shared',
    ),
    messages: forbid(
        'CallExpression:matches([callee.name="postMessage"], [callee.property.name="postMessage"])' +
            ':not([callee.object.name=/^(parent|opener)$/], [callee.object.property.name=/^(parent|opener)$/])',
        'only core/engine.js posts messages to the worker (through core/anywhere.js), core/worker.js answers, and core/threads.js starts helpers',
    ),
    workers: forbid(
        'NewExpression[callee.name=/^(Shared)?Worker$/], NewExpression[callee.property.name=/^(Shared)?Worker$/]',
        'only core/engine.js and core/anywhere.js make workers, core/threads.js helpers, and node_engine.js threads',
    ),
    html: forbid(
        `Identifier[name=${HTML}], Literal[value=${HTML}], ` +
            'CallExpression[callee.object.name="document"][callee.property.name=/^write(ln)?$/]',
        'this would turn text into HTML',
    ),
    language: forbid(
        'BinaryExpression[operator=/^[!=]==?$/]:matches([left.property.name="code"], [left.name="code"])[right.value=/^[a-z]{2}$/]',
        'only web/text knows of languages; put the difference into its words',
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
const GLOBALS = [
    globalOf('document', 'only ui/ and the entries touch `document`', [
        'ui/**',
        'main.js',
        'offline.js',
        'embed.js',
    ]),
    globalOf('location', 'only core/store.js touches `location`', ['core/store.js']),
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
            'max-lines': ['warn', {max: 500}],
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
    except('memory', ['core/wasm.js', 'core/threads.js']),
    except('messages', [
        'core/engine.js',
        'core/anywhere.js',
        'core/worker.js',
        'core/threads.js',
        'core/install.js',
        'node_engine.js',
    ]),
    except('workers', ['core/engine.js', 'core/anywhere.js', 'core/threads.js', 'node_engine.js']),
    except('language', ['text/**']),
];
