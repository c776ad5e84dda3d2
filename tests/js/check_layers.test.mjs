// check_layers.test - the rules of check_layers.mjs on small trees made for it: a clean one passes,
// and each offence is found in its file and line, while what only looks like one (in comments,
// strings, own members) is not.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {test} from 'node:test';
import {maskSource} from '../mask_source.mjs';

const CHECK = new URL('../check_layers.mjs', import.meta.url).pathname;
const C = '/* a file\n * for the test */\n',
    JS = '// a file\n// for the test\n';

const CLEAN = {
    'web/package.json': '{"dependencies": {"preact": "1"}}',
    'src/headlight.h': `/* manual${'\n *'.repeat(20)} */\nint hl_version(void);\n`,
    'src/base/a.h': `${C}int a(void);\n`,
    'src/text/t.c': `${C}#include "base/a.h"\n#include "unicode_data.h"\n#include <stdio.h>\n`,
    'src/port/p.c': `${C}#include "headlight.h"\n#include "text/t.h"\nint hl_version(void) {\n    return 1;\n}\n`,
    'src/text/t.h': C,
    'src/model/m.c':
        `${C}int use(void) { return hl_version(); }\n` +
        `static const int table[] = {\n${'    1,\n'.repeat(70)}};\n`,
    'web/core/engine.js': `${JS}import {a} from './errors.js';\nnew Worker(a).postMessage(1);\n`,
    'web/core/errors.js': `${JS}export const a = 'document location'; // innerHTML, document\n`,
    'web/core/store.js': `${JS}export const b = location.hash;\n`,
    'web/core/wasm.js': `${JS}export const c = (x) => x.memory.buffer;\n`,
    'web/core/worker.js': `${JS}import {c} from './wasm.js';\npostMessage(c);\n`,
    'web/draw/d.js': `${JS}import {h} from 'preact';\nexport const d = (x) => x.location + h.ownerDocument;\n`,
    'web/ui/u.js':
        `${JS}import {d} from '../draw/d.js';\nimport {a} from '../core/errors.js';\n` +
        'document.title = d(a);\nwindow.parent.postMessage(d, a);\n',
};

/** Runs the check on CLEAN with `files` added; the lines printed. */
function check(files) {
    const root = mkdtempSync(join(tmpdir(), 'layers-'));
    for (const [path, text] of Object.entries({...CLEAN, ...files})) {
        mkdirSync(dirname(join(root, path)), {recursive: true});
        writeFileSync(join(root, path), text);
    }
    const done = spawnSync(process.execPath, [CHECK, root], {encoding: 'utf8'});
    rmSync(root, {recursive: true});
    return {status: done.status, lines: done.stdout.trimEnd().split('\n'), stderr: done.stderr};
}

test('a clean tree passes', () => {
    const {status, lines, stderr} = check({});
    assert.equal(stderr, '');
    assert.match(lines.join('\n'), /^\d\d+ passed, 0 failed$/);
    assert.equal(status, 0);
});

