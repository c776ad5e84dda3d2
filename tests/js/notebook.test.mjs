/* Figures of notebooks: what a file from Python shows, on the real engine without any model: attention
 * at once, measures from C, the neuron view's tensors, layers that were not sent, tokens as they read.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {defaults, update} from '../../web/state/state.js';
import {openAttention} from '../../web/session/attention.js';
import {sourcesOf} from '../../web/notebook/draw.js';
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
    assert.ok(found.model.per_layer.every(({mask}) => mask === 'all'));
});

test('tokens are shown as they are where Python says so; one of spaces only keeps its marks', async t => {
    const engine = await engineOf(t);
    const piecesOf = async metadata => {
        const tokens = JSON.stringify(['\u0120', '\u2581a', 'b</w>', '\u0120c\u0120d']);
        const file = fileOf({'attention.0': layer()}, {tokens, ...metadata});
        const source = await openAttention(file, engine);
        const {pass} = await source.compute(defaults, await needsOf(defaults));
        return pass.tokens.map(({piece}) => piece);
    };
    const asTheyRead = ['\u0120', 'a', 'b', 'c d'];
    assert.deepEqual(await piecesOf({}), asTheyRead);
    assert.deepEqual(await piecesOf({pretty: 'true'}), asTheyRead);
    const asTheyAre = ['\u0120', '\u2581a', 'b</w>', '\u0120c\u0120d'];
    assert.deepEqual(await piecesOf({pretty: 'false'}), asTheyAre);
});

test('measures come from C, without a model, and which there are is asked once', async t => {
    const engine = await engineOf(t);
    let asked = 0;
    const source = await openAttention(fileOf({'attention.0': layer(), 'attention.1': layer()}), {
        ...engine,
        constants: () => (asked++, engine.constants()),
    });
    const state = update(defaults, {view: 'find', from: 0, to: 1});
    const found = await source.compute(state, await needsOf(state));
    assert.equal(found.missing, false);
    assert.ok(found.model.patterns.includes('entropy'));
    const {data, shape} = found.tensors.get('measure.patterns');
    assert.deepEqual(shape, [found.model.patterns.length, 2, 1]);
    const entropy = found.model.patterns.indexOf('entropy');
    assert.ok(Math.abs(data[2 * entropy] - Math.log(2)) < 1e-6, 'two keys of equal weight');
    await source.compute(state, await needsOf(state));
    assert.equal(asked, 1);
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
    assert.ok(names.includes('patterns'));
    assert.ok(!names.includes('rollout') && !names.includes('layer_mean'));
});

test('the neuron view takes its tensors from the file, and its mask', async t => {
    const engine = await engineOf(t);
    const H = 2;
    const shapes = {
        ...{q: [H, 4, 2], k: [H, 4, 2], v: [H, 4, 2], scores: [H, 4, 4]},
        ...{context: [4, 4], projected: [4, 4], attn_out: [4, 4]},
    };
    /** Numbers of their own for each tensor of a layer. */
    const wanted = layer =>
        Object.entries(shapes).map(([name, shape], i) => {
            const count = shape.reduce((product, size) => product * size);
            const values = Array.from({length: count}, (_, n) => 10 * layer + i + n / 64);
            return {name: `${name}.${layer}`, shape, values};
        });
    const maps = () => tensor([H, 4, 4], [...half, ...half], 'F16');
    const tensors = {'attention.0': maps(), 'attention.1': maps()};
    for (const {name, shape, values} of [...wanted(0), ...wanted(1)])
        tensors[name] = tensor(shape, values);
    const source = await openAttention(fileOf(tensors, {mask: '"causal"'}), engine);
    for (const layer of [1, 0]) {
        const state = update(defaults, {view: 'neuron', heads: [1], layer});
        const read = await source.compute(state, await needsOf(state));
        assert.equal(read.missing, false);
        const names = ['attention', ...Object.keys(shapes)].map(name => `${name}.${layer}`);
        assert.deepEqual([...read.tensors.keys()].toSorted(), names.toSorted());
        for (const {name, shape, values} of wanted(layer)) {
            const {data, shape: own} = read.tensors.get(name);
            assert.deepEqual([[...own], [...data]], [shape, values], name);
        }
    }
    const state = update(defaults, {view: 'neuron', heads: [0]});
    const found = await source.compute(state, await needsOf(state));
    assert.equal(found.model.per_layer[0].mask, 'causal');
    assert.ok(source.views('encoder').includes('neuron'));
    assert.ok(!source.views('decoder').includes('neuron'), 'its tensors are those of the encoder');
});

test('with a model that runs a figure takes every change, without one those of attention', () => {
    const OF_ATTENTION = {
        ...{view: 'model', layer: 1, heads: [1], filter: 'ab', token: 2, from: 1, to: 2},
        ...{picked: [1], oneBased: true, order: 'layer', mix: 'mean'},
    };
    const OF_MODEL = {
        ...{text: 'Another.', textB: 'Text.', masked: [1], replaced: ['1:cat'], off: ['0.0']},
        ...{zeroed: ['0.0.1'], without: 'types', swapped: [1, 2]},
    };
    const all = {...OF_ATTENTION, ...OF_MODEL};
    for (const runs of [false, true])
        for (const [field, value] of Object.entries(all)) {
            const store = createStore({}, runs);
            store.set({[field]: value});
            const taken = runs || !(field in OF_MODEL);
            const expected = update(defaults, {[field]: value});
            assert.notEqual(expected, defaults, `${field}: a value that is one`);
            assert.deepEqual(store.get(), taken ? expected : defaults, `${field}, runs: ${runs}`);
        }
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

test('a model of the hub, by its name there, with an organisation or without', () => {
    for (const model of ['gpt2', 'org/name', 'org/name@refs/pr/1']) {
        const sourceOf = sourcesOf({hub: true, state: {model}, name: model}, new Uint8Array());
        assert.deepEqual(sourceOf(model), {hub: model});
        assert.equal(sourceOf(model), sourceOf(model), 'or it would be loaded again');
    }
    const files = [{name: 'config.json', size: 2}];
    const {files: given} = sourcesOf({files, state: {}, name: 'x'}, new Uint8Array(2))('x');
    assert.deepEqual(
        given.map(({name, size}) => [name, size]),
        [['config.json', 2]],
    );
});
