/* head - the head view, after BertViz: queries on the left, keys on the right, a line for each
 * weight. Colour is the head, opacity is weight / active heads. A chosen token shows its own lines
 * only, and bands behind the tokens opposite. After exBERT: tokens pinned, summed and masked,
 * averages instead of heads, the strongest part of the attention. Pure: focus and width come in
 * with data, the canvas with `on`.
 */
import {h} from 'preact';
import {decimalCell, percent} from '../draw/scale.js';
import {shownName} from './head/caption.js';
import {describe} from './head/describe.js';
import {HeadFigure} from './head/figure.js';
import {mixOf} from './head/mix.js';
import {summary, tableRows} from './head/numbers.js';
import {Options} from './head/options.js';
import {HeadPanel} from './head/panel.js';
import {selection} from './head/scene.js';
import {headSvg} from './head/svg.js';
import {clampLayer, counted} from './select.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').Cell} Cell
 */

const KEYS = 3;

/** The columns after the strongest keys: what each head gives the token as a key, and the words
 * expected there.
 * @param {import('./view.js').ViewState} state @param {import('./head/scene.js').Selection} scene
 * @param {import('./view.js').Computed} data @param {import('./view.js').Texts} t */
function moreColumns(state, scene, data, t) {
    const count = counted(state);
    const {key} = summary(scene);
    const isKey = (/** @type {number} */ row) => row >= scene.cols[0] && row < scene.cols[1];
    const words = new Map(state.fillings ? data.fills.map(fill => [fill.index, fill.words]) : []);
    return {
        columns: [
            ...scene.heads.map(head =>
                scene.mix === 'heads' ? t.head.received(count(head)) : t.head.receivedMean,
            ),
            ...(words.size ? [t.head.expectedColumn] : []),
        ],
        cells: (/** @type {number} */ row) => {
            /** @type {Cell[]} */
            const cells = scene.heads.map(head => (isKey(row) ? decimalCell(key(head, row)) : ''));
            const expected = words
                .get(scene.tokens[row].index)
                ?.map(word => `${word.piece} ${percent(word.probability)}`);
            return words.size ? [...cells, {text: expected?.join(', ') ?? '', user: true}] : cells;
        },
    };
}

/** @type {View['table']} */
function table(state, data, t) {
    const scene = selection(state, data);
    const number = counted(state);
    /** @returns {Cell} */
    const piece = (/** @type {number} */ index) => ({text: scene.tokens[index].piece, user: true});
    const columns = [t.position, t.query];
    for (let k = 1; k <= KEYS; k++) columns.push(t.head.nthKey(k), t.weight);
    const perHead = scene.mix === 'heads';
    if (perHead) columns.push(t.head.sharpest, t.key, t.weight);
    const more = moreColumns(state, scene, data, t);
    const rows = tableRows(scene, KEYS).map(({query, keys, best}) => [
        scene.tokens[query].index,
        piece(query),
        ...keys.flatMap(({index, mean}) => [piece(index), decimalCell(mean)]),
        ...Array(2 * (KEYS - keys.length)).fill(''),
        ...(!perHead
            ? []
            : best
              ? [number(best.head), piece(best.index), decimalCell(best.weight)]
              : ['', '', '']),
        ...more.cells(query),
    ]);
    return {
        caption: t.head.tableCaption(shownName(state, data, t), perHead),
        columns: [...columns, ...more.columns],
        rows,
    };
}

/** @type {View} */
export const headView = {
    id: 'head',
    controls: ['layer', 'heads', 'filter'],
    edits: () => true,
    idle: ({mix}) => [
        ...(mixOf(mix).usesLayer ? [] : ['layer']),
        ...(mixOf(mix).usesHeads ? [] : ['heads']),
    ],
    needs: (state, model) => [mixOf(state.mix).need(clampLayer(state.layer, model))],
    fillsAll: state => state.fillings,
    options: (state, data, {set}, t) => h(Options, {state, data, set, t}),
    render: (state, data, on) => h(HeadFigure, {state, data, on}),
    howTo: t => t.head.howTo,
    panel: (state, data, t, on) => h(HeadPanel, {state, data, t, on}),
    svg: headSvg,
    table,
    describe,
};
