/* scene - everything the head view draws, worked out once from state and data: what stands in the
 * rows (tokens or words), the attention between them, active heads, paired tokens, layout and
 * links. HTML, SVG, table and panel all read it. In a scene a token is counted by its row; in the
 * state and in a Focus by its position in the text.
 */
import {allLinks, links, span} from '../../draw/marks/arcs.js';
import {averageColour, headColour} from '../../draw/colour.js';
import {layoutColumns} from '../../draw/tokens.js';
import {mergeAttention, positionsOf, unitAt, unitsOf} from '../parts/level.js';
import {remember} from '../../draw/memo.js';
import {isMoved, needName} from '../needs.js';
import {activeHeads, clampLayer, counted, filterRanges} from '../parts/select.js';
import {mixNeed, mixOf, named} from './mix.js';
import {keepTop} from './top.js';

/**
 * @import {ViewState, Computed, Attention, Focus} from '../view.js'
 * @typedef {import('../../draw/marks/strips.js').Chosen} Chosen
 * @import {Unit} from '../parts/level.js'
 * @typedef {ReturnType<typeof select>} Selection
 * @typedef {ReturnType<typeof place>} Placed
 * @typedef {ReturnType<typeof wholeScene>} WholeScene
 */

const MOST_GUTTER = 60;
const GAP = 4;

/** What stands in the rows. */
export const units = remember(unitsOf);

/** `whole` is the attention before the strongest were picked out.
 * @param {string} mix @param {number} layer @param {Attention} tensor
 * @param {readonly number[]} wanted
 * @param {import('../parts/level.js').Unit[]} tokens @param {string} pairs @param {number} top per cent
 */
function select(mix, layer, tensor, wanted, tokens, pairs, top) {
    const {take, usesHeads} = mixOf(mix);
    const size = tensor.shape[1] ** 2;
    const there = activeHeads(wanted, usesHeads ? tensor.shape[0] : 0);
    const on = there.filter(head => tensor.data[head * size] >= 0); // NaN: off, it moves nothing
    const whole = mergeAttention(take(tensor, layer, on), tokens);
    const heads = mix === 'heads' ? on : usesHeads && !on.length ? [] : [0];
    const ranges = filterRanges(tokens, pairs);
    return {
        mix,
        layer,
        heads,
        tokens,
        whole,
        ...ranges,
        top,
        attention: top < 100 ? keepTop(whole, heads, ranges, top / 100) : whole,
    };
}

const rememberedSelect = remember(select);

/** The numbers without geometry; enough for tables. @param {ViewState} state @param {Computed} data
 */
export function selection(state, data) {
    const {mix = 'heads', heads, filter, level = 'pieces', top = 100} = state;
    const {specials = true, first = true} = state;
    const layer = clampLayer(state.layer, data.model);
    const name = needName(mixNeed(state, layer));
    const tensor = data.tensors.get(name);
    if (!tensor) throw new Error(`${name} has not been computed`);
    return rememberedSelect(
        mix,
        layer,
        tensor,
        heads,
        units(data.pass, level, specials, first),
        filter,
        Math.min(top, 100),
    );
}

/** Whether the model has a [MASK]. @param {import('../view.js').Model} model */
export const canMask = model => (model.special?.mask ?? -1) >= 0;

/** How many tokens of the unit are masked. @param {Unit} unit @param {readonly number[]} masked */
export const maskedIn = (unit, masked) =>
    positionsOf(unit).filter(index => masked.includes(index)).length;

/** What is shown, in words, with the numbers as the reader counts. @param {ViewState} state
 * @param {{model: import('../view.js').Model}} data @param {import('../view.js').Texts} t */
export function shownName(state, {model}, t) {
    const {mix, layer, heads} = named(state, model);
    const count = counted(state);
    const name = t.head.shown({mix, layer: count(layer), heads: heads.map(count)});
    return isMoved(state) ? t.head.moved(name) : name;
}

/** The state with only the previewed head, or as it is. A rollout has no heads.
 * @param {ViewState} state @param {number} peek
 * @returns {ViewState} */
export const lookedAt = (state, peek) =>
    peek < 0 || state.mix === 'rollout'
        ? state
        : {...state, heads: [peek], mix: state.mix === 'mean' ? 'heads' : state.mix};

/** @param {Selection} chosen @param {boolean} fillings @param {boolean} oneBased
 * @param {readonly number[]} masked @param {import('../view.js').Fill[]} fills
 * @param {ViewState} state @param {Computed} data */
