/* Views that know the model: on golden models of other families than BERT the steps and neuron views
 * show the stages that the block has and no others, and their numbers lead from one to the next;
 * hidden keys, shared keys, rotated pairs. Pictures are those of snapshots/families.txt. Skips when
 * the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {h} from 'preact';
import {renderToString} from 'preact-render-to-string';
import {loadView, views} from '../../web/views/index.js';
import {en, zh} from './lib/words.mjs';
import {valueAt} from '../../web/draw/marks/matrix.js';
import {toggler} from '../../web/views/neuron/page.js';
import {headScene} from '../../web/views/neuron/scene.js';
import {formulas} from '../../web/views/steps/formulas.js';
import {saysOf} from '../../web/views/steps/says.js';
import {stepsScene} from '../../web/views/steps/scene.js';
import {partsOf} from '../../web/views/steps/stages.js';
import {openGolden, pictureSet, skip} from './lib/pictures.mjs';

const TEXT = {text: 'The cat sat on the mat with the other cat.', textB: ''};
const SELF = ['project', 'scores', 'scale', 'softmax', 'weigh', 'sum', 'output', 'feed'];
const GATED = ['llama-next', 'mistral-next', 'qwen3-next', 'modernbert-masked'];
const TURNED = ['embed', 'norm', 'project', 'rotate', 'scores', 'scale', 'mask', ...SELF.slice(3)];
/** The steps of the second layer. */
const STEPS = {
    'gpt2-next': ['embed', 'norm', 'project', 'scores', 'scale', 'mask', ...SELF.slice(3)],
    'llama-next': TURNED,
    'mistral-next': TURNED,
    'gpt-neox-next': TURNED,
    'qwen3-next': TURNED,
    'modernbert-masked': TURNED,
    'mpnet-masked': ['embed', 'project', 'scores', 'scale', 'distance', ...SELF.slice(3)],
    'electra-generator': ['embed', ...SELF],
    'distilbert-masked': ['embed', ...SELF],
};
const LOOK = {width: 640, theme: 'light', focus: null};
const near = (a, b, what) =>
    assert.ok(Math.abs(a - b) < 2e-4 * Math.max(1, Math.abs(b)), `${what}: ${a}, expected ${b}`);

/** Values from the normed rows, W_V and b_V, scores from q and k, weights from what is masked, context
 * from the weights. */
function leads(scene, name) {
    const {T, A, D, d, q, k, v, scaled, masked, attention, context, head, block} = scene;
    for (let i = 0; i < T; i++) {
        for (let n = 0; n < d; n++) {
            let sum = scene.biases[2 * D + head * d + n];
            for (let m = 0; m < D; m++)
                sum += valueAt(scene.W[2].grid, m, n) * scene.normed[i * D + m];
            near(sum, v[i * d + n], `${name}: value ${i} ${n}`);
        }
        const [from, to] = block.visible?.(i, T) ?? [0, T];
        const powers = Array.from(masked.subarray(i * T, (i + 1) * T), Math.exp);
        const total = powers.reduce((sum, power) => sum + power, 0);
        for (let j = 0; j < T; j++) {
            let dot = 0;
            for (let n = 0; n < d; n++) dot += q[i * d + n] * k[j * d + n];
            near(dot / Math.sqrt(d), scaled[i * T + j], `${name}: score ${i} ${j}`);
            near(powers[j] / total, attention[i * T + j], `${name}: weight ${i} ${j}`);
            if (j < from || j >= to) assert.equal(attention[i * T + j], 0, `${name}: hidden`);
        }
        for (let n = 0; n < d; n++) {
            let sum = 0;
            for (let j = 0; j < T; j++) sum += attention[i * T + j] * v[j * d + n];
            near(sum, context[i * A + head * d + n], `${name}: context ${i} ${n}`);
        }
    }
}

test('each family has its own steps, and their numbers lead on', {skip}, async () => {
    const set = pictureSet('families');
    for (const [name, ids] of Object.entries(STEPS)) {
        const golden = await openGolden(name);
        const steps = await loadView('steps');
        const patch = {...TEXT, view: 'steps', layer: 1, heads: [3], token: 3};
        const {state, data} = await golden(steps, patch);
        const scene = stepsScene(state, data);
        assert.deepEqual(scene.steps, ids, name);
        leads(scene, name);
        const mlp = renderToString(h('p', null, formulas.feed.vectors(scene.d, en, scene.block)));
        assert.equal(/gate.*⊙.*up.*down/.test(mlp), GATED.includes(name), `${name}: ${mlp}`);
        for (const [step, id] of ids.entries()) {
            for (const form of ['vectors', 'matrices']) {
                const now = {...state, step, form};
                for (const t of [en, zh]) {
                    assert.ok(formulas[id][form](scene.d, t, scene.block).length, id);
                    const said = steps.describe(now, data, t);
                    assert.doesNotMatch(said, /undefined|NaN/, `${name} ${id}`);
                    const {columns, rows} = steps.table(now, data, t);
                    assert.ok(rows.every(row => row.length === columns.length));
                    assert.doesNotMatch(JSON.stringify(rows), /NaN|undefined/, `${name} ${id}`);
                }
                if (/gpt2|llama|modern/.test(name))
                    set.add(`${name}-${id}-${form}`, steps.svg(now, data, LOOK, en));
            }
        }
    }
    set.check();
});

