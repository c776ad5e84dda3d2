/* Layers as they arrive, through engine, worker and the real headlight.wasm: what can run while the
 * weights come, its bits against those of a load at once, and what is left when the load ends
 * badly. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {test} from 'node:test';
import {withWasm} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';
import {inParts, largeModel, LAYERS} from './lib/large_model.mjs';
import {root} from './lib/model.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built)
    ? false
    : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const {files, end} = largeModel();
const WEIGHTS = files['model.safetensors'];
const PAGE = {files: Object.keys(files), bytes: 0};
for (const {length} of Object.values(files)) PAGE.bytes += length;

const input = {text: 'a b c [MASK] d .', textB: 'e f', precision: 'fast', changes: [], words: []};
const KEEP = ['attention', 'hidden'];
const maps = layers => Array.from({length: layers}, (_, layer) => ({tensor: 'attention', layer}));
const all = answers => Promise.all(answers);

/** A load that is under way; `upTo(byte, layers)` lets it go on and gives the model as far as it is
 * there then. */
async function arriving(t, options = {}) {
    const parts = inParts(WEIGHTS);
    const routes = Object.fromEntries(
        Object.entries(files).map(([name, bytes]) => [`/m/${name}`, bytes]),
    );
    const made = await withWasm(t, readFileSync(built), {
        ...routes,
        '/whole/config.json': files['config.json'],
        '/whole/vocab.txt': files['vocab.txt'],
        '/whole/model.safetensors': WEIGHTS,
        '/m/model.safetensors': (_, response) => parts.answer(response),
    });
    const {engine, server} = made;
    const waiting = new Map();
    const told = [];
    const loaded = engine.load(
        {url: `${server.url}/m/`, ...PAGE},
        {
            onSome(some) {
                told.push(some.info.layers);
                waiting.get(some.info.layers)?.(some);
            },
            ...options,
        },
    );
    loaded.catch(() => {});
    return {
        ...made,
        ...parts,
        loaded,
        told,
        upTo: (byte, layers) =>
            new Promise((done, fail) => {
                waiting.set(layers, done);
                loaded.then(() => fail(new Error('it has loaded')), fail);
                parts.send(byte);
            }),
        whole: () => engine.load({url: `${server.url}/whole/`, ...PAGE}, {store: options.store}),
    };
}

for (const store of ['q8', 'f32'])
    test(
        `layers run while the rest comes, and go on with the bits of a load at once: ${store}`,
        {skip},
        async t => {
            const {engine, upTo, send, loaded, whole, told} = await arriving(t, {store});
            const two = await upTo(end(1) + 1000, 2);
            assert.deepEqual(
                [two.info.layers, two.info.whole, two.info.store, two.info.mlm],
                [2, LAYERS, store, false],
            );
            assert.ok(!two.info.tensors.some(({name}) => name === 'mlm_logits'));
            const first = engine.run({
                model: two.model,
                input,
                keep: KEEP,
                want: [...maps(2), {measure: 'patterns'}],
            });
            const [a, b, patterns] = await all(first.answers);
            assert.equal((await first.facts).layers, 2);
            assert.equal(patterns.shape[1], 2);
            // 10 and 11 come next: no more can run
            const four = await upTo(end(3) + 1000, 4);
            assert.deepEqual(told, [1, 2, 3, 4]);
            const again = engine.read({pass: first.pass, want: maps(2)});
            assert.deepEqual(await all(again.answers), [a, b], 'what it has kept is still there');
            const more = engine.run({model: four.model, input, keep: KEEP, want: maps(4)});
            const found = await all(more.answers);
            assert.deepEqual(found.slice(0, 2), [a, b]);
            send();
            const {model, info} = await loaded;
            assert.deepEqual([model, info.layers, info.whole], [two.model, LAYERS, undefined]);
            const last = engine.run({model, input, keep: KEEP, want: maps(LAYERS)});
            const answers = await all(last.answers);
            const once = await whole();
            const fresh = engine.run({model: once.model, input, keep: KEEP, want: maps(LAYERS)});
            assert.deepEqual(answers, await all(fresh.answers));
            assert.deepEqual(answers.slice(0, 4), found);
        },
    );

test('what stands behind the last layer is refused until it is there', {skip}, async t => {
    const {engine, upTo, send, loaded} = await arriving(t);
    const {model} = await upTo(end(1) + 1000, 2);
    const run = want => engine.run({model, input, keep: KEEP, want: [want]});
    await fails(
        run({predictions: 'masks', top: 3}).done,
        'state',
        /has the first 2 of 12 layers.*run it again when the model is loaded/,
    );
    await fails(run({tensor: 'attention', layer: 2}).done, 'state', /layer 2 was not kept/);
    const pass = run({tensor: 'attention', layer: 1});
    await pass.done;
    send();
    await loaded;
    await fails(
        engine.read({pass: pass.pass, want: [{tensor: 'q', layer: 1}]}).done,
        'state',
        /had 2 layers, and more have come; run its text again/,
    );
    const [fills] = await all(run({predictions: 'masks', top: 3}).answers);
    assert.equal(fills[0].words.length, 3);
});

test('a connection that breaks half-way leaves nothing of the model', {skip}, async t => {
    const {engine, upTo, cut, loaded, whole} = await arriving(t);
    const {model} = await upTo(end(1) + 1000, 2);
    const run = engine.run({model, input, keep: KEEP, want: maps(2)});
    await run.done;
    cut();
    await fails(loaded, 'network', /connection broke/);
    await fails(engine.run({model, input}).done, 'state', /no model is loaded/);
    await fails(engine.read({pass: run.pass, want: maps(2)}).done, 'state', /has been released/);
    engine.release({pass: run.pass});
    const next = await whole();
    const good = engine.run({model: next.model, input, keep: KEEP, want: maps(1)});
    assert.equal((await all(good.answers)).length, 1);
});

test('called off half-way, with a run under way', {skip}, async t => {
    const controller = new AbortController();
    const {engine, upTo, loaded, whole} = await arriving(t, {signal: controller.signal});
    const {model} = await upTo(end(1) + 1000, 2);
    const run = engine.run({model, input, keep: KEEP, want: maps(2)});
    controller.abort();
    await assert.rejects(loaded, {name: 'AbortError'});
    await run.done.catch(error => assert.equal(error.category, 'state'));
    engine.release({pass: run.pass});
    const next = await whole();
    await engine.run({model: next.model, input, keep: KEEP, want: maps(LAYERS)}).done;
});

test(
    'who does not ask for it is told nothing, and neither is who loads a small model',
    {skip},
    async t => {
        const {engine, workers, server, send, loaded, told} = await arriving(t, {
            onSome: undefined,
        });
        const {onmessage} = workers[0];
        workers[0].onmessage = event => {
            if (event.data.some) told.push(event.data.some);
            onmessage(event);
        };
        send();
        await loaded;
        await engine.load(
            {url: `${server.url}/whole/`, files: PAGE.files, bytes: 8e6},
            {onSome: some => told.push(some)},
        );
        assert.deepEqual(told, []);
    },
);
