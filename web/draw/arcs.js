/* arcs - the lines between query and key tokens: which there are, and how one is drawn.
 * The same curve goes to a canvas (the page) and to SVG paths (export, snapshot tests).
 * Lines are kept in typed arrays, sorted from faint to strong, so that strong ones come to lie on top. */

import {linkHorizontal} from 'd3-shape';
import {FLOOR, opacity} from './scale.js';
import {rowMiddle} from './tokens.js';

const LEVELS = 256;
export const LINE_WIDTH = 3;

/* attention: {data [H,T,T], shape}; heads: list; rows, cols: [from, to) of queries and keys.
 * Returns {count, query, key, head, opacity}. */
export function links(attention, heads, rows, cols, floor = FLOOR) {
    const [, T] = attention.shape;
    const visit = fn => {
        for (const head of heads) {
            for (let query = rows[0]; query < rows[1]; query++) {
                const at = (head * T + query) * T;
                for (let key = cols[0]; key < cols[1]; key++) {
                    const ink = opacity(attention.data[at + key], heads.length);
                    if (ink >= floor) fn(query, key, head, ink);
                }
            }
        }
    };
    return sortByInk(visit);
}

/* Counting sort over LEVELS steps of opacity. */
function sortByInk(visit) {
    const level = ink => Math.min(LEVELS - 1, Math.floor(ink * LEVELS));
    const start = new Uint32Array(LEVELS + 1);
    visit((query, key, head, ink) => start[level(ink) + 1]++);
    for (let i = 0; i < LEVELS; i++) start[i + 1] += start[i];
    const count = start[LEVELS];
    const out = {count, query: new Uint16Array(count), key: new Uint16Array(count), head: new Uint16Array(count),
        opacity: new Float32Array(count)};
    visit((query, key, head, ink) => {
        const at = start[level(ink)]++;
        out.query[at] = query;
        out.key[at] = key;
        out.head[at] = head;
        out.opacity[at] = ink;
    });
    return out;
}

/* frame: {layout, rows, cols}; a link as the two points that d3's horizontal link joins. */
const ends = (list, i, {layout, rows, cols}) => ({
    source: [layout.left, rowMiddle(list.query[i] - rows[0])],
    target: [layout.right, rowMiddle(list.key[i] - cols[0])],
});

export const linkPath = (list, i, frame) => linkHorizontal().digits(1)(ends(list, i, frame));

/* Draws links begin..end that cross the band top..bottom onto a canvas context. */
export function paintLinks(context, list, frame, colourOf, [top, bottom], begin, end) {
    const curve = linkHorizontal().context(context);
    context.lineWidth = LINE_WIDTH;
    for (let i = begin; i < end; i++) {
        const link = ends(list, i, frame);
        const [y0, y1] = [link.source[1], link.target[1]];
        if (Math.min(y0, y1) > bottom + 1 || Math.max(y0, y1) < top - 1) continue;
        context.globalAlpha = list.opacity[i];
        context.strokeStyle = colourOf(list.head[i]);
        context.beginPath();
        curve(link);
        context.stroke();
    }
    context.globalAlpha = 1;
}
