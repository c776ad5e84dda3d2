/* heatmap - one head as the picture of every paper: queries down, keys to the right, the darker a
 * cell the more weight. Ink is the square root of the weight over the greatest of the picture (as lines
 * have it, draw/scale.js), so that the eye sees small weights, and 250 tokens as well as five; or its logarithm, for
 * weights down to a ten-thousandth of the greatest. What a
 * causal mask or a window hides is hatched (by draw/blocks/heat.js, which draws it all). In the place of the
 * weights: what the head moves, what its whole layer moves, or value zeroing (parts/show.js). This view is the
 * example of docs/adding.md.
 */
import {h} from 'preact';
import {readMarks} from '../../draw/marks/arrows.js';
import {page} from '../../draw/blocks.js';
import {heat} from '../../draw/blocks/heat.js';
import {heading} from '../../draw/blocks/prose.js';
import {averageColour, headColour} from '../../draw/colour.js';
import {headName} from '../../draw/head_name.js';
import {remember} from '../../draw/memo.js';
import {decimal, decimalCell, exact, fullInk} from '../../draw/scale.js';
import {drawnView} from '../../draw/view.js';
import {attentionNeed, needName, shownNeed} from '../needs.js';
import {Switch} from '../parts/hide.js';
import {termsIn} from '../parts/mark.js';
import {headOf} from '../parts/one_head.js';
import {PlayLayers} from '../parts/player.js';
import {counted, filterRanges, visibleKeys} from '../parts/select.js';
import {weightsBeside} from '../parts/show.js';

const OF_LAYER = /** @type {('together' | 'through' | 'zeroing')[]} */ ([
    'together',
    'through',
    'zeroing',
]);
const NAMES = ['weight', 'moved', ...OF_LAYER];
const LENGTHS = ['together', 'through'];
const MIXING = {measure: 'mixing'};
const isOfLayer = (/** @type {string} */ show) => OF_LAYER.some(one => one === show);
const isLength = (/** @type {string} */ show) => LENGTHS.includes(show);

/** @param {ViewState} state @param {import('../view.js').Model} model @returns {import('../needs.js').Need} */
function mapNeed(state, model) {
    const {layer} = headOf(state, model);
    const {show} = state;
    return isOfLayer(show)
        ? {measure: isLength(show) ? `moved_${show}` : show, args: [layer]}
        : shownNeed(attentionNeed(layer), state);
}

/**
 * @typedef {ReturnType<typeof makeScene>} Scene
 * @import {Texts, ViewState} from '../view.js'
 */

/** @param {import('../view.js').Attention} map @param {string} show which map it is @param {number} layer
 * @param {number} head @param {import('../view.js').Token[]} tokens @param {string} filter
 * @param {import('../view.js').Model} model @param {boolean} oneBased @param {boolean} log @param {readonly string[]} marks
 * @param {import('../view.js').Attention | undefined} mixing */
function makeScene({data}, show, layer, head, tokens, filter, model, oneBased, log, marks, mixing) {
    const T = tokens.length;
    const {rows, cols} = filterRanges(tokens, filter);
    const seen = visibleKeys(model, layer);
    const count = counted({oneBased});
    const at = isOfLayer(show) ? 0 : head;
    const weight = (/** @type {number} */ query, /** @type {number} */ key) =>
        data[(at * T + query) * T + key];
    let best = {query: rows[0], key: cols[0]};
    for (let query = rows[0]; query < rows[1]; query++) {
        for (let key = cols[0]; key < cols[1]; key++)
            if (weight(query, key) > weight(best.query, best.key)) best = {query, key};
    }
    const most = weight(best.query, best.key) || 0; // NaN: the head is off and moves nothing
    return {
        ...{full: isLength(show) ? most || 1 : fullInk(most, cols[1] - cols[0]), most},
        ...{tokens, rows, cols, weight, best, head, show, layer: count(layer), name: count(head)},
        ...{at: layer, log},
        marked: readMarks(marks).map(({query, key, label}) => ({
            row: query - rows[0],
            col: key - cols[0],
            label,
        })),
        /** Of a token, how much comes from others; null where the map is another one. */
        mixed:
            mixing && show === 'through'
                ? (/** @type {number} */ query) => mixing.data[layer * T + query]
                : null,
        visible: seen && ((/** @type {number} */ query) => seen(query, T)),
        pieces: (/** @type {number[]} */ [from, to]) =>
            tokens.slice(from, to).map(({piece}) => piece),
    };
}
const scene = remember(makeScene);

/** What is shown, and numbers of it. @param {Scene} made @param {Texts} t */
const nameOf = ({show, layer, name}, t) =>
    isOfLayer(show)
        ? `${t.layerName(layer)}, ${t.heatmap.maps[show]}`
        : t.head.moved(headName(layer, name));

/** @param {Scene} made @param {Texts} t */
const titleOf = (made, t) =>
    made.show === 'weight'
        ? t.heatmap.title(made.layer, made.name)
        : t.heatmap.titleOf(nameOf(made, t));

/** The weight of the cell, in words. @param {{scene: Scene, over: any, data: {t: Texts}}} props */
function Readout({
    scene: {tokens, rows, cols, weight, visible, mixed},
    over: {row, col},
    data: {t},
}) {
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
            ? h('strong', {class: 'number'}, weight(query, key) >= 0 && exact(weight(query, key)))
            : t.heatmap.hidden,
        mixed && ` · ${t.heatmap.mixed(tokens[query].piece, decimal(mixed(query)))}`,
    );
}

/** @param {number} at @param {number[]} range */
const isIn = (at, [from, to]) => at >= 0 && at < to - from;

/** @param {Scene} made @param {string} theme */
const colourOf = ({show, head}, theme) =>
    isOfLayer(show) ? averageColour(theme) : headColour(head, theme);

