/* The workers that build an index of a corpus, with the real headlight-full.wasm: one and three give the
 * same bytes as the command line; questions, refused ones, an index of random layers beside, cancelling, what
 * is built so far, what the browser keeps, a worker that dies. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {createEngine} from '../../web/engine/engine.js';
import {createIndexing} from '../../web/engine/indexing.js';
import {createKeptIndexes} from '../../web/files/kept_indexes.js';
import {localWorker, serveRoutes} from './lib/fakes.mjs';
import {root, run} from './lib/model.mjs';

const built = `${root}build/out/wasm/headlight-full.wasm`;
const skip = existsSync(built) ? false : 'headlight-full.wasm is not there; run make wasm';
const tiny = `${root}tests/golden/models/bert-tiny-random/`;
const FILES = ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors'];
const TEXT = Array.from({length: 50}, (_, i) => `a b ${'a '.repeat(i % 7)}b.`).join('\n');
const corpus = new TextEncoder().encode(TEXT);
const names = {model: 'tiny', corpus: 'text'};
const job = {corpus, items: 50, tokens: 400, options: {names, limit: 0}};
const asked = {ask: 'head', layer: 0, head: 1, query: {word: 'a'}};

async function withIndexing(t, workers, more = {}) {
    const routes = Object.fromEntries(FILES.map(file => [`/m/${file}`, readFileSync(tiny + file)]));
    const server = await serveRoutes({'/search.wasm': readFileSync(built), ...routes});
    const made = [];
    const makeEngine = () =>
        createEngine({
            workerUrl: 'worker.js',
            wasmUrl: `${server.url}/search.wasm`,
            makeWorker() {
                made.push(localWorker());
                return made.at(-1);
            },
        });
    const indexing = createIndexing({makeEngine, workers, ...more});
    t.after(() => {
        indexing.close();
        server.close();
    });
    return {indexing, made, source: {url: `${server.url}/m/`}};
}

/** The same by the command line. */
function natively(t) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-'));
    t.after(() => rmSync(folder, {recursive: true}));
    const [text, file] = ['text', 'index'].map(name => join(folder, name));
    writeFileSync(text, TEXT);
    run('index', tiny, text, '--layers', '0,1,2', '--threads', '1', '-o', file);
    return readFileSync(file);
}

/** Of a file the tensors: the metadata has the names that the command line gives. */
function tensors(file) {
    const bytes = Buffer.from(file);
    const size = Number(bytes.readBigUInt64LE(0));
    const header = JSON.parse(bytes.subarray(8, 8 + size).toString());
    const [, end] = header.text.data_offsets;
    return bytes.subarray(8 + size, 8 + size + end);
}

test('one worker and three build the bytes of the command line', {skip}, async t => {
    const native = natively(t);
    for (const workers of [1, 3]) {
        const {indexing, source} = await withIndexing(t, workers);
        const seen = [];
        const onProgress = progress => seen.push(progress);
        const handle = await indexing.run({...job, source, onProgress});
        assert.ok(tensors(handle.file()).equals(tensors(native)), `${workers} workers`);
        const done = seen.filter(({phase}) => phase === 'run').map(one => one.done);
        assert.deepEqual([done[0], done.at(-1)], [0, 50]);
        assert.equal(handle.model.layers, 3);
    }
});

test('questions are answered, as a table too; a refused one says why', {skip}, async t => {
    const {indexing, source} = await withIndexing(t, 2);
    const handle = await indexing.run({...job, source});
    const {matches, rows, about, bars} = await handle.answer(asked);
    assert.ok(matches > rows.length && rows.length === 20);
    assert.deepEqual([about.sentences, about.bytes], [50, handle.file().length]);
    assert.ok(bars.length > 0);
    const {heads} = await handle.answer({ask: 'head', layer: 1, head: 1});
    assert.equal(heads.find(({layer, head}) => layer === 1 && head === 1).alike, 1);
    const other = await handle.answer({ask: 'head', layer: 0, head: 1});
    assert.equal(other.heads.find(({layer, head}) => layer === 0 && head === 1).alike, 1);
    assert.equal((await handle.answer({ask: 'find', word: 'the'})).heads, undefined);
    const lines = (await handle.answer({...asked, csv: true})).trim().split('\n');
    assert.equal(lines.length, matches + 1, 'a table has all rows');
    assert.match(await handle.answer({...asked, csv: 'bars'}), /^of,by,label,count/);
    const refused = await handle.answer({...asked, query: {word: 'zebra'}});
    assert.equal(refused.refused, 'the corpus does not have the word zebra');
    assert.deepEqual([refused.rows, refused.bars], [[], []]);
    handle.close();
    await assert.rejects(handle.answer(asked), {name: 'AbortError'});
});

test('a limit takes the first items, as many as there are parts or fewer', {skip}, async t => {
    const {indexing, source} = await withIndexing(t, 2);
    const handle = await indexing.run({...job, source, items: 3, options: {names, limit: 3}});
    const {about} = await handle.answer(asked);
    assert.deepEqual([about.sentences, about.items], [3, 50]);
});

