/* cells - a column of rows: the numbers of a matrix as coloured cells. Cells share the width that other
 * columns leave, each as wide as all.
 */
import {h} from 'preact';
import {Cells} from '../../marks/cells.js';
import {cellRects} from '../../marks/matrix.js';
import {ROW} from '../../tokens.js';
import {box} from './column.js';

/**
 * @import {Grid} from '../../marks/matrix.js'
 * @import {Scale} from '../../chart.js'
 * @typedef {import('./column.js').Column & {grid: Grid, scale: Scale, faint?: number, framed?: number,
 *     marks?: readonly number[], struck?: readonly number[], slides?: {grid: Grid, scale: Scale}}} CellsColumn
 *     faint: all rows but this one are pale; framed: the row that all is about; marks: above these
 *     columns; slides: a row that passes over all, on the page, where the view moves
 */

/** @param {CellsColumn} column @param {number} cell @param {import('../rows.js').Props} props */
const cellsOf = (column, cell, {on, theme, cursor, onPoint, onPick}) => ({
    ...{on, theme, grid: column.grid, scale: column.scale},
    ...{faint: column.faint, framed: column.framed, struck: column.struck},
    cell: {width: cell, height: ROW},
    gap: 4,
    // the row that is framed stands for all of the column
    cursor: cursor && {row: column.framed === undefined ? cursor.row : -1, col: cursor.col},
    onPoint: (/** @type {any} */ spot) => onPoint?.(spot && {...spot, id: column.id}),
    onPick:
        onPick &&
        ((/** @type {any} */ spot, /** @type {boolean} */ touch) =>
            onPick({...spot, id: column.id}, touch)),
});

/** The row that passes over a column of cells. @param {{column: CellsColumn, cell: number, rest: import('../rows.js').Props}} props */
const Slider = ({column: {slides, grid}, cell, rest: {on, theme}}) =>
    h(
        'div',
        {class: 'slider', 'aria-hidden': true, style: {'--way': `${(grid.rows - 1) * ROW}px`}},
        slides && h(Cells, {on, theme, ...slides, cell: {width: cell, height: ROW}, gap: 4}),
    );

/** @param {{column: CellsColumn, cell: number, rest: import('../rows.js').Props}} props */
const Html = ({column, cell, rest}) => [
    h(Cells, {key: 'cells', ...cellsOf(column, cell, rest)}),
    column.slides && h(Slider, {key: 'slider', column, cell, rest}),
];

/** @param {CellsColumn} column @param {import('./column.js').Size} size */
const svg = ({grid, scale, framed}, {cell, width, theme}) => [
    h(
        'g',
        {'shape-rendering': 'crispEdges'},
        cellRects(grid, {cell: {width: cell, height: ROW}, gap: 4}, scale, theme).map(rect =>
            h('rect', rect),
        ),
    ),
    framed !== undefined && box(framed, width, theme),
];

/** @type {import('./column.js').ColumnKind} */
export const CELLS = {
    ...{name: 'cells', Html: /** @type {any} */ (Html), svg},
    length: ({grid}) => grid.rows,
};