const makeWhole = (chosen, fillings, oneBased, masked, fills, state, data) => ({
    ...chosen,
    fills: fillings ? fills : [],
    /** Of the model, with or without those that are on. */
    places: data.model.heads,
    count: counted({oneBased}),
    maskedIn: (/** @type {Unit} */ unit) => (canMask(data.model) ? maskedIn(unit, masked) : 0),
    name: (/** @type {import('../view.js').Texts} */ t) => shownName(state, data, t),
    peeked: (/** @type {number} */ head) => ({
        ...selection(lookedAt(state, head), data),
        places: data.model.heads,
    }),
});
const rememberedWhole = remember(makeWhole, 5);
/** @type {any[]} */
const NONE = [];

/** All that the view draws and says: another one when that is another, not while the reader points
 * or pins. @param {ViewState} state @param {Computed} data */
export const wholeScene = (state, data) =>
    rememberedWhole(
        selection(state, data),
        Boolean(state.fillings),
        Boolean(state.oneBased),
        state.masked ?? NONE,
        data.fills ?? NONE,
        state,
        data,
    );

const rememberedLinks = remember(links);

/** The lines at rest, wherever they stand. @param {Selection} chosen */
export const restLinks = ({attention, heads, rows, cols}) =>
    rememberedLinks(attention, heads, rows, cols);

/** The selection with its places in a figure of the given width. Every head of the model has its
 * place in the gutter, so that nothing moves when heads are turned on and off.
 * @param {Selection & {places: number}} chosen @param {number} width
 * @param {number} [beside] room beside a query */
export const place = remember((chosen, width, beside = 0) => {
    const {tokens, rows, cols, places} = chosen;
    const pieces = [rows, cols].map(([from, to]) =>
        tokens.slice(from, to).map((/** @type {Unit} */ token) => token.piece),
    );
    const cell = Math.min(6, Math.max(2, Math.floor(Math.min(MOST_GUTTER, width * 0.08) / places)));
    const layout = layoutColumns(pieces, width, places * cell + GAP, beside);
    return {...chosen, cell, layout, links: restLinks(chosen)};
});

/** Both in one. @param {ViewState} state @param {Computed} data @param {number} width
 * @param {number} [beside] */
export const headScene = (state, data, width, beside = 0) =>
    place(wholeScene(state, data), width, beside);

/** The links of the chosen tokens. @param {Selection} scene @param {Chosen} chosen */
export const focusLinks = ({attention, heads, rows, cols}, {side, indexes}) =>
    side === 'query'
        ? allLinks(attention, heads, indexes, span(cols))
        : allLinks(attention, heads, span(rows), indexes);

/** The row of a token if the selection shows it there, else -1. @param {Selection} scene
 * @param {Focus} focus */
function shownRow({tokens, rows, cols}, {side, index}) {
    const [from, to] = side === 'query' ? rows : cols;
    const row = unitAt(tokens, index);
    return row >= from && row < to ? row : -1;
}

/** The rows of the pinned tokens. @param {Selection} scene
 * @param {Pick<ViewState, 'picked' | 'side'>} state */
export function pinnedRows(scene, {picked = [], side}) {
    if (side !== 'query' && side !== 'key') return [];
    return [
        ...new Set(picked.map(index => shownRow(scene, {side, index})).filter(row => row >= 0)),
    ].sort((a, b) => a - b);
}

/** Whose lines are shown: those of the token pointed at; of all pinned ones when it is one of them,
 * or none is pointed at.
 * @param {Selection} scene @param {Focus | null} focus
 * @param {Pick<ViewState, 'picked' | 'side'>} state
 * @returns {Chosen | null} */
export function chosenOf(scene, focus, state) {
    const pinned = pinnedRows(scene, state);
    const row = focus ? shownRow(scene, focus) : -1;
    if (focus && row >= 0 && !(focus.side === state.side && pinned.includes(row)))
        return {side: focus.side, indexes: [row]};
    return pinned.length ? {side: state.side, indexes: pinned} : null;
}

/** @param {Pick<Selection, 'mix' | 'heads'>} scene @param {string} theme
 * @returns {(head: number) => string} */
export function colours({mix, heads}, theme) {
    if (mix !== 'heads') return () => averageColour(theme);
    const made = new Map(heads.map(head => [head, headColour(head, theme)]));
    return head => made.get(head) ?? '';
}
