/* signed - the colour of a difference (What changes, two models): positive blue, negative orange,
 * strength by opacity; small matrices of differences as marks of a plot. The colours are --positive and --negative of style.css,
 * written out: a canvas and a saved file have no sheet.
 */
import {inkGroup, inkPaths} from './ink.js';

const COLOURS = {
    light: {positive: '#1f5fbf', negative: '#b85a00'},
    dark: {positive: '#7fb2ff', negative: '#ffab5c'},
};
const FAINTEST = 1 / 64;

/** @param {number} value @param {string} theme */
export const signedColour = (value, theme) =>
    COLOURS[theme === 'dark' ? 'dark' : 'light'][value < 0 ? 'negative' : 'positive'];

/** Opacity of a value when `most` is full: the root of its share, or one large value would leave
 * nothing else to be seen. @param {number} value @param {number} most */
export const signedInk = (value, most) =>
    most > 0 ? Math.min(1, Math.sqrt(Math.abs(value) / most)) : 0;

/** With its sign and three decimals, and never a false zero. @param {number} value */
export function signed(value) {
    if (value === 0) return '0';
    const sign = value < 0 ? '−' : '+';
    const size = Math.abs(value);
    return size < 0.0005 ? `${sign}<0.001` : `${sign}${size.toFixed(3)}`;
}

/**
 * @typedef {{data: Float32Array, rows: number, cols: number, x: number, y: number, cell: number,
 *     most: number}} Matrix
 *   data [rows, cols] at x, y, each value a square of `cell` px
 */

/** Draws values begin..end of a matrix, in rows, that cross the band top..bottom.
 * @param {CanvasRenderingContext2D} context @param {Matrix} matrix @param {string} theme
 * @param {number[]} band @param {number} begin @param {number} end */
function paintMatrix(context, {data, cols, x, y, cell, most}, theme, [top, bottom], begin, end) {
    for (let i = begin; i < end; i++) {
        const ink = signedInk(data[i], most);
        const above = y + Math.floor(i / cols) * cell;
        if (ink < FAINTEST || above > bottom || above + cell < top) continue;
        context.globalAlpha = ink;
        context.fillStyle = signedColour(data[i], theme);
        context.fillRect(x + (i % cols) * cell, above, cell, cell);
    }
    context.globalAlpha = 1;
}

/** @type {import('../plot.js').MarkKind} */
const MATRICES = {
    count: ({list, size}) => list.length * size,
    paint(context, {list, size, theme}, band, begin, end) {
        for (let i = Math.floor(begin / size); i * size < end; i++) {
            const [from, to] = [Math.max(0, begin - i * size), Math.min(size, end - i * size)];
            paintMatrix(context, list[i], theme, band, from, to);
        }
    },
    svg: ({list, theme}) =>
        list.map((/** @type {Matrix} */ {data, rows, cols, x, y, cell, most}) => {
            const paths = inkPaths(
                rows,
                cols,
                (row, col) => data[row * cols + col],
                value => signedInk(value, most),
                value => signedColour(value, theme),
            );
            return paths.length > 0 && inkGroup(x, y, cell, paths);
        }),
};

/** Matrices of one size as marks. @param {Matrix[]} list @param {string} theme
 * @returns {import('../plot.js').Mark} */
export const matrices = (list, theme) => ({
    kind: MATRICES,
    list,
    theme,
    size: list.length && list[0].rows * list[0].cols,
});

/** The class of a difference on the page, which colours it; none where nothing changed. @param {number} rise */
export const signClass = rise => `number${rise > 0 ? ' more' : rise < 0 ? ' less' : ''}`;