test('an index of random layers stands beside', {skip}, async t => {
    const {indexing, source} = await withIndexing(t, 2);
    const seen = [];
    const onProgress = ({phase, total}) => phase === 'run' && seen.push(total);
    const handle = await indexing.run({...job, source, other: 'random-layers', onProgress});
    assert.equal(seen.at(-1), 100);
    const {bars} = await handle.answer({ask: 'head', layer: 1, head: 0});
    const [{labels}] = bars.filter(({by}) => by === 'offset');
    assert.ok(labels.every(({beside}) => beside && beside.count >= 0));
    assert.ok(labels.some(({beside, count}) => beside.count !== count));
});

test('cancelling ends it, and the next one is whole', {skip}, async t => {
    const {indexing, source} = await withIndexing(t, 2);
    const controller = new AbortController();
    const {signal} = controller;
    const onProgress = ({phase, done}) => phase === 'run' && done > 0 && controller.abort();
    const run = indexing.run({...job, source, signal, onProgress});
    await assert.rejects(run, {name: 'AbortError'});
    const handle = await indexing.run({...job, source});
    assert.equal((await handle.answer(asked)).about.sentences, 50);
});

test('what is built can be asked while the rest is built', {skip}, async t => {
    const {indexing, source} = await withIndexing(t, 2, {soon: 0});
    const seen = [];
    const onPart = async part => seen.push(await part.answer(asked));
    const handle = await indexing.run({...job, source, onPart});
    const whole = await handle.answer(asked);
    const counts = seen.map(({about}) => about.sentences);
    assert.ok(counts.length > 1 && counts.every(count => count < 50), String(counts));
    assert.deepEqual(
        counts,
        [...counts].sort((a, b) => a - b),
    );
    const last = seen.at(-1);
    assert.ok(last.matches > 0 && last.matches < whole.matches);
});

/** A browser's storage, in memory. */
function storage() {
    const kept = new Map();
    const cache = {
        match: async url => kept.get(url)?.clone(),
        put: async (url, response) => void kept.set(url, response),
        keys: async () => [...kept.keys()],
        delete: async url => kept.delete(url),
    };
    return {kept, open: async () => cache};
}

test('an index that the browser keeps is not built again; a damaged one is', {skip}, async t => {
    const place = storage();
    const {indexing, source} = await withIndexing(t, 1, {kept: createKeptIndexes(place)});
    const run = async more => {
        let done = 0;
        const onProgress = progress => (done = progress.phase === 'run' ? progress.done : done);
        const handle = await indexing.run({...job, source, keeps: true, onProgress, ...more});
        return {done, kept: handle.kept, file: handle.file()};
    };
    const {file, ...built} = await run();
    assert.deepEqual(built, {done: 50, kept: false});
    const again = await run();
    assert.ok(again.kept && again.done < 50, `${again.done} items before it is known`);
    assert.deepEqual(again.file, file);
    const other = await run({items: 30, options: {names, limit: 30}});
    assert.deepEqual([other.kept, other.done], [false, 30]);
    const read = await run({options: {...job.options, columns: {text: 0}}});
    assert.equal(read.kept, false, 'what is read of other columns is another index');
    assert.equal((await run({keeps: false})).kept, false);
    assert.equal((await run({other: 'random-layers'})).kept, false);
    const twin = await run({other: 'random-layers'});
    assert.ok(twin.kept);
    const [url] = place.kept.keys();
    const damaged = file.slice();
    damaged[file.length - 1] ^= 1;
    place.kept.set(url, new Response(damaged));
    const anew = await run();
    assert.deepEqual([anew.kept, anew.done], [false, 50]);
    assert.deepEqual(anew.file, file);
});

test('the last indexes are kept, and none where there is no storage', async () => {
    const place = storage();
    const kept = createKeptIndexes(place);
    for (const key of 'abcdef') await kept.keep(key, new Uint8Array([1, 2]));
    assert.equal(await kept.find('b'), undefined);
    assert.deepEqual(await kept.find('f'), new Uint8Array([1, 2]));
    await kept.forget('f');
    assert.equal(await kept.find('f'), undefined);
    const none = createKeptIndexes({open: () => Promise.reject(new Error('SecurityError'))});
    await none.keep('a', new Uint8Array(1));
    assert.equal(await none.find('a'), undefined);
});

test('a worker that has died opens the file again', {skip}, async t => {
    const {indexing, made, source} = await withIndexing(t, 1);
    const handle = await indexing.run({...job, source});
    const before = await handle.answer(asked);
    made[0].onerror(new Event('error'));
    assert.deepEqual(await handle.answer(asked), before);
    assert.equal(made.length, 2);
});

test('what cannot be indexed is refused', {skip}, async t => {
    const {indexing, source} = await withIndexing(t, 1);
    const wrong = options => indexing.run({...job, source, options});
    await assert.rejects(wrong({limit: -1}), {message: /limit must be a whole number of items/});
    await assert.rejects(wrong({study: 'x'}), {
        message: /an index has no option study; there are:/,
    });
});
