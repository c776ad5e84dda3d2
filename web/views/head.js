/* head - the head view, after BertViz: queries on the left, keys on the right, a line for each weight.
 * Colour is the head, opacity is weight / active heads. A focused token shows its own lines only, and bands
 * behind the tokens opposite. Pure: focus and width come in with data, the canvas with `on`.
 */
import {h} from 'preact';
import {decimal, decimalCell} from '../draw/scale.js';
import {HeadFigure} from './head/figure.js';
import {strongest, tableRows} from './head/numbers.js';
import {HeadPanel} from './head/panel.js';
import {selection} from './head/scene.js';
import {headSvg} from './head/svg.js';
import {clampLayer} from './select.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').Cell} Cell
 */

const KEYS = 3;

/** @type {View['table']} */
function table(state, data, t) {
    const scene = selection(state, data);
    /** @returns {Cell} */
    const piece = (/** @type {number} */ index) => ({text: scene.tokens[index].piece, user: true});
    const columns = [t.position, t.query];
    for (let k = 1; k <= KEYS; k++) columns.push(t.head.nthKey(k), t.weight);
    columns.push(t.head.sharpest, t.key, t.weight);
    const rows = tableRows(scene, KEYS).map(({query, keys, best}) => [
        query, piece(query), ...keys.flatMap(({index, mean}) => [piece(index), decimalCell(mean)]),
        ...Array(2 * (KEYS - keys.length)).fill(''), best.head, piece(best.index), decimalCell(best.weight),
    ]);
    return {caption: t.head.tableCaption(scene.layer, scene.heads), columns, rows};
}

/** @type {View['describe']} */
function describe(state, data, t) {
    const scene = selection(state, data);
    const {head, query, key, weight} = strongest(scene);
    const piece = (/** @type {number} */ index) => scene.tokens[index].piece;
    return t.head.describe({layer: scene.layer, heads: scene.heads, tokens: scene.tokens.length,
        best: {head, query: piece(query), key: piece(key), weight: decimal(weight)}});
}

/** @type {View} */
export const headView = {
    id: 'head',
    controls: ['layer', 'heads', 'filter'],
    needs: (state, model) => [{tensor: 'attention', layer: clampLayer(state.layer, model)}],
    render: (state, data, on) => h(HeadFigure, {state, data, on}),
    howTo: t => t.head.howTo,
    panel: (state, data, t) => h(HeadPanel, {state, data, t}),
    svg: headSvg,
    table,
    describe,
};
