/* matrix - a table of numbers as coloured cells on a canvas or in an SVG, and how large matrices
 * are made small enough to be seen. A grid is a window on row-major data: no copies; a step of 1
 * along rows shows the transpose.
 */
import {colourer} from '../chart.js';

/**
 * @typedef {{data: ArrayLike<number>, rows: number, cols: number, start: number, rowStep: number,
 *     colStep: number}} Grid
 * @typedef {{cell: {width: number, height: number}, gap: number}} Cells   gap: between rows, in px
 * @typedef {{grid: Grid, rowsPer: number, colsPer: number}} Pooled
 */

/** @param {ArrayLike<number>} data @param {number} rows @param {number} cols
 * @param {{start?: number, rowStep?: number, colStep?: number}} [window] @returns {Grid} */
export const gridOf = (data, rows, cols, {start = 0, rowStep = cols, colStep = 1} = {}) => ({
    data,
    rows,
    cols,
    start,
    rowStep,
    colStep,
});

/** @param {Grid} grid @param {number} row @param {number} col */
export const valueAt = ({data, start, rowStep, colStep}, row, col) =>
    data[start + row * rowStep + col * colStep];

/** One row as a plain array. @param {Grid} grid @param {number} row */
export const rowOf = (grid, row) =>
    Float32Array.from({length: grid.cols}, (_, col) => valueAt(grid, row, col));

/** At most so many rows and columns; a cell stands for a block and keeps the number that is largest
 * in size.
 * @param {Grid} grid @param {number} mostRows @param {number} mostCols @returns {Pooled} */
export function pool(grid, mostRows, mostCols) {
    const rowsPer = Math.ceil(grid.rows / mostRows);
    const colsPer = Math.ceil(grid.cols / mostCols);
    if (rowsPer === 1 && colsPer === 1) return {grid, rowsPer, colsPer};
    const rows = Math.ceil(grid.rows / rowsPer);
    const cols = Math.ceil(grid.cols / colsPer);
    const data = new Float32Array(rows * cols);
    for (let row = 0; row < grid.rows; row++) {
        const base = Math.floor(row / rowsPer) * cols;
        for (let col = 0; col < grid.cols; col++) {
            const at = base + Math.floor(col / colsPer);
            const value = valueAt(grid, row, col);
            if (Math.abs(value) > Math.abs(data[at])) data[at] = value;
        }
    }
    return {grid: gridOf(data, rows, cols), rowsPer, colsPer};
}

/** Draws rows begin..end that lie in the band top..bottom.
 * @param {CanvasRenderingContext2D} context @param {Grid} grid @param {Cells} cells
 * @param {(value: number) => string} colourOf @param {number[]} band @param {number} begin
 * @param {number} end */
export function paintCells(context, grid, {cell, gap}, colourOf, [top, bottom], begin, end) {
    const first = Math.max(begin, Math.floor(top / cell.height));
    const last = Math.min(end, Math.ceil(bottom / cell.height));
    for (let row = first; row < last; row++) {
        const y = row * cell.height + gap / 2;
        for (let col = 0; col < grid.cols; col++) {
            context.fillStyle = colourOf(valueAt(grid, row, col));
            context.fillRect(col * cell.width, y, cell.width, cell.height - gap);
        }
    }
}

const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100;

/** The same as rectangles {x, y, width, height, fill} for an SVG; cells too faint to be seen are
 * left out.
 * @param {Grid} grid @param {Cells} cells @param {import('../chart.js').Scale} scale
 * @param {string} theme */
export function cellRects(grid, {cell, gap}, scale, theme) {
    const colourOf = colourer(scale, theme);
    const clear = colourOf(0);
    const rects = [];
    for (let row = 0; row < grid.rows; row++) {
        for (let col = 0; col < grid.cols; col++) {
            const fill = colourOf(valueAt(grid, row, col));
            if (fill === clear) continue;
            rects.push({
                x: rounded(col * cell.width),
                y: rounded(row * cell.height + gap / 2),
                width: rounded(cell.width),
                height: rounded(cell.height - gap),
                fill,
            });
        }
    }
    return rects;
}