test(
    'where both halves take the input, and where angles are scaled, the steps say so',
    {skip},
    async () => {
        const steps = await loadView('steps');
        for (const t of [en, zh]) {
            for (const [name, beside] of [
                ['gpt-neox-next', true],
                ['gpt-neox-in-turn', false],
            ]) {
                const golden = await openGolden(name);
                const {state, data} = await golden(steps, {
                    ...TEXT,
                    view: 'steps',
                    layer: 0,
                    heads: [1],
                });
                const {block, d} = stepsScene(state, data);
                const {outputBeside, outputFirst} = t.steps;
                assert.equal(
                    saysOf({id: 'output', block}, t).says,
                    beside ? outputBeside : outputFirst,
                );
                const formula = renderToString(h('p', null, formulas.feed.vectors(d, t, block)));
                assert.equal(/x̂.*′/.test(formula) && !/ŷ/.test(formula), beside, formula);
                assert.equal(block.half, beside ? 2 : 1, 'of 4 pairs');
            }
            for (const [name, scaled] of [
                ['llama-linear', true],
                ['llama-next', false],
            ]) {
                const golden = await openGolden(name);
                const patch = {...TEXT, view: 'steps', layer: 0, heads: [1], token: 2, step: 3};
                const {state, data} = await golden(steps, patch);
                const scene = stepsScene(state, data);
                const {half, theta} = scene.block;
                const [{text}] = partsOf('rotate', 'vectors', scene, t);
                const {turned, turnedScaled} = t.steps;
                assert.equal(text, (scaled ? turnedScaled : turned)(half, 2, theta));
            }
        }
    },
);

test('q and k before the rotation are x times W, where no norm stands before', {skip}, async () => {
    const golden = await openGolden('modernbert-masked');
    const steps = await loadView('steps');
    for (const change of [{}, {swapped: [2, 5]}, {swapped: [2, 99]}, {without: 'positions'}]) {
        const patch = {...TEXT, ...change, view: 'steps', layer: 0, heads: [1]};
        const {state, data} = await golden(steps, patch);
        const {steps: ids, x, W, before, q, T, D, d} = stepsScene(state, data);
        assert.ok(ids.includes('rotate') && !ids.includes('norm'), 'its first layer has no norm');
        for (let t = 0; t < T; t++) {
            for (let n = 0; n < d; n++) {
                let [sum, key] = [0, 0];
                for (let i = 0; i < D; i++) {
                    sum += x[t * D + i] * valueAt(W[0].grid, i, n);
                    key += x[t * D + i] * valueAt(W[1].grid, i, n);
                }
                near(before.q[t * d + n], sum, `${JSON.stringify(change)} q ${t} ${n}`);
                near(before.k[t * d + n], key, `${JSON.stringify(change)} k ${t} ${n}`);
            }
        }
        assert.equal([...before.q].join() === [...q].join(), change.without === 'positions');
    }
});

test('shared keys, hidden keys and rotated pairs in the neuron view', {skip}, async () => {
    const golden = await openGolden('llama-next');
    const view = await loadView('neuron');
    const at = head => ({...TEXT, view: 'neuron', layer: 1, heads: [head], token: 4});
    const scenes = [];
    for (const head of [0, 1, 2]) {
        const {state, data} = await golden(view, at(head));
        scenes.push(headScene(state, data));
        const {rows} = view.table(state, data, en);
        assert.match(JSON.stringify(rows[5]), /−∞/, 'the key after the query');
        assert.doesNotMatch(JSON.stringify(rows.slice(0, 5)), /∞|NaN/);
    }
    const [first, second, third] = scenes;
    assert.deepEqual([...first.k], [...second.k], 'heads 0 and 1 share a key head');
    assert.notDeepEqual([...first.k], [...third.k]);
    assert.equal(first.decisions[0], null, 'the first token sees itself only');
    assert.deepEqual([0, 3, 4, 7].map(first.block.partner), [4, 7, 0, 3]);
    let zeroed = [];
    const set = patch => ({zeroed} = patch);
    const toggle = toggler({state: {zeroed}, scene: first, on: {set}});
    toggle(3);
    assert.deepEqual(zeroed, ['1.0.3', '1.0.7'], 'both of a pair');
    toggler({state: {zeroed}, scene: {...first, zeroed: [3, 7]}, on: {set}})(7);
    assert.deepEqual(zeroed, []);
});

test('causal, windows and shared keys: every view draws them', {skip}, async () => {
    const set = pictureSet('masks');
    for (const name of ['gpt2-next', 'llama-next', 'modernbert-masked']) {
        const golden = await openGolden(name);
        for (const {id} of views) {
            const view = await loadView(id);
            const {state, data} = await golden(view, {...TEXT, view: id, layer: 1, heads: [1]});
            set.add(`${name}-${id}`, view.svg(state, data, LOOK, en));
            assert.doesNotMatch(view.describe(state, data, en), /undefined|NaN/, `${name} ${id}`);
        }
        const head = await loadView('head');
        const {state, data} = await golden(head, {...TEXT, layer: 1, heads: [1], first: false});
        assert.ok(!head.table(state, data, en).rows.some(([position]) => position === 0), name);
        assert.equal(head.table({...state, first: true}, data, en).rows[0][0], 0);
        set.add(`${name}-head-without-first`, head.svg(state, data, LOOK, en));
    }
    set.check();
});
