/* arcs - the lines between query and key tokens: which there are, and how one is drawn.
 * The same curve goes to a canvas (the page) and to SVG paths (saved pictures, snapshot tests).
 * Lines are kept in typed arrays, sorted from faint to strong, so that strong ones come to lie on top.
 */
import {linkHorizontal} from 'd3-shape';
import {FLOOR, opacity} from './scale.js';
import {rowMiddle} from './tokens.js';

/**
 * @typedef {{data: Float32Array, shape: number[]}} Attention   [H,T,T]: head, query, key
 * @typedef {{count: number, query: Uint16Array, key: Uint16Array, head: Uint16Array, opacity: Float32Array}} Links
 * @typedef {{layout: import('./tokens.js').Layout, rows: number[], cols: number[]}} Frame
 *   rows, cols: [from, to) of the queries and keys shown
 * @typedef {(query: number, key: number, head: number, ink: number) => void} Visitor
 */

const LEVELS = 256;
export const LINE_WIDTH = 3;

/** The numbers from..to-1. @param {number[]} range [from, to) */
export const span = ([from, to]) => Array.from({length: to - from}, (_, i) => from + i);

/** @param {Attention} attention @param {readonly number[]} heads @param {number[]} rows [from, to) of queries
 * @param {number[]} cols [from, to) of keys @returns {Links} */
export const links = (attention, heads, rows, cols) => linksOf(attention, heads, span(rows), span(cols));

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

/** Counting sort over LEVELS steps of opacity. @param {(visit: Visitor) => void} each @returns {Links} */
function sortByInk(each) {
    const level = (/** @type {number} */ ink) => Math.min(LEVELS - 1, Math.floor(ink * LEVELS));
    const start = new Uint32Array(LEVELS + 1);
    each((query, key, head, ink) => start[level(ink) + 1]++);
    for (let i = 0; i < LEVELS; i++) start[i + 1] += start[i];
    const count = start[LEVELS];
    const out = {count, query: new Uint16Array(count), key: new Uint16Array(count), head: new Uint16Array(count),
        opacity: new Float32Array(count)};
    each((query, key, head, ink) => {
        const at = start[level(ink)]++;
        out.query[at] = query;
        out.key[at] = key;
        out.head[at] = head;
        out.opacity[at] = ink;
    });
    return out;
}

/** A link as the two points that d3's horizontal link joins.
 * @param {Links} list @param {number} i @param {Frame} frame */
const ends = (list, i, {layout, rows, cols}) => ({
    source: [layout.left, rowMiddle(list.query[i] - rows[0])],
    target: [layout.right, rowMiddle(list.key[i] - cols[0])],
});

/** @param {Links} list @param {number} i @param {Frame} frame @returns {string} the d of an SVG path */
export const linkPath = (list, i, frame) => linkHorizontal().digits(1)(ends(list, i, frame));

/** Draws links begin..end that cross the band top..bottom.
 * @param {CanvasRenderingContext2D} context @param {Links} list @param {Frame} frame
 * @param {(head: number) => string} colourOf @param {number[]} band @param {number} begin @param {number} end */
export function paintLinks(context, list, frame, colourOf, [top, bottom], begin, end) {
    const curve = linkHorizontal().context(context);
    const margin = LINE_WIDTH / 2;
    context.lineWidth = LINE_WIDTH;
    for (let i = begin; i < end; i++) {
        const link = ends(list, i, frame);
        const [y0, y1] = [link.source[1], link.target[1]];
        if (Math.min(y0, y1) > bottom + margin || Math.max(y0, y1) < top - margin) continue;
        context.globalAlpha = list.opacity[i];
        context.strokeStyle = colourOf(list.head[i]);
        context.beginPath();
        curve(link);
        context.stroke();
    }
    context.globalAlpha = 1;
}
