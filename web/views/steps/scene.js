/* scene - the numbers of the steps view, worked out from state and data: everything that one head
 * does, for all tokens and for the chosen one.
 */
import {scaleOf} from '../../draw/chart.js';
import {gridOf} from '../../draw/marks/matrix.js';
import {remember} from '../../draw/memo.js';
import {columnsOf, dot, sumOf, timesEach, vectorOf} from '../../draw/vector.js';
import {cached} from '../parts/cached.js';
import {blockOf, maskedRow} from '../parts/block.js';
import {headOf, tokenOf} from '../parts/one_head.js';
import {needName} from '../needs.js';
import {counted} from '../parts/select.js';

/**
 * @import {ViewState, Model, Computed} from '../view.js'
 * @import {Block} from '../parts/block.js'
 * @typedef {ReturnType<typeof stepsScene>} Scene
 */

/** The steps that a layer of a model has, in order. @param {import('../parts/block.js').Block} block */
const stepsOf = ({inputNorm, half, distances, visible}) => [
    'embed',
    ...(inputNorm ? ['norm'] : []),
    'project',
    ...(half ? ['rotate'] : []),
    'scores',
    'scale',
    ...(distances ? ['distance'] : []),
    ...(visible ? ['mask'] : []),
    'softmax',
    'weigh',
    'sum',
    'output',
    'feed',
];

const WHOLE = [
    'word_embeddings',
    'position_embeddings',
    'type_embeddings',
    'embeddings',
    'embeddings_projected',
];
const LAYERS = 'q k v scores attention context projected attn_out mlp_out hidden'.split(' ');

/** What the layer gets. @param {number} layer @param {boolean} projected
 * @returns {import('../view.js').Need} */
const inputOf = (layer, projected) =>
    layer === 0
        ? {tensor: projected ? 'embeddings_projected' : 'embeddings'}
        : {tensor: 'hidden', layer: layer - 1};

/** Those of the embedding that the model has. @param {Model} model */
const wholeOf = ({tensors}) => WHOLE.filter(name => tensors.some(tensor => tensor.name === name));

/** What a layer keeps of its steps, and only where it has them. @param {Block} block */
const keptOf = ({half, inputNorm}) => [
    ...LAYERS,
    ...(half ? ['q_unrotated', 'k_unrotated'] : []),
    ...(inputNorm ? ['attention_input'] : []),
];

/** @param {ViewState} state @param {Model} model @returns {import('../view.js').Need[]} */
export function stepsNeeds(state, model) {
    const {layer, head} = headOf(state, model);
    const args = [layer, head];
    return [
        ...wholeOf(model).map(tensor => ({tensor})),
        ...(layer ? [inputOf(layer, false)] : []),
        ...keptOf(blockOf(model, layer)).map(tensor => ({tensor, layer})),
        {measure: 'head_weights', args},
        {measure: 'biases', args},
    ];
}

/** The step that a state shows, of a model. @param {ViewState} state @param {Model} model */
export function stepOf(state, model) {
    const steps = stepsOf(blockOf(model, headOf(state, model).layer));
    return steps[Math.min(state.step, steps.length - 1)];
}

/** The tensors of a layer by name, and the parts of one head. @param {Computed} data
 * @param {number} layer @param {number} head */
function readerOf({model, pass, tensors}, layer, head) {
    const T = pass.tokens.length;
    const tensor = (/** @type {import('../view.js').Need} */ need) => {
        const found = tensors.get(needName(need));
        if (!found) throw new Error(`${needName(need)} has not been copied; ask isReady first`);
        return found.data;
    };
    const of = (/** @type {string} */ name) => tensor({tensor: name, layer});
    return {
        tensor,
        of,
        heads: (/** @type {string} */ name, /** @type {number} */ width, one = head) =>
            of(name).subarray(one * T * width, (one + 1) * T * width),
        args: [layer, head],
    };
}

/** What the layer's input is made of. @param {Computed} data */
function embeddingOf({tensors}) {
    const [word, position, segment, embedded, widened] = WHOLE.map(
        name => tensors.get(name)?.data ?? null,
    );
    const added = [word, position, segment].flatMap(one => (one ? [one] : []));
    return {
        word: /** @type {Float32Array} */ (word),
        position,
        segment,
        sum: sumOf(...added),
        embedded: /** @type {Float32Array} */ (embedded),
        widened,
    };
}

/** Queries, keys and values of the head, before and after their rotation.
 * @param {ReturnType<typeof readerOf>} read @param {Block} block @param {number} head
 * @param {number} d */
function vectorsOf({heads}, {half, keyHead}, head, d) {
    const q = heads('q', d).slice(); // changed by the caller
    const [k, v] = ['k', 'v'].map(name => heads(name, d, keyHead(head)));
    const before = half
        ? {q: heads('q_unrotated', d), k: heads('k_unrotated', d, keyHead(head))}
        : {q, k};
    return {q, k, v, before};
}

/** From q and k to the weights. @param {ReturnType<typeof readerOf>} read @param {Float32Array} q
 * @param {Float32Array} k @param {Block} block @param {number} d @param {number} T
 * @param {number} token */
