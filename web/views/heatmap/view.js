/* heatmap - one head as the picture of every paper: queries down, keys to the right, the darker a
 * cell the more weight. Ink is the square root of the weight over the greatest of the picture (as lines
 * have it, draw/scale.js), so that the eye sees small weights, and 250 tokens as well as five. What a
 * causal mask or a window hides is hatched (by draw/blocks/heat.js, which draws it all). This view is the example of docs/adding.md.
 */
import {h} from 'preact';
import {readMarks} from '../../draw/marks/arrows.js';
import {page} from '../../draw/blocks.js';
import {heat} from '../../draw/blocks/heat.js';
import {heading} from '../../draw/blocks/prose.js';
import {headColour} from '../../draw/colour.js';
import {remember} from '../../draw/memo.js';
import {decimal, decimalCell, exact, fullInk} from '../../draw/scale.js';
import {drawnView} from '../../draw/view.js';
import {headOf} from '../parts/one_head.js';
import {Player} from '../parts/player.js';
import {counted, filterRanges, visibleKeys} from '../parts/select.js';

/**
 * @typedef {ReturnType<typeof makeScene>} Scene
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 */

/** @param {import('../view.js').Attention} attention of the layer @param {number} layer
 * @param {number} head @param {import('../view.js').Token[]} tokens @param {string} filter
 * @param {import('../view.js').Model} model @param {boolean} oneBased @param {readonly string[]} marks */
function makeScene({data}, layer, head, tokens, filter, model, oneBased, marks) {
    const T = tokens.length;
    const {rows, cols} = filterRanges(tokens, filter);
    const seen = visibleKeys(model, layer);
    const count = counted({oneBased});
    const weight = (/** @type {number} */ query, /** @type {number} */ key) =>
        data[(head * T + query) * T + key];
    let best = {query: rows[0], key: cols[0]};
    for (let query = rows[0]; query < rows[1]; query++) {
        for (let key = cols[0]; key < cols[1]; key++)
            if (weight(query, key) > weight(best.query, best.key)) best = {query, key};
    }
    return {
        full: fullInk(weight(best.query, best.key), cols[1] - cols[0]),
        ...{tokens, rows, cols, weight, best, head, layer: count(layer), name: count(head)},
        at: layer,
        marked: readMarks(marks).map(({query, key, label}) => ({
            row: query - rows[0],
            col: key - cols[0],
            label,
        })),
        visible: seen && ((/** @type {number} */ query) => seen(query, T)),
        pieces: (/** @type {number[]} */ [from, to]) =>
            tokens.slice(from, to).map(({piece}) => piece),
    };
}
const scene = remember(makeScene);

/** The weight of the cell, in words. @param {{scene: Scene, over: any, data: {t: Texts}}} props */
function Readout({scene: {tokens, rows, cols, weight, visible}, over: {row, col}, data: {t}}) {
    const [query, key] = [rows[0] + row, cols[0] + col];
    const [from, to] = visible?.(query) ?? [0, tokens.length];
    const name = (/** @type {string} */ side, /** @type {number} */ index) => [
        h('bdi', {class: side}, tokens[index].piece),
        h('small', null, ` ${index}`),
    ];
    return h(
        'p',
        {class: 'shift-readout', 'aria-live': 'polite'},
        name('query', query),
        ` ${t.find.looksAt} `,
        name('key', key),
        ': ',
        key >= from && key < to
            ? h('strong', {class: 'number'}, exact(weight(query, key)))
            : t.heatmap.hidden,
    );
}

const PLAY_MS = 1200; // that a layer stays

/** Goes through the layers of the head. @param {import('../../draw/blocks.js').Props} props */
const PlayLayers = ({scene: {at}, data: {model, t}, on}) =>
    model.layers > 1 &&
    h(Player, {
        ...{at, last: model.layers - 1, ms: PLAY_MS, ready: true, round: true, word: t.play},
        go: layer => on.set({layer}),
    });

/** @param {number} at @param {number[]} range */
const isIn = (at, [from, to]) => at >= 0 && at < to - from;

