/* pairs - the similarity of texts as a file: the cells of two texts, or the numbers of several, as CSV, JSON
 * (with the texts and what is computed) and a picture. Pure.
 */
import {heat} from '../draw/blocks/heat.js';
import {heading} from '../draw/blocks/prose.js';
import {signedColour} from '../draw/marks/signed.js';
import {total} from '../draw/scale.js';
import {drawnView} from '../draw/view.js';
import {csvOf, jsonOf} from './texts.js';

/**
 * @typedef {{id: string, title: string, rows: string[], cols: string[], data: Float32Array, axes: {down: string,
 *     across: string}, every: (n: number) => string, about: Record<string, unknown>}} Matrix   id: of the file's
 *     name; every: says that every n-th row is named; about: what the numbers are of
 */

const WIDTH = 640;
/** A row a row. @param {Matrix} matrix @returns {import('../views/view.js').Table} */
export const tableOf = ({title, rows, cols, data, axes}) => ({
    caption: title,
    columns: [`${axes.down} \\ ${axes.across}`, ...cols.map((name, i) => `${i} ${name}`)],
    rows: rows.map((name, row) => [
        {text: `${row} ${name}`, user: true},
        ...data.subarray(row * cols.length, (row + 1) * cols.length),
    ]),
});

const picture = drawnView({
    id: 'similarity',
    scene: (/** @type {any} */ _, /** @type {any} */ {matrix}) => matrix,
    blocks(/** @type {Matrix} */ {title, rows, cols, data, axes, every}, {theme}) {
        const full = Math.max(...data.map(Math.abs)) || 1;
        return [
            heading(title, 36, {x: 4, y: 16, 'font-size': 13}),
            heat({
                ...{id: 'cells', rows, cols, axes, every, name: title, hint: '', visible: null},
                valueAt: (row, col) => data[row * cols.length + col],
                inkOf: value => Math.abs(value) / full,
                colourOf: value => signedColour(value, theme),
            }),
        ];
    },
    sheet: {font: 11},
    rows: tableOf,
    say: (/** @type {Matrix} */ {title}) => title,
});

/** The cells of two texts. @param {{data: Float32Array, tokens: string[][]}} split @param {{title: string,
 *     every: (n: number) => string}} words @param {string[]} [texts] @returns {Matrix} */
export const pairsOf = ({data, tokens: [rows, cols]}, {title, every}, texts) => ({
    ...{id: 'why-similar', title, rows, cols, data, axes: {down: 'A', across: 'B'}, every},
    about: {texts, sum: total(data)},
});

/** @param {'csv' | 'json' | 'svg'} kind @param {Matrix} matrix
 * @param {{width: number, theme: 'light' | 'dark'}} [look] */
export function textOf(kind, matrix, look = {width: WIDTH, theme: 'light'}) {
    if (kind === 'csv') return csvOf(tableOf(matrix));
    if (kind === 'json') return jsonOf(tableOf(matrix), {madeWith: 'Headlight', ...matrix.about});
    return picture.svg({}, {matrix}, {...look, focus: null}, null);
}
