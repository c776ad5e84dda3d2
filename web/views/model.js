/* model - the model view, after BertViz: every head of every layer as a thumbnail, lines or heat
 * map. Pointing at one gives its measures and strongest links, opening one shows it large, as the
 * head view does. Pure; the pictures, measures and links are computed in C (src/study), so that 144
 * heads of 512 tokens stay smooth.
 */
import {h} from 'preact';
import {decimal} from '../draw/scale.js';
import {headView} from './head.js';
import {ModelFigure} from './model/figure.js';
import {inPrint} from './model/legend.js';
import {
    hasLinks,
    LINKS,
    linksOf,
    measuresOf,
    openedPlace,
    pictureSize,
    ROWS,
    selection,
    topHeads,
} from './model/numbers.js';
import {openedState} from './model/opened.js';
import {Options} from './model/options.js';
import {ModelPanel} from './model/panel.js';
import {modelSvg} from './model/svg.js';
import {counted} from './select.js';

/**
 * @typedef {import('./view.js').View} View
 * @typedef {import('./view.js').Cell} Cell
 */

const PATTERNS = {measure: 'patterns'};

/** The pictures; the numbers beside them take longer. @type {View['needs']} */
function needs(state, model) {
    const place = openedPlace(state.opened, model);
    const sorted = model.patterns.includes(state.measure);
    return [
        {measure: state.picture, argument: pictureSize(model)},
        ...(sorted ? [PATTERNS] : []),
        ...(place ? headView.needs(openedState(state, place), model) : []),
    ];
}

/** @type {View['table']} */
function table(state, data, t) {
    const place = openedPlace(state.opened, data.model);
    if (place) return headView.table(openedState(state, place), data, t);
    const number = counted(state);
    const {cells, tokens} = selection(state, data);
    const names = measuresOf(data, cells[0], t).map(({name}) => t.modelView.measures[name]);
    const rows = !hasLinks(data)
        ? []
        : cells.map(cell => {
              const [{query, key, weight}] = linksOf(data, cell, 1);
              /** @type {Cell[]} */
              const row = [
                  number(cell.layer),
                  number(cell.head),
                  ...measuresOf(data, cell, t).map(({value}) => inPrint(value)),
                  {text: tokens[query].piece, user: true},
                  {text: tokens[key].piece, user: true},
                  decimal(weight),
              ];
              return row;
          });
    const columns = [
        t.layer,
        t.modelView.head,
        ...names,
        t.modelView.strongestQuery,
        t.key,
        t.weight,
    ];
    return {caption: t.modelView.tableCaption, columns, rows};
}

/** @type {View['describe']} */
function describe(state, data, t) {
    const place = openedPlace(state.opened, data.model);
    if (place) return headView.describe(openedState(state, place), data, t);
    const number = counted(state);
    const {cells, tokens} = selection(state, data);
    const best = topHeads(data, cells, t).map(({name, place: {layer, head}, value}) => ({
        name: t.modelView.measures[name],
        layer: number(layer),
        head: number(head),
        value: inPrint(value),
    }));
    return t.modelView.describe({heads: cells.length, tokens: tokens.length, best});
}

/** @type {View} */
export const modelView = {
    id: 'model',
    controls: [],
    needs,
    later: ({picture}) => [
        PATTERNS,
        {measure: 'links', argument: LINKS},
        ...(picture === 'lines' ? [{measure: 'heatmaps', argument: ROWS}] : []),
    ],
    options: (state, {model, theme}, {set}, t) =>
        openedPlace(state.opened, model) ? null : h(Options, {state, model, theme, set, t}),
    render: (state, data, on) => h(ModelFigure, {state, data, on}),
    edits: ({opened}) => opened !== '',
    escape: ({opened}) => (opened ? {opened: ''} : null),
    howTo: (t, state) => (state.opened ? headView.howTo(t, state) : t.modelView.howTo),
    panel(state, data, t, on) {
        if (data.focus?.side === 'head') return h(ModelPanel, {state, data, id: data.focus.index});
        const place = openedPlace(state.opened, data.model);
        return place ? headView.panel?.(openedState(state, place), data, t, on) : null;
    },
    svg(state, data, look, t) {
        const place = openedPlace(state.opened, data.model);
        return place
            ? headView.svg(openedState(state, place), data, look, t)
            : modelSvg(state, data, look, t);
    },
    table,
    describe,
};
