/* equation - a block: matrices as small heat maps, each with its name and shape, and operators
 * between them. Large ones are drawn with fewer points, each the strongest of a block, and say so.
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {Cells} from '../cells.js';
import {scaleOf, signed} from '../chart.js';
import {Legend} from '../legend.js';
import {cellRects, gridOf, pool, valueAt} from '../matrix.js';
import {nameOf, plainName} from '../names.js';
import {paperOf} from '../paper.js';

/**
 * @typedef {import('../matrix.js').Grid} Grid
 * @typedef {{row: number, col: number}} Spot
 * @typedef {{label: string, grid: Grid, scale: import('../chart.js').Scale, row?: number, note?:
 *     string, tokens?: 'rows' | 'both' | 'columns'}} Matrix   row: is outlined; tokens: which axes
 *       are tokens
 */

const MOST = 256; // px of a side, on the page
const SIDE = 200; // and in a file
const LABEL = 22;
const SMALL = 160;
const CELL = 8;

/** Length in px of a side of n numbers: small matrices have visible cells, large ones a point a
 * number, at most.
 * @param {number} n @param {number} most */
export const sideOf = (n, most) => Math.min(most, Math.max(n, Math.min(n * CELL, SMALL)));

/** @param {{on: any, theme: string, most: number, matrix: Matrix, t: any, onPoint: (spot: Spot |
 *     null) => void}} props most: px of a side */
function MatrixOf({on, theme, most, matrix: {label, note, grid, scale, row}, t, onPoint}) {
    const small = useMemo(() => pool(grid, most, most), [grid, most]);
    const {rowsPer, colsPer} = small;
    const cell = {
        width: sideOf(grid.cols, most) / small.grid.cols,
        height: sideOf(grid.rows, most) / small.grid.rows,
    };
    return h(
        'figure',
        {class: 'matrix'},
        h(
            'figcaption',
            null,
            nameOf(label),
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
            onPoint: spot => onPoint(spot && strongest(grid, spot, rowsPer, colsPer)),
            cursor: row === undefined ? null : {row: Math.floor(row / rowsPer), col: -1},
        }),
        note && h('small', {key: 'note'}, note),
        rowsPer * colsPer > 1 && h('small', {key: 'pooled'}, t.steps.pooled(rowsPer, colsPer)),
    );
}

/** The number that a point shows. @param {Grid} grid
 * @param {Spot} spot
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

/** @type {import('../blocks.js').Kind} */
const EQUATION = {
    Html({block: {items}, scene, data: {t, theme, width}, on}) {
        const place = (
            /** @type {boolean} */ named,
            /** @type {number} */ index,
            /** @type {(n: number) => string} */ plain,
        ) => (named ? h('bdi', null, scene.tokens[index].piece) : plain(index));
        const read = (/** @type {Matrix} */ {label, tokens, grid}, /** @type {Spot} */ spot) => [
            nameOf(label),
            ', ',
            place(tokens === 'rows' || tokens === 'both', spot.row, t.steps.row),
            ', ',
            place(tokens === 'columns' || tokens === 'both', spot.col, t.steps.column),
            ': ',
            h('b', null, signed(valueAt(grid, spot.row, spot.col), 4)),
        ];
        return h(
            'div',
            {class: 'equation'},
            items.map((/** @type {string | Matrix} */ item, /** @type {number} */ i) =>
                typeof item === 'string'
                    ? h('span', {key: i, class: 'operator'}, item)
                    : h(MatrixOf, {
                          ...{on, theme, t, key: i, matrix: item, most: Math.min(MOST, width)},
                          onPoint: spot => on.point(spot && {read: read(item, spot)}),
                      }),
            ),
        );
    },
    svg({items}, {theme, width: whole}) {
        let x = 0;
        let height = 0;
        const tree = items.map((/** @type {string | Matrix} */ item) => {
            const at = x;
            if (typeof item === 'string') {
                x += 14 + item.length * 8;
                return h('text', {x: at, y: LABEL + 60}, item);
            }
            const {grid} = pool(item.grid, SIDE, SIDE);
            const [width, tall] = [sideOf(item.grid.cols, SIDE), sideOf(item.grid.rows, SIDE)];
            x += width + 14;
            height = Math.max(height, tall);
            const cell = {width: width / grid.cols, height: tall / grid.rows};
            const {soft} = paperOf(theme);
            return h(
                'g',
                {transform: `translate(${at} 0)`},
                h(
                    'text',
                    {y: 14},
                    `${plainName(item.label)} [${item.grid.rows} × ${item.grid.cols}]`,
                ),
                h(
                    'g',
                    {transform: `translate(0 ${LABEL})`},
                    h('rect', {
                        width,
                        height: tall,
                        fill: 'none',
                        stroke: soft,
                        'stroke-width': 0.5,
                    }),
                    cellRects(grid, {cell, gap: 0}, item.scale, theme).map(rect => h('rect', rect)),
                ),
            );
        });
        return {tree, width: whole, height: LABEL + height + 16};
    },
};

/** @param {...(string | Matrix)} items @returns {import('../blocks.js').Block} */
export const equation = (...items) => ({kind: EQUATION, items});

/** A matrix of an equation. @param {string} label @param {ArrayLike<number>} data
 * @param {number} rows @param {number} cols
 * @param {Partial<Matrix> & {transposed?: boolean}} [options] @returns {Matrix} */
export const matrix = (label, data, rows, cols, {transposed, ...options} = {}) => ({
    label,
    grid: gridOf(data, rows, cols, transposed ? {rowStep: 1, colStep: rows} : {}),
    scale: options.scale ?? scaleOf(data),
    ...options,
});
