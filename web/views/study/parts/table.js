/* table - a table of results on the page: its headings, and rows that begin with what they are of.
 * The whole table, and saved numbers, are the study's `table` (study.js), which figure/table.js draws.
 */
import {h} from 'preact';
import {table as draw} from '../../../draw/table.js';

/**
 * @import {Tree} from '../study.js'
 * @typedef {{name?: Tree, kind?: 'number' | 'wide'}} Column   name: none for a column that needs no
 *     heading, such as one of bars; kind: how its cells look
 * @typedef {{key: string | number, chosen?: boolean, cells: readonly Tree[]}} Row   of its cells the
 *     first is its heading; chosen: it stands out
 */

/** @param {{columns: readonly Column[], rows: readonly Row[], caption?: string, label?: string,
 *     className?: string}} props   label: of a region that can be scrolled by keys */
export function StudyTable({columns, rows, caption, label, className = ''}) {
    const names = columns.map(({name, kind}, i) =>
        name === undefined
            ? h('td', {key: i, class: kind})
            : h('th', {key: i, scope: 'col', class: kind}, name),
    );
    const region = label && {tabIndex: 0, role: 'region', 'aria-label': label};
    return h(
        'div',
        {class: `study-table ${className}`.trim(), ...region},
        draw(
            {caption, captionClass: 'hidden', columns: names},
            rows.map(({key, chosen, cells}) =>
                h(
                    'tr',
                    {key, class: chosen ? 'chosen' : undefined},
                    cells.map((cell, i) =>
                        i
                            ? h('td', {key: i, class: columns[i].kind}, cell)
                            : h('th', {key: i, scope: 'row'}, cell),
                    ),
                ),
            ),
        ),
    );
}

/** @param {Tree} name @returns {Column} */
export const numberColumn = name => ({name, kind: 'number'});

const TABLE = {Html: (/** @type {any} */ {block}) => h(StudyTable, block)};

/** A table of the page. @param {Parameters<typeof StudyTable>[0]} given
 * @returns {import('../../../draw/blocks.js').Block} */
export const table = given => ({kind: TABLE, ...given});
