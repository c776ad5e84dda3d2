/* Figures of notebooks: what a file from Python shows, on the real engine without any model: attention
 * at once, measures from C, the neuron view's tensors, layers that were not sent, tokens as they read.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {defaults, update} from '../../web/state/state.js';
import {openAttention} from '../../web/session/attention.js';
import {openSource} from '../../web/notebook/source.js';
import {createStore} from '../../web/notebook/store.js';
import {loadView} from '../../web/views/index.js';
import {WASM} from '../../build/bundle.mjs';
import {withWasm} from './lib/engine.mjs';
import {tensor, writeSafetensors} from './lib/safetensors.mjs';

const half = [0.5, 0.5, 0, 0, 0.5, 0.5, 0, 0, 0, 0, 0.5, 0.5, 0, 0, 0.5, 0.5];
const TOKENS = {tokens: '["[CLS]", "\\u0120straw", "berries", "[SEP]"]'};
const layer = () => tensor([1, 4, 4], half, 'F16');
const fileOf = (tensors, metadata = {}) =>
    new File([writeSafetensors(tensors, {...TOKENS, ...metadata})], 'head view.safetensors');
const engineOf = async t => (await withWasm(t, readFileSync(WASM))).engine;
const needsOf = async state => {
    const view = await loadView(state.view);
    return model => view.needs(state, model);
};

test('the head view is drawn from the file alone, tokens as they read', async t => {
    const engine = await engineOf(t);
    let asked = 0;
    const counting = {...engine, constants: () => (asked++, engine.constants())};
    const source = await openAttention(fileOf({'attention.0': layer()}), counting);
    const found = await source.compute(defaults, await needsOf(defaults));
    assert.deepEqual([...found.tensors.get('attention.0').data], half);
    assert.deepEqual(
        found.pass.tokens.map(({piece}) => piece),
        ['[CLS]', 'straw', 'berries', '[SEP]'],
    );
    assert.equal(asked, 0, 'nothing is computed for lines');
    assert.deepEqual(source.views('encoder'), ['head', 'heatmap', 'model', 'find']);
    assert.deepEqual(source.views('cross'), ['head', 'heatmap', 'model']);
});

test('measures come from C, without a model', async t => {
    const engine = await engineOf(t);
    const source = await openAttention(
        fileOf({'attention.0': layer(), 'attention.1': layer()}),
        engine,
    );
    const state = update(defaults, {view: 'find', from: 0, to: 1});
    const found = await source.compute(state, await needsOf(state));
    assert.equal(found.missing, false);
    assert.ok(found.model.patterns.includes('entropy'));
    const {data, shape} = found.tensors.get('measure.patterns');
    assert.deepEqual(shape, [found.model.patterns.length, 2, 1]);
    const entropy = found.model.patterns.indexOf('entropy');
    assert.ok(Math.abs(data[2 * entropy] - Math.log(2)) < 1e-6, 'two keys of equal weight');
});

test('of layers that were not sent, there is no mean and no rollout', async t => {
    const engine = await engineOf(t);
    const tensors = {
        'attention.0': tensor(
            [1, 4, 4],
            half.map(() => 0),
        ),
        'attention.1': layer(),
    };
    const source = await openAttention(fileOf(tensors, {layers: '[1]'}), engine);
    assert.deepEqual(source.layers, [1]);
    const state = update(defaults, {view: 'model'});
    const found = await source.compute(state, await needsOf(state));
    assert.equal(found.missing, false);
    const names = found.model.measures.map(({name}) => name);
    assert.ok(names.includes('patterns') && !names.includes('rollout'));
});

test('the neuron view takes its tensors from the file, and its mask', async t => {
    const engine = await engineOf(t);
    const head = () => tensor([1, 4, 2], [1, 0, 0, 1, 1, 1, 0, 0]);
    const row = () => tensor([4, 2], [1, 0, 0, 1, 1, 1, 0, 0]);
    const more = {
        ...{'q.0': head(), 'k.0': head(), 'v.0': head(), 'scores.0': tensor([1, 4, 4], half)},
        ...{'context.0': row(), 'projected.0': row(), 'attn_out.0': row()},
    };
    const metadata = {mask: '"causal"'};
    const source = await openAttention(fileOf({'attention.0': layer(), ...more}, metadata), engine);
    const state = update(defaults, {view: 'neuron', heads: [0]});
    const found = await source.compute(state, await needsOf(state));
    assert.equal(found.missing, false);
    assert.deepEqual(found.tensors.get('q.0').shape, [1, 4, 2]);
    assert.equal(found.model.per_layer[0].mask, 'causal');
    assert.ok(source.views('encoder').includes('neuron'));
});

test('a figure follows its state, and takes no change that only a model could show', async t => {
    const engine = await engineOf(t);
    const store = createStore({layer: 1}, false);
    const file = fileOf({'attention.0': layer(), 'attention.1': layer()});
    const source = await openSource(file, engine, store);
    await source.step();
    assert.deepEqual([...source.get().tensors.keys()], ['attention.1']);
    store.set({off: ['0.0'], masked: [1], layer: 0});
    assert.deepEqual([store.get().off, store.get().masked, store.get().layer], [[], [], 0]);
    await source.step();
    assert.deepEqual([...source.get().tensors.keys()], ['attention.0']);
    source.close();
});
