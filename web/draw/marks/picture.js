/* picture - small pictures of heads, [S, S] values 0..1 made by src/measure/pictures.c, scaled to
 * the size at which they are shown: lines are averaged, so that they stay smooth; of a heat map's
 * cells the largest counts; a text of fewer tokens than S keeps its cells separate and exact. Ink
 * of a cell is the square root of its weight: the eye then still sees a weight of 0.05. And how ink
 * becomes pixels on a canvas, or an image in a saved file.
 */
import {dataUri, pngOf} from './png.js';

/**
 * @typedef {{smooth: boolean, points: (px: number) => number, ink: (index: number, to: number) =>
 *     Float32Array}} Pictures   of many heads; smooth: shades between points; points: how many a
 *     picture of px pixels has at the most; ink: the picture of a head with `to` points a side
 */

const LEVELS = 64; // of ink, in a file

const SHADES = 256;

/** How much of which points goes into each of `to` points: [first, weights].
 * @param {number} from @param {number} to @returns {{first: number, weights: number[]}[]} */
function taps(from, to) {
    // of a box when made smaller, of a ramp between two when made larger
    const reach = Math.max(1, from / to) / 2;
    return Array.from({length: to}, (_, i) => {
        const centre = ((i + 0.5) * from) / to;
        const first = Math.max(0, Math.floor(centre - reach));
        const end = Math.min(from, Math.ceil(centre + reach));
        const parts = Array.from({length: end - first}, (_part, k) =>
            Math.max(
                0,
                Math.min(first + k + 1, centre + reach) - Math.max(first + k, centre - reach),
            ),
        );
        const sum = parts.reduce((a, b) => a + b, 0);
        return {first, weights: parts.map(part => part / sum)};
    });
}

/** Rows of `picture` averaged to `count` points each, and turned: out[point, row].
 * @param {Float32Array} data @param {number} rows @param {number} width
 * @param {{first: number, weights: number[]}[]} points */
function averageTurned(data, rows, width, points) {
    const out = new Float32Array(points.length * rows);
    points.forEach(({first, weights}, x) => {
        for (let row = 0; row < rows; row++) {
            let sum = 0;
            for (let k = 0; k < weights.length; k++)
                sum += weights[k] * data[row * width + first + k];
            out[x * rows + row] = sum;
        }
    });
    return out;
}

/** For pictures of lines. @param {number} size of the pictures @param {number} to
 * @returns {(picture: Float32Array) => Float32Array} */
export function averager(size, to) {
    const points = taps(size, to);
    return picture => averageTurned(averageTurned(picture, size, size, points), to, size, points);
}

/** For heat maps of `tokens` tokens; gives ink. @param {number} size of the pictures
 * @param {number} to @param {number} tokens @returns {(picture: Float32Array) => Float32Array} */
export function largest(size, to, tokens) {
    const cells = Math.min(size, tokens);
    // a point inside of the cell
    const middle = (/** @type {number} */ cell) => Math.floor(((cell + 0.5) * size) / cells);
    const from = Array.from({length: to + 1}, (_, i) => Math.floor((i * cells) / to));
    const ranges = Array.from({length: to}, (_, i) =>
        Array.from({length: Math.max(1, from[i + 1] - from[i])}, (_cell, k) => middle(from[i] + k)),
    );
    return picture => {
        const out = new Float32Array(to * to);
        ranges.forEach((rows, y) =>
            ranges.forEach((columns, x) => {
                let most = 0;
                for (const row of rows)
                    for (const column of columns)
                        most = Math.max(most, picture[row * size + column]);
                out[y * to + x] = Math.sqrt(most);
            }),
        );
        return out;
    };
}

/** @param {{data: Float32Array, shape: number[]}} pictures [.., S, S] @param {string} kind 'lines' or
 * 'heatmaps' @param {number} tokens that a heat map has as rows @returns {Pictures} */
export function picturesOf({data, shape}, kind, tokens) {
    const size = shape[shape.length - 1];
    const smooth = kind === 'lines';
    /** @type {Map<number, (picture: Float32Array) => Float32Array>} */
    const made = new Map(); // for each size how it is reached
    return {
        smooth,
        points: px => Math.min(px, smooth ? size : Math.min(size, tokens)),
        ink(index, to) {
            const sample = made.get(to) ?? (smooth ? averager : largest)(size, to, tokens);
            made.set(to, sample);
            return sample(data.subarray(index * size * size, (index + 1) * size * size));
        },
    };
}

/** Ink of a colour on paper, in pixels and in files alike: red, green and blue, 0 to 255.
 * @param {number} ink 0..1
 * @param {readonly number[]} colour @param {readonly number[]} paper */
const shadeOf = (ink, colour, paper) => paper.map((c, i) => Math.round(c + (colour[i] - c) * ink));

/** Ink of a colour on paper, as pixels without transparency, by way of 256 shades.
 * @param {Float32Array} ink 0..1 @param {readonly number[]} colour @param {readonly number[]} paper
 * @param {Uint8ClampedArray} pixels [..., 4] */
export function tintPixels(ink, colour, paper, pixels) {
    const shades = new Uint8ClampedArray(4 * SHADES);
    for (let i = 0; i < SHADES; i++) {
        shades.set([...shadeOf(i / (SHADES - 1), colour, paper), 255], 4 * i);
    }
    const [from, to] = [new Uint32Array(shades.buffer), new Uint32Array(pixels.buffer)];
    for (let i = 0; i < ink.length; i++) to[i] = from[Math.trunc(ink[i] * (SHADES - 1) + 0.5)];
}

/** The same as an image for a saved file. @param {Float32Array} ink [n, n], 0..1
 * @param {readonly number[]} colour @param {readonly number[]} paper @returns {string} an address */
export function imageOf(ink, colour, paper) {
    const palette = Array.from({length: LEVELS + 1}, (_, i) => shadeOf(i / LEVELS, colour, paper));
    const levels = Uint8Array.from(ink, value => Math.round(value * LEVELS));
    return dataUri(pngOf(Math.sqrt(ink.length), palette, levels));
}
