/* scene - where the thumbnails of the model view stand: rows are layers, columns heads; sorted over
 * all layers they fill the width in reading order. The page, the saved picture and the arrow keys
 * read it.
 */
import {selection} from './numbers.js';

/**
 * @typedef {import('./numbers.js').Selection} Selection
 * @typedef {ReturnType<typeof gridScene>} Scene
 * @typedef {{columns: number, rows: number, pitch: number, rowHeight: number, thumb: number, left:
 *     number, top: number,
 *   frame: number, width: number, height: number}} Layout
 *   pitch, rowHeight: from one thumbnail to the next; frame: width of the tinted frame around each
 */

const MARGIN = 44; // for the numbers of the layers
const HEADER = 40; // for the numbers of the heads
const CAPTION = 16; // below a thumbnail that is not in its place
const LEAST = 24; // smallest target of WCAG 2.5.8; below it the grid scrolls sideways
const MOST = 112;
const RANKED = 60; // wanted distance when all heads are ranked

/** @param {Selection} chosen @param {number} width @returns {Layout} */
function layoutGrid({layers, heads, cells, order, measure}, width) {
    const left = order === 'all' ? 0 : Math.min(MARGIN, Math.max(32, width - heads.length * LEAST));
    const columns =
        order === 'all'
            ? Math.min(cells.length, Math.max(1, Math.floor(width / RANKED)))
            : heads.length;
    const rows = order === 'all' ? Math.ceil(cells.length / columns) : layers.length;
    const pitch = Math.max(LEAST, Math.min(MOST, Math.floor((width - left) / columns)));
    const thumb = pitch - (pitch < 36 ? 2 : 6);
    const top = order === 'model' ? HEADER : 0;
    const rowHeight = pitch + (order === 'model' ? 0 : CAPTION);
    const frame = measure ? (pitch < 36 ? 2 : 4) : 0;
    return {
        columns,
        rows,
        pitch,
        rowHeight,
        thumb,
        left,
        top,
        frame,
        width: left + columns * pitch,
        height: top + rows * rowHeight,
    };
}

/** @param {import('../view.js').ViewState} state @param {import('../view.js').Computed} data
 * @param {number} width */
export function gridScene(state, data, width) {
    const chosen = selection(state, data);
    return {...chosen, layout: layoutGrid(chosen, width)};
}

/** Upper left corner of the i-th thumbnail. @param {Layout} layout @param {number} i */
export const cornerOf = ({columns, pitch, rowHeight, left, top}, i) => ({
    x: left + (i % columns) * pitch,
    y: top + Math.floor(i / columns) * rowHeight,
});

/** @type {Record<string, (i: number, row: number, columns: number, count: number) => number>} */
const MOVES = {
    ArrowLeft: (i, row, columns) => Math.max(row * columns, i - 1),
    ArrowRight: (i, row, columns) => Math.min((row + 1) * columns - 1, i + 1),
    ArrowUp: (i, row, columns) => (i >= columns ? i - columns : i),
    ArrowDown: (i, row, columns, count) => (i + columns < count ? i + columns : i),
    Home: (i, row, columns) => row * columns,
    End: (i, row, columns) => (row + 1) * columns - 1,
};

/** The thumbnail that a key leads to from the i-th, or -1 for another key. @param {string} key
 * @param {number} i
 * @param {number} columns @param {number} count
 * @param {boolean} whole Home and End go to the first and last of all */
export function moveOnGrid(key, i, columns, count, whole) {
    if (!Object.hasOwn(MOVES, key)) return -1;
    if (whole && key === 'Home') return 0;
    if (whole && key === 'End') return count - 1;
    return Math.min(count - 1, MOVES[key](i, Math.floor(i / columns), columns, count));
}
