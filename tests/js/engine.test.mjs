/* The engine: its protocol against workers that behave, trap, die and dawdle; the handshake with headlight.wasm;
 * and the whole way from a folder on a server to attention, with the real headlight.wasm. */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {createEngine} from '../../web/core/engine.js';
import {utf16Offsets} from '../../web/core/wasm.js';
import {localWorker, serveRoutes, tinyWasm} from './lib/fakes.mjs';
import {root} from './lib/model.mjs';

/** A worker that answers when the test says so. */
function scriptedWorkers() {
    const made = [];
    return {made, makeWorker() {
        const worker = {
            inbox: [], ended: false, onmessage: null, onerror: null, onmessageerror: null,
            terminate() { worker.ended = true; },
            postMessage(message, transfer) { worker.inbox.push(structuredClone(message, {transfer})); },
            reply(content) { worker.onmessage({data: {id: worker.inbox.at(-1).id, ...content}}); },
        };
        made.push(worker);
        return worker;
    }};
}

const URLS = {workerUrl: 'worker.js', wasmUrl: 'http://127.0.0.1/headlight.wasm'};
function scripted() {
    const {made, makeWorker} = scriptedWorkers();
    return {made, engine: createEngine({...URLS, makeWorker})};
}
const ops = worker => worker.inbox.map(({op}) => op);
const fails = (promise, category, pattern) => assert.rejects(promise, error => {
    assert.equal(error.category, category, error.message);
    assert.match(error.message, pattern);
    assert.doesNotMatch(error.message, new RegExp(`^${category}:`));
    return true;
});

test('the first request of a worker is start; one request at a time', async () => {
    const {engine, made} = scripted();
    const [first, second] = [engine.tensor('attention', 1), engine.fill(3, 5)];
    const [worker] = made;
    assert.deepEqual(ops(worker), ['start']);
    assert.deepEqual(worker.inbox[0].args, {wasmUrl: URLS.wasmUrl});
    worker.reply({});
    assert.deepEqual(ops(worker), ['start', 'tensor']);
    worker.reply({value: 'a'});
    assert.equal(await first, 'a');
    assert.deepEqual(ops(worker), ['start', 'tensor', 'fill']);
    worker.reply({value: 'b'});
    assert.equal(await second, 'b');
    assert.equal(made.length, 1);
});

test('an error keeps its category apart and the worker alive', async () => {
    const {engine, made} = scripted();
    const asked = engine.run({text: 'x'});
    made[0].reply({});
    made[0].reply({error: 'text: too long: cut it'});
    await fails(asked, 'text', /^too long: cut it$/);
    engine.run({text: 'y'}).catch(() => {});
    assert.equal(made.length, 1);
    assert.equal(made[0].ended, false);
});

test('a cancelled request that waits is never sent; one under way is given up and its answer ignored', async () => {
    const {engine, made} = scripted();
    const [one, two] = [new AbortController(), new AbortController()];
    const first = engine.run({text: 'one'}, {signal: one.signal});
    const second = engine.run({text: 'two'}, {signal: two.signal});
    const third = engine.run({text: 'three'});
    const [worker] = made;
    worker.reply({});
    two.abort();
    await assert.rejects(second, {name: 'AbortError'});
    one.abort();
    await assert.rejects(first, {name: 'AbortError'});
    assert.deepEqual(ops(worker), ['start', 'run'], 'the worker is still busy with the first');
    worker.reply({value: 'late'});
    assert.equal(worker.inbox.at(-1).args.text, 'three');
    worker.reply({value: 'in time'});
    assert.equal(await third, 'in time');
    await assert.rejects(engine.run({text: 'x'}, {signal: AbortSignal.abort()}), {name: 'AbortError'});
});

test('who reads names the last finished run, not one that was cancelled', async () => {
    const {engine, made} = scripted();
    const first = engine.run({text: 'one'});
    made[0].reply({});
    made[0].reply({value: {}});
    await first;
    const controller = new AbortController();
    const second = engine.run({text: 'two'}, {signal: controller.signal});
    controller.abort();
    await assert.rejects(second, {name: 'AbortError'});
    made[0].reply({value: {}});
    engine.tensor('attention', 0).catch(() => {});
    assert.equal(made[0].inbox.at(-1).args.run, made[0].inbox[1].args.run);
    assert.notEqual(made[0].inbox.at(-1).args.run, made[0].inbox[2].args.run);
});

