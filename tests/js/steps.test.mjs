/* The steps view without a browser: each step's numbers lead to the next, formulas and words are
 * there for every step in both languages, and the SVGs of some steps of a golden model are those of
 * tests/js/snapshots. */
import assert from 'node:assert/strict';
import {readFile, writeFile} from 'node:fs/promises';
import {test} from 'node:test';
import {renderToString} from 'preact-render-to-string';
import {h} from 'preact';
import {defaults} from '../../web/state/state.js';
import {valueAt} from '../../web/draw/marks/matrix.js';
import {moments} from '../../web/draw/vector.js';
import {en, zh} from './lib/words.mjs';
import {isReady} from '../../web/views/needs.js';
import {stepsView} from '../../web/views/steps/view.js';
import {headScene as neuronScene} from '../../web/views/neuron/scene.js';
import {formulas, wholeOf} from '../../web/views/steps/formulas.js';
import {stepsScene} from '../../web/views/steps/scene.js';
import {leadOf, leadWords, saysOf} from '../../web/views/steps/says.js';
import {partsOf, softmaxOf} from '../../web/views/steps/stages.js';
import {layoutEquation, matrix, rowHeight, sideOf} from '../../web/draw/blocks/equation.js';
import {tinyData} from './lib/inside.mjs';

const run = await tinyData();
const HEADS = run().model.heads;
const state = {...defaults, layer: 1, heads: [1], token: 2, view: 'steps'};
const data = run([], HEADS + 1);
const scene = stepsScene(state, data);
const {T, D, d, token} = scene;
const near = (a, b, what) =>
    assert.ok(Math.abs(a - b) < 2e-4 * Math.max(1, Math.abs(b)), `${what}: ${a}, expected ${b}`);

test('all that it draws has been asked for', () => {
    assert.ok(isReady(stepsView, state, data));
    assert.ok(isReady(stepsView, {...state, layer: 0, heads: []}, run([], 0)));
});

test('x W + b gives q, k and v of the token', () => {
    [scene.q, scene.k, scene.v].forEach((found, which) => {
        for (let j = 0; j < d; j++) {
            let sum = scene.biases[which * D + scene.head * d + j];
            for (let i = 0; i < D; i++)
                sum += scene.x[token * D + i] * valueAt(scene.W[which].grid, i, j);
            near(sum, found[token * d + j], `${'qkv'[which]} ${j}`);
        }
    });
});

test('q times k gives the scores, their exponentials the weights, weighted values the context', () => {
    let total = 0;
    for (let key = 0; key < T; key++) total += Math.exp(scene.row[key]);
    for (let key = 0; key < T; key++) {
        let dot = 0;
        for (let j = 0; j < d; j++) dot += scene.q[token * d + j] * scene.k[key * d + j];
        near(dot, scene.raw[token * T + key], `q·k ${key}`);
        near(dot / Math.sqrt(d), scene.row[key], `scaled ${key}`);
        near(Math.exp(scene.row[key]) / total, scene.a[key], `weight ${key}`);
    }
    for (let j = 0; j < d; j++) {
        let sum = 0;
        for (let key = 0; key < T; key++) sum += scene.weighted[key * d + j];
        near(sum, scene.context[token * D + scene.head * d + j], `context ${j}`);
    }
});

test('parts of the embedding add up; the residual, normalised, is the output up to gain and bias', () => {
    const sum = scene.one(scene.sum, D);
    for (let i = 0; i < D; i++) {
        near(
            sum[i],
            scene.word[token * D + i] +
                scene.position[token * D + i] +
                scene.segment[token * D + i],
            `sum ${i}`,
        );
        near(
            scene.residual[token * D + i],
            scene.x[token * D + i] + scene.projected[token * D + i],
            `residual ${i}`,
        );
    }
    assert.ok(moments(sum).deviation > 0);
});

test('a neuron at zero is zero in the queries drawn, and the kept tensor stays as it was', () => {
    const {q} = stepsScene({...state, zeroed: ['1.1.0']}, data);
    for (let i = 0; i < T; i++) assert.equal(q[i * d], 0);
    assert.notEqual(stepsScene(state, data).q[0], 0);
});

test('where norms come first and positions are turned, the normed row times W is q and k before they are turned, whatever is changed', async () => {
    const ids = [2, 7, 5, 9, 30, 11];
    for (const name of ['llama-next', 'qwen2-next', 'gpt-neox-next', 'modernbert-masked']) {
        const runIt = await tinyData(name, ids);
        for (const layer of [0, 1]) {
            const found = [
                [{}, []],
                [{without: 'positions'}, [['no_positions']]],
                [{swapped: [1, 4]}, [['swap', 1, 4]]],
            ].map(([fields, changes]) => {
                const own = runIt(changes, layer * runIt().model.heads);
                const looked = {...state, layer, heads: [0], token: 4, ...fields};
                assert.ok(isReady(stepsView, looked, own), `${name}: all has been asked for`);
                return stepsScene(looked, own);
            });
            for (const {W, biases, normed, before, D, d, block, token} of found)
                for (const which of [0, 1]) {
                    const heads = which ? before.k : before.q;
                    for (let j = 0; j < d; j++) {
                        let sum = block.bias ? biases[which * D + j] : 0;
                        for (let i = 0; i < D; i++)
                            sum += normed[token * D + i] * valueAt(W[which].grid, i, j);
                        near(heads[token * d + j], sum, `${name} ${layer} ${'qk'[which]} ${j}`);
                    }
                }
            const [, still, swapped] = found;
            assert.deepEqual(still.before.q, still.q, `${name}: nothing is turned`);
            assert.notDeepEqual(swapped.before.q, swapped.q);
            if (layer === 0) assert.deepEqual(swapped.before, found[0].before);
        }
    }
});

