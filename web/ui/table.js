/* table - a view's numbers as a table that can be read line by line, also by a screen reader.
 * It is made only while it is open. */

import {h} from 'preact';
import {useState} from 'preact/hooks';

const Cell = ({cell}) => (cell?.user ? h('bdi', null, cell.text) : cell);

export function Numbers({view, state, data, t}) {
    const [open, setOpen] = useState(false);
    const made = open && view.table(state, data, t);
    return h('details', {class: 'numbers', open, onToggle: event => setOpen(event.currentTarget.open)},
        h('summary', null, t.tableTitle),
        made && h('div', {class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': t.tableTitle},
            h('table', null,
                h('caption', null, made.caption),
                h('thead', null, h('tr', null, made.columns.map((name, i) => h('th', {key: i, scope: 'col'}, name)))),
                h('tbody', null, made.rows.map(row => h('tr', {key: row[0]}, row.map((cell, i) => (i === 1
                    ? h('th', {key: i, scope: 'row'}, h(Cell, {cell}))
                    : h('td', {key: i, class: cell?.user ? null : 'number'}, h(Cell, {cell}))))))))));
}
