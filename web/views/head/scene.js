/* scene - everything the head view draws, worked out once from state and data:
 * active heads, paired tokens, layout and links. HTML, SVG, table and panel all read it. */

import {links} from '../../draw/arcs.js';
import {layoutColumns} from '../../draw/tokens.js';
import {activeHeads, clampLayer, filterRanges} from '../select.js';

export const attentionName = layer => `attention.${layer}`;

/* data: {model, pass, tensors}. The numbers without geometry; enough for tables. */
export function selection(state, data) {
    const layer = clampLayer(state.layer, data.model);
    const attention = data.tensors.get(attentionName(layer));
    return {
        layer,
        attention,
        tokens: data.pass.tokens,
        heads: activeHeads(state.heads, attention.shape[0]),
        ...filterRanges(data.pass.tokens, state.filter),
    };
}

/* The selection with its places in a figure of the given width. */
export function headScene(state, data, width) {
    const scene = selection(state, data);
    const pieces = [scene.rows, scene.cols].map(([from, to]) => scene.tokens.slice(from, to).map(token => token.piece));
    scene.layout = layoutColumns(pieces, width);
    scene.links = links(scene.attention, scene.heads, scene.rows, scene.cols);
    return scene;
}

/* The links of one focused token. */
export function focusLinks(scene, focus) {
    const only = [focus.index, focus.index + 1];
    const [rows, cols] = focus.side === 'query' ? [only, scene.cols] : [scene.rows, only];
    return links(scene.attention, scene.heads, rows, cols);
}

/* A focus that the present selection shows, or null. */
export function shownFocus(scene, focus) {
    if (!focus) return null;
    const [from, to] = focus.side === 'query' ? scene.rows : scene.cols;
    return focus.index >= from && focus.index < to ? focus : null;
}
