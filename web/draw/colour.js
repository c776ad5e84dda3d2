/* colour - one colour per head, for light and dark pages. The 16 colours were found by annealing in
 * OKLab: the smallest distance between any two, seen with normal, deuteranopic and protanopic eyes
 * (Machado 2009), is made as large as possible, first among 8, then 12, then 16, where the first 12 have
 * 12 hues, any two at least 20 degrees apart. All have 3:1 contrast to their page. Dark ones keep hue
 * and order, so a head is recognised after a switch.
 * Concepts (query, key, value, positive, negative) are custom properties in style.css.
 */

const LIGHT = [
    '#5900d4',
    '#be5e74',
    '#076208',
    '#2f599b',
    '#b70005',
    '#489ac4',
    '#96006e',
    '#bc841a',
    '#228362',
    '#109995',
    '#838240',
    '#975f3e',
    '#e36694',
    '#4b0852',
    '#96417b',
    '#4c0e7f',
];
const DARK = [
    '#8567ff',
    '#ff9baf',
    '#5f9b68',
    '#6597f4',
    '#f95748',
    '#7ec7fb',
    '#d44da4',
    '#ffc366',
    '#30f2bf',
    '#66d8d3',
    '#d4ea1f',
    '#e39e75',
    '#ad5c68',
    '#9641b5',
    '#f64bd3',
    '#940bf5',
];

/** Red, green and blue, 0 to 255. @param {string} hex */
export const channels = hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16));

/** @param {string} hex @param {number} toward 0 black, 255 white @param {number} share */
const mix = (hex, toward, share) =>
    '#' +
    channels(hex)
        .map(c =>
            Math.round(c + (toward - c) * share)
                .toString(16)
                .padStart(2, '0'),
        )
        .join('');

/** Heads 16, 17, ... repeat the colours, darker on a light page and lighter on a dark one.
 * @param {number} head @param {string} theme 'light' or 'dark' */
export function headColour(head, theme) {
    const base = (theme === 'dark' ? DARK : LIGHT)[head % 16];
    const round = Math.floor(head / 16);
    return round ? mix(base, theme === 'dark' ? 255 : 0, Math.min(0.75, 0.4 * round)) : base;
}

/** Of an average, which belongs to no head: the ink of the page. @param {string} theme */
export const averageColour = theme => (theme === 'dark' ? '#c9ccd3' : '#3b4252');

const SCALE = {light: ['#e3e6ea', '#1f5fbf'], dark: ['#2b3038', '#7fb2ff']};

/** From little to much of a measure: the share 0..1 of the way from hair grey to --positive.
 * @param {number} share @param {string} theme */
export function scaleColour(share, theme) {
    const [low, high] = (theme === 'dark' ? SCALE.dark : SCALE.light).map(channels);
    return (
        '#' +
        low
            .map((c, i) =>
                Math.round(c + (high[i] - c) * share)
                    .toString(16)
                    .padStart(2, '0'),
            )
            .join('')
    );
}

/** Relative luminance of WCAG. @param {string} hex */
function luminance(hex) {
    const [r, g, b] = channels(hex)
        .map(c => c / 255)
        .map(c => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Contrast ratio of WCAG, 1 to 21. @param {string} a @param {string} b */
export function contrast(a, b) {
    const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
}

/** Black or white, whichever reads better on a colour: at least 4.58:1 on any. @param {string} hex
 */
export const inkOn = hex =>
    contrast(hex, '#000000') >= contrast(hex, '#ffffff') ? '#000000' : '#ffffff';
