/* search_beside - the index that may stand beside another: one of the same items of the same corpus, in the same tokens.
 * Pairs that differ in one of these alone are refused, and equal ones are taken.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {headlight, root, run} from './lib/model.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
test.after(() => rmSync(folder, {recursive: true}));
let made = 0;

/** An index of a table of two columns. @param {string} table @param {string[]} options */
function index(table, ...options) {
    const [corpus, file] = ['tsv', 'idx'].map(end => join(folder, `${made++}.${end}`));
    writeFileSync(corpus, `one\ttwo\n${table}`);
    const model = join(root, 'models/mini-en');
    run('index', model, corpus, '-o', file, '--format', 'tsv', ...options);
    return file;
}
const first = ['--columns', 'one'],
    second = ['--columns', 'two'];

/** @param {string} own @param {string} other */
const asked = (own, other) =>
    spawnSync(headlight, ['search', own, 'heads', '--beside', other], {encoding: 'utf8'});

/** What differs, and the two. @type {[string, string, string][]} */
const PAIRS = [
    ['the corpus', index('cat\tdog\n', ...first), index('cat\tcow\n', ...first)],
    ['its bytes', index('cat\tbread\n', ...first), index('cat\tbread\n', ...second)],
    // "a b" and "cat" have as many bytes, and two tokens and one
    ['tokens of the last text', index('cat\ta b\n', ...first), index('cat\ta b\n', ...second)],
    [
        'tokens of a text before',
        .../** @type {[string, string]} */ (
            [first, second].map(columns => index('cat\ta b\na b\tcat\n', ...columns))
        ),
    ],
    [
        'which part of the corpus it is',
        .../** @type {[string, string]} */ (
            ['1/2', '2/2'].map(part => index('cat\tx\ndog\tx\n', ...first, '--shard', part))
        ),
    ],
];

for (const [what, own, other] of PAIRS)
    test(`${what} differs: it is refused, from both sides`, () => {
        for (const pair of /** @type {[string, string][]} */ ([
            [own, other],
            [other, own],
        ])) {
            const {status, stderr} = asked(...pair);
            assert.equal(
                stderr,
                'state: the index beside must be of the same items of the same corpus, in the same tokens\n',
            );
            assert.equal(status, 1);
        }
        for (const one of [own, other]) assert.equal(asked(one, one).stderr, '');
    });