/** What its colours mean. @param {Scene} made @param {Texts} t */
const notesOf = ({full, visible}, t) => [
    t.heatmap.ink(decimal(full)),
    ...(visible ? [t.heatmap.hatched] : []),
];

/** @param {Scene} made @param {import('../view.js').Drawn} look @param {Texts} t */
function blocks(made, {theme, file}, t) {
    const {rows, cols, weight, visible, marked, full} = made;
    const title = t.heatmap.title(made.layer, made.name);
    const colour = headColour(made.head, theme);
    return [
        file && heading(title, 26, {x: 4, y: 16, 'font-size': 13}),
        page(PlayLayers),
        page(Readout, {id: 'readout'}),
        heat({
            id: 'cells',
            rows: made.pieces(rows),
            cols: made.pieces(cols),
            valueAt: (row, col) => weight(rows[0] + row, cols[0] + col),
            inkOf: value => Math.sqrt(value / full),
            colourOf: () => colour,
            visible: visible && (row => visible(rows[0] + row).map(key => key - cols[0])),
            name: title,
            hint: t.heatmap.keys,
            axes: {down: t.query, across: t.key},
            every: t.heatmap.every,
            marked: marked.filter(({row, col}) => isIn(row, rows) && isIn(col, cols)),
        }),
        page(() => h('p', {class: 'hint'}, notesOf(made, t).join(' '))),
    ];
}

/** The cell pointed at; at first the largest weight. @param {Scene} made
 * @param {import('../../draw/blocks.js').Pointed} pointed */
function over({best, rows, cols}, {point}) {
    const cell = {
        row: Math.min(point?.row ?? best.query - rows[0], rows[1] - rows[0] - 1),
        col: Math.min(point?.col ?? best.key - cols[0], cols[1] - cols[0] - 1),
    };
    return {cells: cell, readout: cell};
}

/** A row a query, a column a key. @param {Scene} made @param {Texts} t */
function table({tokens, rows, cols, weight, layer, name, pieces}, t) {
    const keys = pieces(cols).map((piece, i) => `${cols[0] + i} ${piece}`);
    return {
        caption: t.heatmap.tableCaption(layer, name),
        columns: [t.position, t.query, ...keys],
        rows: pieces(rows).map((piece, i) => [
            rows[0] + i,
            {text: tokens[rows[0] + i].piece, user: /** @type {const} */ (true)},
            ...keys.map((_, j) => decimalCell(weight(rows[0] + i, cols[0] + j))),
        ]),
    };
}

const SAMPLES = [0.05, 0.25, 0.5, 1]; // of the weight that has full colour, in a file's legend

/** @param {Scene} made @param {import('../view.js').Drawn} look @param {Texts} t
 * @returns {import('../view.js').Legend} */
function legend(made, {theme}, t) {
    const colour = headColour(made.head, theme);
    const items = SAMPLES.map(share => ({
        ...{mark: /** @type {const} */ ('box'), colour, opacity: Math.sqrt(share)},
        name: decimal(made.full * share),
    }));
    return {rows: [{label: t.weight, items}], notes: notesOf(made, t)};
}

/** @type {import('../view.js').Described} */
const view = {
    id: 'heatmap',
    controls: ['layer', 'head', 'filter'],
    needs: (state, model) => [{tensor: 'attention', layer: headOf(state, model).layer}],
    scene({oneBased, filter, marks, ...state}, {tensors, model, pass: {tokens}}) {
        const {layer, head} = headOf(state, model);
        const attention = /** @type {import('../view.js').Attention} */ (
            tensors.get(`attention.${layer}`)
        );
        return scene(attention, layer, head, tokens, filter, model, oneBased, marks);
    },
    blocks,
    over,
    sheet: {font: 11, legend},
    rows: table,
    say: ({tokens, best: {query, key}, weight, layer, name}, t) =>
        t.heatmap.describe({
            ...{layer, head: name, tokens: tokens.length},
            ...{query: tokens[query].piece, key: tokens[key].piece},
            weight: exact(weight(query, key)),
        }),
    howTo: t => t.heatmap.howTo,
};

export const heatmapView = drawnView(view);
