/* legend - the legend of cell colours, in numbers: in five steps, or in brief the two ends. Beyond
 * the ends the colour is full.
 */
import {h} from 'preact';
import {colourer, legendValues, short} from './chart.js';

/** @param {{name?: import('preact').ComponentChild, scale: import('./chart.js').Scale,
 *     theme: string,
 *   brief?: boolean}} props */
export function Legend({name, scale, theme, brief = false}) {
    const all = legendValues(scale);
    const values = brief ? [all[0], all[all.length - 1]] : all;
    const colourOf = colourer(scale, theme);
    const end = (/** @type {number} */ i) =>
        scale.weights ? '' : i === 0 ? '≤ ' : i === values.length - 1 ? '≥ ' : '';
    return h(
        'span',
        {class: 'legend-scale'},
        name && h('span', {class: 'legend-name'}, name),
        values.map((value, i) =>
            h(
                'span',
                {key: i, class: 'legend-step'},
                h('i', {style: {background: colourOf(value)}}),
                `${end(i)}${short(value)}`,
            ),
        ),
    );
}
