/* numbers - the heads of the model view in order, each with its measures and its strongest links.
 * They are computed in C (src/measure), and looked up and sorted here.
 */
import {remember} from '../../draw/memo.js';
import {sharingOf} from '../parts/block.js';
import {needName, shownNeed} from '../needs.js';
import {activeHeads} from '../parts/select.js';

/**
 * @import {ViewState, Computed, Model, Texts} from '../view.js'
 * @typedef {{layer: number, head: number}} Place
 * @typedef {Place & {id: number, share: number}} Cell   id: layer · H + head; share: 0..1 between
 *                                                       the least and the most
 * @typedef {{query: number, key: number, weight: number}} Link
 * @typedef {{name: string, low: number, high: number}} Measure   the one that tints, least and most
 *     of the heads shown
 * @typedef {ReturnType<typeof selection>} Selection
 */

/** Strongest links of a head that are fetched: what the panel names. */
export const LINKS = 6;
/** @param {number} value of a measure; NaN: there is none, the head is off */
export const inPrint = value => (Number.isNaN(value) ? '' : value.toFixed(2));

/** Side of the pictures fetched: about 600 px of page hold all heads, at two points a pixel.
 * @param {Model} model */
export const pictureSize = ({heads}) =>
    Math.min(128, Math.max(64, 32 * Math.round(1200 / heads / 32)));

/** without_special and without_first of a measure. @param {Pick<ViewState, 'gridSpecials' | 'gridFirst'>} state */
const without = ({gridSpecials, gridFirst}) => [Number(!gridSpecials), Number(!gridFirst)];

/** How many tokens are shown: all, where none would be left.
 * @param {Pick<ViewState, 'gridSpecials' | 'gridFirst'>} state
 * @param {readonly {sentence: number}[]} tokens */
export const shownTokens = ({gridSpecials, gridFirst}, tokens) =>
    tokens.filter(({sentence}, i) => (gridSpecials || sentence >= 0) && (gridFirst || i > 0))
        .length || tokens.length;

/** @param {ViewState} state @param {Model} model */
export const picturesNeed = (state, model) =>
    shownNeed({measure: state.picture, args: [pictureSize(model), ...without(state)]}, state);

/** @param {ViewState} state */
export const linksNeed = state =>
    shownNeed({measure: 'links', args: [LINKS, ...without(state)]}, state);

/** @param {ViewState} state */
export const patternsNeed = state => shownNeed({measure: 'patterns'}, state);

/** @param {string} opened '3.11' @param {Model} model @returns {Place | null} */
export function openedPlace(opened, model) {
    const [, layer, head] = (/^(\d+)\.(\d+)$/.exec(opened) ?? [-1, -1, -1]).map(Number);
    return layer >= 0 && layer < model.layers && head < model.heads ? {layer, head} : null;
}

/** @param {ViewState} state @param {number} layer @param {number} head @returns {ViewState} */
const makeState = (state, layer, head) => ({
    ...state,
    layer,
    heads: [head],
    filter: 'all',
    mix: 'heads',
    level: 'pieces',
    top: 100,
    specials: state.gridSpecials,
    first: state.gridFirst,
    fillings: false,
    picked: [],
});
const rememberedState = remember(makeState);

/** The state in which the head view shows a head, and all of it, whatever is chosen there, but for the
 * tokens that the grid leaves out: the same object as long as it is the same, so that pointing at a token makes no new picture.
 * @param {ViewState} state @param {Place} place @returns {ViewState} */
export const openedState = (state, {layer, head}) => rememberedState(state, layer, head);

/** What comes after the pictures: null until it is there. @param {ViewState} state
 * @param {Computed} data */
export const numbersOf = (state, {model, tensors}) => ({
    model,
    patterns: tensors.get(needName(patternsNeed(state))) ?? null,
    links: tensors.get(needName(linksNeed(state))) ?? null,
});

/** @typedef {ReturnType<typeof numbersOf>} Numbers */

/** @param {Numbers} numbers @param {number} number of the measure @param {Place} place */
const valueAt = ({patterns, model: {layers, heads}}, number, {layer, head}) =>
    patterns?.data[(number * layers + layer) * heads + head] ?? 0;

/** The measures that the page has a name for, with their numbers, as long as they are there.
 * @param {Numbers} numbers @param {Texts} t */
const namedMeasures = ({model, patterns}, t) =>
    model.patterns.flatMap((name, number) =>
        patterns && t.modelView.measures[name] ? [{name, number}] : [],
    );

/** With their values for one head. @param {Numbers} numbers @param {Place} place @param {Texts} t */
export const measuresOf = (numbers, place, t) =>
    namedMeasures(numbers, t).map(({name, number}) => ({
        name,
        value: valueAt(numbers, number, place),
    }));

/** The head with most of each measure that has a name. @param {Numbers} numbers
 * @param {Place[]} places @param {Texts} t */
export const topHeads = (numbers, places, t) =>
    namedMeasures(numbers, t).map(({name, number}) => {
        const value = (/** @type {Place} */ place) => valueAt(numbers, number, place);
        const place = places.reduce((a, b) => (value(b) > value(a) || !(value(a) >= 0) ? b : a));
        return {name, place, value: value(place)};
    });

/** The strongest links of a head, strongest first. @param {Numbers} numbers @param {Place} place
 * @param {number} most @returns {Link[]} */
export function linksOf({links, model}, {layer, head}, most) {
    if (!links) return [];
    const first = (layer * model.heads + head) * LINKS;
    return Array.from({length: Math.min(most, LINKS)}, (_, i) => {
        const [query, key, weight] = links.data.subarray(3 * (first + i), 3 * (first + i) + 3);
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

/** @param {Pick<ViewState, 'keepLayers' | 'keepHeads' | 'measure' | 'order'>} state
 * @param {Numbers} numbers */
export function selection({keepLayers, keepHeads, measure: tint, order: wanted}, numbers) {
    const {model} = numbers;
    const layers = activeHeads(keepLayers, model.layers);
    const heads = activeHeads(keepHeads, model.heads);
    const number = model.patterns.indexOf(tint);
    const places = layers.flatMap(layer => heads.map(head => ({layer, head})));
    const values = places.map(place => (number < 0 ? 0 : valueAt(numbers, number, place)));
    const known = values.filter(value => !Number.isNaN(value));
    const [low, high] = known.length ? [Math.min(...known), Math.max(...known)] : [NaN, NaN];
    const order = number < 0 ? 'model' : wanted;
    const cells = places.map(({layer, head}, i) => ({
        layer,
        head,
        id: layer * model.heads + head,
        share: (high > low && (values[i] - low) / (high - low)) || 0,
    }));
    if (order === 'layer')
        cells.sort((a, b) => a.layer - b.layer || b.share - a.share || a.id - b.id);
    if (order === 'all') cells.sort((a, b) => b.share - a.share || a.id - b.id);
    /** @type {Measure | null} */
    const measure = number < 0 ? null : {name: tint, low, high};
    return {layers, heads, cells, order, measure, shared: sharedKeys(heads, sharingOf(model))};
}
