/* print - numbers of the precision panel in print: differences span six powers of ten, so they have
 * two digits, not decimals.
 */
import {h} from 'preact';

/** Two digits, without an exponent: 0.0000079. @param {number} value >= 0 */
export function small(value) {
    if (value === 0) return '0';
    const decimals = Math.max(0, Math.min(12, 1 - Math.floor(Math.log10(value))));
    return value.toFixed(decimals);
}

/** Some of all in per cent, and never a false zero or hundred. @param {number} some
 * @param {number} all */
export function share(some, all) {
    const percent = all ? (100 * some) / all : 0;
    if (some > 0 && percent < 0.01) return '<0.01\u00a0%';
    if (some < all && percent > 99.99) return '>99.99\u00a0%';
    return `${percent.toFixed(some === 0 || percent === 100 ? 0 : percent >= 1 ? 1 : 2)}\u00a0%`;
}

/** @param {number} value */
export const milliseconds = value => (value < 10 ? value.toFixed(1) : String(Math.round(value)));

/** Terms and what they are. @param {{rows: ([string, import('preact').ComponentChild] | false)[]}} props */
export const Facts = ({rows}) =>
    h(
        'dl',
        {class: 'facts'},
        rows.map(
            row => row && [h('dt', {key: row[0]}, row[0]), h('dd', {key: `${row[0]} is`}, row[1])],
        ),
    );
