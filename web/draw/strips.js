/* strips - the coloured bands behind the tokens opposite a focused token: one band a head,
 * band width = column / active heads, opacity = weight (BertViz's rule). */

import {ROW} from './tokens.js';

/* focus: {side: 'query'|'key', index}. Returns rectangles {x, y, width, height, head, opacity}. */
export function strips(attention, heads, focus, frame) {
    const [, T] = attention.shape;
    const {layout, rows, cols} = frame;
    const fromQuery = focus.side === 'query';
    const [begin, end] = fromQuery ? cols : rows;
    const x0 = fromQuery ? layout.width - layout.box : 0;
    const width = layout.box / heads.length;
    const out = [];
    for (let other = begin; other < end; other++) {
        heads.forEach((head, slot) => {
            const [query, key] = fromQuery ? [focus.index, other] : [other, focus.index];
            const weight = attention.data[(head * T + query) * T + key];
            if (weight < 0.004) return;
            out.push({x: x0 + slot * width, y: (other - begin) * ROW, width, height: ROW, head, opacity: weight});
        });
    }
    return out;
}

export function paintStrips(context, list, colourOf, [top, bottom]) {
    for (const strip of list) {
        if (strip.y > bottom || strip.y + strip.height < top) continue;
        context.globalAlpha = Math.min(1, strip.opacity);
        context.fillStyle = colourOf(strip.head);
        context.fillRect(strip.x, strip.y + 1, strip.width, strip.height - 2);
    }
    context.globalAlpha = 1;
}
