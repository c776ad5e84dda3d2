/* numbers - which heads the model view shows, in which order, and what is known of each: its
 * measures and its strongest links. All is computed in C (src/study); here it is only looked up and
 * sorted.
 */
import {sharingOf} from '../block.js';
import {activeHeads} from '../select.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Model} Model
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {{layer: number, head: number}} Place
 * @typedef {Place & {id: number, share: number}} Cell   id: layer · H + head; share: 0..1 between
 *                                                       the least and the most
 * @typedef {{query: number, key: number, weight: number}} Link
 * @typedef {{name: string, low: number, high: number}} Measure   the one that tints, least and most
 *     of the heads shown
 * @typedef {ReturnType<typeof selection>} Selection
 */

export const LINKS = 6; // strongest links of a head that are fetched: what the panel names
// of the heat maps that a saved picture of lines is drawn from: MOST_ROWS in src/measure/pictures.c
export const ROWS = 48;

/** Side of the pictures fetched: about 600 px of page hold all heads, at two points a pixel.
 * @param {Model} model */
export const pictureSize = ({heads}) =>
    Math.min(128, Math.max(64, 32 * Math.round(1200 / heads / 32)));

/** @param {string} opened '3.11' @param {Model} model @returns {Place | null} */
export function openedPlace(opened, model) {
    const [, layer, head] = (/^(\d+)\.(\d+)$/.exec(opened) ?? [-1, -1, -1]).map(Number);
    return layer >= 0 && layer < model.layers && head < model.heads ? {layer, head} : null;
}

/** @param {Computed} data @param {string} name */
function tensor({tensors}, name) {
    const found = tensors.get(name);
    if (!found) throw new Error(`${name} has not been computed; ask isReady() first`);
    return found;
}

/** @param {Computed} data @param {number} number of the measure @param {Place} place */
const valueAt = (data, number, {layer, head}) =>
    tensor(data, 'measure.patterns').data[
        (number * data.model.layers + layer) * data.model.heads + head
    ];

/** Whether the numbers that come after the pictures are there. @param {Computed} data */
const hasMeasures = ({tensors}) => tensors.has('measure.patterns');
/** @param {Computed} data */
export const hasLinks = ({tensors}) => tensors.has(`measure.links.${LINKS}`);

/** The measures that the page has a name for, with their values for one head.
 * @param {Computed} data @param {Place} place @param {Texts} t */
export const measuresOf = (data, place, t) =>
    data.model.patterns.flatMap((name, number) =>
        t.modelView.measures[name] && hasMeasures(data)
            ? [{name, value: valueAt(data, number, place)}]
            : [],
    );

/** The head with most of each measure that has a name. @param {Computed} data
 * @param {Place[]} places @param {Texts} t */
export const topHeads = (data, places, t) =>
    data.model.patterns.flatMap((name, number) => {
        if (!t.modelView.measures[name] || !hasMeasures(data)) return [];
        const place = places.reduce((a, b) =>
            valueAt(data, number, b) > valueAt(data, number, a) ? b : a,
        );
        return [{name, place, value: valueAt(data, number, place)}];
    });

/** The strongest links of a head, strongest first. @param {Computed} data @param {Place} place
 * @param {number} most
 * @returns {Link[]} */
export function linksOf(data, {layer, head}, most) {
    if (!hasLinks(data)) return [];
    const {data: numbers} = tensor(data, `measure.links.${LINKS}`);
    const first = (layer * data.model.heads + head) * LINKS;
    return Array.from({length: Math.min(most, LINKS)}, (_, i) => {
        const [query, key, weight] = numbers.subarray(3 * (first + i), 3 * (first + i) + 3);
        return {query, key, weight};
    }).filter(({weight}) => weight > 0);
}

/** The largest value that a measure can have. @param {string} name @param {number} tokens */
export const mostOf = (name, tokens) => (name.startsWith('entropy') ? Math.log(tokens) : 1);

/** Neighbours among the heads shown that look with the same key head: columns from..to.
 * @param {number[]} heads @param {number} sharing how many heads share one */
function sharedKeys(heads, sharing) {
    if (sharing <= 1) return [];
    const groups = heads.map((head, at) => ({key: Math.floor(head / sharing), from: at, to: at}));
    return groups
        .filter(({key}, i) => groups[i - 1]?.key !== key)
        .map(group => ({
            ...group,
            to: group.from + groups.filter(({key}) => key === group.key).length - 1,
        }));
}

/** @param {ViewState} state @param {Computed} data */
export function selection(state, data) {
    const {model} = data;
    const layers = activeHeads(state.keepLayers, model.layers);
    const heads = activeHeads(state.keepHeads, model.heads);
    const number = model.patterns.indexOf(state.measure);
    const places = layers.flatMap(layer => heads.map(head => ({layer, head})));
    const values = places.map(place => (number < 0 ? 0 : valueAt(data, number, place)));
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const order = number < 0 ? 'model' : state.order;
    const cells = places.map(({layer, head}, i) => ({
        layer,
        head,
        id: layer * model.heads + head,
        share: high > low ? (values[i] - low) / (high - low) : 0,
    }));
    if (order === 'layer')
        cells.sort((a, b) => a.layer - b.layer || b.share - a.share || a.id - b.id);
    if (order === 'all') cells.sort((a, b) => b.share - a.share || a.id - b.id);
    /** @type {Measure | null} */
    const measure = number < 0 ? null : {name: state.measure, low, high};
    const shared = sharedKeys(heads, sharingOf(model));
    return {layers, heads, cells, order, measure, shared, tokens: data.pass.tokens};
}