test('every step has words, formulas, parts, a table and a picture, in both languages and forms', () => {
    const STEPS = scene.steps;
    for (const id of STEPS) assert.ok(formulas[id], id);
    for (const t of [en, zh]) {
        STEPS.forEach((id, step) => {
            for (const form of ['vectors', 'matrices']) {
                const now = {...state, step, form};
                assert.ok(
                    t.steps.stages[id].title &&
                        t.steps.stages[id].says &&
                        t.steps.stages[id].saysMatrix,
                );
                assert.match(
                    renderToString(h('p', null, formulas[id][form](d, t, scene.block))),
                    /<var>|<b>/,
                );
                assert.ok(partsOf(id, form, scene, t).length);
                const {columns, rows} = stepsView.table(now, data, t);
                assert.ok(
                    rows.length && rows.every(row => row.length === columns.length),
                    `${id}: table`,
                );
                assert.doesNotMatch(JSON.stringify(rows), /NaN|undefined/);
                const svg = renderToString(
                    stepsView.svg(now, data, {width: 640, theme: 'light', focus: null}, t),
                );
                assert.match(svg, /^<svg/);
                assert.doesNotMatch(svg, /NaN|undefined/, `${id} ${form}`);
            }
        });
    }
    const led = new Set(wholeOf(scene.block).flatMap(({steps = []}) => steps));
    assert.deepEqual([...led].sort(), [...STEPS].sort(), 'the whole formula leads to every step');
});

test('each step says what it does to the chosen token, with the numbers of its row', () => {
    const piece = 'a "piece" {key}'; // of the reader's own, never taken for a place to fill
    const tokens = scene.tokens.map((one, i) => (i === token ? {...one, piece} : one));
    const at = (row, i) => row[token * T + i];
    const most = row => [...Array(T).keys()].reduce((a, b) => (at(row, b) > at(row, a) ? b : a));
    for (const t of [en, zh])
        for (const id of [...scene.steps, 'norm', 'rotate', 'distance', 'mask']) {
            const now = {...scene, id, tokens};
            const said = leadWords(now, t);
            assert.doesNotMatch(said, /undefined|NaN|\{token\}/, id);
            assert.ok(said.includes(piece), `${id}: ${said}`);
            assert.doesNotMatch(leadWords({...now, named: {layer: 7, head: 8}}, t), /L1·H1/);
        }
    const {key} = leadOf({...scene, id: 'scores'}, en).names;
    assert.equal(key, scene.tokens[most(scene.raw)].piece);
    const best = most(scene.attention);
    const weights = leadWords({...scene, id: 'softmax'}, en);
    assert.ok(weights.includes(`“${scene.tokens[best].piece}”`), weights);
    assert.ok(weights.includes(scene.a[best].toFixed(2)), weights);
    const counted = stepsScene({...state, oneBased: true, step: 6}, data);
    assert.match(leadWords(counted, en), /L2·H2/, 'as the reader counts');
    assert.match(stepsView.describe({...state, oneBased: true}, data, en), /L2·H2/);
});

test('a step beyond the last is the last', () => {
    assert.match(stepsView.describe({...state, step: 99}, data, en), /Step 9, Feed-forward/);
});

test('no exponential of the softmax overflows, and the weights are the same', () => {
    const scores = [1000, 999, -1000, -Infinity];
    const {below, powers} = softmaxOf(scores, [Math.E / (1 + Math.E), 1 / (1 + Math.E), 0, 0]);
    assert.deepEqual([...below], [0, -1, -2000, -Infinity]);
    near(powers[1], 1 / Math.E, 'a power');
    assert.equal(powers[3], 0);
    const own = softmaxOf(scene.maskedRow, scene.a);
    own.powers.forEach((power, key) => {
        near(power, Math.exp(own.below[key]), `power ${key}`);
        near(power / own.total, scene.a[key], `weight ${key}`);
    });
    near(
        own.powers.reduce((sum, power) => sum + power, 0),
        own.total,
        'their sum',
    );
    assert.equal(Math.max(...own.powers), 1);
});

