/* leaks - an index that is refused leaves nothing behind: of the command line no memory (it runs under LeakSanitizer, as
 * `make test` builds it), of the package no worker.
 */
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {Worker} from 'node:worker_threads';
import {openIndex} from '../../web/package/node.js';
import {root, run} from './lib/model.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
test.after(() => rmSync(folder, {recursive: true}));
const checked = join(root, 'build/out/asan/headlight');
const skip = !existsSync(checked) && 'build/out/asan/headlight is not made (make debug)';
const QUESTION = '{"ask":"find","word":"cat"}';

/** @param {string} name @param {string} text */
function index(name, text) {
    const [corpus, file] = [`${name}.txt`, `${name}.idx`].map(one => join(folder, one));
    writeFileSync(corpus, text);
    run('index', join(root, 'models/mini-en'), corpus, '-o', file);
    return file;
}
const [own, other] = [index('own', 'The cat sat.\nIt ran.\n'), index('other', 'The cat ran.\n')];
const cut = join(folder, 'cut.idx');
writeFileSync(cut, readFileSync(own).subarray(0, 3000));

/** Two files and a question, and what is said. @type {[string, string, string, RegExp][]} */
const REFUSED = [
    [own, other, QUESTION, /^state: the index beside must be of the same items/],
    [own, cut, QUESTION, /^state: .*cut\.idx: this index has 3,000 bytes/],
    [own, join(folder, 'none.idx'), QUESTION, /^state: .*none\.idx cannot be read/],
    [cut, own, QUESTION, /^state: .*cut\.idx: this index has 3,000 bytes/],
    [own, own, '{"ask":"find"', /^state: the question is not valid JSON/],
];

test('a second index that is refused leaves no memory', {skip}, () => {
    for (const [first, second, question, sentence] of REFUSED) {
        const args = ['search', first, '--beside', second, question];
        const {status, stderr} = spawnSync(checked, args, {encoding: 'utf8'});
        assert.match(stderr, sentence);
        assert.doesNotMatch(stderr, /Sanitizer/);
        assert.equal(status, 1, stderr);
    }
    const {status, stderr} = spawnSync(checked, ['search', own, '--beside', own, QUESTION]);
    assert.deepEqual([status, String(stderr)], [0, '']);
});

test('openIndex: a file that is refused, or the one beside it, ends its worker', async () => {
    /** @type {Set<Worker>} */
    const alive = new Set();
    const makeWorker = () => {
        const thread = new Worker(new URL('../../web/package/node_worker.js', import.meta.url));
        alive.add(thread);
        thread.unref();
        /** @type {any} */
        const like = {
            postMessage: (/** @type {any} */ message) => (
                thread.ref(),
                thread.postMessage(message)
            ),
            terminate: () => (alive.delete(thread), void thread.terminate()),
        };
        thread.on('message', data => like.onmessage?.({data}));
        return like;
    };
    const wasmUrl = pathToFileURL(join(root, 'build/out/wasm/headlight-full.wasm'));
    const bytes = (/** @type {string} */ file) => new Uint8Array(readFileSync(file));
    for (const [first, second, sentence] of /** @type {[string, string, RegExp][]} */ ([
        [own, other, /the index beside must be of the same items/],
        [own, cut, /this index has 3,000 bytes/],
        [cut, own, /this index has 3,000 bytes/],
    ])) {
        const given = {wasmUrl, makeWorker, beside: bytes(second)};
        await assert.rejects(openIndex(bytes(first), given), {message: sentence});
        assert.equal(alive.size, 0);
    }
    const both = await openIndex(bytes(own), {wasmUrl, makeWorker, beside: bytes(own)});
    assert.equal(alive.size, 1, 'what is open lives');
    await both.dispose();
});
