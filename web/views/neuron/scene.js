/* scene - the numbers of the neuron view, worked out from state and data: one head (its q, k, v and
 * which neurons are zero), then one query in it (scores, weights, products, weighted values, what
 * becomes of the sum).
 */
import {scaleOf} from '../../draw/chart.js';
import {gridOf} from '../../draw/marks/matrix.js';
import {remember} from '../../draw/memo.js';
import {columnsOf, timesEach, timesVector, vectorOf} from '../../draw/vector.js';
import {changesOf, isMoved, wordsOf} from '../needs.js';
import {cached} from '../parts/cached.js';
import {headOf, tokenOf, zeroedIn} from '../parts/one_head.js';
import {decide, keySum, summarise} from './decide.js';
import {blockOf, maskedRow} from '../parts/block.js';

/**
 * @import {ViewState, Computed, Model} from '../view.js'
 * @typedef {ReturnType<typeof headScene>} HeadScene
 * @typedef {ReturnType<typeof queryScene>} QueryScene
 */

const TENSORS = ['q', 'k', 'v', 'scores', 'attention', 'context', 'projected', 'attn_out'];
const COMPARED = ['scores', 'attention'];

/** @param {ViewState} state @param {Model} model */
const isChanged = (state, model) => changesOf(state, model).length + wordsOf(state).length > 0;

/** @param {ViewState} state @param {Model} model @returns {import('../view.js').Need[]} */
export function neuronNeeds(state, model) {
    const {layer} = headOf(state, model);
    const changed = isChanged(state, model);
    return [
        ...TENSORS.map(tensor => ({tensor, layer})),
        ...(isMoved(state) ? [{measure: 'moved_shares', args: [layer]}] : []),
        ...(changed
            ? COMPARED.map(tensor => ({tensor, layer, plain: true, compared: state.effects}))
            : []),
    ];
}

/** @param {Computed} data @param {string} name */
function tensorOf(data, name) {
    const found = data.tensors.get(name);
    if (!found) throw new Error(`${name} has not been copied; ask isReady first`);
    return found;
}

/** One head of [H, rows, columns]. @param {import('../view.js').Attention} tensor
 * @param {number} head */
function partOf({data, shape: [, rows, columns]}, head) {
    return data.subarray(head * rows * columns, (head + 1) * rows * columns);
}

/** Query i as the head uses it. @param {{q: Float32Array, d: number, zeroed: number[]}} head
 * @param {number} i */
function queryVector({q, d, zeroed}, i) {
    const vector = q.slice(i * d, (i + 1) * d);
    for (const neuron of zeroed) vector[neuron] = 0;
    return vector;
}

/** @param {Float32Array} weights [T, T] of the head @param {number} T @param {number} i */
function winnerOf(weights, T, i) {
    let best = 0;
    for (let j = 1; j < T; j++) if (weights[i * T + j] > weights[i * T + best]) best = j;
    return best;
}

/** Products vary with the query; their scale is that of a regular sample of queries, so that it
 * stays.
 * @param {Float32Array} q @param {Float32Array} k @param {number} T @param {number} d */
function productScale(q, k, T, d) {
    const step = Math.max(1, Math.floor(T / 12));
    const lists = [];
    for (let i = 0; i < T; i += step) lists.push(timesVector(k, q.subarray(i * d, (i + 1) * d)));
    return scaleOf(...lists);
}

/** Which neurons decide for each query, among the keys that it sees.
 * @param {{q: Float32Array, k: Float32Array, weights: Float32Array, T: number, d: number, zeroed:
 *     number[], block: import('../parts/block.js').Block}} head */
function decisionsOf(head) {
    const {k, weights, T, d, block} = head;
    const all = {data: k, tokens: T, width: d};
    const sum = keySum(all);
    return Array.from({length: T}, (_, i) => {
        const [vector, winner] = [queryVector(head, i), winnerOf(weights, T, i)];
        const [from, to] = block.visible?.(i, T) ?? [0, T];
        if (to - from === T) return decide(vector, all, sum, winner);
        const keys = {data: k.subarray(from * d, to * d), tokens: to - from, width: d};
        const found = decide(vector, keys, keySum(keys), winner - from);
        return found && {...found, winner};
    });
}

