/* mix - the attention that the head view draws: each head that is on, in its colour, or one average
 * in the colour of the ink. A row of the table: what it needs computed, and how the shown [n, T, T]
 * comes from it.
 */
import {attentionNeed, shownNeed} from '../needs.js';
import {activeHeads, clampLayer} from '../parts/select.js';

/**
 * @import {ViewState, Attention} from '../view.js'
 * @import {Need} from '../needs.js'
 * @typedef {{need: (layer: number) => Need, take: (tensor: Attention, layer: number, heads:
 *     readonly number[]) => Attention,
 *   usesLayer: boolean, usesHeads: boolean}} Mix
 */

/** @param {Attention} tensor [n, T, T] @param {readonly number[]} heads
 * @returns {Attention} [1, T, T] */
export function meanOf({data, shape: [, T]}, heads) {
    const size = T * T;
    const mean = new Float32Array(size);
    for (const head of heads) {
        const from = data.subarray(head * size, (head + 1) * size);
        for (let i = 0; i < size; i++) mean[i] += from[i] / heads.length;
    }
    return {data: mean, shape: [1, T, T]};
}

/** One layer of a [L, T, T]. @param {Attention} tensor @param {number} layer @returns {Attention}
 */
function layerOf({data, shape: [, T]}, layer) {
    return {data: data.subarray(layer * T * T, (layer + 1) * T * T), shape: [1, T, T]};
}

/** @type {Mix} */
const HEADS = {need: attentionNeed, take: tensor => tensor, usesLayer: true, usesHeads: true};
/** @type {Mix['take']} */
const takeMean = (tensor, _, heads) => meanOf(tensor, heads);

/** @type {Record<string, Mix>} */
export const MIXES = {
    heads: HEADS,
    mean: {...HEADS, take: takeMean},
    layers: {...HEADS, need: () => ({measure: 'layer_mean'}), take: takeMean, usesLayer: false},
    rollout: {...HEADS, need: () => ({measure: 'rollout'}), take: layerOf, usesHeads: false},
};

/** @param {string | undefined} name */
export const mixOf = name => MIXES[name ?? ''] ?? MIXES.heads;

/** What a state needs of a layer. @param {ViewState} state @param {number} layer */
export const mixNeed = (state, layer) => shownNeed(mixOf(state.mix).need(layer), state);

/** What a state asks for, of a model: for texts and controls.
 * @param {ViewState} state @param {{layers: number, heads: number}} model */
export const named = (state, model) => ({
    mix: state.mix in MIXES ? state.mix : 'heads',
    layer: clampLayer(state.layer, model),
    heads: activeHeads(state.heads, model.heads),
});