function weightsOf({heads}, q, k, block, d, T, token) {
    const [scores, attention] = ['scores', 'attention'].map(name => heads(name, T));
    const masked = block.visible ? maskedMap(scores, T, block) : scores;
    const scaled = block.distances ? products(q, k, d) : scores;
    const rowAt = (/** @type {Float32Array} */ map) => map.subarray(token * T, (token + 1) * T);
    return {
        scores,
        scaled,
        masked,
        raw: scaled.map(value => value * Math.sqrt(d)),
        attention,
        a: rowAt(attention),
        row: rowAt(scores),
        maskedRow: rowAt(masked),
    };
}

/** The matrices of the head. W_Q, W_K, W_V come as rows of neurons [d, D]; drawn as in the formula,
 * [D, d]. W_O comes as [d, D] already. @param {ReturnType<typeof readerOf>} read @param {number} d
 * @param {number} D */
function matricesOf({tensor, args}, d, D) {
    const weights = tensor({measure: 'head_weights', args});
    const slice = (/** @type {number} */ which) =>
        weights.subarray(which * d * D, (which + 1) * d * D);
    return {
        W: ['Q', 'K', 'V'].map((name, which) => ({
            name,
            grid: gridOf(slice(which), D, d, {rowStep: 1, colStep: D}),
        })),
        WO: gridOf(slice(3), d, D),
        biases: tensor({measure: 'biases', args}),
    };
}

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, data) {
    const {model, pass} = data;
    const {tokens} = pass;
    const {layer, head} = headOf(state, model);
    const [T, D, d] = [tokens.length, model.hidden, model.head_width];
    const block = blockOf(model, layer);
    const token = tokenOf(state.token, tokens);
    const read = readerOf(data, layer, head);
    const embedding = embeddingOf(data);
    const x = read.tensor(inputOf(layer, block.projected));
    const {q, k, v, before} = vectorsOf(read, block, head, d);
    for (const place of state.zeroed) zero(q, place.split('.').map(Number), layer, head, d);
    const weights = weightsOf(read, q, k, block, d, T, token);
    const [context, projected, output, fed, hidden] = LAYERS.slice(-5).map(read.of);
    const A = context.length / T;
    return {
        ...{layer, head, token, tokens, T, D, d, A, block, x, before, q, k, v},
        ...{context, projected, output, fed, hidden},
        ...embedding,
        ...weights,
        ...matricesOf(read, d, D),
        E: (embedding.word?.length ?? 0) / T,
        steps: stepsOf(block),
        normed: block.inputNorm ? read.of('attention_input') : x,
        weighted: timesEach(v, weights.a),
        /** Of weighted values and their sums, as in the neuron view: of all queries. */
        sumScale: scaleOf(columnsOf({data: context, shape: [T, A]}, head * d, d)),
        residual: sumOf(x, projected),
        off: state.off.includes(`${layer}.${head}`),
        one: (/** @type {Float32Array} */ rows, /** @type {number} */ width) =>
            vectorOf({data: rows}, token, width),
    };
}

const numbers = cached(makeScene, ['layer', 'heads', 'token', 'zeroed', 'off']);

const withStep = remember((made, step, form, oneBased) => ({
    ...made,
    form,
    named: {layer: counted({oneBased})(made.layer), head: counted({oneBased})(made.head)},
    step: Math.min(step, made.steps.length - 1),
    id: made.steps[Math.min(step, made.steps.length - 1)],
}));

/** `id`: of the step that is shown; `named`: layer and head as the reader counts.
 * @param {ViewState} state @param {Computed} data @returns {ReturnType<typeof makeScene> & {step:
 *     number, id: string, form: string, named: {layer: number, head: number}}} */
export const stepsScene = (state, data) =>
    withStep(numbers(state, data), state.step, state.form, state.oneBased);

/** @param {Float32Array} scores [T, T] @param {number} T @param {import('../parts/block.js').Block} block */
function maskedMap(scores, T, block) {
    const out = scores.slice();
    for (let i = 0; i < T; i++)
        out.set(maskedRow(scores.subarray(i * T, (i + 1) * T), i, block), i * T);
    return out;
}

/** q·k / √d of all pairs. @param {Float32Array} q @param {Float32Array} k @param {number} d */
function products(q, k, d) {
    const T = q.length / d;
    const [ofQuery, ofKey] = [q, k].map(
        data => (/** @type {number} */ i) => vectorOf({data}, i, d),
    );
    return Float32Array.from(
        {length: T * T},
        (_, at) => dot(ofQuery(Math.floor(at / T)), ofKey(at % T)) / Math.sqrt(d),
    );
}

/** A neuron that is zero is so in all queries of its head; the kept q are those before.
 * @param {Float32Array} q @param {number[]} place @param {number} layer @param {number} head
 * @param {number} d */
function zero(q, [l, h, neuron], layer, head, d) {
    if (l !== layer || h !== head || neuron >= d) return;
    for (let at = neuron; at < q.length; at += d) q[at] = 0;
}
