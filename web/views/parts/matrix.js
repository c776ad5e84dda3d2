/* matrix - a small heat map of a matrix with its name and shape. Large ones are drawn with fewer
 * points, each the strongest of a block, and say so.
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {pool} from '../../draw/matrix.js';
import {Cells} from './cells.js';
import {Legend} from './legend.js';

/** @typedef {{on: import('../view.js').On, theme: string, name: import('../view.js').Tree, note?:
 *     string,
 *   grid: import('../../draw/matrix.js').Grid, scale: import('../../draw/chart.js').Scale, row?:
 *   number, most: number, pooled: (rows: number, columns: number) => string, onPoint?: (spot:
 *   import('./cells.js').Spot | null) => void}} Props row: is outlined; most: px of a side
 */

const SMALL = 160;
const CELL = 8;

/** Length in px of a side of n numbers: small matrices have visible cells, large ones a point a
 * number, at most.
 * @param {number} n @param {number} most */
export const sideOf = (n, most) => Math.min(most, Math.max(n, Math.min(n * CELL, SMALL)));

/** @param {Props} props */
export function Matrix({on, theme, name, note, grid, scale, row, most, pooled, onPoint}) {
    const small = useMemo(() => pool(grid, most, most), [grid, most]);
    const {rowsPer, colsPer} = small;
    const cell = {
        width: sideOf(grid.cols, most) / small.grid.cols,
        height: sideOf(grid.rows, most) / small.grid.rows,
    };
    const point = (/** @type {import('./cells.js').Spot | null} */ spot) =>
        onPoint?.(spot && strongest(grid, spot, rowsPer, colsPer));
    return h(
        'figure',
        {class: 'matrix'},
        h(
            'figcaption',
            null,
            name,
            ' ',
            h('span', {class: 'shape'}, `[${grid.rows} × ${grid.cols}]`),
        ),
        h(Legend, {scale, theme, brief: true}),
        h(Cells, {
            on,
            theme,
            grid: small.grid,
            scale,
            cell,
            onPoint: point,
            cursor: row === undefined ? null : {row: Math.floor(row / rowsPer), col: -1},
        }),
        note && h('small', {key: 'note'}, note),
        rowsPer * colsPer > 1 && h('small', {key: 'pooled'}, pooled(rowsPer, colsPer)),
    );
}

/** The number that a point shows. @param {import('../../draw/matrix.js').Grid} grid
 * @param {import('./cells.js').Spot} spot
 * @param {number} rowsPer @param {number} colsPer */
function strongest(grid, spot, rowsPer, colsPer) {
    let best = {row: spot.row * rowsPer, col: spot.col * colsPer};
    const sizeAt = (/** @type {number} */ row, /** @type {number} */ col) =>
        Math.abs(grid.data[grid.start + row * grid.rowStep + col * grid.colStep]);
    for (let row = best.row; row < Math.min(grid.rows, (spot.row + 1) * rowsPer); row++) {
        for (
            let col = spot.col * colsPer;
            col < Math.min(grid.cols, (spot.col + 1) * colsPer);
            col++
        ) {
            if (sizeAt(row, col) > sizeAt(best.row, best.col)) best = {row, col};
        }
    }
    return best;
}