test('an error event fails all that was asked, and the next request gets a new worker', async () => {
    const {engine, made} = scripted();
    const asked = [engine.fill(0, 1), engine.fill(1, 1)];
    made[0].onerror({message: 'Script error'});
    for (const promise of asked) await fails(promise, 'engine', /stopped \(Script error\); load the model again/);
    assert.ok(made[0].ended);
    const again = engine.fill(0, 1);
    assert.deepEqual(ops(made[1]), ['start']);
    made[0].onmessage({data: {id: made[1].inbox[0].id, value: 'from the dead'}});
    made[0].onerror({});
    assert.deepEqual(ops(made[1]), ['start'], 'the old worker is no longer listened to');
    made[1].reply({});
    made[1].reply({value: []});
    assert.deepEqual(await again, []);
});

test('an error event while nothing is asked costs nothing but the worker', async () => {
    const {engine, made} = scripted();
    const asked = engine.fill(0, 1);
    made[0].reply({});
    made[0].reply({value: []});
    await asked;
    made[0].onmessageerror({});
    engine.fill(0, 1).catch(() => {});
    assert.equal(made.length, 2);
});

test('a start that fails fails the requests with its sentence; the next one tries anew', async () => {
    const {engine, made} = scripted();
    const asked = engine.fill(0, 1);
    made[0].reply({error: 'engine: no WebAssembly; get another browser'});
    await fails(asked, 'engine', /^no WebAssembly/);
    assert.ok(made[0].ended);
    engine.fill(0, 1).catch(() => {});
    assert.equal(made.length, 2);
});

test('a browser without workers', async () => {
    const engine = createEngine({...URLS, makeWorker() { throw new Error('SecurityError'); }});
    await fails(engine.fill(0, 1), 'engine', /worker cannot be used \(SecurityError\)/);
});

test('close ends the worker and what was asked', async () => {
    const {engine, made} = scripted();
    const asked = engine.fill(0, 1);
    engine.close();
    await fails(asked, 'state', /closed/);
    assert.ok(made[0].ended);
});

/** An engine whose worker runs in this thread with the given bytes as headlight.wasm. */
async function withWasm(t, wasm, routes = {}) {
    const workers = [];
    const server = await serveRoutes({'/headlight.wasm': wasm, '/m/config.json': '{}', ...routes});
    t.after(server.close);
    const engine = createEngine({
        workerUrl: 'worker.js', wasmUrl: `${server.url}/headlight.wasm`,
        makeWorker() { workers.push(localWorker()); return workers.at(-1); },
    });
    return {engine, workers, server, source: {url: `${server.url}/m/`}};
}

const typed = (type, body) => (_, response) => response.writeHead(200, {'content-type': type}).end(body);
const wrong = tinyWasm({hl_version: 42});
for (const [what, wasm, pattern] of [
    ['absent', (_, response) => response.writeHead(404).end(), /answered 404 .*make site/],
    ['a web page', typed('text/html', '<!doctype html>'), /is not WebAssembly.*web page/],
    ['a web page called wasm', typed('application/wasm', '<!doctype html>'), /cannot use headlight.wasm/],
    ['damaged', Buffer.from(wrong).fill(255, 12), /cannot use headlight.wasm .*SIMD/],
    ['cut', Buffer.from(wrong).subarray(0, 30), /cannot use headlight.wasm/],
    ['of another version', typed('application/wasm', wrong), /version 42 but this page needs version \d+; .*without the cache/],
    ['of another version, wrong type', typed('text/plain', wrong), /version 42/],
    ['another program', tinyWasm({main: 1}), /version unknown/],
    ['out of memory', tinyWasm({hl_version: 1, hl_open: 0}), /not enough memory/],
]) {
    test(`headlight.wasm is ${what}`, async t => {
        const {engine, source} = await withWasm(t, wasm);
        const category = what === 'out of memory' ? 'memory' : 'engine';
        await fails(engine.load(source), category, pattern);
    });
}

test('a trap is an error with a sentence, and the next load gets a new worker', async t => {
    const {engine, workers, source} = await withWasm(t, tinyWasm({hl_version: 1, hl_open: 8, hl_buffer: 16, hl_load_text: 'trap'}));
    for (const count of [1, 2]) {
        await fails(engine.load(source), 'engine', /stopped unexpectedly \(RuntimeError: unreachable\); load the model again/);
        assert.equal(workers.length, count);
        assert.ok(workers.at(-1).ended);
    }
});

test('a newer load cancels the one before', async t => {
    const {engine, server} = await withWasm(t, wrong, {'/slow/config.json': () => {}});
    const first = engine.load({url: `${server.url}/slow/`});
    const second = engine.load({url: `${server.url}/none/`});
    await assert.rejects(first, {name: 'AbortError'});
    await fails(second, 'file', /config.json is not in/);
});

