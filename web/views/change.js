/* change - what changes: mask a token, put another word in its place, or switch heads off, and see
 * what that does to the attention of every head, signed (after minus before), and to the model's
 * predictions.
 */
import {h} from 'preact';
import {decimal} from '../draw/scale.js';
import {signed} from '../draw/signed.js';
import {Difference, namesNow} from './change/map.js';
import {Grid} from './change/grid.js';
import {
    chosenHead,
    isChanged,
    largestChanges,
    mapOf,
    movedAt,
    shifts,
    spots,
    THUMB,
} from './change/numbers.js';
import {Predictions} from './change/predictions.js';
import {changeSvg} from './change/svg.js';
import {Tokens} from './change/tokens.js';
import {clampLayer} from './select.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').Cell} Cell
 */

const KEYS = 3;

/** @type {View['needs']} */
function needs(state, model) {
    const layer = clampLayer(state.layer, model);
    return [
        {tensor: 'attention', layer},
        {measure: 'earlier', argument: layer, compared: true},
        {measure: 'shift', compared: true},
        {measure: 'shifts', argument: THUMB, compared: true},
    ];
}

/** @type {View['table']} */
function table(state, data, t) {
    const chosen = chosenHead(state, data.model);
    const map = mapOf(data, chosen);
    const names = namesNow(state, data);
    const columns = [t.position, t.query, t.change.moved];
    for (let k = 1; k <= KEYS; k++)
        columns.push(t.change.nthKey(k), t.change.before, t.change.after, t.change.difference);
    const rows = names.map(
        (name, query) =>
            /** @type {Cell[]} */ ([
                query,
                {text: name, user: true},
                decimal(movedAt(map, query)),
                ...largestChanges(map, query, KEYS).flatMap(
                    ({key, before, after, difference}) =>
                        /** @type {Cell[]} */ ([
                            {text: names[key], user: true},
                            decimal(before),
                            decimal(after),
                            signed(difference),
                        ]),
                ),
                ...Array(4 * Math.max(0, KEYS - names.length)).fill(''),
            ]),
    );
    return {caption: t.change.tableCaption(chosen.layer, chosen.head), columns, rows};
}

/** @type {View['describe']} */
function describe(state, data, t) {
    const list = spots(state, data);
    if (!isChanged(state, list.length)) return t.change.nothing;
    const {top} = shifts(data);
    return (
        `${t.change.changed(list.filter(({now}) => now !== null).length, state.off.length, state.zeroed.length)} ` +
        t.change.describe(top.layer, top.head, decimal(top.moved))
    );
}

/** @type {View} */
export const changeView = {
    id: 'change',
    controls: [],
    predicts: true,
    needs,
    render: (state, data, on) =>
        h(
            'div',
            {class: 'change-view'},
            h(Tokens, {state, data, on}),
            h(Grid, {state, data, on}),
            h(Difference, {state, data, on}),
            h(Predictions, {data}),
        ),
    howTo: t => t.change.howTo,
    svg: changeSvg,
    table,
    describe,
};
