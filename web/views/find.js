/* find - find a head: all heads ranked by the weight they give from one token to another, and the
 * heads that act like a chosen one, as a list and as a map.
 */
import {h} from 'preact';
import {decimal} from '../draw/scale.js';
import {Alike} from './find/alike.js';
import {HeadMap} from './find/map.js';
import {chosenHead, mapOf, neighbours, pairNeed, ranking, shownPair} from './find/numbers.js';
import {Pick} from './find/pick.js';
import {Ranking, timesEven} from './find/ranking.js';
import {findSvg} from './find/svg.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').Cell} Cell
 */

/** A row a head: its weight for the pair, its divergence from the chosen head, its place on the map.
 * @type {View['table']} */
function table(state, data, t) {
    const {layers, heads} = data.model;
    const weights = new Map(
        (ranking(state, data) ?? []).map(row => [row.layer * heads + row.head, row]),
    );
    const chosen = chosenHead(state, data.model);
    const divergences = new Map(
        neighbours(data, chosen, layers * heads).map(({index, distance}) => [index, distance]),
    );
    const {points} = mapOf(data);
    const order = [...points.keys()].sort(
        (a, b) => (weights.get(b)?.weight ?? 0) - (weights.get(a)?.weight ?? 0) || a - b,
    );
    const rows = order.map((i, rank) => {
        const {layer, head, pattern, x, y} = points[i];
        const found = weights.get(i);
        return /** @type {Cell[]} */ ([
            rank + 1,
            t.find.headName(layer, head),
            found ? decimal(found.weight) : '',
            found ? timesEven(found.weight, found.seen) : '',
            (divergences.get(i) ?? 0).toFixed(3),
            x.toFixed(3),
            y.toFixed(3),
            t.find.patterns[/** @type {keyof typeof t.find.patterns} */ (pattern || 'none')],
        ]);
    });
    return {
        caption: t.find.tableCaption(chosen.layer, chosen.head),
        rows,
        columns: [
            t.find.rank,
            t.headWord,
            t.weight,
            t.find.times,
            t.find.divergenceColumn,
            'x',
            'y',
            t.find.pattern,
        ],
    };
}

/** @type {View['describe']} */
function describe(state, data, t) {
    const {tokens} = data.pass;
    const {query, key} = shownPair(state, tokens.length);
    const best = ranking(state, data)?.[0];
    if (key === null || !best) return t.find.pickKey;
    return t.find.describe({
        query: tokens[query].piece,
        key: tokens[key].piece,
        layer: best.layer,
        head: best.head,
        weight: decimal(best.weight),
    });
}

/** @type {View} */
export const findView = {
    id: 'find',
    controls: [],
    needs: state => [
        ...pairNeed(state),
        {measure: 'distances'},
        {measure: 'map'},
        {measure: 'map_fit'},
        {measure: 'patterns'},
    ],
    render: (state, data, on) =>
        h(
            'div',
            {class: 'find-view'},
            h(Pick, {state, data, on}),
            h(Ranking, {state, data, on}),
            h(HeadMap, {state, data, on}),
            h(Alike, {state, data, on}),
        ),
    howTo: t => t.find.howTo,
    svg: findSvg,
    table,
    describe,
};
