/* strips - the coloured bands behind the tokens opposite a focused token: one band a head,
 * band width = column / active heads, opacity = weight (BertViz's rule).
 */
import {ROW} from './tokens.js';

/** @typedef {{x: number, y: number, width: number, height: number, head: number, opacity: number}} Strip */

const FAINTEST = 1 / 255;

/** @param {import('./arcs.js').Attention} attention @param {readonly number[]} heads
 * @param {{side: string, index: number}} focus @param {import('./arcs.js').Frame} frame @returns {Strip[]} */
export function strips(attention, heads, focus, {layout, rows, cols}) {
    const T = attention.shape[1];
    const fromQuery = focus.side === 'query';
    const [begin, end] = fromQuery ? cols : rows;
    const x0 = fromQuery ? layout.width - layout.box : 0;
    const width = layout.box / heads.length;
    /** @type {Strip[]} */
    const out = [];
    for (let other = begin; other < end; other++) {
        heads.forEach((head, slot) => {
            const [query, key] = fromQuery ? [focus.index, other] : [other, focus.index];
            const weight = attention.data[(head * T + query) * T + key];
            if (weight < FAINTEST) return;
            out.push({x: x0 + slot * width, y: (other - begin) * ROW, width, height: ROW, head, opacity: weight});
        });
    }
    return out;
}

/** @param {CanvasRenderingContext2D} context @param {Strip[]} list @param {(head: number) => string} colourOf
 * @param {number[]} band top and bottom of what is to be drawn */
export function paintStrips(context, list, colourOf, [top, bottom]) {
    for (const strip of list) {
        if (strip.y > bottom || strip.y + strip.height < top) continue;
        context.globalAlpha = Math.min(1, strip.opacity);
        context.fillStyle = colourOf(strip.head);
        context.fillRect(strip.x, strip.y + 1, strip.width, strip.height - 2);
    }
    context.globalAlpha = 1;
}
