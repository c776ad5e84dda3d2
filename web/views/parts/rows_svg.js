/* rows_svg - the columns of rows.js as a static picture, at the same places; colours are written
 * out, since a saved file has no style sheet.
 */
import {h} from 'preact';
import {signed} from '../../draw/chart.js';
import {cellRects} from '../../draw/matrix.js';
import {decimal} from '../../draw/scale.js';
import {fitPiece, FONT, ROW, rowMiddle} from '../../draw/tokens.js';
import {columnWidths, GAP, numberWidth} from './rows.js';

/** @typedef {import('./rows.js').Column} Column */

export const PAPER = {
    light: {ink: '#1d1f24', soft: '#5a606b', page: '#ffffff', bar: '#1f5fbf'},
    dark: {ink: '#e6e7ea', soft: '#a6acb8', page: '#15171c', bar: '#7fb2ff'},
};
export const HEAD = 28;

/** @param {string} theme */
export const paperOf = theme => (theme === 'dark' ? PAPER.dark : PAPER.light);

/** @param {Column} column @param {number} cell @param {number} width @param {string} theme */
function body(column, cell, width, theme) {
    const middle = (/** @type {number} */ row) => rowMiddle(row) + 5;
    const line = (
        /** @type {number} */ row,
        /** @type {string} */ text,
        /** @type {number} */ x,
        /** @type {string} */ anchor,
    ) => h('text', {x, y: middle(row), 'text-anchor': anchor}, text);
    switch (column.kind) {
        case 'tokens':
            return column.tokens.map((token, row) =>
                column.side === 'query' || column.side === undefined
                    ? line(row, fitPiece(token.piece, width), width, 'end')
                    : line(row, fitPiece(token.piece, width), 0, 'start'),
            );
        case 'numbers':
            return Array.from(column.values, (value, row) =>
                line(row, signed(value, column.digits), width, 'end'),
            );
        case 'bars':
            return Array.from(column.values, (value, row) =>
                h(
                    'g',
                    null,
                    h('rect', {
                        y: row * ROW + 9,
                        height: 8,
                        width: Math.round((width - numberWidth(false) - 8) * value * 100) / 100,
                        fill: paperOf(theme).bar,
                    }),
                    line(row, decimal(value), width, 'end'),
                ),
            );
        default:
            return h(
                'g',
                {'shape-rendering': 'crispEdges'},
                cellRects(
                    column.grid,
                    {cell: {width: cell, height: ROW}, gap: 4},
                    column.scale,
                    theme,
                ).map(rect => h('rect', rect)),
            );
    }
}

/** @param {readonly Column[]} columns @param {readonly string[]} titles @param {number} width
 * @param {string} theme
 * @returns {{tree: import('../view.js').Tree, height: number}} */
export function rowsSvg(columns, titles, width, theme) {
    const {widths, cell} = columnWidths(columns, width);
    let x = 0;
    const places = widths.map(w => {
        const at = x;
        x += w + GAP;
        return at;
    });
    const count = Math.max(
        ...columns.map(column =>
            column.kind === 'tokens'
                ? column.tokens.length
                : column.kind === 'cells'
                  ? column.grid.rows
                  : column.values.length,
        ),
    );
    const tree = columns.map((column, i) => {
        const end =
            column.kind === 'numbers' ||
            column.kind === 'bars' ||
            (column.kind === 'tokens' && column.side !== 'key');
        return h(
            'g',
            {transform: `translate(${Math.round(places[i])} 0)`, 'font-size': FONT - 1},
            h(
                'text',
                {
                    x: end ? widths[i] : 0,
                    y: 16,
                    'text-anchor': end ? 'end' : 'start',
                    'font-size': 13,
                },
                titles[i],
            ),
            h('g', {transform: `translate(0 ${HEAD})`}, body(column, cell, widths[i], theme)),
        );
    });
    return {tree, height: HEAD + count * ROW};
}