const long = (head, lines, end) => `${head}\n${'    x;\n'.repeat(lines - 2)}${end}\n`;
const OFFENCES = [
    ['src/base/x.c', `${C}#include "text/t.h"\n`, 3, 'base may not include text ("text/t.h")'],
    [
        'src/text/x.c',
        `${C}#include "math/m.h"\n`,
        3,
        'includes "math/m.h", which is no file of src/',
    ],
    [
        'src/model/x.c',
        `${C}\n#include "headlight.h"\n`,
        4,
        'model may not include headlight.h ("headlight.h")',
    ],
    ['src/text/x.c', `${C}#include <utf8proc.h>\n`, 3, 'only build/ may include utf8proc.h'],
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
        'web/core/x.js',
        `${JS}import {d} from '../draw/d.js';\n`,
        3,
        'core may not import draw (../draw/d.js)',
    ],
    [
        'web/core/x.js',
        `${JS}import {c} from './wasm.js';\n`,
        3,
        'core may not import core/wasm.js (./wasm.js)',
    ],
    [
        'web/core/x.js',
        `${JS}import 'preact/hooks';\n`,
        3,
        'core may not import packages (preact/hooks)',
    ],
    [
        'web/draw/x.js',
        `${JS}import {\n    u,\n} from '../ui/u.js';\n`,
        5,
        'draw may not import ui (../ui/u.js)',
    ],
    [
        'web/views/x.js',
        `${JS}const x = await import('../core/store.js');\n`,
        3,
        'views may not import core',
    ],
    [
        'web/ui/x.js',
        `${JS}import x from 'lodash';\n`,
        3,
        'lodash is no dependency of web/package.json',
    ],
    [
        'web/ui/x.js',
        `${JS}import x from './none.js';\n`,
        3,
        'imports ./none.js, which is no file of web/',
    ],
    ['web/extra/x.js', JS, 1, 'web/extra is no layer of web/'],
    ['web/ui/x.js', `${JS}const b = memory.buffer;\n`, 3, 'only core/wasm.js sees linear memory'],
    ['web/ui/x.js', `${JS}worker.postMessage(1);\n`, 3, 'only core/engine.js posts messages'],
    [
        'web/ui/x.js',
        `${JS}new Worker('x');\n`,
        3,
        'only core/engine.js and core/anywhere.js make workers, and node.js threads',
    ],
    [
        'web/views/x.js',
        `${JS}const a = \`\${document.title}\`;\n`,
        3,
        'only ui/ and the entries touch `document`',
    ],
    [
        'web/views/x.js',
        `${JS}window.document.title = 1;\n`,
        3,
        'only ui/ and the entries touch `document`',
    ],
    ['web/ui/x.js', `${JS}location.hash = 1;\n`, 3, 'only core/store.js touches `location`'],
    ['web/ui/x.js', `${JS}x['innerHTML'] = 1;\n`, 3, 'innerHTML would turn text into HTML'],
    [
        'web/x.html',
        '<p>\n<script>document.write(1)</script>',
        2,
        'document.write would turn text into HTML',
    ],
    [
        'web/ui/x.js',
        JS + long('export async function f(a) {', 221, '}'),
        3,
        'f has 221 lines; at most 220',
    ],
    [
        'web/ui/x.js',
        JS + long('const g = ({\n    a,\n}) => {', 219, '};'),
        3,
        'g has 221 lines; at most 220',
    ],
    [
        'web/ui/x.js',
        `${JS}const l = [\n    {\n    },\n];\n${long('function k() {', 221, '}')}`,
        7,
        'k has 221 lines',
    ],
];

for (const [path, text, line, sentence] of OFFENCES)
    test(`${path}: ${sentence}`, () => {
        const {status, lines, stderr} = check({[path]: text});
        assert.equal(stderr, '');
        assert.ok(lines[0].startsWith(`${path}:${line}: ${sentence}`), lines.join('\n'));
        assert.match(lines.at(-1), /^\d+ passed, 1 failed$/);
        assert.equal(lines.length, 2);
        assert.equal(status, 1);
    });

test('a long file is a warning, no offence', () => {
    const {status, lines} = check({
        'web/ui/x.js': JS + 'x();\n'.repeat(499),
        'src/model/x.c': C + 'int a;\n'.repeat(499),
    });
    assert.equal(status, 0);
    assert.deepEqual(lines.slice(0, -1), [
        'src/model/x.c: warning: 501 lines; is it still about one thing?',
        'web/ui/x.js: warning: 501 lines; is it still about one thing?',
    ]);
});

test('comments, strings, templates and regular expressions are told from code', () => {
    const source =
        'a / b / "c//" + `d${e + `f${{g}}`}h` + /[/"]i/ // j\n/* k\n*/ l = x ? /m/ : n / o;';
    const js = maskSource(source, {isScript: true, strings: true});
    assert.equal(js.length, source.length);
    assert.deepEqual(js.match(/\w/g), ['a', 'b', 'e', 'g', 'l', 'x', 'n', 'o']);
    assert.equal(js.split('\n').length, 3);
    assert.equal(maskSource("'/*' a // b", {isScript: false, strings: false}), "'/*' a     ");
});
