/* fan - a column of rows: lines from one token, the query, to all keys, as strong as their
 * weights, after BertViz's neuron view. The same paths on the page and in files.
 */
import {h} from 'preact';
import {alphaOf, SEEN, widthOf} from '../../scale.js';
import {ROW, rowMiddle} from '../../tokens.js';

/** @typedef {import('./column.js').Column & {from: number, values: ArrayLike<number>, colour: string,
 *     width: number}} FanColumn   from: the row of the query; values: 0..1, of each key */

const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100;

/** @param {FanColumn} column */
function fanLines({from, values, colour, width}) {
    const most = Math.max(...Array.from(values));
    const y = rowMiddle(from);
    const paths = Array.from(values, (value, key) => {
        const alpha = alphaOf(value / most);
        const [middle, end] = [width / 2, rowMiddle(key)];
        return (
            value >= most * SEEN &&
            value > 0 &&
            h('path', {
                key,
                d: `M0,${y}C${middle},${y},${middle},${end},${width},${end}`,
                'stroke-opacity': rounded(alpha),
                'stroke-width': rounded(widthOf(alpha)),
            })
        );
    });
    return h('g', {fill: 'none', stroke: colour}, paths);
}

/** On the page. @param {{column: FanColumn}} props */
const Fan = ({column}) =>
    h(
        'svg',
        {
            class: 'fan',
            width: column.width,
            height: column.values.length * ROW,
            'aria-hidden': true,
        },
        fanLines(column),
    );

/** @type {import('./column.js').ColumnKind} */
export const FAN = {
    ...{name: 'fan', Html: Fan, svg: fanLines},
    length: ({values}) => values.length,
};
