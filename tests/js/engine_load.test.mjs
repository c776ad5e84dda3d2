/* The engine's loads: along with the start of the worker, progress, called off; what a worker is
 * told of files.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {ops, scripted} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';

const input = {text: 'x', textB: '', precision: 'fine', changes: [], words: []};

test('a load goes along with the start, so that files come while the wasm is compiled; its progress is passed on', async () => {
    const {engine, made} = scripted();
    const steps = [];
    const loaded = engine.load(
        {url: 'http://127.0.0.1/m/'},
        {onProgress: step => steps.push(step)},
    );
    const [worker] = made;
    assert.deepEqual(ops(worker), ['start', 'load']);
    const [start, load] = worker.inbox;
    assert.deepEqual(load.args, {
        source: {url: 'http://127.0.0.1/m/'},
        model: load.args.model,
        store: 'q8',
        random: '',
    });
    worker.onmessage({data: {id: load.id, progress: {file: 'a', done: 1, total: 2}}});
    assert.deepEqual(steps, [{file: 'a', done: 1, total: 2}]);
    worker.onmessage({data: {id: start.id}});
    worker.onmessage({data: {id: load.id, value: {warnings: []}}});
    assert.deepEqual(await loaded, {model: load.args.model, info: {warnings: []}});
});

test('a load that fails before the start has answered fails alone', async () => {
    const {engine, made} = scripted();
    const loaded = engine.load({url: 'http://127.0.0.1/m/'});
    const run = engine.run({model: engine.open(), input});
    const [start, load, running] = made[0].inbox;
    made[0].onmessage({data: {id: load.id, error: 'file: config.json is missing'}});
    await fails(loaded, 'file', /^config.json is missing/);
    made[0].onmessage({data: {id: start.id}});
    made[0].onmessage({data: {id: running.id, facts: {}}});
    await run.facts;
});

test('a cancelled load is called off', async () => {
    const {engine, made} = scripted();
    const controller = new AbortController();
    const loaded = engine.load({url: 'http://127.0.0.1/m/'}, {signal: controller.signal});
    const [worker] = made;
    controller.abort();
    await assert.rejects(loaded, {name: 'AbortError'});
    assert.deepEqual(worker.inbox.at(-1), {op: 'cancel', of: worker.inbox[1].id});
    worker.onmessage({data: {id: worker.inbox[1].id, error: 'state: cancelled'}});
    assert.equal(worker.ended, false);
});

test('a worker that is begun before it is asked anything is the one that is asked', () => {
    const {engine, made} = scripted();
    engine.begin();
    engine.begin();
    engine.run({model: engine.open(), input});
    assert.equal(made.length, 1);
    assert.deepEqual(ops(made[0]), ['start', 'run']);
});

test('files are sent with the paths that do not go along with them', async () => {
    const {engine, made} = scripted();
    const file = Object.defineProperty(new File(['x'], 'config.json'), 'webkitRelativePath', {
        value: 'm/config.json',
    });
    engine.load({files: [file]}).catch(() => {});
    assert.deepEqual(made[0].inbox[1].args.source.paths, ['m/config.json']);
    engine.close();
});
