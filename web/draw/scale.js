/* scale - scales from numbers to marks: opacity and width of a line, length of a bar, digits in
 * print. A line's ink is its weight over the strongest of its picture, so that a text of any length
 * uses all of the ink there is. Pale lines mean attention that is spread: where none is much
 * stronger than uniform attention, none is full (fullInk). BertViz's weight / active heads leaves a
 * text of 134 tokens with 0.7 % of its weight.
 */

/** Which weights of a row of attention are lines at rest: those from STRONG on; else the strongest
 * until they carry CARRIED of the row, or are FEWEST. */
export const STRONG = 1 / 8;
export const CARRIED = 0.6;
export const FEWEST = 4;
export const SEEN = 1 / 64; // of the strongest line of a picture
const FAINTEST = 0.08; // 8 bits a channel cannot give fainter lines their colour
const EVEN = 3; // times uniform attention, from which on a line may be full

/** @param {Iterable<number>} list */
export function total(list) {
    let sum = 0;
    for (const one of list) sum += one;
    return sum;
}

/** How many of a list, from the first on, until they sum to as much. @param {ArrayLike<number>} list @param {number} wanted */
export function reached(list, wanted) {
    let sum = 0;
    let count = 0;
    while (count < list.length && sum < wanted) sum += list[count++];
    return count;
}

/** The weight whose line is full. @param {number} most the strongest line @param {number} keys */
export const fullInk = (most, keys) => Math.max(most, Math.min(1, EVEN / keys));

/** @param {number} share of the weight whose line is full */
export const alphaOf = share => Math.max(FAINTEST, Math.min(1, share));

/** In px, of a line of an opacity. @param {number} alpha */
export const widthOf = alpha => 1 + 2 * alpha;

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

/** A weight as the cell of a table: printed so, saved unrounded; blank where there is none (NaN). @param {number} value */
export const decimalCell = value => (Number.isNaN(value) ? '' : {value, text: decimal(value)});

/** @param {number} value a probability */
export function percent(value) {
    if (value > 0 && value < 0.0005) return '<0.1 %';
    if (value < 1 && value >= 0.9995) return '>99.9 %';
    return `${(100 * value).toFixed(1).replace('-', '−')} %`;
}

/** A weight to four decimals, and never a false zero or one. @param {number} value */
export function exact(value) {
    if (value > 0 && value < 0.00005) return '<0.0001';
    if (value < 1 && value >= 0.99995) return '>0.9999';
    return value.toFixed(4);
}