const DECADES = 4; // that a logarithm shows, below the greatest weight

/** How much colour a share of the greatest weight has. @param {boolean} log @param {number} share */
const inkOf = (log, share) =>
    (log ? Math.max(1 + Math.log10(share) / DECADES, 0) : Math.sqrt(share)) || 0;

/** What its colours mean. @param {Scene} made @param {Texts} t */
const notesOf = ({full, visible, show, log}, t) => [
    log
        ? t.heatmap.inkLog(decimal(full), exact(full / 10 ** DECADES))
        : (show === 'weight' ? t.heatmap.ink : t.heatmap.inkOf)(decimal(full)),
    ...(visible ? [t.heatmap.hatched] : []),
];

/** @param {import('../../draw/blocks.js').Props} props */
const Log = ({scene: {log}, data: {t}, on}) =>
    h(Switch, {checked: log, label: t.heatmap.log, onChange: log => on.set({log})});

/** @param {Scene} made @param {import('../view.js').Drawn} look @param {Texts} t */
function blocks(made, {theme, file}, t) {
    const {rows, cols, weight, visible, marked, full, log, at} = made;
    const title = titleOf(made, t);
    const colour = colourOf(made, theme);
    return [
        file && heading(title, 26, {x: 4, y: 16, 'font-size': 13}),
        page(({data, on}) => h(PlayLayers, {at, data, on})),
        page(Readout, {id: 'readout'}),
        heat({
            id: 'cells',
            rows: made.pieces(rows),
            cols: made.pieces(cols),
            valueAt: (row, col) => weight(rows[0] + row, cols[0] + col),
            inkOf: value => inkOf(log, value / full),
            colourOf: () => colour,
            visible: visible && (row => visible(rows[0] + row).map(key => key - cols[0])),
            name: title,
            hint: t.heatmap.keys,
            axes: {down: t.query, across: t.key},
            every: t.heatmap.every,
            marked: marked.filter(({row, col}) => isIn(row, rows) && isIn(col, cols)),
        }),
        page(Log),
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
function table(made, t) {
    const {rows, cols, weight, layer, name, pieces, show, mixed} = made;
    const keys = pieces(cols).map((piece, i) => `${cols[0] + i} ${piece}`);
    const cell = isLength(show)
        ? (/** @type {number} */ value) => ({value, text: value.toFixed(3)})
        : decimalCell;
    return {
        caption:
            show === 'weight'
                ? t.heatmap.tableCaption(layer, name)
                : t.heatmap.tableCaptionOf(nameOf(made, t)),
        columns: [t.position, t.query, ...keys, ...(mixed ? [t.heatmap.mixedColumn] : [])],
        rows: pieces(rows).map((piece, i) => [
            rows[0] + i,
            {text: piece, user: /** @type {const} */ (true)},
            ...keys.map((_, j) => cell(weight(rows[0] + i, cols[0] + j))),
            ...(mixed ? [decimalCell(mixed(rows[0] + i))] : []),
        ]),
    };
}

/** @param {Scene} made @param {Texts} t */
function say(made, t) {
    const {tokens, best, weight, layer, name, show, most} = made;
    if (!most) return t.head.nothing;
    const [query, key] = [tokens[best.query].piece, tokens[best.key].piece];
    const said = {tokens: tokens.length, query, key, weight: exact(weight(best.query, best.key))};
    return show === 'weight'
        ? t.heatmap.describe({...said, layer, head: name})
        : t.heatmap.describeOf({...said, name: nameOf(made, t)});
}

// of the weight that has full colour, in a file's legend
const [SAMPLES, LOG_SAMPLES] = [
    [0.05, 0.25, 0.5, 1],
    [0.001, 0.01, 0.1, 1],
];

/** @param {Scene} made @param {import('../view.js').Drawn} look @param {Texts} t
 * @returns {import('../view.js').Legend} */
function legend(made, {theme}, t) {
    const colour = colourOf(made, theme);
    const items = (made.log ? LOG_SAMPLES : SAMPLES).map(share => ({
        ...{mark: /** @type {const} */ ('box'), colour, opacity: inkOf(made.log, share)},
        name: (made.log ? exact : decimal)(made.full * share),
    }));
    const label = made.show === 'weight' ? t.weight : nameOf(made, t);
    return {rows: [{label, items}], notes: notesOf(made, t)};
}

/** @type {import('../view.js').Described} */
const view = {
    id: 'heatmap',
    controls: ['layer', 'head', 'filter', 'show'],
    idle: ({show}) => (isOfLayer(show) ? ['head'] : []),
    needs: (state, model) => [mapNeed(state, model), ...(state.show === 'through' ? [MIXING] : [])],
    later: weightsBeside,
    shows: ({show}, _, t) => ({
        more: OF_LAYER.map(value => ({value, ...t.heatmap.layerMaps[value]})),
        hint: t.heatmap.saysOf[show] && termsIn(t, t.heatmap.saysOf[show]),
    }),
    scene(state, {tensors, model, pass: {tokens}}) {
        const {oneBased, filter, marks, log} = state;
        const {layer, head} = headOf(state, model);
        const map = /** @type {import('../view.js').Attention} */ (
            tensors.get(needName(mapNeed(state, model)))
        );
        const mixing = tensors.get(needName(MIXING));
        const show = NAMES.includes(state.show) ? state.show : 'weight';
        return scene(map, show, layer, head, tokens, filter, model, oneBased, log, marks, mixing);
    },
    blocks,
    over,
    sheet: {font: 11, legend},
    rows: table,
    say,
    broad: true,
    pictured: t => t.heatmap.pictured,
    howTo: t => t.heatmap.howTo,
};

export const heatmapView = drawnView(view);
