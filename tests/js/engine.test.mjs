/* The engine: its protocol against workers that behave, trap, die and dawdle, and the handshake
 * with headlight.wasm. engine_wasm.test.mjs goes the whole way with the real one.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {createEngine} from '../../web/engine/engine.js';
import {utf16Offsets, VERSION} from '../../web/worker/wasm.js';
import {ops, scripted, URLS, withWasm} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';
import {tinyWasm} from './lib/fakes.mjs';

const input = text => ({text, textB: '', precision: 'fast', changes: [], words: []});
const want = [{tensor: 'attention', layer: 0}, {measure: 'map'}];
const handles = promises =>
    Promise.all(
        promises.map(promise =>
            promise.then(
                () => 'answered',
                error => error.name,
            ),
        ),
    );

test('the first message to a worker is start, the rest follows at once; a pass can be read before it is there', async () => {
    const {engine, made} = scripted();
    const run = engine.run({model: 1, input: input('x'), want});
    const read = engine.read({pass: run.pass, want: [want[0]]});
    const [worker] = made;
    assert.deepEqual(ops(worker), ['start', 'run', 'read']);
    const [start, running, reading] = worker.inbox;
    const {life, ...args} = start.args;
    assert.match(life, /^headlight-0\.\d+$/);
    assert.deepEqual(args, {build: 'source', wasm: URLS.wasmUrl, relaxedUrl: ''});
    assert.deepEqual(running.args, {
        model: 1,
        pass: run.pass,
        input: input('x'),
        keep: [],
        want,
        over: undefined,
    });
    assert.deepEqual(reading.args, {pass: run.pass, want: [want[0]]});
    worker.onmessage({data: {id: start.id, value: undefined}});
    worker.onmessage({data: {id: running.id, facts: {tokens: []}}});
    worker.onmessage({data: {id: running.id, part: 0, answer: 'first'}});
    assert.deepEqual(await run.facts, {tokens: [], pass: run.pass});
    assert.equal(await run.answers[0], 'first', 'an answer does not wait for those behind it');
    worker.onmessage({data: {id: reading.id, part: 0, answer: 'again'}});
    worker.onmessage({data: {id: reading.id, value: undefined}});
    assert.equal(await read.answers[0], 'again');
    worker.onmessage({data: {id: running.id, part: 1, answer: 'second'}});
    worker.onmessage({data: {id: running.id, value: undefined}});
    assert.equal(await run.answers[1], 'second');
    await run.done;
    assert.equal(made.length, 1);
});

test('a worker that is ended without an event: its lock is free, all that is under way fails, the next is asked anew', async t => {
    const asked = [];
    const locks = {request: (name, got) => new Promise(done => asked.push({name, got, done}))};
    const own = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
    Object.defineProperty(globalThis, 'navigator', {value: {locks}, configurable: true});
    t.after(() => {
        if (own) Object.defineProperty(globalThis, 'navigator', own);
        else delete globalThis.navigator;
    });
    const {engine, made} = scripted();
    const {facts} = engine.run({model: engine.open(), input: input('a')});
    const [start] = made[0].inbox;
    made[0].onmessage({data: {id: start.id, locked: false}});
    assert.equal(asked.length, 0, 'not before the worker has it');
    made[0].onmessage({data: {id: start.id, locked: true}});
    assert.equal(asked[0].name, start.args.life);
    asked[0].got();
    await assert.rejects(facts, {category: 'engine', ended: true});
    engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
    assert.deepEqual(ops(made[1]), ['start', 'load']);
    asked[0].got();
    assert.ok(!made[1].ended, 'the lock of the one before says nothing of it');
});

test('a worker that never says a word is given up after a minute; one that says one is waited for', async t => {
    t.mock.timers.enable({apis: ['setTimeout']});
    const {engine, made} = scripted();
    const first = engine.run({model: engine.open(), input: input('a')});
    t.mock.timers.tick(60000);
    await assert.rejects(first.facts, {category: 'engine', ended: true});
    assert.ok(made[0].ended);
    const second = engine.run({model: engine.open(), input: input('a')});
    const [start, run] = made[1].inbox;
    made[1].onmessage({data: {id: start.id, locked: false}});
    t.mock.timers.tick(600000);
    made[1].onmessage({data: {id: run.id, facts: {tokens: []}}});
    await second.facts;
});

test('every handle is another number', () => {
    const {engine} = scripted();
    const passes = [1, 2, 3].map(i => engine.run({model: 1, input: input(`${i}`)}).pass);
    assert.equal(new Set([...passes, engine.open()]).size, 4);
});

test('an error keeps its category apart and the worker alive; it fails what has not been answered yet', async () => {
    const {engine, made} = scripted();
    const {facts, answers} = engine.run({model: 1, input: input('x'), want});
    const [worker] = made;
    worker.onmessage({data: {id: worker.inbox[1].id, facts: {}}});
    worker.onmessage({data: {id: worker.inbox[1].id, part: 0, answer: 'a'}});
    worker.onmessage({data: {id: worker.inbox[1].id, error: 'text: too long: cut it'}});
    assert.deepEqual(await handles([facts, ...answers]), [
        'answered',
        'answered',
        'HeadlightError',
    ]);
    await fails(answers[1], 'text', /^too long: cut it$/);
    engine.run({model: 1, input: input('y')});
    assert.equal(made.length, 1);
    assert.equal(worker.ended, false);
});

test('a cancelled request is given up in the worker too, and what still comes of it is ignored', async () => {
    const {engine, made} = scripted();
    const controller = new AbortController();
    const run = engine.run({model: 1, input: input('one'), want}, {signal: controller.signal});
    const next = engine.run({model: 1, input: input('two')});
    const [worker] = made;
    const [, first, second] = worker.inbox;
    worker.onmessage({data: {id: first.id, facts: {}}});
    controller.abort();
    assert.deepEqual(await handles([run.facts, ...run.answers]), [
        'answered',
        'AbortError',
        'AbortError',
    ]);
    assert.deepEqual(worker.inbox.at(-1), {op: 'cancel', of: first.id});
    worker.onmessage({data: {id: first.id, part: 0, answer: 'late'}});
    worker.onmessage({data: {id: second.id, facts: {text: 'two'}}});
    assert.equal((await next.facts).text, 'two');
    await assert.rejects(
        engine.run({model: 1, input: input('x')}, {signal: AbortSignal.abort()}).facts,
        {name: 'AbortError'},
    );
    assert.equal(worker.inbox.filter(({op}) => op === 'run').length, 2);
});

test('a worker that dies fails all that is under way; then each of its handles, until who owns it loads and runs again', async () => {
    const {engine, made} = scripted();
    const {model} = {model: engine.open()};
    const asked = [
        engine.run({model, input: input('a'), want}),
        engine.run({model, input: input('b')}),
    ];
    made[0].onerror({message: 'Script error'});
    for (const {facts} of asked)
        await fails(facts, 'engine', /stopped \(Script error\); load the model again/);
    await fails(asked[0].answers[1], 'engine', /Script error/);
    assert.ok(made[0].ended);
    assert.equal(engine.holds(model), false);
    await fails(
        engine.run({model, input: input('a')}).facts,
        'engine',
        /the worker that held this model has stopped; load the model again/,
    );
    await fails(
        engine.read({pass: asked[0].pass, want}).answers[0],
        'engine',
        /has stopped; load the model again/,
    );
    engine.release({pass: asked[0].pass});
    assert.equal(made.length, 1, 'no worker is begun for what cannot be answered');
    engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
    assert.deepEqual(ops(made[1]), ['start', 'load']);
    assert.ok(engine.holds(made[1].inbox[1].args.model));
    made[0].onerror({});
    made[0].onmessage({data: {id: made[1].inbox[1].id, error: 'file: from the dead'}});
    assert.deepEqual(ops(made[1]), ['start', 'load'], 'the old worker is no longer listened to');
});

for (const idle of ['onerror', 'onmessageerror']) {
    test(`a worker that dies while nothing is asked (${idle}): its handles are lost, and a load makes a new one`, async () => {
        const {engine, made} = scripted();
        const loading = engine.load({url: 'http://127.0.0.1/m/'});
        made[0].onmessage({data: {id: made[0].inbox[1].id, value: {warnings: []}}});
        const {model, info} = await loading;
        assert.deepEqual([info, engine.holds(model)], [{warnings: []}, true]);
        made[0][idle]({});
        assert.equal(engine.holds(model), false);
        await fails(engine.run({model, input: input('x')}).facts, 'engine', /load the model again/);
        engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
        assert.equal(made.length, 2);
    });
}

test('an engine that is filled is another worker with everything, once; what was under way is given up', async () => {
    const full = {workerUrl: 'full.js', wasmUrl: 'http://127.0.0.1/full.wasm'};
    const {engine, made} = scripted({full});
    const loading = engine.load({url: 'http://127.0.0.1/m/'});
    made[0].onmessage({data: {id: made[0].inbox[1].id, value: {warnings: []}}});
    const {model} = await loading;
    const run = engine.run({model, input: input('a'), want});
    assert.equal(engine.fill(), true);
    for (const promise of [run.facts, ...run.answers])
        await assert.rejects(promise, {name: 'AbortError'});
    assert.deepEqual([made[0].ended, engine.holds(model), made.length], [true, false, 1]);
    engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
    assert.deepEqual([made[1].url, ops(made[1])], ['full.js', ['start', 'load']]);
    assert.equal(made[1].inbox[0].args.wasm, full.wasmUrl);
    assert.ok(engine.holds(made[1].inbox[1].args.model));
    assert.equal(engine.fill(), false, 'it has everything');
    assert.deepEqual([made[1].ended, made.length], [false, 2]);
    assert.equal(scripted().engine.fill(), false, 'and so had one without others');
});

test('what config.json is refused for is asked of the file with everything, whose sentence counts', async () => {
    const full = {workerUrl: 'full.js', wasmUrl: 'http://127.0.0.1/full.wasm'};
    const source = {url: 'http://127.0.0.1/m/'};
    const refusal = {error: 'config: the model_type in config.json is another'};
    const {engine, made} = scripted({full});
    const loading = engine.load(source);
    made[0].reply(refusal);
    await Promise.resolve().then(() => {});
    await new Promise(setImmediate);
    assert.deepEqual(
        [made[0].ended, made[1].url, ops(made[1])],
        [true, 'full.js', ['start', 'load']],
    );
    assert.deepEqual(made[1].inbox[1].args.source, made[0].inbox[1].args.source);
    made[1].onmessage({data: {id: made[1].inbox[0].id, value: null}});
    made[1].reply({value: {family: 'mistral'}});
    const {model, info} = await loading;
    assert.deepEqual([info, engine.holds(model)], [{family: 'mistral'}, true]);
    const another = engine.load(source);
    made[1].reply(refusal);
    await assert.rejects(another, {category: 'config'});
    assert.equal(made.length, 2, 'it has everything: nobody else is asked');

    for (const [error, more] of [
        ['weights: a tensor is missing', {full}],
        [refusal.error, {}],
    ]) {
        const other = scripted(more);
        const refused = other.engine.load(source);
        other.made[0].reply({error});
        await assert.rejects(refused, {category: error.split(':')[0]});
        assert.equal(other.made.length, 1);
    }
    const {engine: late, made: workers} = scripted({full});
    const controller = new AbortController();
    const given = late.load(source, {signal: controller.signal});
    controller.abort();
    await assert.rejects(given, {name: 'AbortError'});
    assert.equal(workers.length, 1);
});

test('an engine that cannot be filled is as it was, and can be filled later', async () => {
    const full = {workerUrl: 'full.js', wasmUrl: 'http://127.0.0.1/full.wasm'};
    for (const fails of [
        worker => worker.onerror({message: 'gone'}),
        worker => worker.onmessage({data: {id: worker.inbox[0].id, error: 'engine: unreachable'}}),
    ]) {
        const {engine, made} = scripted({full});
        engine.begin();
        made[0].onmessage({data: {id: made[0].inbox[0].id, value: null}});
        assert.equal(engine.fill(), true);
        const loading = engine.load({url: 'http://127.0.0.1/m/'});
        fails(made[1]);
        await assert.rejects(loading, {category: 'engine'});
        engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
        assert.deepEqual(
            made.map(({url}) => url),
            ['worker.js', 'full.js', 'worker.js'],
        );
        assert.equal(engine.fill(), true, 'another try');
        engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
        made[3].onmessage({data: {id: made[3].inbox[0].id, value: null}});
        made[3].onerror({message: 'out of memory'});
        engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
        assert.equal(made[4].url, 'full.js', 'one that has been started is begun anew as it is');
        assert.equal(engine.fill(), false);
    }
});

test('a start that fails fails the requests with its sentence; the next one tries anew', async () => {
    const {engine, made} = scripted();
    const asked = engine.load({url: 'http://127.0.0.1/m/'});
    made[0].onmessage({
        data: {id: made[0].inbox[0].id, error: 'engine: no WebAssembly; get another browser'},
    });
    await fails(asked, 'engine', /^no WebAssembly/);
    assert.ok(made[0].ended);
    engine.load({url: 'http://127.0.0.1/m/'}).catch(() => {});
    assert.equal(made.length, 2);
});

test('a browser without workers', async () => {
    const engine = createEngine({
        ...URLS,
        makeWorker() {
            throw new Error('SecurityError');
        },
    });
    await fails(
        engine.load({url: 'http://127.0.0.1/m/'}),
        'engine',
        /worker cannot be used \(SecurityError\)/,
    );
    await fails(
        engine.run({model: engine.open(), input: input('x')}).facts,
        'engine',
        /SecurityError/,
    );
});

test('close ends the worker and what was asked; afterwards nothing begins another', async () => {
    const {engine, made} = scripted();
    const asked = engine.run({model: 1, input: input('x')});
    engine.close();
    await fails(asked.facts, 'state', /closed/);
    assert.ok(made[0].ended);
    await fails(engine.load({url: 'http://127.0.0.1/m/'}), 'state', /closed/);
    await fails(engine.run({model: 1, input: input('x')}).facts, 'state', /closed/);
    await fails(engine.read({pass: asked.pass, want}).answers[0], 'state', /closed/);
    engine.release({pass: asked.pass});
    assert.equal(made.length, 1);
});

test('attention from elsewhere is handed over, not copied', async () => {
    const {engine, made} = scripted();
    const attention = Float32Array.of(1);
    const adopting = engine.adopt({
        layers: 1,
        heads: 1,
        tokens: 1,
        attention,
        columns: Int32Array.of(1, 0, -1),
    });
    assert.equal(attention.length, 0);
    const [, {args}] = made[0].inbox;
    made[0].reply({value: undefined});
    assert.deepEqual([await adopting, args.attention], [{pass: args.pass}, Float32Array.of(1)]);
});

const typed = (type, body) => (_, response) =>
    response.writeHead(200, {'content-type': type}).end(body);
const wrong = tinyWasm({hl_version: 42});
for (const [what, wasm, pattern] of [
    ['absent', (_, response) => response.writeHead(404).end(), /answered 404 .*make site/],
    ['a web page', typed('text/html', '<!doctype html>'), /is not WebAssembly.*web page/],
    [
        'a web page called wasm',
        typed('application/wasm', '<!doctype html>'),
        /is damaged or came incomplete/,
    ],
    [
        'damaged',
        Buffer.from(wrong).fill(255, 12),
        /is damaged or came incomplete .*reload the page/,
    ],
    ['cut', Buffer.from(wrong).subarray(0, 30), /is damaged or came incomplete/],
    [
        'of another version',
        typed('application/wasm', wrong),
        /version 42 but this page needs version \d+; .*without the cache/,
    ],
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
    const {engine, workers, source} = await withWasm(
        t,
        tinyWasm({
            hl_version: VERSION,
            hl_open: 8,
            hl_close: 0,
            hl_buffer: 16,
            hl_load_config: 'trap',
        }),
    );
    for (const count of [1, 2]) {
        await fails(
            engine.load(source),
            'engine',
            /stopped unexpectedly \(RuntimeError: unreachable\); load the model again/,
        );
        assert.equal(workers.length, count);
        assert.ok(workers.at(-1).ended);
    }
});

test('two loads: each has its model; the later one waits for the earlier', async t => {
    const {engine, server} = await withWasm(
        t,
        tinyWasm({hl_version: VERSION, hl_open: 8, hl_close: 0}),
        {
            '/slow/config.json': (_, response) => {
                setTimeout(() => response.writeHead(404).end(), 30);
            },
        },
    );
    const ended = [];
    const loads = ['slow', 'none'].map(name =>
        fails(engine.load({url: `${server.url}/${name}/`}), 'file', /config.json is not in/).then(
            () => ended.push(name),
        ),
    );
    await Promise.all(loads);
    assert.deepEqual(ended, ['slow', 'none']);
});

test('code points to UTF-16', () => {
    assert.deepEqual(utf16Offsets(''), [0]);
    assert.deepEqual(utf16Offsets('a😀é\ud800b'), [0, 1, 3, 4, 5, 6]);
});
