/* bars - a column of rows: bars of 0..1 with their numbers, and a tick where one was before a
 * change. Where there is no room it gives up its length first.
 */
import {h} from 'preact';
import {paperOf} from '../../paper.js';
import {decimal} from '../../scale.js';
import {ROW} from '../../tokens.js';
import {line, rowAt, still, twoLines} from './column.js';

/** @typedef {import('./column.js').Column & {values: ArrayLike<number>, old?: ArrayLike<number> | null,
 *     was?: string, width: number}} BarsColumn */

/** Room for the number beside a bar, alone or with the one before. */
const numberWidth = (/** @type {boolean} */ compared) => (compared ? 60 : 46);
const VISIBLE = 0.005; // a change of a bar that can be seen

/** @type {import('preact').ComponentClass<Pick<BarsColumn, 'values' | 'old' | 'was' | 'width'>>} */
const Bars = still(({values, old, was, width}) => {
    const full = Math.max(0, width - numberWidth(Boolean(old)) - 8);
    const length = (/** @type {number} */ value) => `${full * Math.min(1, value)}px`;
    return h(
        'div',
        {class: 'figures bars'},
        Array.from(values, (value, i) =>
            h(
                'div',
                {key: i, style: rowAt(i)},
                full > 8 &&
                    h(
                        'span',
                        {class: 'bar', style: {width: `${full}px`}, 'aria-hidden': true},
                        h('i', {style: {width: length(value)}}),
                        old &&
                            Math.abs(old[i] - value) > VISIBLE &&
                            h('b', {style: {left: length(old[i])}}),
                    ),
                h(
                    'span',
                    {class: 'figure-of'},
                    twoLines(decimal(value), old ? `${was} ${decimal(old[i])}` : null),
                ),
            ),
        ),
    );
});

/** @param {{column: BarsColumn, width: number}} props */
const Html = ({column: {values, old, was}, width}) => h(Bars, {values, old, was, width});

/** @param {number} row @param {number} value 0..1 @param {number} width of bar and number
 * @param {string} theme */
const barSvg = (row, value, width, theme) =>
    h('rect', {
        y: row * ROW + 9,
        height: 8,
        width: Math.round((width - numberWidth(false) - 8) * value * 100) / 100,
        fill: paperOf(theme).bar,
    });

/** @type {import('./column.js').ColumnKind} */
export const BARS = {
    ...{name: 'bars', Html},
    svg: ({values}, {width, theme}) =>
        Array.from(values, (value, row) =>
            h('g', null, barSvg(row, value, width, theme), line(row, decimal(value), width, 'end')),
        ),
    length: ({values}) => values.length,
    // its heading keeps clear of the next one, where it is not narrow from the start
    gives: {order: 0, keeps: ({old, width}) => (old ? 60 : width > 64 ? 58 : 54)},
    end: () => true,
};
