/* scene - the numbers of the steps view, worked out from state and data: everything that one head
 * does, for all tokens and for the chosen one.
 */
import {gridOf} from '../../draw/matrix.js';
import {remember} from '../../draw/memo.js';
import {sumOf, timesEach, vectorOf} from '../../draw/vector.js';
import {cached} from '../parts/cached.js';
import {blockOf, maskedRow, normed, unrotated} from '../block.js';
import {headOf, tokenOf} from '../parts/one.js';
import {needName} from '../needs.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Model} Model
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {ReturnType<typeof stepsScene>} Scene
 */

/** The steps that a layer of a model has, in order. @param {import('../block.js').Block} block */
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
];

const WHOLE = [
    'word_embeddings',
    'position_embeddings',
    'type_embeddings',
    'embeddings',
    'embeddings_projected',
];
const LAYERS = ['q', 'k', 'v', 'scores', 'attention', 'context', 'projected', 'attn_out'];

/** What the layer gets. @param {number} layer @param {boolean} projected
 * @returns {import('../view.js').Need} */
const inputOf = (layer, projected) =>
    layer === 0
        ? {tensor: projected ? 'embeddings_projected' : 'embeddings'}
        : {tensor: 'hidden', layer: layer - 1};

/** Those of the embedding that the model has. @param {Model} model */
const wholeOf = ({tensors}) => WHOLE.filter(name => tensors.some(tensor => tensor.name === name));

/** @param {ViewState} state @param {Model} model @returns {import('../view.js').Need[]} */
export function stepsNeeds(state, model) {
    const {layer, head} = headOf(state, model);
    const argument = layer * model.heads + head;
    return [
        ...wholeOf(model).map(tensor => ({tensor})),
        ...(layer ? [inputOf(layer, false)] : []),
        ...LAYERS.map(tensor => ({tensor, layer})),
        {measure: 'head_weights', argument},
        {measure: 'biases', argument},
    ];
}

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, data) {
    const {
        model,
        pass: {tokens},
    } = data;
    const {layer, head} = headOf(state, model);
    const [T, D, d] = [tokens.length, model.hidden, model.head_width];
    const block = blockOf(model, layer);
    const token = tokenOf(state.token, tokens);
    const tensor = (/** @type {import('../view.js').Need} */ need) => {
        const found = data.tensors.get(needName(need));
        if (!found) throw new Error(`${needName(need)} has not been copied; ask isReady first`);
        return found.data;
    };
    const of = (/** @type {string} */ name) => tensor({tensor: name, layer});
    const heads = (/** @type {string} */ name, /** @type {number} */ width, one = head) =>
        of(name).subarray(one * T * width, (one + 1) * T * width);
    const argument = layer * model.heads + head;
    const weights = tensor({measure: 'head_weights', argument});
    const slice = (/** @type {number} */ which) =>
        weights.subarray(which * d * D, (which + 1) * d * D);
    const [word, position, segment, embedded, widened] = WHOLE.map(
        name => data.tensors.get(name)?.data ?? null,
    );
    const added = [word, position, segment].flatMap(one => (one ? [one] : []));
    const x = tensor(inputOf(layer, block.projected));
    const q = heads('q', d).slice(); // changed below
    const [k, v] = ['k', 'v'].map(name => heads(name, d, block.keyHead(head)));
    const before = {
        q: block.half ? unrotated(q, d, block) : q,
        k: block.half ? unrotated(k, d, block) : k,
    };
    for (const place of state.zeroed) zero(q, place.split('.').map(Number), layer, head, d);
    const [scores, attention] = ['scores', 'attention'].map(name => heads(name, T));
    const a = attention.subarray(token * T, (token + 1) * T);
    const rowAt = (/** @type {Float32Array} */ map, /** @type {number} */ i) =>
        map.subarray(i * T, (i + 1) * T);
    const masked = block.visible ? maskedMap(scores, T, block) : scores;
    const scaled = block.distances ? products(q, k, d) : scores;
    const [context, projected, output] = ['context', 'projected', 'attn_out'].map(of);
    return {
        layer,
        head,
        token,
        tokens,
        T,
        D,
        d,
        E: (word?.length ?? 0) / T,
        A: context.length / T,
        block,
        steps: stepsOf(block),
        word: /** @type {Float32Array} */ (word),
        position,
        segment,
        sum: sumOf(...added),
        embedded: /** @type {Float32Array} */ (embedded),
        widened,
        x,
        normed: block.inputNorm ? normed(x, D, block.norm) : x,
        before,
        q,
        k,
        v,
        // W_Q, W_K, W_V come as rows of neurons [d, D]; drawn as in the formula, [D, d]. W_O comes
        // as [d, D] already.
        W: ['Q', 'K', 'V'].map((name, which) => ({
            name,
            grid: gridOf(slice(which), D, d, {rowStep: 1, colStep: D}),
        })),
        biases: tensor({measure: 'biases', argument}),
        WO: gridOf(slice(3), d, D),
        scores,
        scaled,
        masked,
        raw: scaled.map(value => value * Math.sqrt(d)),
        attention,
        a,
        row: rowAt(scores, token),
        maskedRow: rowAt(masked, token),
        weighted: timesEach(v, a),
        context,
        projected,
        output,
        residual: sumOf(x, projected),
        off: state.off.includes(`${layer}.${head}`),
        one: (/** @type {Float32Array} */ data_, /** @type {number} */ width) =>
            vectorOf({data: data_}, token, width),
    };
}

const numbers = cached(makeScene, ({layer, heads, token, zeroed, off}) => [
    layer,
    heads,
    token,
    zeroed,
    off,
]);

const withStep = remember((made, step, form) => ({
    ...made,
    form,
    step: Math.min(step, made.steps.length - 1),
    id: made.steps[Math.min(step, made.steps.length - 1)],
}));

/** `id`: of the step that is shown. @param {ViewState} state @param {Computed} data
 * @returns {ReturnType<typeof makeScene> & {step: number, id: string, form: string}} */
export const stepsScene = (state, data) => withStep(numbers(state, data), state.step, state.form);

/** @param {Float32Array} scores [T, T] @param {number} T @param {import('../block.js').Block} block */
function maskedMap(scores, T, block) {
    const out = scores.slice();
    for (let i = 0; i < T; i++)
        out.set(maskedRow(scores.subarray(i * T, (i + 1) * T), i, block), i * T);
    return out;
}

/** q·k / √d of all pairs. @param {Float32Array} q @param {Float32Array} k @param {number} d */
function products(q, k, d) {
    const T = q.length / d;
    const out = new Float32Array(T * T);
    for (let i = 0; i < T; i++) {
        for (let j = 0; j < T; j++) {
            let sum = 0;
            for (let n = 0; n < d; n++) sum += q[i * d + n] * k[j * d + n];
            out[i * T + j] = sum / Math.sqrt(d);
        }
    }
    return out;
}

/** A neuron that is zero is so in all queries of its head; the kept q are those before.
 * @param {Float32Array} q @param {number[]} place @param {number} layer @param {number} head
 * @param {number} d */
function zero(q, [l, h, neuron], layer, head, d) {
    if (l !== layer || h !== head || neuron >= d) return;
    for (let at = neuron; at < q.length; at += d) q[at] = 0;
}
