/* lint.test - the rules of eslint.config.mjs and of check_c.mjs on small trees made for it: a clean
 * one passes, and each offence is found in its file and line, while what only looks like one (in
 * comments, strings, own members) is not.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {ESLint} from 'eslint';
import {root as repository} from './lib/model.mjs';

const C = '/* a file\n * for the test */\n',
    JS = '// a file\n// for the test\n';

const CLEAN = {
    'web/package.json': '{"dependencies": {"preact": "1"}}',
    'src/headlight.h': `/* manual${'\n *'.repeat(20)} */\nint hl_version(void);\n`,
    'src/base/a.h': `${C}int a(void);\n`,
    'src/text/t.c': `${C}#include "base/a.h"\n#include "unicode_data.h"\n#include <string.h>\n`,
    'src/port/p.c': `${C}#include "headlight.h"\n#include "text/t.h"\nint hl_version(void) {\n    return 1;\n}\n`,
    'src/text/t.h': C,
    'src/model/m.c':
        `${C}int use(void) { return hl_version(); }\n/* int hl_run(int a) {\n#include "none.h" */\n` +
        `static const char *said = "int hl_run(void) {";\n` +
        `static const int table[] = {\n${'    1,\n'.repeat(70)}};\n`,
    'web/engine/engine.js': `${JS}import {a} from '../base/errors.js';\nnew Worker(a).postMessage(1);\n`,
    'web/base/errors.js': `${JS}export const a = 'document location'; // innerHTML, document\n`,
    'web/state/store.js': `${JS}export const b = location.hash;\n`,
    'web/worker/wasm.js': `${JS}export const c = x => x.memory.buffer;\n`,
    'web/worker/worker.js': `${JS}import {c} from './wasm.js';\npostMessage(c);\n`,
    'web/state/fields.js': `${JS}import {a} from '../base/errors.js';\nexport {a};\n`,
    'web/state/state.js': `${JS}import {a} from './fields.js';\nimport '../views/fields.js';\na();\n`,
    'web/views/fields.js': `${JS}import './v/fields.js';\nimport './v/w/fields.js';\n`,
    'web/views/v/fields.js': `${JS}import {a} from '../../state/fields.js';\na();\n`,
    'web/views/v/w/fields.js': `${JS}import {a} from '../../../state/fields.js';\na();\n`,
    'web/views/v/scene.js': `${JS}import {d} from '../../draw/d.js';\nd();\n`,
    'web/draw/d.js': `${JS}import {h} from 'preact';\nexport const d = x => x.location + h.ownerDocument;\n`,
    'web/words/languages.js': `${JS}export const e = code => import('./en.js').then(code === 'zh');\n`,
    'web/words/en.js': `/* one\n * comment */\nexport const en = {document: 'location'};\n`,
    'web/figure/u.js':
        `${JS}import {d} from '../draw/d.js';\nimport {a} from '../base/errors.js';\n` +
        'document.title = d(a);\nwindow.parent.postMessage(d, a);\n',
};

/** Runs a check in a folder that holds CLEAN with `files` added.
 * @template T @param {Record<string, string>} files @param {(root: string) => T | Promise<T>} run */
async function inTree(files, run) {
    const root = mkdtempSync(join(tmpdir(), 'lint-'));
    for (const [path, text] of Object.entries({...CLEAN, ...files})) {
        mkdirSync(dirname(join(root, path)), {recursive: true});
        writeFileSync(join(root, path), text);
    }
    try {
        return await run(root);
    } finally {
        rmSync(root, {recursive: true});
    }
}

/** "path:line: sentence" of each error of ESLint; warnings are named as such. */
const lint = files =>
    inTree(files, async root => {
        const eslint = new ESLint({
            cwd: root,
            overrideConfigFile: join(repository, 'eslint.config.mjs'),
        });
        const results = await eslint.lintFiles(['web']);
        return results.flatMap(({filePath, messages}) =>
            messages.map(
                ({line, message, severity}) =>
                    `${filePath.slice(root.length + 1)}:${line}: ${severity === 1 ? 'warning: ' : ''}${message}`,
            ),
        );
    });

/** The lines of check_c.mjs and its exit status. */
const checkC = files =>
    inTree(files, root => {
        const script = join(repository, 'tests/check_c.mjs');
        const done = spawnSync(process.execPath, [script, root], {encoding: 'utf8'});
        assert.equal(done.stderr, '');
        return {status: done.status, lines: done.stdout.trimEnd().split('\n')};
    });

test('a clean tree passes', async () => {
    assert.deepEqual(await lint({}), []);
    const {status, lines} = await checkC({});
    assert.match(lines.join('\n'), /^\d\d passed, 0 failed$/);
    assert.equal(status, 0);
});

