/* grid - the places of the cells of a grid that is filled in reading order, and where arrow keys
 * lead from each. Pure: for thumbnails of heads, and for other cells that one walks over.
 */

/** @typedef {{columns: number, pitch: number, rowHeight: number, left: number, top: number}} Grid
 *   pitch, rowHeight: from one cell to the next; left, top: of the first */

/** Upper left corner of the i-th cell. @param {Grid} grid @param {number} i */
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

/** The cell that a key leads to from the i-th, or -1 for another key. @param {string} key
 * @param {number} i @param {number} columns @param {number} count
 * @param {boolean} whole Home and End go to the first and last of all */
export function moveOnGrid(key, i, columns, count, whole) {
    if (!Object.hasOwn(MOVES, key)) return -1;
    if (whole && key === 'Home') return 0;
    if (whole && key === 'End') return count - 1;
    return Math.min(count - 1, MOVES[key](i, Math.floor(i / columns), columns, count));
}