test('weighted values and their sums have one scale in steps 6 and 7, and in the neuron view', () => {
    const neuron = neuronScene(state, run([], HEADS + 1));
    assert.deepEqual(scene.sumScale, neuron.sumScale);
    for (const form of ['vectors', 'matrices']) {
        const scales = ['weigh', 'sum'].flatMap(id =>
            partsOf(id, form, {...scene, id}, en).flatMap(part =>
                [...(part.columns ?? []), ...(part.items ?? []), part]
                    .filter(one => /weighted|^a_i × V$|^Z$|^z_i/.test(one.id ?? one.label ?? ''))
                    .map(one => one.scale),
            ),
        );
        assert.ok(scales.length >= 2, `${form}: ${scales.length}`);
        for (const scale of scales) assert.equal(scale, scene.sumScale);
    }
});

test('what the MLP adds leads from the attention’s output to the layer’s, where the norm stands before', () => {
    const block = {...scene.block, normFirst: true, gated: true, act: 'SiLU'};
    const parts = partsOf('feed', 'vectors', {...scene, block}, en);
    const [y, added, out] = parts.map(({values}) => values);
    assert.deepEqual(
        [y, added, out].map(one => [...one]),
        ['attn_out', 'mlp_out', 'hidden'].map(name => [
            ...data.tensors.get(`${name}.1`).data.subarray(token * D, (token + 1) * D),
        ]),
    );
    const gated = renderToString(h('p', null, formulas.feed.vectors(d, en, block)));
    assert.match(gated, /SiLU.*gate.*⊙.*up.*down/);
    assert.match(saysOf({id: 'feed', block}, en).says, /gated.*SiLU/);
    const plain = renderToString(h('p', null, formulas.feed.vectors(d, en, scene.block)));
    assert.match(plain, /LayerNorm\(.*GELU\(/);
    assert.doesNotMatch(plain, /gate/);
});

test('matrices of tokens share the width, and their rows have their tokens as long as there is room', () => {
    const items = (rows, cols) => [
        matrix('A', new Float32Array(rows * rows), rows, rows, {tokens: 'both'}),
        '×',
        matrix('V', new Float32Array(rows * cols), rows, cols, {tokens: 'rows'}),
    ];
    for (const [rows, width] of [
        [5, 900],
        [19, 900],
        [60, 900],
        [134, 900],
        [19, 360],
    ]) {
        const list = items(rows, 32);
        const {names, size} = layoutEquation(list, width, Array(rows).fill('store'));
        const wide = size(list[0]).width + size(list[2]).width + 2 * names;
        assert.ok(size(list[0]).width <= width - names, `${rows}`);
        if (width > 480)
            assert.ok(names > 0 && wide <= width && wide > width / 3, `${rows} ${wide}`);
        const {height, every} = rowHeight(rows);
        assert.ok(height * every >= 12 && height * rows <= 640, `${rows}: ${height} ${every}`);
        assert.equal(every > 1, rows > 41);
    }
});

test('a matrix that is narrower than its caption takes the room for it: two tokens’ equation is one line', () => {
    const T = 4;
    const list = [
        matrix('Q', new Float32Array(T * 32), T, 32, {tokens: 'rows'}),
        '×',
        matrix('Kᵀ', new Float32Array(32 * T), 32, T, {transposed: true, tokens: 'columns'}),
        '=',
        matrix('S', new Float32Array(T * T), T, T, {tokens: 'both'}),
    ];
    const [width, caption] = [686, 112];
    const {names, size} = layoutEquation(list, width, ['thinking', 'machines'], caption);
    const taken = list.reduce((sum, item) => {
        if (typeof item === 'string') return sum + 18;
        const own = size(item).width + (item.tokens === 'columns' ? 0 : names);
        return sum + Math.max(own, caption);
    }, 0);
    assert.ok(taken + 4 * 14 <= width, `${taken}`);
    assert.ok(size(list[0]).width > width / 3, 'the wide one keeps most of it');
});

test('sides of matrices: small ones have visible cells, none is larger than the most', () => {
    assert.deepEqual(
        [1, 19, 32, 64, 256, 768].map(n => sideOf(n, 256)),
        [8, 152, 160, 160, 256, 256],
    );
    assert.equal(sideOf(768, 200), 200);
});

async function snapshot(name, text) {
    const url = new URL(`snapshots/${name}`, import.meta.url);
    if (process.env.UPDATE_SNAPSHOTS) await writeFile(url, text);
    assert.equal(
        text,
        await readFile(url, 'utf8'),
        `${name} has changed; if that is meant, run with UPDATE_SNAPSHOTS=1`,
    );
}

for (const [step, form, theme] of [
    [2, 'vectors', 'light'],
    [4, 'vectors', 'dark'],
    [6, 'matrices', 'light'],
]) {
    test(`snapshot: step ${step}, ${form}, ${theme}`, () =>
        snapshot(
            `steps-${step}-${form}.svg`,
            renderToString(
                stepsView.svg({...state, step, form}, data, {width: 640, theme, focus: null}, en),
            ).replaceAll('><', '>\n<') + '\n',
        ));
}
