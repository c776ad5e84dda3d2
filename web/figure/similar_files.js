/* similar_files - tables and pictures of a similarity as files: the cells of two texts, or the numbers of
 * several, as CSV, JSON (with the texts and what is computed) and SVG.
 */
import {h} from 'preact';
import {heat} from '../draw/blocks/heat.js';
import {heading} from '../draw/blocks/prose.js';
import {signedColour} from '../draw/marks/signed.js';
import {drawnView} from '../draw/view.js';
import {downloadText, written} from '../save/files.js';
import {csvOf, jsonOf} from '../save/texts.js';

/**
 * @typedef {{id: string, title: string, rows: string[], cols: string[], data: Float32Array, axes: {down: string,
 *     across: string}, every: (n: number) => string, about: Record<string, unknown>}} Matrix   id: of the file's
 *     name; every: says that every n-th row is named; about: what the numbers are of
 */

const WIDTH = 640;
const KINDS = /** @type {const} */ (['csv', 'json', 'svg']);

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

/** @param {(typeof KINDS)[number]} kind @param {Matrix} matrix */
export function textOf(kind, matrix) {
    if (kind === 'csv') return csvOf(tableOf(matrix));
    if (kind === 'json') return jsonOf(tableOf(matrix), {madeWith: 'Headlight', ...matrix.about});
    return picture.svg({}, {matrix}, {width: WIDTH, theme: 'light', focus: null}, null);
}

const TYPES = {csv: 'text/csv', json: 'application/json', svg: 'image/svg+xml'};

/** @param {(typeof KINDS)[number]} kind @param {Matrix} matrix */
function save(kind, matrix) {
    const text = textOf(kind, matrix);
    downloadText(
        kind === 'svg' ? written(text) : text,
        TYPES[kind],
        `headlight-${matrix.id}.${kind}`,
    );
}

/** @param {{label: string, matrix: Matrix}} props */
export const Files = ({label, matrix}) =>
    h(
        'p',
        {class: 'files'},
        h('span', {class: 'hint'}, label),
        KINDS.map(kind => [
            ' ',
            h(
                'button',
                {key: kind, type: 'button', class: 'plain', onClick: () => save(kind, matrix)},
                `.${kind}`,
            ),
        ]),
    );
