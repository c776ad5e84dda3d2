/* model - the model view, after BertViz: every head of every layer as a thumbnail, lines or heat
 * map. Pointing at one gives its measures and strongest links, opening one shows it large, as the
 * head view does. Pure; the pictures, measures and links are computed in C (src/measure), so that
 * 144 heads of 512 tokens stay smooth.
 */
import {h} from 'preact';
import {group, page} from '../../draw/blocks.js';
import {heading} from '../../draw/blocks/prose.js';
import {headColour, scaleColour} from '../../draw/colour.js';
import {headName} from '../../draw/head_name.js';
import {remember} from '../../draw/memo.js';
import {plot} from '../../draw/plot.js';
import {thumbFrame, thumbs} from '../../draw/marks/thumbs.js';
import {drawnView} from '../../draw/view.js';
import {headView} from '../head/view.js';
import {ModelFigure} from './figure.js';
import {leftOut, Legend} from './legend.js';
import {
    inPrint,
    linksNeed,
    openedPlace,
    openedState,
    patternsNeed,
    picturesNeed,
} from './numbers.js';
import {OpenedOptions, Options} from './options.js';
import {ModelPanel} from './panel.js';
import {rows, say} from './rows.js';
import {layoutGrid, modelScene} from './scene.js';

/**
 * @import {View, Texts} from '../view.js'
 * @import {Scene, Grid} from './scene.js'
 */

const TITLE = 30; // px of a file

/** The pictures; the numbers beside them take longer. @type {View['needs']} */
const gridNeeds = (state, model) => [
    picturesNeed(state, model),
    ...(model.patterns.includes(state.measure) ? [patternsNeed(state)] : []),
];

/** @param {Grid} grid @param {string} theme @param {Texts} t @returns {import('../../draw/marks/thumbs.js').Thumb[]} */
const thumbsOf = ({cells, order, count, measure}, theme, t) =>
    cells.map(({layer, head, id, share}) => ({
        index: id,
        colour: headColour(head, theme),
        tint: measure ? scaleColour(share, theme) : '',
        name: t.modelView.name(count(layer), count(head)),
        card: `${layer}.${head}`,
        caption:
            order === 'model'
                ? ''
                : order === 'all'
                  ? headName(count(layer), count(head))
                  : count(head),
    }));

/** @param {Grid} grid @param {number} width @param {string} theme @param {Texts} t */
function makePlot(grid, width, theme, t) {
    const {layers, heads, order, shared, count, pictures, model} = grid;
    const layout = layoutGrid(grid, width);
    return plot({
        id: 'grid',
        ...{width: layout.width, height: layout.height},
        className: 'grid',
        style: {width: `${layout.width}px`, height: `${layout.height}px`},
        marks: [
            thumbs({
                ...{side: 'head', layout, pictures, theme, cells: thumbsOf(grid, theme, t)},
                columns: order === 'model' ? heads.map(count) : [],
                rows: order === 'all' ? [] : layers.map(count),
                brackets: shared.map(({from, to, key}) => ({
                    ...{from, to},
                    title: t.modelView.shareKeys(count(key)),
                })),
                ...{label: t.modelView.grid, corner: t.layer, over: t.modelView.head},
                onPress: ({index}, {on}) =>
                    on.set({opened: `${Math.floor(index / model.heads)}.${index % model.heads}`}),
            }),
        ],
    });
}
/** The same marks as long as they show the same: their canvas is then not drawn anew. */
const gridPlot = remember(makePlot);

/** @param {Grid} grid @param {Texts} t */
function titleOf(grid, t) {
    const {model, measure} = grid;
    const tint = measure
        ? `: ${t.modelView.measures[measure.name]} ${inPrint(measure.low)} – ${inPrint(measure.high)}`
        : '';
    const title = t.modelView.svgTitle(model.layers, model.heads) + tint;
    return [title, ...leftOut(grid, t)].join(' · ');
}

/** @param {Scene} scene @param {import('../view.js').Drawn} look @param {Texts} t */
const blocks = ({grid}, {width, theme, file}, t) => [
    file && heading(titleOf(grid, t), TITLE, {x: 0, y: 16, 'font-size': 13}),
    page(Legend),
    group(inside => h('div', {class: 'scroll'}, inside), [gridPlot(grid, width, theme, t)]),
];

/** @param {Scene} scene @param {import('../../draw/blocks.js').Pointed} pointed
 * @param {import('../view.js').Drawn} look */
function over({grid}, {focus}, {width}) {
    const place = focus?.side === 'head' ? grid.cells.findIndex(({id}) => id === focus.index) : -1;
    if (place < 0) return null;
    return {grid: {frames: [thumbFrame({layout: layoutGrid(grid, width), place})]}};
}

/** @param {Scene} scene @param {import('../view.js').Drawn} look @param {Texts} t
 * @returns {import('../view.js').Legend} */
function legend({grid: {picture, measure}}, {theme}, t) {
    const items = [0, 0.5, 1].map(share => ({
        ...{mark: /** @type {const} */ ('box'), colour: scaleColour(share, theme)},
        name: measure ? inPrint(measure.low + (measure.high - measure.low) * share) : '',
    }));
    return {
        rows: measure ? [{label: t.modelView.measures[measure.name], items}] : [],
        notes: [picture === 'lines' ? t.modelView.readLines : t.modelView.readHeatmaps],
    };
}

const gridView = drawnView({
    id: 'model',
    scene: modelScene,
    ...{blocks, over, rows, say, sheet: {legend}},
});

/** What the head view does for an opened head, else the grid.
 * @template {'svg' | 'table' | 'describe'} N @param {N} name @returns {View[N]} */
const either = name =>
    /** @type {View[N]} */ (
        (/** @type {any} */ state, /** @type {any} */ data, /** @type {any[]} */ ...more) => {
            const place = openedPlace(state.opened, data.model);
            const view = /** @type {Record<N, any>} */ (place ? headView : gridView);
            return view[name](place ? openedState(state, place) : state, data, ...more);
        }
    );

/** @type {View} */
export const modelView = {
    id: 'model',
    controls: ['show'],
    shows(state, model) {
        const place = openedPlace(state.opened, model);
        return place ? {state: openedState(state, place)} : {};
    },
    needs(state, model) {
        const place = openedPlace(state.opened, model);
        const opened = place ? headView.needs(openedState(state, place), model) : [];
        return [...gridNeeds(state, model), ...opened];
    },
    later(state, model) {
        const place = openedPlace(state.opened, model);
        const beside = place ? (headView.later?.(openedState(state, place), model) ?? []) : [];
        return [patternsNeed(state), linksNeed(state), ...beside];
    },
    options(state, {model, theme}, {set}, t) {
        const place = openedPlace(state.opened, model);
        const props = {state, model, theme, set, t};
        return place ? h(OpenedOptions, {...props, place}) : h(Options, props);
    },
    render: (state, data, on) => h(ModelFigure, {state, data, on, grid: gridView.render}),
    edits: ({opened}) => opened !== '',
    escape: ({opened}) => (opened ? {opened: ''} : null),
    pictured: t => t.modelView.pictured,
    howTo: (t, state) => (state.opened ? headView.howTo(t, state) : t.modelView.howTo),
    panel(state, data, t, on) {
        if (data.focus?.side === 'head') return h(ModelPanel, {state, data, id: data.focus.index});
        const place = openedPlace(state.opened, data.model);
        return place ? headView.panel?.(openedState(state, place), data, t, on) : null;
    },
    svg: either('svg'),
    table: either('table'),
    describe: either('describe'),
};