/** Scores and weights of the head before the changes; null without any. @param {ViewState} state
 * @param {Computed} data @param {{layer: number, head: number}} at */
function earlierOf(state, data, {layer, head}) {
    const [scores, weights] = COMPARED.map(name => data.tensors.get(`plain.${name}.${layer}`));
    return scores && weights && isChanged(state, data.model)
        ? {scores: partOf(scores, head), weights: partOf(weights, head)}
        : null;
}

/** @param {ViewState} state @param {Computed} data */
function makeHeadScene(state, data) {
    const at = headOf(state, data.model);
    const {layer, head} = at;
    const {tokens} = data.pass;
    const T = tokens.length;
    const block = blockOf(data.model, layer);
    const layerOf = (/** @type {string} */ name) => tensorOf(data, `${name}.${layer}`);
    const part = (/** @type {string} */ name, one = head) => partOf(layerOf(name), one);
    const [q, scores, weights] = ['q', 'scores', 'attention'].map(name => part(name));
    const [k, v] = ['k', 'v'].map(name => part(name, block.keyHead(head)));
    const d = q.length / T;
    const moved = isMoved(state) && part('measure.moved_shares');
    const made = {
        ...at,
        ...{block, tokens, layerOf, T, d, q, k, v, scores, weights},
        token: tokenOf(state.token, tokens),
        queries: state.queries,
        before: earlierOf(state, data, at),
        /** null of a head that is off, too */
        moved: moved && moved[0] >= 0 ? moved : null,
        zeroed: zeroedIn(state.zeroed, at, d),
    };
    const decisions = decisionsOf(made);
    return {
        ...made,
        decisions,
        summary: summarise(decisions),
        vectorScale: scaleOf(q, k),
        valueScale: scaleOf(v),
        sumScale: scaleOf(columnsOf(layerOf('context'), head * d, d)),
        productScale: productScale(q, k, T, d),
    };
}

export const headScene = cached(makeHeadScene, [
    'show',
    'layer',
    'heads',
    'token',
    'queries',
    'zeroed',
    'masked',
    'replaced',
    'off',
]);

/** @param {HeadScene} scene @param {number} query */
function makeQueryScene(scene, query) {
    const {layerOf, head, T, d, q, k, v, scores, weights, before, decisions} = scene;
    const row = (/** @type {Float32Array} */ map) => map.subarray(query * T, (query + 1) * T);
    const whole = (/** @type {string} */ name) => {
        const tensor = layerOf(name);
        return vectorOf(tensor, query, tensor.shape[1]);
    };
    const context = whole('context');
    const used = queryVector(scene, query);
    return {
        query,
        used,
        scores: maskedRow(row(scores), query, scene.block),
        weights: row(weights),
        moved: scene.moved && row(scene.moved),
        decision: decisions[query],
        before: before && {
            scores: maskedRow(row(before.scores), query, scene.block),
            weights: row(before.weights),
        },
        q: gridOf(q, T, d),
        k: gridOf(k, T, d),
        v: gridOf(v, T, d),
        products: gridOf(timesVector(k, used), T, d),
        weighted: gridOf(timesEach(v, row(weights)), T, d),
        sum: context.subarray(head * d, (head + 1) * d),
        context,
        projected: whole('projected'),
        output: whole('attn_out'),
    };
}

export const queryScene = remember(makeQueryScene);

/** The query that is shown: pointed at or kept, else picked in the state.
 * @param {HeadScene} scene @param {import('../view.js').Focus | null} focus */
export const shownQuery = ({token, T}, focus) =>
    focus?.side === 'query' && focus.index < T ? focus.index : token;
