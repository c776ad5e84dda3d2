/* numbers - a column of rows: a number a row, with the one before a change below it. Where there is no
 * room it gives up the room around them, after the bars.
 */
import {h} from 'preact';
import {signed} from '../../chart.js';
import {line, rowAt, still, twoLines} from './column.js';

/** @typedef {import('./column.js').Column & {values: ArrayLike<number>, old?: ArrayLike<number> | null,
 *     was?: string, digits?: number, text?: (value: number) => string}} NumbersColumn   text: how they are
 *     printed, where not with so many digits */

/** @type {import('preact').ComponentClass<Pick<NumbersColumn, 'values' | 'old' | 'was' | 'digits' | 'text'>>} */
const Figures = still(
    ({values, old, was, digits, text = (/** @type {number} */ value) => signed(value, digits)}) =>
        h(
            'div',
            {class: 'figures'},
            Array.from(values, (value, i) =>
                h(
                    'div',
                    {key: i, style: rowAt(i)},
                    twoLines(text(value), old ? `${was} ${text(old[i])}` : null),
                ),
            ),
        ),
);

/** @param {{column: NumbersColumn}} props */
const Html = ({column: {values, old, was, digits = 2, text}}) =>
    h(Figures, {values, old, was, digits, text});

/** @type {import('./column.js').ColumnKind} */
export const NUMBERS = {
    ...{name: 'numbers', Html},
    svg: ({values, text = signed, digits}, {width}) =>
        Array.from(values, (value, row) => line(row, text(value, digits), width, 'end')),
    length: ({values}) => values.length,
    gives: {order: 1, keeps: ({old}) => (old ? 66 : 50)},
    end: () => true,
};
