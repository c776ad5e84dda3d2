/* The session over the real headlight.wasm, without a document: how many messages a view takes,
 * what is asked again when the state changes, what is given back, and a worker that dies while
 * idle. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {DEEP} from '../../web/app/boot.js';
import {defaults, update} from '../../web/state/state.js';
import {Loader} from '../../web/session/loader.js';
import {createSession} from '../../web/session/session.js';
import {loadView, views} from '../../web/views/index.js';
import {isReady} from '../../web/views/needs.js';
import {withWasm} from './lib/engine.mjs';
import {root} from './lib/model.mjs';
import {tensor, writeSafetensors} from './lib/safetensors.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built)
    ? false
    : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const full = `${root}build/out/wasm/headlight-full.wasm`;
const folder = `${root}tests/golden/models/bert-tiny-random/`;
const FILES = ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors'];

/** A session with its state; `log` has the operations that the workers were asked for. */
async function open(t, patch = {}, routes = {}, makeEngine = undefined) {
    const log = [];
    let noticed = () => {};
    const listen = worker => {
        const {postMessage} = worker;
        worker.postMessage = (message, transfer) => {
            log.push(message.op);
            noticed(message.op);
            postMessage(message, transfer);
        };
    };
    const files = FILES.map(file => [`/m/${file}`, readFileSync(folder + file)]);
    const served = {...Object.fromEntries(files), ...routes};
    const parts = await withWasm(t, readFileSync(built), served, listen);
    const {engine, source} = parts;
    let state = update(defaults, {text: 'a b a [MASK]', textB: 'b', ...patch});
    engine.begin();
    log.length = 0;
    const session = createSession({
        engine,
        store: {get: () => state},
        sourceOf: () => source,
        loader: new Loader(engine),
        makeEngine: makeEngine && (() => makeEngine(engine)),
    });
    /** When the operation is posted next. */
    const posted = op =>
        new Promise(done => {
            noticed = found => {
                if (found === op) done();
            };
        });
    return {
        ...parts,
        session,
        log,
        posted,
        async set(change) {
            state = update(state, change);
            log.length = 0;
            await session.step();
            return session.get();
        },
    };
}

for (const {id} of views) {
    test(
        `the ${id} view draws after one message, and again after one when the text changes`,
        {skip},
        async t => {
            const {session, log, set} = await open(t, {
                view: id,
                masked: [2],
                off: ['0.1'],
                effects: true,
                tour: 0,
            });
            await session.step();
            const view = await loadView(id);
            const shown = session.get();
            assert.equal(shown.problem, null);
            assert.ok(
                isReady(
                    view,
                    update(defaults, {view: id, masked: [2], off: ['0.1'], effects: true}),
                    shown,
                ),
            );
            assert.deepEqual(log, ['load', 'run']);
            const next = await set({text: 'b a'});
            assert.equal(next.pass.texts[0], 'b a');
            assert.deepEqual(log, ['run', 'release'], 'the pass before is given back');
            await set({lang: 'zh'});
            assert.deepEqual(log, [], 'nothing is asked again for the same');
        },
    );
}

test(
    'another layer is one reading of what is missing; words at all places are one more; neither runs anything',
    {skip},
    async t => {
        const {session, log, set} = await open(t);
        await session.step();
        const {pass} = session.get();
        const {tensors} = await set({layer: 1});
        assert.deepEqual([log, [...tensors.keys()].includes('attention.1')], [['read'], true]);
        const {fills} = await set({fillings: true});
        assert.deepEqual([log, fills.length], [['read'], pass.tokens.length]);
        assert.equal(session.get().pass, pass);
        const more = await session.collect([{tensor: 'attention', layer: 0}, {measure: 'rollout'}]);
        assert.deepEqual([...more.keys()], ['attention.0', 'measure.rollout']);
        assert.deepEqual(log, ['read', 'read']);
    },
);

test('a comparing view sets the changed pass against the text as typed', {skip}, async t => {
    const {session, set} = await open(t, {view: 'change', masked: [1]});
    await session.step();
    const {before, fills, tensors} = session.get();
    assert.deepEqual(
        fills.map(({index}) => index),
        [1, 4],
    );
    assert.deepEqual(
        before.fills.map(({index}) => index),
        [1, 4],
    );
    assert.equal(before.nextSentence.length, 2);
    assert.notDeepEqual(before.fills[0].words[0].probability, fills[0].words[0].probability);
    assert.ok(tensors.get('measure.shift').data.some(value => value > 0));
    const none = await set({masked: []});
    assert.ok(none.tensors.get('measure.shift').data.every(value => value === 0));
    assert.equal((await set({view: 'head'})).before, null);
});

