/* marks - what is painted on the canvas of the head view: all lines at rest, or those of the chosen
 * tokens with the bands opposite; and in both cases the summary cells outside of the columns.
 * Painters draw a horizontal band at a time.
 */
import {paintLinks} from '../../draw/arcs.js';
import {cells, paintStrips, shared, strips} from '../../draw/strips.js';
import {remember} from '../memo.js';
import {summary} from './numbers.js';
import {colours, focusLinks} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('./scene.js').Chosen} Chosen
 * @typedef {import('../view.js').Painter} Painter
 */

export const CELL_INSET = 5;

/** Pointing changes the cells of one side only. */
const meanCells = remember(cells);

/** The cells of both sides; opposite the chosen tokens only what they share with each token.
 * @param {Scene} scene @param {Chosen | null} chosen */
export function summaryCells(scene, chosen) {
    const means = summary(scene);
    const opposite = chosen && shared(scene.whole, chosen);
    return [
        ...(opposite && chosen.side === 'key'
            ? cells('query', opposite, scene)
            : meanCells('query', means.query, scene)),
        ...(opposite && chosen.side === 'query'
            ? cells('key', opposite, scene)
            : meanCells('key', means.key, scene)),
    ];
}

/** @param {Scene} scene @param {string} theme @returns {Painter} */
export function basePainter(scene, theme) {
    const colourOf = colours(scene, theme);
    const list = scene.links;
    const small = summaryCells(scene, null);
    return {
        count: Math.max(1, list.count),
        paint(context, band, begin, end) {
            if (begin === 0) paintStrips(context, small, colourOf, band, CELL_INSET);
            paintLinks(context, list, scene, colourOf, band, begin, Math.min(end, list.count));
        },
    };
}

/** Bands first, then the lines of the chosen tokens. @param {Scene} scene @param {Chosen} chosen
 * @param {string} theme
 * @returns {Painter} */
export function focusPainter(scene, chosen, theme) {
    const colourOf = colours(scene, theme);
    const list = focusLinks(scene, chosen);
    const bands = strips(scene.attention, chosen, scene);
    const small = summaryCells(scene, chosen);
    return {
        count: Math.max(1, list.count),
        paint(context, band, begin, end) {
            if (begin === 0) {
                paintStrips(context, bands, colourOf, band);
                paintStrips(context, small, colourOf, band, CELL_INSET);
            }
            paintLinks(context, list, scene, colourOf, band, begin, Math.min(end, list.count));
        },
    };
}