const long = (head, lines, end) => `${head}\n${'    x;\n'.repeat(lines - 2)}${end}\n`;

for (const [path, text, line, sentence] of [
    ['src/base/x.c', `${C}#include "text/t.h"\n`, 3, 'base may not include text ("text/t.h")'],
    [
        'src/text/x.c',
        `${C}#include "math/m.h"\n`,
        3,
        'includes "math/m.h", which is no file of src/',
    ],
    [
        'src/text/x.c',
        `${C}#include "../base/a.h"\n`,
        3,
        'includes "../base/a.h", which is no file of src/',
    ],
    [
        'src/model/x.c',
        `${C}\n#include "headlight.h"\n`,
        4,
        'model may not include headlight.h ("headlight.h")',
    ],
    ['src/text/x.c', `${C}#include <utf8proc.h>\n`, 3, 'only build/ may include utf8proc.h'],
    ['src/text/x.c', `${C}#include <stdio.h>\n`, 3, 'only cli/ may include stdio.h'],
    [
        'src/model/x.c',
        `${C}#include "unicode_data.h"\n`,
        3,
        'only text/ may include unicode_data.h',
    ],
    ['src/cli/x.c', `${C}#include "base/a.h"\n`, 3, 'cli may not include base ("base/a.h")'],
    ['src/extra/x.c', C, 1, 'src/extra is no layer of src/'],
    [
        'src/model/x.c',
        `${C}int hl_run(int a,\n           int b) {\n}\n`,
        3,
        'hl_run is defined here; only port/',
    ],
    [
        'src/model/x.c',
        'int a;\n',
        1,
        'the file must open with a comment of 2 lines or more; it has 0',
    ],
    ['src/model/x.c', C + long('static int f(int a) {', 61, '}'), 3, 'f has 61 lines; at most 60'],
    [
        'src/model/x.c',
        C + long('int table[] = {', 70, '};') + long('int g(void) {', 61, '}'),
        73,
        'g has 61 lines',
    ],
    [
        'tests/c/test_x.c',
        C + long('static int f(int a,\n             int b) {', 60, '}'),
        3,
        'f has 61 lines',
    ],
    [
        'web/x.html',
        '<p>\n<script>document.write(1)</script>',
        2,
        'document.write would turn text into HTML',
    ],
])
    test(`${path}: ${sentence}`, async () => {
        const {status, lines} = await checkC({[path]: text});
        assert.ok(lines[0].startsWith(`${path}:${line}: ${sentence}`), lines.join('\n'));
        assert.match(lines.at(-1), /^\d+ passed, 1 failed$/);
        assert.equal(lines.length, 2);
        assert.equal(status, 1);
    });