test('the views of which a visit begins with everything are those that need it', async () => {
    const deep = [];
    for (const {id} of views) if ((await loadView(id)).deep) deep.push(id);
    assert.deepEqual(DEEP.toSorted(), deep.sort());
});

test(
    'a view that needs everything: one engine in the place of the other, which stays; its answers, one session at a time',
    {skip},
    async t => {
        const routes = {'/headlight-full.wasm': readFileSync(full)};
        const none = () => assert.fail('of few passes no other engine is asked');
        const {session, workers, set, engine} = await open(t, {text: 'a [MASK]'}, routes, none);
        await session.step();
        const before = session.get();
        const {problem, pass, tensors, model} = await set({view: 'decides'});
        assert.deepEqual([problem, workers.length], [null, 2]);
        assert.deepEqual([engine.holds(before.pass.pass), engine.holds(pass.pass)], [false, true]);
        const answer = ([name]) => name.startsWith('asked.');
        const [agree, decides] = [...tensors].filter(answer).map(([, found]) => found);
        const counts = [agree.compared, model.layers * (model.heads + 1)];
        for (const [i, {steps, position, effects}] of [agree, decides].entries()) {
            assert.deepEqual(steps, [effects.length, counts[i]]);
            assert.ok(effects.length === counts[i] && position === 2);
        }
        const head = await set({view: 'head'});
        assert.deepEqual([head.problem, workers.length], [null, 2]);
        const again = await set({view: 'decides', ask: '.removed'});
        assert.deepEqual([again.problem, workers.length], [null, 2]);
        assert.equal([...again.tensors].filter(answer).length, 1);
    },
);

test(
    'a worker that dies while idle: the next step loads the model again by itself, and so does who reads',
    {skip},
    async t => {
        const {session, engine, workers, set} = await open(t);
        await session.step();
        const before = session.get();
        workers[0].onerror({message: 'killed'});
        assert.equal(engine.holds(before.pass.pass), false);
        const {problem, pass} = await set({text: 'b'});
        assert.deepEqual([problem, pass.texts[0], workers.length], [null, 'b', 2]);
        workers[1].onerror({message: 'killed'});
        const [attention] = await session.read([{tensor: 'attention', layer: 0}]);
        assert.deepEqual([attention.shape.slice(1), workers.length], [[5, 5], 3]);
        assert.equal(session.get().pass.texts[0], 'b');
    },
);

/** What a worker does in place of running a text; all else it does as before. */
function onRun(worker, does) {
    const {postMessage} = worker;
    worker.postMessage = message => {
        if (message.op === 'run') does(message);
        else postMessage(message);
    };
}

test(
    'a worker that dies in the middle: its sentence, and another try succeeds',
    {skip},
    async t => {
        const {session, workers, set} = await open(t);
        await session.step();
        onRun(workers[0], () => workers[0].onerror({message: 'out of memory'}));
        const {problem, pass} = await set({text: 'b a b'});
        assert.match(problem.message, /out of memory/);
        assert.equal(pass.texts[0], 'a b a [MASK]', 'what is on the page stays');
        const next = await set({});
        assert.deepEqual([next.problem, next.pass.texts[0], workers.length], [null, 'b a b', 2]);
    },
);

test(
    'a worker that loses a thread: its sentence while the model is loaded again, and the same is shown, by itself',
    {skip},
    async t => {
        const {session, workers, set} = await open(t);
        await session.step();
        onRun(workers[0], ({id}) => {
            const data = {id, error: 'engine: a thread has ended', ended: true};
            workers[0].onmessage({data});
        });
        const said = new Set();
        session.subscribe(() => said.add(session.get().problem?.message));
        const {problem, pass} = await set({text: 'b a b'});
        assert.deepEqual([problem, pass.texts[0], workers.length], [null, 'b a b', 2]);
        assert.ok(said.has('a thread has ended'));
    },
);

test(
    'a step that is overtaken is given up in the worker, and its pass is given back',
    {skip},
    async t => {
        const {session, log, posted, set} = await open(t, {view: 'find'});
        await session.step();
        const running = posted('run');
        const first = set({text: 'b b b a'});
        await Promise.race([running, first]); // a step that fails asks for nothing
        const {pass} = await set({text: 'a'});
        await first;
        assert.equal(pass.texts[0], 'a');
        assert.equal(session.get().pass.texts[0], 'a');
        assert.deepEqual(log.filter(op => op === 'run').length, 1);
        assert.equal(
            log.filter(op => op === 'release').length,
            2,
            'the one that was shown, and the one that never was',
        );
        assert.equal(log.filter(op => op === 'cancel').length, 1);
    },
);

