/* table - a view's numbers as a table that can be read line by line, also by a screen reader.
 * It is made only while it is open.
 */
import {h} from 'preact';
import {Folded} from '../draw/folded.js';
import {table as draw} from '../draw/table.js';

/** @import {Cell} from '../views/view.js' */

/** Cells that a page holds without keeping the reader waiting; saved files have all. */
const MOST_CELLS = 15000;

/** @param {{table: import('../views/view.js').Table, t: import('../base/shared.js').Texts}} props the second
 *     column names the row */
function Rows({table: {caption, columns, rows}, t}) {
    const shown = rows.slice(0, Math.max(1, Math.floor(MOST_CELLS / columns.length)));
    const cellOf = (/** @type {Cell} */ cell, /** @type {number} */ i) => {
        const text = typeof cell === 'object' && 'user' in cell;
        const inside = text
            ? h('bdi', null, cell.text)
            : typeof cell === 'object'
              ? cell.text
              : cell;
        return i === 1
            ? h('th', {key: i, scope: 'row'}, inside)
            : h('td', {key: i, class: text ? '' : 'number'}, inside);
    };
    const cut = shown.length < rows.length && ` ${t.tableCut(shown.length, rows.length)}`;
    return draw(
        {caption: [caption, cut], columns},
        shown.map((row, i) => h('tr', {key: i}, row.map(cellOf))),
    );
}

/** @param {{view: import('../views/view.js').View, state: import('../views/view.js').ViewState,
 *   data: import('../views/view.js').Computed, t: import('../base/shared.js').Texts}} props */
export const Numbers = ({view, state, data, t}) =>
    h(Folded, {
        class: 'numbers',
        label: t.tableTitle,
        inside: () =>
            h(
                'div',
                {class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t.tableTitle},
                h(Rows, {table: view.table(state, data, t), t}),
            ),
    });