test('code points to UTF-16', () => {
    assert.deepEqual(utf16Offsets(''), [0]);
    assert.deepEqual(utf16Offsets('a😀é\ud800b'), [0, 1, 3, 4, 5, 6]);
});

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built) ? false : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const tiny = `${root}tests/golden/models/`;
const folderRoutes = name => Object.fromEntries(
    ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors', 'model.safetensors.index.json',
        'model-00001-of-00002.safetensors', 'model-00002-of-00002.safetensors']
        .filter(file => existsSync(`${tiny}${name}/${file}`))
        .map(file => [`/${name}/${file}`, readFileSync(`${tiny}${name}/${file}`)]));

test('from a folder on a server to attention: single file and shards alike', {skip}, async t => {
    const {engine, server} = await withWasm(t, readFileSync(built), {...folderRoutes('bert-tiny-random'), ...folderRoutes('bert-tiny-sharded')});
    const found = [];
    for (const name of ['bert-tiny-random', 'bert-tiny-sharded']) {
        await fails(engine.load({url: `${server.url}/absent/`}), 'file', /config.json/);
        const model = await engine.load({url: `${server.url}/${name}/`}, {store: 'f32'});
        assert.equal(model.store, 'f32');
        await fails(engine.tensor('attention', 0), 'state', /no text/);
        const pass = await engine.run({text: 'a 😀 b', textB: 'b'});
        assert.deepEqual(pass.tokens.map(({sentence, from, to}) => [sentence, from, to]),
            [[-1, 0, 0], [0, 0, 1], [0, 2, 4], [0, 5, 6], [-1, 0, 0], [1, 0, 1], [-1, 0, 0]]);
        assert.ok(pass.tokens[0].special && !pass.tokens[1].special && pass.milliseconds >= 0);
        const {data, shape} = await engine.tensor('attention', model.layers - 1);
        assert.deepEqual(shape, [model.heads, 7, 7]);
        for (let row = 0; row < data.length; row += 7) {
            assert.ok(Math.abs(data.subarray(row, row + 7).reduce((sum, p) => sum + p, 0) - 1) < 1e-5);
        }
        const {data: measured, shape: measuresShape} = await engine.study('measures');
        assert.deepEqual(measuresShape, [model.measures.length, model.layers, model.heads]);
        assert.equal(measured.length, model.measures.length * model.layers * model.heads);
        const layers = await Promise.all(Array.from({length: model.layers}, (_, layer) => engine.tensor('attention', layer)));
        const averaged = await engine.study('layer_mean');
        assert.deepEqual(averaged.shape, [model.heads, 7, 7]);
        averaged.data.forEach((mean, i) => assert.ok(Math.abs(mean -
            layers.reduce((sum, layer) => sum + layer.data[i], 0) / model.layers) < 1e-6));
        assert.deepEqual(pass.texts, ['a 😀 b', 'b']);
        if (model.mlm) {
            const words = await engine.fill(1, 3);
            assert.equal(words.length, 3);
            assert.ok(words[0].probability >= words[1].probability && words[1].probability >= words[2].probability);
        }
        await fails(engine.tensor('nonsense', 0), 'state', /no tensor 'nonsense'/);
        await fails(engine.tensor('attention', 99), 'state', /layer 99/);
        found.push(data);
    }
    assert.deepEqual(found[0], found[1]);
});

test('a tensor that was dropped is an error and the session goes on', {skip}, async t => {
    const {engine, server} = await withWasm(t, readFileSync(built), folderRoutes('bert-tiny-random'));
    await engine.load({url: `${server.url}/bert-tiny-random/`});
    const single = await engine.run({text: '', drop: ['scores']});
    assert.equal(single.tokens.length, 2);
    assert.equal(single.nextSentence, null);
    await fails(engine.tensor('scores', 0), 'state', /not kept/);
    assert.deepEqual((await engine.tensor('attention', 0)).shape.slice(1), [2, 2]);
});

test('weights that are cut are a weights error; the same engine then loads the whole ones', {skip}, async t => {
    const routes = folderRoutes('bert-tiny-random');
    const whole = routes['/bert-tiny-random/model.safetensors'];
    routes['/bert-tiny-random/model.safetensors'] = (_, response) => {
        response.write(whole.subarray(0, whole.length - 1));
        response.end();
    };
    const {engine, server, workers} = await withWasm(t, readFileSync(built), {...routes, ...folderRoutes('bert-tiny-sharded')});
    await fails(engine.load({url: `${server.url}/bert-tiny-random/`}), 'weights', /./);
    await fails(engine.run({text: 'a'}), 'state', /no model is loaded/);
    await engine.load({url: `${server.url}/bert-tiny-sharded/`});
    await engine.run({text: 'a'});
    assert.equal(workers.length, 1);
});
