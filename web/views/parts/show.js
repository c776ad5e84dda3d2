/* show - the switch between attention weights and what heads move (Kobayashi et al. 2020), and one sentence
 * about where the two differ most: a token may get much weight and have little to give.
 */
import {h} from 'preact';
import {remember} from '../../draw/memo.js';
import {percent} from '../../draw/scale.js';
import {isMoved} from '../needs.js';
import {Choice} from './choice.js';
import {termsIn} from './mark.js';
import {activeHeads, clampLayer} from './select.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Attention} Attention
 * @typedef {import('../view.js').Texts} Texts
 */

const LEAST = 0.05; // a difference of shares that is said

/** The weights that what is moved is compared with. @type {NonNullable<import('../view.js').View['later']>} */
export const weightsBeside = (state, model) =>
    isMoved(state) ? [{tensor: 'attention', layer: clampLayer(state.layer, model)}] : [];

/** The share of all rows that goes to a key. @param {Attention} attention [H, T, T]
 * @param {readonly number[]} heads @param {number} key */
function received({data, shape: [, T]}, heads, key) {
    let sum = 0;
    for (const head of heads)
        for (let query = 0; query < T; query++) sum += data[(head * T + query) * T + key];
    return sum / (heads.length * T);
}

/** The token of which weight and what is moved differ most. @param {Attention | undefined} weights
 * @param {Attention | undefined} moved @param {readonly number[]} wanted */
export const differOf = remember((weights, moved, wanted) => {
    if (!weights || !moved) return null;
    const heads = activeHeads(wanted, weights.shape[0]);
    const all = Array.from({length: weights.shape[1]}, (_, key) => ({
        key,
        weight: received(weights, heads, key),
        moved: received(moved, heads, key),
    }));
    const gap = (/** @type {typeof all[number]} */ one) => Math.abs(one.weight - one.moved);
    return all.reduce((a, b) => (gap(b) > gap(a) ? b : a));
});

/** @param {ViewState} state @param {Computed} data @param {Texts} t */
export function differSaid({layer: asked, heads, mix = 'heads'}, {model, tensors, pass}, t) {
    const layer = clampLayer(asked, model);
    const found = differOf(
        tensors.get(`attention.${layer}`),
        tensors.get(`measure.moved_shares.${layer}`),
        heads,
    );
    if (!found || !['heads', 'mean'].includes(mix)) return '';
    const {key, weight, moved} = found;
    return Math.abs(weight - moved) < LEAST
        ? t.shows.alike(percent(LEAST))
        : t.shows.differ(pass.tokens[key].piece, percent(weight), percent(moved));
}

/** @param {{state: ViewState, data: Computed | null, set: (patch: Partial<ViewState>) => void, t: Texts,
 *     more?: ('together' | 'through' | 'zeroing')[], hint?: import('../view.js').Tree}} props   data: null until there is a
 *     picture; more: maps of whole layers; hint: about these */
export function Show({state, data, set, t, more = [], hint}) {
    const {shows} = t;
    const isImported = data?.model.family === 'imported';
    const options = /** @type {const} */ (['weight', 'moved', ...more]);
    const shown = options.find(value => value === state.show) ?? 'weight';
    const value = isImported ? 'weight' : shown;
    return h(Choice, {
        ...{name: 'show', className: 'shows', legend: shows.legend, value, disabled: isImported},
        options: options.map(one => ({
            value: one,
            label: shows.names[one],
            title: shows.titles[one],
        })),
        hint: isImported
            ? shows.imported
            : value === 'moved' && data
              ? termsIn(t, `${shows.says} ${differSaid(state, data, t)}`)
              : hint,
        onChoose: show => set({show}),
    });
}
