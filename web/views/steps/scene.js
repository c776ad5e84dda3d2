/* scene - the numbers of the steps view, worked out from state and data: everything that one head
 * does, for all tokens and for the chosen one.
 */
import {gridOf} from '../../draw/matrix.js';
import {remember} from '../../draw/memo.js';
import {sumOf, timesEach, vectorOf} from '../../draw/vector.js';
import {cached} from '../parts/cached.js';
import {headOf, tokenOf} from '../parts/one.js';
import {needName} from '../needs.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Model} Model
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {ReturnType<typeof stepsScene>} Scene
 */

export const STEPS = /** @type {const} */ ([
    'embed',
    'project',
    'scores',
    'scale',
    'softmax',
    'weigh',
    'sum',
    'output',
]);

const WHOLE = ['word_embeddings', 'position_embeddings', 'type_embeddings', 'embeddings'];
const LAYERS = ['q', 'k', 'v', 'scores', 'attention', 'context', 'projected', 'attn_out'];

/** @param {ViewState} state */
export const stepOf = ({step}) => Math.min(step, STEPS.length - 1);

/** What the layer gets. @param {number} layer @returns {import('../view.js').Need} */
const inputOf = layer =>
    layer === 0 ? {tensor: 'embeddings'} : {tensor: 'hidden', layer: layer - 1};

/** @param {ViewState} state @param {Model} model @returns {import('../view.js').Need[]} */
export function stepsNeeds(state, model) {
    const {layer, head} = headOf(state, model);
    const argument = layer * model.heads + head;
    return [
        ...WHOLE.map(tensor => ({tensor})),
        ...(layer ? [inputOf(layer)] : []),
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
    const token = tokenOf(state.token, tokens);
    const tensor = (/** @type {import('../view.js').Need} */ need) => {
        const found = data.tensors.get(needName(need));
        if (!found) throw new Error(`${needName(need)} has not been copied; ask isReady first`);
        return found.data;
    };
    const of = (/** @type {string} */ name) => tensor({tensor: name, layer});
    const heads = (/** @type {string} */ name, /** @type {number} */ width) =>
        of(name).subarray(head * T * width, (head + 1) * T * width);
    const argument = layer * model.heads + head;
    const weights = tensor({measure: 'head_weights', argument});
    const slice = (/** @type {number} */ which) =>
        weights.subarray(which * d * D, (which + 1) * d * D);
    const [word, position, segment, embedded] = WHOLE.map(name => tensor({tensor: name}));
    const x = tensor(inputOf(layer));
    const q = heads('q', d).slice(); // changed below
    const [k, v] = ['k', 'v'].map(name => heads(name, d));
    for (const place of state.zeroed) zero(q, place.split('.').map(Number), layer, head, d);
    const [scores, attention] = ['scores', 'attention'].map(name => heads(name, T));
    const a = attention.subarray(token * T, (token + 1) * T);
    const [context, projected, output] = ['context', 'projected', 'attn_out'].map(of);
    return {
        layer,
        head,
        token,
        tokens,
        T,
        D,
        d,
        word,
        position,
        segment,
        sum: sumOf(word, position, segment),
        embedded,
        x,
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
        raw: scores.map(value => value * Math.sqrt(d)),
        attention,
        a,
        row: scores.subarray(token * T, (token + 1) * T),
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

const withStep = remember((made, step, form) => ({...made, step, form}));

/** @param {ViewState} state @param {Computed} data
 * @returns {ReturnType<typeof makeScene> & {step: number, form: string}} */
export const stepsScene = (state, data) =>
    withStep(numbers(state, data), stepOf(state), state.form);

/** A neuron that is zero is so in all queries of its head; the kept q are those before.
 * @param {Float32Array} q @param {number[]} place @param {number} layer @param {number} head
 * @param {number} d */
function zero(q, [l, h, neuron], layer, head, d) {
    if (l !== layer || h !== head || neuron >= d) return;
    for (let at = neuron; at < q.length; at += d) q[at] = 0;
}
