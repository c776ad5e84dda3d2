/* arcs - the lines between query and key tokens: which there are, and how one is drawn. The same
 * curve goes to a canvas (the page) and to SVG paths (saved pictures, snapshot tests). Lines are
 * kept in typed arrays, sorted from faint to strong, so that strong ones come to lie on top. At a
 * token the lines of each head end at a place of their own, so that no colour hides another. The lines
 * that are kept carry the same share of the attention, however long the text is (`carried`; the limits
 * are in scale.js).
 */
import {alphaOf, CARRIED, FEWEST, fullInk, reached, SEEN, STRONG, widthOf} from '../scale.js';
import {rowMiddle} from '../tokens.js';

/**
 * @typedef {{data: Float32Array, shape: number[]}} Attention   [H,T,T]: head, query, key
 * @typedef {{count: number, query: Uint16Array, key: Uint16Array, head: Uint16Array, weight:
 *     Float32Array, opacity: Float32Array, fan: Float32Array, carried: number}} Links   fan: by head, px by which its
 *     lines end above or below the middle of a token; carried: the share of all weight that is drawn
 * @typedef {{layout: import('../tokens.js').Layout, rows: number[], cols: number[]}} Frame
 *   rows, cols: [from, to) of the queries and keys shown
 * @typedef {{head: number[], query: number[], key: number[], weight: number[]}} Found
 */

const FAN = 16; // px that the ends of all heads take at a token, of its 26
const FAN_STEP = 4;
const PALE = 0.2; // lines paler than this are a pixel wide on a canvas, with the same ink: that takes a third of the time

/** The numbers from..to-1. @param {number[]} range [from, to) */
export const span = ([from, to]) => Array.from({length: to - from}, (_, i) => from + i);

/** What queries give to keys: the sum over the keys, and of that the mean over the heads and the queries; of none 0.
 * @param {{data: ArrayLike<number>, shape: number[]}} attention [H, T, T] @param {readonly number[]} heads
 * @param {readonly number[]} queries @param {readonly number[]} keys */
export function given({data, shape: [, T]}, heads, queries, keys) {
    let sum = 0;
    for (const head of heads)
        for (const query of queries) {
            const at = (head * T + query) * T;
            for (const key of keys) sum += data[at + key];
        }
    return sum / (heads.length * queries.length || 1);
}

/** What is drawn at rest: of each head and query the weights from STRONG on, and in any case the
 * strongest until they carry CARRIED of what the query gives, or are FEWEST.
 * @param {Attention} attention @param {readonly number[]} heads
 * @param {number[]} rows [from, to) of queries
 * @param {number[]} cols [from, to) of keys @returns {Links} */
export function links(attention, heads, rows, cols) {
    const keys = span(cols);
    const least = (/** @type {number} */ at) => leastOf(attention.data, at, keys);
    return linksOf(attention, heads, span(rows), keys, least, FEWEST);
}

/** All that can be seen beside the strongest of them: of a few queries or keys.
 * @param {Attention} attention @param {readonly number[]} heads @param {readonly number[]} queries
 * @param {readonly number[]} keys @returns {Links} */
export function allLinks(attention, heads, queries, keys) {
    const {data, shape} = attention;
    let most = 0;
    for (const head of heads)
        for (const query of queries)
            for (const key of keys)
                most = Math.max(most, data[(head * shape[1] + query) * shape[1] + key]);
    return linksOf(attention, heads, queries, keys, () => most * SEEN, Infinity);
}

/** @param {Attention} attention @param {readonly number[]} heads @param {readonly number[]} queries
 * @param {readonly number[]} keys @param {(at: number) => number} leastAt of the row that begins
 * there, the least weight drawn @param {number} fewest weights below STRONG of a row that are drawn
 * @returns {Links} */
function linksOf({data, shape: [, T]}, heads, queries, keys, leastAt, fewest) {
    /** @type {Found} */
    const found = {head: [], query: [], key: [], weight: []};
    let [whole, drawn] = [0, 0];
    for (const head of heads) {
        for (const query of queries) {
            const at = (head * T + query) * T;
            const least = leastAt(at);
            let left = fewest; // of many that are alike the first
            for (let i = 0; i < keys.length; i++) {
                const weight = data[at + keys[i]];
                whole += weight;
                if (!(weight > 0 && weight >= least) || (weight < STRONG && left-- <= 0)) continue;
                drawn += weight;
                found.head.push(head);
                found.query.push(query);
                found.key.push(keys[i]);
                found.weight.push(weight);
            }
        }
    }
    return {
        ...sortByInk(found, keys.length),
        fan: fanOf(heads),
        carried: whole ? drawn / whole : 1,
    };
}

