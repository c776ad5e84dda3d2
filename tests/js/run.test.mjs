/* run.test - tests/run.mjs on suites made for it: what fails twice is red, what fails once is run again and named,
 * more than three of those are red; all targets run, whatever fails before them.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {
    existsSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {root} from './lib/model.mjs';

const IMPORTS =
    "import {after, test} from 'node:test'; import {existsSync, writeFileSync} from 'node:fs';\n";
const FILES = {
    good: "test('good', () => {}); test('left out', {skip: 'why'}, () => {});",
    bad: "test('bad', () => { throw new Error('wrong number'); }); test('beside', () => {});",
    broken: "import './none.mjs';",
    late: "after(() => { throw new Error('too late'); }); test('before', () => {});",
};
/** Fails the first time. @param {string} name */
const chance = name =>
    `test('${name}', () => { if (existsSync('${name}')) return; writeFileSync('${name}', ''); throw new Error('once\\nand more'); });`;

/** @param {import('node:test').TestContext} t @param {Record<string, string>} files */
function folderOf(t, files) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-run-'));
    t.after(() => rmSync(folder, {recursive: true}));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    return folder;
}

/** The lines that are no TAP, and the exit status. @param {string} cwd @param {string[]} given
 * @param {Record<string, string>} [more] of the environment */
function run(cwd, given, more) {
    const {NODE_TEST_CONTEXT, MAKEFLAGS, MAKELEVEL, ...same} = process.env;
    const env = {...same, ...more};
    const {stdout, stderr, status} = spawnSync(
        process.execPath,
        [`${root}tests/run.mjs`, ...given],
        {cwd, env, encoding: 'utf8'},
    );
    const lines = stdout.split('\n').filter(line => /^[a-z]+: /.test(line));
    return {lines, stdout, stderr, status};
}

/** @param {import('node:test').TestContext} t @param {Record<string, string>} tests @param {string[]} [more] */
function suite(t, tests, more = []) {
    const files = Object.entries(tests).map(([name, text]) => [`${name}.test.mjs`, IMPORTS + text]);
    const folder = folderOf(t, Object.fromEntries(files));
    const names = files.map(([name]) => name);
    return {folder, ...run(folder, ['some', '--at-once', '2', ...more, ...names])};
}

test('a suite that passes: one closing line, also for the log of Node', t => {
    const {lines, status, stdout} = suite(t, {good: FILES.good, other: FILES.good});
    assert.deepEqual(lines, ['some: 2 passed, 0 failed, 2 skipped']);
    assert.equal(status, 0);
    assert.equal(stdout.match(/^ok \d+ - good$/gm)?.length, 2);
});

test('what fails twice is named with its error, and the others run', t => {
    const {lines, status} = suite(t, FILES);
    const failed = lines.filter(line => line.startsWith('failed: ')).sort();
    assert.equal(failed.length, 3);
    assert.equal(failed[0], 'failed: bad.test.mjs: bad (wrong number)');
    assert.match(failed[1], /^failed: broken\.test\.mjs: /);
    assert.match(failed[2], /^failed: late\.test\.mjs: .*late/);
    assert.equal(lines.at(-1), 'some: 3 passed, 3 failed, 1 skipped');
    assert.equal(status, 1);
});

test('what fails once is flaky, and passes; four such files do not', t => {
    const three = suite(t, {a: chance('a'), b: chance('b'), c: chance('c'), good: FILES.good});
    assert.deepEqual(three.lines.slice(0, -1).sort(), [
        'flaky: a.test.mjs: a (once)',
        'flaky: b.test.mjs: b (once)',
        'flaky: c.test.mjs: c (once)',
    ]);
    assert.equal(three.lines.at(-1), 'some: 4 passed, 0 failed, 1 skipped');
    assert.equal(three.status, 0);
    const tests = Object.fromEntries([...'abcd'].map(name => [name, chance(name)]));
    const four = suite(t, tests);
    assert.ok(four.lines.includes('failed: 4 flaky files, more than 3'));
    assert.equal(four.status, 1);
});

