/* The engine: its protocol against workers that behave, trap, die and dawdle, and the handshake with headlight.wasm.
 * engine_wasm.test.mjs goes the whole way with the real one.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createEngine} from '../../web/core/engine.js';
import {utf16Offsets, VERSION} from '../../web/core/wasm.js';
import {ops, scripted, URLS, withWasm} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';
import {tinyWasm} from './lib/fakes.mjs';

test('the first request of a worker is start; one request at a time', async () => {
    const {engine, made} = scripted();
    const [first, second] = [engine.tensor('attention', 1), engine.fill(3, 5)];
    const [worker] = made;
    assert.deepEqual(ops(worker), ['start']);
    assert.deepEqual(worker.inbox[0].args, {build: 'source', wasm: URLS.wasmUrl, relaxedUrl: ''});
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
    ['from before version 4', tinyWasm({hl_version: 3}), /version 3 but/],
    ['another program', tinyWasm({main: 1}), /version unknown/],
    ['out of memory', tinyWasm({hl_version: VERSION, hl_open: 0}), /not enough memory/],
]) {
    test(`headlight.wasm is ${what}`, async t => {
        const {engine, source} = await withWasm(t, wasm);
        const category = what === 'out of memory' ? 'memory' : 'engine';
        await fails(engine.load(source), category, pattern);
    });
}

test('a trap is an error with a sentence, and the next load gets a new worker', async t => {
    const {engine, workers, source} = await withWasm(t, tinyWasm({hl_version: VERSION, hl_open: 8, hl_buffer: 16, hl_load_config: 'trap'}));
    for (const count of [1, 2]) {
        await fails(engine.load(source), 'engine', /stopped unexpectedly \(RuntimeError: unreachable\); load the model again/);
        assert.equal(workers.length, count);
        assert.ok(workers.at(-1).ended);
    }
});

test('a newer load cancels the one before', async t => {
    const {engine, server} = await withWasm(t, () => {}, {'/slow/config.json': () => {}});
    const first = engine.load({url: `${server.url}/slow/`});
    const second = engine.load({url: `${server.url}/none/`});
    await assert.rejects(first, {name: 'AbortError'});
    await fails(second, 'file', /config.json is not in/);
});

test('code points to UTF-16', () => {
    assert.deepEqual(utf16Offsets(''), [0]);
    assert.deepEqual(utf16Offsets('a😀é\ud800b'), [0, 1, 3, 4, 5, 6]);
});