const strongest = new Float64Array(FEWEST);

/** The least weight of a row that is drawn at rest. @param {Float32Array} data @param {number} at where
 * the row begins @param {readonly number[]} keys */
function leastOf(data, at, keys) {
    strongest.fill(0);
    let low = 0;
    for (let i = 0; i < keys.length; i++) {
        const weight = data[at + keys[i]];
        if (weight <= low) continue;
        let place = FEWEST - 1;
        for (; place > 0 && strongest[place - 1] < weight; place--)
            strongest[place] = strongest[place - 1];
        strongest[place] = weight;
        low = strongest[FEWEST - 1];
    }
    return Math.min(STRONG, strongest[reached(strongest, CARRIED) - 1]);
}

/** @param {readonly number[]} heads */
function fanOf(heads) {
    const fan = new Float32Array(Math.max(0, ...heads) + 1);
    const step = Math.min(FAN_STEP, FAN / Math.max(1, heads.length - 1));
    heads.forEach((head, slot) => (fan[head] = (slot - (heads.length - 1) / 2) * step));
    return fan;
}

/** The faint before the strong. @param {Found} found @param {number} keys how many are shown
 * @returns {Pick<Links, 'count' | 'query' | 'key' | 'head' | 'weight' | 'opacity'>} */
function sortByInk({head, query, key, weight}, keys) {
    const full = fullInk(
        weight.reduce((most, one) => Math.max(most, one), 0),
        keys,
    );
    const inks = weight.map(one => alphaOf(one / full));
    const order = [...weight.keys()].sort((a, b) => inks[a] - inks[b]);
    const whole = (/** @type {number[]} */ values) => Uint16Array.from(order, i => values[i]);
    const real = (/** @type {number[]} */ values) => Float32Array.from(order, i => values[i]);
    return {
        count: weight.length,
        ...{query: whole(query), key: whole(key), head: whole(head)},
        ...{weight: real(weight), opacity: real(inks)},
    };
}

/** A link as d3's horizontal one: its two ends and, between them, the x of both control points.
 * Written out here, since d3-shape and d3-path would be a tenth of what <head-light> may weigh.
 * @param {Links} list @param {number} i @param {Frame} frame */
export const curve = (list, i, {layout: {left, right}, rows, cols}) => ({
    left,
    right,
    middle: (left + right) / 2,
    from: rowMiddle(list.query[i] - rows[0]) + list.fan[list.head[i]],
    to: rowMiddle(list.key[i] - cols[0]) + list.fan[list.head[i]],
});

const digit = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** @param {Links} list @param {number} i @param {Frame} frame @returns {string} the d of an SVG path
 */
export function linkPath(list, i, frame) {
    const {left, right, middle, from, to} = curve(list, i, frame);
    return `M${digit(left)},${digit(from)}C${digit(middle)},${digit(from)},${digit(middle)},${digit(to)},${digit(right)},${digit(to)}`;
}

/** Draws links begin..end that cross the band top..bottom.
 * @param {CanvasRenderingContext2D} context @param {Links} list @param {Frame} frame
 * @param {(head: number) => string} colourOf @param {number[]} band @param {number} begin
 * @param {number} end */
export function paintLinks(context, list, frame, colourOf, [top, bottom], begin, end) {
    const margin = widthOf(1) / 2;
    const pixel = 1 / context.getTransform().a;
    for (let i = begin; i < end; i++) {
        const {left, right, middle, from, to} = curve(list, i, frame);
        if (Math.min(from, to) > bottom + margin || Math.max(from, to) < top - margin) continue;
        const opacity = list.opacity[i];
        const width = opacity < PALE ? pixel : widthOf(opacity);
        context.globalAlpha = (opacity * widthOf(opacity)) / width;
        context.lineWidth = width;
        context.strokeStyle = colourOf(list.head[i]);
        context.beginPath();
        context.moveTo(left, from);
        context.bezierCurveTo(middle, from, middle, to, right, to);
        context.stroke();
    }
    context.globalAlpha = 1;
}

/** @type {import('../plot.js').MarkKind} */
export const LINES = {
    count: ({list}) => list.count,
    paint: (context, {list, frame, colourOf}, band, begin, end) =>
        paintLinks(context, list, frame, colourOf, band, begin, end),
};

/** @param {Links} list @param {Frame} frame @param {(head: number) => string} colourOf
 * @returns {import('../plot.js').Mark} */
export const lines = (list, frame, colourOf) => ({kind: LINES, list, frame, colourOf});
