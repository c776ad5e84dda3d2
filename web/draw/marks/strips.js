/* strips - coloured marks at the tokens, one for each head. (1) Small cells outside of the columns, a
 * summary of each token (exBERT's head box: opacity = value / largest value on that side). (2) Bands
 * behind the tokens opposite a focused token (BertViz: width = column / heads; opacity = weight, up
 * to a WASH through which the words can be read; of several focused tokens the mean).
 */
import {ROW} from '../tokens.js';
import {given} from './arcs.js';

/**
 * @typedef {{x: number, y: number, width: number, height: number, head: number, opacity: number}}
 *     Strip
 * @typedef {{side: string, indexes: number[]}} Chosen   focused tokens, all of one side
 * @typedef {(head: number, index: number) => number} Value   of a head at a token
 * @typedef {{layout: import('../tokens.js').Layout, rows: number[], cols: number[], heads: readonly
 *     number[],
 *   cell: number}} Frame   cell: width of a summary cell
 */

const FAINTEST = 1 / 255;
const ALIKE = 1e-4;
/** Of full ink, behind words. */
export const WASH = 0.35;

/** The attention that the chosen tokens share with one opposite, summed.
 * @param {import('./arcs.js').Attention} attention @param {Chosen} chosen @returns {Value} */
export const shared =
    (attention, {side, indexes}) =>
    (head, other) =>
        side === 'query'
            ? given(attention, [head], indexes, [other]) * indexes.length
            : given(attention, [head], [other], indexes);

/** One strip a head and token of [begin, end) whose opacity can be seen.
 * @param {readonly number[]} heads @param {number[]} range @param {number} width of one
 * @param {(head: number, slot: number) => number} xOf @param {Value} opacityOf @returns {Strip[]}
 */
function rowsOf(heads, [begin, end], width, xOf, opacityOf) {
    /** @type {Strip[]} */
    const out = [];
    for (let index = begin; index < end; index++) {
        heads.forEach((head, slot) => {
            const opacity = Math.min(1, opacityOf(head, index));
            if (opacity < FAINTEST) return;
            out.push({
                x: xOf(head, slot),
                y: (index - begin) * ROW,
                width,
                height: ROW,
                head,
                opacity,
            });
        });
    }
    return out;
}

/** @param {import('./arcs.js').Attention} attention @param {Chosen} chosen @param {Frame} frame
 * @returns {Strip[]} */
export function strips(attention, chosen, {heads, layout, rows, cols}) {
    const {width, gutter, box} = layout;
    const [range, x0] = chosen.side === 'query' ? [cols, width - gutter - box] : [rows, gutter];
    const weight = shared(attention, chosen);
    const count = chosen.indexes.length;
    const each = box / heads.length;
    return rowsOf(
        heads,
        range,
        each,
        (_, slot) => x0 + slot * each,
        (head, index) => (WASH * weight(head, index)) / count,
    );
}

/** The cells of one side; each head keeps its place. None when all are alike: what a query gives to
 * all keys is always 1, and its mean says nothing. @param {string} side @param {Value} valueOf
 * @param {Frame} frame @returns {Strip[]} */
export function cells(side, valueOf, {heads, layout, rows, cols, cell}) {
    const [range, x0] = side === 'query' ? [rows, 0] : [cols, layout.width - layout.gutter + 4];
    let [smallest, largest] = [Infinity, 0];
    for (const head of heads) {
        for (let index = range[0]; index < range[1]; index++) {
            const value = valueOf(head, index);
            smallest = Math.min(smallest, value);
            largest = Math.max(largest, value);
        }
    }
    if (largest - smallest < ALIKE * largest) return [];
    return rowsOf(
        heads,
        range,
        cell,
        head => x0 + head * cell,
        (head, index) => valueOf(head, index) / largest,
    );
}

/** @param {CanvasRenderingContext2D} context @param {Strip[]} list
 * @param {(head: number) => string} colourOf
 * @param {number[]} band top and bottom of what is to be drawn
 * @param {number} inset from the edges of the row */
function paintStrips(context, list, colourOf, [top, bottom], inset = 1) {
    for (const strip of list) {
        if (strip.y > bottom || strip.y + strip.height < top) continue;
        context.globalAlpha = strip.opacity;
        context.fillStyle = colourOf(strip.head);
        context.fillRect(strip.x, strip.y + inset, strip.width, strip.height - 2 * inset);
    }
    context.globalAlpha = 1;
}

/** @type {import('../plot.js').MarkKind} */
export const STRIPS = {
    paint: (context, {list, colourOf, inset}, band) =>
        paintStrips(context, list, colourOf, band, inset),
};

/** @param {Strip[]} list @param {(head: number) => string} colourOf @param {number} [inset]
 * @returns {import('../plot.js').Mark} */
export const stripsOf = (list, colourOf, inset = 1) => ({kind: STRIPS, list, colourOf, inset});
