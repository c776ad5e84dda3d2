/* scale - how a number becomes a mark: opacity of a line, length of a bar, digits in print. Opacity
 * is BertViz's rule, weight / active heads, so that all heads together never exceed full ink. Lines
 * fainter than FLOOR can hardly be seen, and 8 bits a channel cannot give them their colour: they
 * are not drawn. Since a row of attention sums to 1, at most queries / FLOOR lines are left,
 * however many heads.
 */
export const FLOOR = 1 / 128;

/** @param {number} weight @param {number} activeHeads */
export const opacity = (weight, activeHeads) => Math.min(1, Math.max(0, weight / activeHeads));

/** [0, most] -> [0, full] px, for bars of probability or weight. @param {number} full
 * @returns {(value: number) => number} */
export const barLength =
    (full, most = 1) =>
    value =>
        most > 0 ? full * Math.min(1, Math.max(0, value / most)) : 0;

/** A weight in print: two decimals, and never a false zero or one. @param {number} value */
export function decimal(value) {
    if (value > 0 && value < 0.005) return '<0.01';
    if (value < 1 && value >= 0.995) return '>0.99';
    return value.toFixed(2);
}

/** A weight as the cell of a table: printed so, saved unrounded. @param {number} value */
export const decimalCell = value => ({value, text: decimal(value)});

/** @param {number} value a probability */
export function percent(value) {
    if (value > 0 && value < 0.0005) return '<0.1 %';
    if (value < 1 && value >= 0.9995) return '>99.9 %';
    return `${(100 * value).toFixed(1)} %`;
}

/** A weight to four decimals, and never a false zero or one. @param {number} value */
export function exact(value) {
    if (value > 0 && value < 0.00005) return '<0.0001';
    if (value < 1 && value >= 0.99995) return '>0.9999';
    return value.toFixed(4);
}