test('a file that never ends has failed by the time given, and is run again as others are', t => {
    const hangs = 'setInterval(() => {}, 1000); await new Promise(() => {});';
    const once = `test('once', async () => { if (existsSync('once')) return; writeFileSync('once', ''); ${hangs} });`;
    const {lines, status} = suite(t, {once, good: FILES.good}, ['--patience', '4']);
    assert.match(
        lines[0],
        /^flaky: once\.test\.mjs: .*once\.test\.mjs \(.*timed out after 4000ms\)$/,
    );
    assert.deepEqual([lines.at(-1), status], ['some: 2 passed, 0 failed, 1 skipped', 0]);
});

test('--only chooses tests, also when a file is run again; --alone runs files when no other runs', t => {
    const both = `${chance('wanted')} ${FILES.bad}`;
    const {lines, status} = suite(t, {both}, ['--only', '^wan']);
    assert.match(lines.at(-1) ?? '', /^some: 1 passed, 0 failed, /);
    assert.deepEqual([lines[0], status], ['flaky: both.test.mjs: wanted (once)', 0]);
    const slow = `test('slow', async () => { await new Promise(done => setTimeout(done, 300)); writeFileSync('done', ''); });`;
    const alone = `test('alone', () => { if (!existsSync('done')) throw new Error('beside another'); });`;
    const folder = folderOf(t, {'slow.mjs': IMPORTS + slow, 'alone.mjs': IMPORTS + alone});
    const given = ['some', '--at-once', '2', 'slow.mjs', '--alone', 'alone.mjs'];
    assert.deepEqual(run(folder, given).lines, ['some: 2 passed, 0 failed, 0 skipped']);
});

test('all targets run, also after one that fails; the end says all that there is to say', t => {
    const tool = `${process.execPath} ${root}tests/run.mjs`;
    const makefile = [
        'first:\n\t@false',
        `second:\n\t@${tool} second a.mjs`,
        `third:\n\t@${tool} third bad.mjs`,
        'fourth:\n\t@touch fourth',
    ].join('\n');
    const files = {
        Makefile: `${makefile}\n`,
        'a.mjs': IMPORTS + chance('a'),
        'bad.mjs': IMPORTS + FILES.bad,
    };
    const folder = folderOf(t, files);
    const {stdout, status} = run(folder, ['--all', 'first', 'second', 'third', 'fourth']);
    assert.deepEqual(stdout.trimEnd().split('\n').slice(-6), [
        'failed: make first',
        'failed: make third',
        'failed: bad.mjs: bad (wrong number)',
        'flaky: a.mjs: a (once)',
        'second: 1 passed, 0 failed, 0 skipped',
        'third: 1 passed, 1 failed, 0 skipped',
    ]);
    assert.equal(status, 1);
    assert.ok(existsSync(join(folder, 'fourth')));
    const flaky = readFileSync(join(folder, 'build/out/test/flaky.txt'), 'utf8');
    assert.equal(flaky, 'a.mjs: a (once)\n');
    const good = run(folder, ['--all', 'fourth', 'second']);
    assert.equal(good.status, 0);
    assert.doesNotMatch(good.stdout, /third|flaky/, 'nothing of the run before');
});

test('nothing is left in the folder of temporary files', t => {
    const leaves = `import {mkdtempSync} from 'node:fs'; import {tmpdir} from 'node:os';
        test('leaves', () => { mkdtempSync(tmpdir() + '/left-'); });`;
    const folder = folderOf(t, {'leaves.mjs': IMPORTS + leaves});
    mkdirSync(join(folder, 'tmp'));
    const {lines} = run(folder, ['some', 'leaves.mjs'], {TMPDIR: join(folder, 'tmp')});
    assert.deepEqual(lines, ['some: 1 passed, 0 failed, 0 skipped']);
    assert.deepEqual(readdirSync(join(folder, 'tmp')), []);
});

test('a suite without files is refused with how it is called', t => {
    const {status, stderr} = run(folderOf(t, {}), ['some']);
    assert.equal(status, 2);
    assert.match(stderr, /^run: node tests\/run\.mjs SUITE FILE/);
});
