/* chart - the colour of a signed number in the neuron and steps views: blue is positive, orange
 * negative, and the strength is linear up to `limit`, where it is full. One limit holds for all cells of a picture, so that equal
 * numbers look equal; its legend has numbers.
 */

/** @typedef {{limit: number, weights?: boolean}} Scale   |value| >= limit has full colour; weights:
 *                                                       never negative */

const RGB = {
    light: {positive: [31, 95, 191], negative: [184, 90, 0]},
    dark: {positive: [127, 178, 255], negative: [255, 171, 92]},
};
const LEVELS = 64;
const QUANTILE = 0.98;
const SAMPLE = 4096;
const NICE = [1, 1.5, 2, 3, 4, 5, 6, 8, 10];

/** The next round number. @param {number} value */
function niceAbove(value) {
    const power = 10 ** Math.floor(Math.log10(value));
    return Number(
        ((NICE.find(step => step * power >= value * 0.999) ?? 10) * power).toPrecision(3),
    );
}

/** A limit that few of the numbers exceed: the 98 % quantile of their sizes, rounded up; of many, a
 * regular sample.
 * @param {...ArrayLike<number>} lists @returns {Scale} */
export function scaleOf(...lists) {
    /** @type {number[]} */
    const sizes = [];
    for (const list of lists) {
        const step = Math.max(1, Math.floor((list.length * lists.length) / SAMPLE)) | 1;
        for (let i = 0; i < list.length; i += step)
            if (Number.isFinite(list[i])) sizes.push(Math.abs(list[i]));
    }
    sizes.sort((a, b) => a - b);
    const most = sizes[Math.ceil(QUANTILE * (sizes.length - 1))] || sizes[sizes.length - 1];
    return {limit: most > 0 && Number.isFinite(most) ? niceAbove(most) : 1};
}

/** 0..1 @param {number} value @param {Scale} scale */
export const strength = (value, {limit}) =>
    value === -Infinity ? 0 : Math.min(1, Math.abs(value) / limit);

/** @type {Map<string, string[]>} */
const tables = new Map();

/** Colours of a theme by level, -LEVELS..LEVELS. @param {string} theme */
function coloursOf(theme) {
    const key = theme === 'dark' ? 'dark' : 'light';
    const known = tables.get(key);
    if (known) return known;
    const made = Array.from({length: 2 * LEVELS + 1}, (_, i) => {
        const rgb = RGB[key][i < LEVELS ? 'negative' : 'positive'];
        return `rgba(${rgb.join(',')},${(Math.abs(i - LEVELS) / LEVELS).toFixed(3)})`;
    });
    tables.set(key, made);
    return made;
}

/** @param {Scale} scale @param {string} theme @returns {(value: number) => string} a CSS colour */
export function colourer(scale, theme) {
    const colours = coloursOf(theme);
    return value =>
        colours[LEVELS + Math.round(LEVELS * strength(value, scale) * (value < 0 ? -1 : 1))] ??
        'transparent';
}

/** What a legend says: five values from -limit to limit, or from 0 for weights. @param {Scale} scale
 */
export const legendValues = ({limit, weights}) =>
    (weights ? [0, 0.25, 0.5, 0.75, 1] : [-1, -0.5, 0, 0.5, 1]).map(part => part * limit);

/** A number in print with a true minus sign; not "-0.00". @param {number} value
 * @param {number} [digits] */
export function signed(value, digits = 2) {
    if (value === -Infinity) return '\u2212∞';
    const text = Math.abs(value).toFixed(digits);
    return value < 0 && Number(text) !== 0 ? `\u2212${text}` : text;
}

/** As few digits as the number needs. @param {number} value */
export const short = value =>
    `${value < 0 ? '\u2212' : ''}${Number(Math.abs(value).toPrecision(3))}`;
