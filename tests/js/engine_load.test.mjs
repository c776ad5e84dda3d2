/* The engine's loads: along with the start of the worker, progress, called off; what a worker is told of files.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ops, scripted} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';

test('a load goes along with the start, so that files come while the wasm is compiled; its progress is passed on', async () => {
    const {engine, made} = scripted();
    const steps = [];
    const loaded = engine.load({url: 'http://127.0.0.1/m/'}, {onProgress: step => steps.push(step)});
    const asked = engine.run({text: 'x'});
    const [worker] = made;
    assert.deepEqual(ops(worker), ['start', 'load']);
    const [start, load] = worker.inbox;
    assert.equal(load.args.source.url, 'http://127.0.0.1/m/');
    worker.onmessage({data: {id: load.id, progress: {file: 'a', done: 1, total: 2}}});
    assert.deepEqual(steps, [{file: 'a', done: 1, total: 2}]);
    worker.onmessage({data: {id: start.id}});
    assert.deepEqual(ops(worker), ['start', 'load'], 'the run waits for the load');
    worker.onmessage({data: {id: load.id, value: {warnings: []}}});
    assert.deepEqual(await loaded, {warnings: []});
    assert.deepEqual(ops(worker), ['start', 'load', 'run']);
    worker.reply({value: {}});
    await asked;
});

test('a load that fails before the start has answered: the next request waits for the start', async () => {
    const {engine, made} = scripted();
    const loaded = engine.load({url: 'http://127.0.0.1/m/'});
    const asked = engine.fill(0, 1);
    const [worker] = made;
    const [start, load] = worker.inbox;
    worker.onmessage({data: {id: load.id, error: 'file: config.json is missing'}});
    await fails(loaded, 'file', /^config.json is missing/);
    assert.deepEqual(ops(worker), ['start', 'load']);
    worker.onmessage({data: {id: start.id}});
    assert.deepEqual(ops(worker), ['start', 'load', 'fill']);
    worker.reply({value: []});
    await asked;
});

test('a cancelled load is called off, and what follows waits for its answer', async () => {
    const {engine, made} = scripted();
    const controller = new AbortController();
    const loaded = engine.load({url: 'http://127.0.0.1/m/'}, {signal: controller.signal});
    const [worker] = made;
    const [start, load] = worker.inbox;
    worker.onmessage({data: {id: start.id}});
    controller.abort();
    await assert.rejects(loaded, {name: 'AbortError'});
    assert.deepEqual(worker.inbox.at(-1), {id: load.id, op: 'cancel'});
    const asked = engine.fill(0, 1);
    assert.deepEqual(ops(worker), ['start', 'load', 'cancel']);
    worker.onmessage({data: {id: load.id, error: 'state: cancelled'}});
    assert.deepEqual(ops(worker), ['start', 'load', 'cancel', 'fill']);
    worker.reply({value: []});
    await asked;
});

test('a worker that is begun before it is asked anything is the one that is asked', async () => {
    const {engine, made} = scripted();
    engine.begin();
    engine.begin();
    const asked = engine.fill(0, 1);
    assert.equal(made.length, 1);
    assert.deepEqual(ops(made[0]), ['start']);
    made[0].reply({});
    made[0].reply({value: []});
    await asked;
});

test('files are sent with the paths that do not go along with them', async () => {
    const {engine, made} = scripted();
    const file = Object.defineProperty(new File(['x'], 'config.json'), 'webkitRelativePath', {value: 'm/config.json'});
    engine.load({files: [file]}).catch(() => {});
    assert.deepEqual(made[0].inbox[1].args.source.paths, ['m/config.json']);
    engine.close();
});