for (const [path, code, line, sentence] of [
    [
        'views/x.js',
        "/** @typedef {import('../session/session.js').Shown} Shown\n *   @typedef {import('../words/en.js').A} A */\n",
        3,
        'views may not name a type of session (../session/session.js)',
    ],
    [
        'views/x.js',
        "/** @import {A,\n *     B} from '../words/en.js'\n * @import {Shown} from '../session/session.js' */\n",
        3,
        'views may not name a type of session (../session/session.js)',
    ],
    [
        'figure/x.js',
        "export const x = (/** @type {import('../app/app.js').Parts} */ parts) => parts;\n",
        3,
        'figure may not name a type of app (../app/app.js)',
    ],
    [
        'views/x.js',
        `import {h} from 'preact';\nexport const x = h('input', {...{type: 'text', value: 1}, onChange() {}});\n`,
        4,
        'what is typed here is lost when the page is drawn anew',
    ],
    [
        'views/x.js',
        `import {h} from 'preact';\nexport const x = h('textarea', {onChange() {}});\n`,
        4,
        'what is typed here is lost when the page is drawn anew',
    ],
    [
        'engine/x.js',
        `import {d} from '../draw/d.js';\nd();\n`,
        3,
        'engine may not import draw (../draw/d.js)',
    ],
    [
        'engine/x.js',
        `export * from '../worker/wasm.js';\n`,
        3,
        'engine may not import worker/wasm.js (../worker/wasm.js)',
    ],
    ['engine/x.js', `import 'preact/hooks';\n`, 3, 'engine may not import packages (preact/hooks)'],
    [
        'draw/x.js',
        `export {\n    u,\n} from '../figure/u.js';\n`,
        5,
        'draw may not import figure (../figure/u.js)',
    ],
    ['views/x.js', `await import('../state/store.js');\n`, 3, 'views may not import state'],
    ['views/x.js', `import '../state/fields.js';\n`, 3, 'views may not import state/fields.js'],
    ['views/x.js', `import './v/fields.js';\n`, 3, 'views may not import views/*/fields.js'],
    [
        'views/x/fields.js',
        `import '../../state/state.js';\n`,
        3,
        'views/*/fields.js may not import',
    ],
    ['views/x/fields.js', `import '../v/scene.js';\n`, 3, 'views/*/fields.js may not import views'],
    ['views/fields.js', `import './v/scene.js';\n`, 3, 'views/fields.js may not import views'],
    ['state/state.js', `import '../views/v/scene.js';\n`, 3, 'state/state.js may not import views'],
    ['engine/x.js', `import '../views/fields.js';\n`, 3, 'engine may not import views/fields.js'],
    ['views/x.js', 'await import(`../${1}.js`);\n', 3, 'imports what is computed'],
    ['figure/x.js', `import 'lodash';\n`, 3, 'lodash is no dependency of web/package.json'],
    ['figure/x.js', `import './none.js';\n`, 3, 'imports ./none.js, which is no file of web/'],
    ['figure/x.js', `import 'node:fs';\n`, 3, 'node:fs is no dependency of web/package.json'],
    ['shell/x.js', `import '../figure/u.js';\n`, 3, 'shell may not import figure'],
    ['extra/x.js', '', 1, 'web/extra is no layer of web/'],
    [
        'figure/x.js',
        `export const b = memory => memory.buffer;\n`,
        3,
        'only worker/wasm.js sees linear memory',
    ],
    [
        'figure/x.js',
        `export default new WebAssembly.Memory({});\n`,
        3,
        'only worker/wasm.js sees linear memory',
    ],
    ['figure/x.js', `worker.postMessage(1);\n`, 3, 'only engine/engine.js posts messages'],
    [
        'figure/x.js',
        `new Worker('x');\n`,
        3,
        'only engine/engine.js and engine/anywhere.js make workers',
    ],
    [
        'views/x.js',
        'export const a = `${document.title}`;\n',
        3,
        'only the rooms of the document and the entries touch `document`',
    ],
    [
        'views/x.js',
        `window.document.title = 1;\n`,
        3,
        'only the rooms of the document and the entries touch `document`',
    ],
    ['figure/x.js', `location.hash = 1;\n`, 3, 'only state/store.js touches `location`'],
    [
        'state/store.js',
        `document.title = 1;\n`,
        3,
        'only the rooms of the document and the entries touch `document`',
    ],
    ['figure/x.js', `x['innerHTML'] = 1;\n`, 3, 'this would turn text into HTML'],
    ['figure/x.js', `x.insertAdjacentHTML('beforeend', y);\n`, 3, 'this would turn text into HTML'],
    ['figure/x.js', `export const k = e => e.key === 'Escape';\n`, 3, 'only shell/ knows Escape'],
    ['views/x.js', `export const r = ({engine}) => engine.run({});\n`, 3, 'not a loop of runs'],
    ['figure/x.js', `export const r = by => by.engine.run({});\n`, 3, 'not a loop of runs'],
    [
        'session/x.js',
        'export class R {\n    #engine;\n    run = () => this.#engine.run({});\n}\n',
        5,
        'not a loop of runs',
    ],
    ['figure/x.js', `document.write(1);\n`, 3, 'this would turn text into HTML'],
    [
        'figure/x.js',
        `export const w = t => (t.code === 'zh' ? 1 : 2);\n`,
        3,
        'only web/words knows of languages',
    ],
    [
        'words/x.js',
        long('export async function f() {', 41, '}'),
        3,
        `Async function 'f' has too many lines (41)`,
    ],
])
    test(`web/${path}: ${sentence}`, async () => {
        const found = await lint({[`web/${path}`]: JS + code});
        assert.equal(found.length, 1, found.join('\n'));
        assert.match(found[0], new RegExp(`^web/${path}:${line}: `));
        assert.ok(found[0].includes(sentence), found[0]);
    });

test('a file opens with a comment of two lines, or two of one', async () => {
    const why = 'the file must open with a comment of 2 lines';
    for (const [text, found] of [
        ['export {};\n', [why]],
        ['// one\nexport {};\n', [why]],
        ['// one\n\n// two\nexport {};\n', [why]],
        ['export {};\n// one\n// two\n', [why]],
        ['#!/usr/bin/env node\n/* one\n * two */\nexport {};\n', []],
    ])
        assert.deepEqual(
            (await lint({'web/figure/x.js': text})).map(line => line.replace(/^.*?:\d+: /, '')),
            found,
            text,
        );
});
