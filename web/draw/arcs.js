/* arcs - the lines between query and key tokens: which there are, and how one is drawn. The same
 * curve goes to a canvas (the page) and to SVG paths (saved pictures, snapshot tests). Lines are
 * kept in typed arrays, sorted from faint to strong, so that strong ones come to lie on top.
 */
import {FLOOR, opacity} from './scale.js';
import {rowMiddle} from './tokens.js';

/**
 * @typedef {{data: Float32Array, shape: number[]}} Attention   [H,T,T]: head, query, key
 * @typedef {{count: number, query: Uint16Array, key: Uint16Array, head: Uint16Array, opacity:
 *     Float32Array}} Links
 * @typedef {{layout: import('./tokens.js').Layout, rows: number[], cols: number[]}} Frame
 *   rows, cols: [from, to) of the queries and keys shown
 * @typedef {(query: number, key: number, head: number, ink: number) => void} Visitor
 */

const LEVELS = 256;
export const LINE_WIDTH = 3;

/** The numbers from..to-1. @param {number[]} range [from, to) */
export const span = ([from, to]) => Array.from({length: to - from}, (_, i) => from + i);

/** @param {Attention} attention @param {readonly number[]} heads
 * @param {number[]} rows [from, to) of queries
 * @param {number[]} cols [from, to) of keys @returns {Links} */
export const links = (attention, heads, rows, cols) =>
    linksOf(attention, heads, span(rows), span(cols));

/** @param {Attention} attention @param {readonly number[]} heads @param {readonly number[]} queries
 * @param {readonly number[]} keys @param {number} floor @returns {Links} */
export function linksOf(attention, heads, queries, keys, floor = FLOOR) {
    const T = attention.shape[1];
    return sortByInk(visit => {
        for (const head of heads) {
            for (const query of queries) {
                const at = (head * T + query) * T;
                for (const key of keys) {
                    const ink = opacity(attention.data[at + key], heads.length);
                    if (ink >= floor) visit(query, key, head, ink);
                }
            }
        }
    });
}

/** Counting sort over LEVELS steps of opacity. @param {(visit: Visitor) => void} each
 * @returns {Links} */
function sortByInk(each) {
    const level = (/** @type {number} */ ink) => Math.min(LEVELS - 1, Math.floor(ink * LEVELS));
    const start = new Uint32Array(LEVELS + 1);
    each((query, key, head, ink) => start[level(ink) + 1]++);
    for (let i = 0; i < LEVELS; i++) start[i + 1] += start[i];
    const count = start[LEVELS];
    const out = {
        count,
        query: new Uint16Array(count),
        key: new Uint16Array(count),
        head: new Uint16Array(count),
        opacity: new Float32Array(count),
    };
    each((query, key, head, ink) => {
        const at = start[level(ink)]++;
        out.query[at] = query;
        out.key[at] = key;
        out.head[at] = head;
        out.opacity[at] = ink;
    });
    return out;
}

/** A link as d3's horizontal one: its two ends and, between them, the x of both control points.
 * Written out here, since d3-shape and d3-path would be a tenth of what <head-light> may weigh.
 * @param {Links} list @param {number} i @param {Frame} frame */
const curve = (list, i, {layout: {left, right}, rows, cols}) => ({
    left,
    right,
    middle: (left + right) / 2,
    from: rowMiddle(list.query[i] - rows[0]),
    to: rowMiddle(list.key[i] - cols[0]),
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
    const margin = LINE_WIDTH / 2;
    context.lineWidth = LINE_WIDTH;
    for (let i = begin; i < end; i++) {
        const {left, right, middle, from, to} = curve(list, i, frame);
        if (Math.min(from, to) > bottom + margin || Math.max(from, to) < top - margin) continue;
        context.globalAlpha = list.opacity[i];
        context.strokeStyle = colourOf(list.head[i]);
        context.beginPath();
        context.moveTo(left, from);
        context.bezierCurveTo(middle, from, middle, to, right, to);
        context.stroke();
    }
    context.globalAlpha = 1;
}

/** @type {import('./plot.js').MarkKind} */
export const LINES = {
    count: ({list}) => list.count,
    paint: (context, {list, frame, colourOf}, band, begin, end) =>
        paintLinks(context, list, frame, colourOf, band, begin, end),
};

/** @param {Links} list @param {Frame} frame @param {(head: number) => string} colourOf
 * @returns {import('./plot.js').Mark} */
export const lines = (list, frame, colourOf) => ({kind: LINES, list, frame, colourOf});