test('a session that ends gives its pass back', {skip}, async t => {
    const {session, log, engine} = await open(t);
    await session.step();
    const {pass} = session.get();
    session.close();
    assert.equal(log.at(-1), 'release');
    await assert.rejects(
        engine.read({pass: pass.pass, want: [{tensor: 'attention', layer: 0}]}).answers[0],
        /released/,
    );
});

const file = () =>
    new File(
        [
            writeSafetensors(
                {'attention.0': tensor([2, 2, 2], [1, 0, 0.5, 0.5, 0, 1, 1, 0])},
                {tokens: '["a", "b"]'},
            ),
        ],
        'mine.safetensors',
    );

test(
    'attention of the reader\u2019s own is handed over once for all its measures; a text of either kind closes it and gives it back',
    {skip},
    async t => {
        const {session, log, set} = await open(t, {view: 'find', from: 0, to: 1});
        await session.step();
        log.length = 0;
        await session.openImported(file());
        const {imported, tensors, problem} = session.get();
        assert.deepEqual(
            [problem, imported.name, log.filter(op => op === 'adopt').length],
            [null, 'mine.safetensors', 1],
        );
        assert.deepEqual(
            [...tensors.get('measure.pair.0.1').data],
            [0, 1],
            'from query 0 to key 1',
        );
        assert.equal((await set({view: 'head'})).imported.name, 'mine.safetensors');
        assert.ok(!log.includes('adopt'));
        const back = await set({textB: 'a b'});
        assert.deepEqual(
            [back.imported, back.pass.texts[1], log[0]],
            [null, 'a b', 'release'],
            'also when only the second text is another',
        );
    },
);

test(
    'a file that is read while another text is asked for comes too late, as does one before another',
    {skip},
    async t => {
        const {session, set} = await open(t);
        await session.step();
        let read = session.openImported(file());
        const {pass} = await set({text: 'the old store.'});
        await read;
        assert.deepEqual([session.get().imported, session.get().pass], [null, pass]);
        const slow = new File(['{}'], 'slow.json');
        let answer;
        slow.text = slow.arrayBuffer = () =>
            new Promise(done => {
                answer = done;
            });
        read = session.openImported(slow);
        await session.openImported(file());
        answer('no attention');
        await read;
        const {imported, problem} = session.get();
        assert.deepEqual([imported.name, problem], ['mine.safetensors', null], 'nor is it refused');
    },
);

test(
    'attention of the reader\u2019s own ends a load that is under way, and is there without a model',
    {skip},
    async t => {
        let answer;
        const asked = new Promise(done => {
            answer = done;
        });
        const {session, server, workers} = await open(
            t,
            {},
            {'/m/config.json': (_, response) => answer(response)},
        );
        const step = session.step();
        const response = await asked;
        await session.openImported(file());
        assert.equal(session.get().imported.name, 'mine.safetensors');
        assert.equal(session.get().pass.tokens.length, 2);
        response.end(readFileSync(`${folder}config.json`));
        await step;
        assert.equal(
            session.get().imported.name,
            'mine.safetensors',
            'the model does not come behind it',
        );
        assert.ok(workers.length && server.requests.length);
    },
);

for (const when of ['at rest', 'as it starts', 'before it starts'])
    test(
        `a session that ends, ends the engine that shares a question: ${when}`,
        {skip},
        async t => {
            const before = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
            const cores = {configurable: true, value: {hardwareConcurrency: 2}};
            Object.defineProperty(globalThis, 'navigator', cores);
            t.after(() => {
                if (before) Object.defineProperty(globalThis, 'navigator', before);
                else delete globalThis.navigator;
            });
            let [made, closed] = [0, 0];
            let starts = () => {};
            const text = `[MASK] ${'a b '.repeat(20)}`; // many passes
            const routes = {'/headlight-full.wasm': readFileSync(full)};
            const state = {view: 'decides', text, textB: '', ask: '.removed'};
            const one = await open(t, state, routes, engine => {
                made++;
                starts();
                return {...engine, close: () => closed++};
            });
            const {session} = one;
            if (when === 'at rest') await session.step();
            else {
                const begun = new Promise(done => (starts = done));
                const going = session.step().catch(() => {});
                if (when === 'as it starts') await begun;
                else await one.posted('run');
                session.close();
                await going;
            }
            if (when !== 'before it starts') assert.ok(made > 0, 'another engine is asked');
            session.close();
            await new Promise(done => setTimeout(done, 50));
            assert.equal(closed, made);
        },
    );
