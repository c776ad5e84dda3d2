/* scene - everything the head view draws, worked out once from state and data:
 * active heads, paired tokens, layout and links. HTML, SVG, table and panel all read it.
 */
import {links} from '../../draw/arcs.js';
import {layoutColumns} from '../../draw/tokens.js';
import {activeHeads, clampLayer, filterRanges} from '../select.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Focus} Focus
 * @typedef {ReturnType<typeof selection>} Selection
 * @typedef {ReturnType<typeof headScene>} Scene
 */

/** @param {number} layer */
export const attentionName = layer => `attention.${layer}`;

/** The numbers without geometry; enough for tables. @param {ViewState} state @param {Computed} data */
export function selection(state, data) {
    const layer = clampLayer(state.layer, data.model);
    const attention = data.tensors.get(attentionName(layer));
    if (!attention) throw new Error(`the attention of layer ${layer} has not been copied; ask ready() first`);
    const {tokens} = data.pass;
    return {layer, attention, tokens, heads: activeHeads(state.heads, attention.shape[0]),
        ...filterRanges(tokens, state.filter)};
}

/** The selection with its places in a figure of the given width.
 * @param {ViewState} state @param {Computed} data @param {number} width */
export function headScene(state, data, width) {
    const chosen = selection(state, data);
    const {attention, heads, tokens, rows, cols} = chosen;
    const pieces = [rows, cols].map(([from, to]) => tokens.slice(from, to).map(token => token.piece));
    return {...chosen, layout: layoutColumns(pieces, width), links: links(attention, heads, rows, cols)};
}

/** The links of one focused token. @param {Scene} scene @param {Focus} focus */
export function focusLinks({attention, heads, rows, cols}, focus) {
    const only = [focus.index, focus.index + 1];
    return focus.side === 'query' ? links(attention, heads, only, cols) : links(attention, heads, rows, only);
}

/** A focus that the present selection shows, or null. @param {Selection} scene @param {Focus | null} focus */
export function shownFocus(scene, focus) {
    if (!focus) return null;
    const [from, to] = focus.side === 'query' ? scene.rows : scene.cols;
    return focus.index >= from && focus.index < to ? focus : null;
}
