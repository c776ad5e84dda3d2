/* differ - the meaning of "moved", and one sentence about where it differs most from the weights: a token may get
 * much weight and have little to give. Fetched with the switch's second choice.
 */
import {remember} from '../../draw/memo.js';
import {percent} from '../../draw/scale.js';
import {given} from '../../draw/marks/arcs.js';
import {termsIn} from './mark.js';
import {activeHeads, clampLayer} from './select.js';

/**
 * @import {ViewState, Computed, Attention, Texts} from '../view.js'
 * @typedef {import('../../words/languages.js').Views['differ']} Words
 */

const LEAST = 0.05; // a difference of shares that is said

/** The token of which weight and what is moved differ most. @param {Attention | undefined} weights
 * @param {Attention | undefined} moved @param {readonly number[]} wanted */
const differOf = remember((weights, moved, wanted) => {
    if (!weights || !moved) return null;
    const T = weights.shape[1];
    const heads = activeHeads(wanted, weights.shape[0]).filter(
        head => moved.data[head * T * T] >= 0,
    );
    if (!heads.length) return null; // off, all of them
    const queries = Array.from({length: T}, (_, query) => query);
    const all = queries.map(key => ({
        key,
        weight: given(weights, heads, queries, [key]),
        moved: given(moved, heads, queries, [key]),
    }));
    const gap = (/** @type {typeof all[number]} */ one) => Math.abs(one.weight - one.moved);
    return all.reduce((a, b) => (gap(b) > gap(a) ? b : a));
});

/** @param {ViewState} state @param {Computed} data @param {Words} words */
export function differSaid({layer: asked, heads, mix = 'heads'}, {model, tensors, pass}, words) {
    const layer = clampLayer(asked, model);
    const found = differOf(
        tensors.get(`attention.${layer}`),
        tensors.get(`measure.moved_shares.${layer}`),
        heads,
    );
    if (!found || !['heads', 'mean'].includes(mix)) return '';
    const {key, weight, moved} = found;
    return Math.abs(weight - moved) < LEAST
        ? words.alike(percent(LEAST))
        : words.differ(pass.tokens[key].piece, percent(weight), percent(moved));
}

/** Empty until the words of the views are here. @param {{state: ViewState, data: Computed, t: Texts}} props */
export const Differ = ({state, data, t}) =>
    t.differ && termsIn(t, `${t.differ.says} ${differSaid(state, data, t.differ)}`);
