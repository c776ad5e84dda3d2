/* rows - the numbers of the present step, for the chosen token: rows of keys with their numbers and
 * vectors, or, where the step has vectors only, a row an index.
 */
import {CELLS} from '../../draw/blocks/columns/cells.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {signed} from '../../draw/chart.js';
import {valueAt} from '../../draw/marks/matrix.js';
import {stageOf} from './says.js';
import {partsOf} from './stages.js';

/**
 * @import {Cell, Texts} from '../view.js'
 * @import {Scene} from './scene.js'
 */

const DIGITS = 4;
const MOST_CELLS = 16384; // of vectors beside keys; longer texts have the plain numbers only

const plain = (/** @type {string} */ label) => label.replace('_', '');

/** @param {{columns: import('../../draw/blocks/rows.js').Column[], titles: string[]}} part rows of
 * draw/blocks/rows.js @param {readonly {piece: string}[]} tokens
 * @param {import('../view.js').Texts} t */
function keyRows({columns, titles}, tokens, t) {
    const shown = columns
        .map((column, i) => ({column, title: titles[i]}))
        .slice(1)
        .filter(
            ({column}) =>
                column.kind !== CELLS || column.grid.rows * column.grid.cols <= MOST_CELLS,
        );
    const names = shown.flatMap(({column, title}) =>
        column.kind === CELLS
            ? Array.from({length: column.grid.cols}, (_, i) => `${title} ${i}`)
            : [title],
    );
    const numbers = (/** @type {number} */ row) =>
        shown.flatMap(({column}) => {
            if (column.kind === CELLS) {
                return Array.from({length: column.grid.cols}, (_, i) =>
                    signed(valueAt(column.grid, row, i), DIGITS),
                );
            }
            return column.kind === TOKENS ? [] : [signed(column.values[row], DIGITS)];
        });
    return {
        columns: [t.position, t.key, ...names],
        rows: tokens.map(
            ({piece}, row) =>
                /** @type {Cell[]} */ ([row, {text: piece, user: true}, ...numbers(row)]),
        ),
    };
}

/** @param {any[]} vectors of draw/blocks/vector.js @param {import('../view.js').Texts} t */
function vectorRows(vectors, t) {
    const length = Math.max(...vectors.map(({values}) => values.length));
    return {
        columns: ['', t.neuron.neuron, ...vectors.map(({label}) => plain(label))],
        rows: Array.from({length}, (_, i) => [
            '',
            i,
            ...vectors.map(({values}) => (i < values.length ? signed(values[i], DIGITS) : '')),
        ]),
    };
}

/** @param {Scene} scene @param {Texts} t */
export function stepsRows(scene, t) {
    const parts = partsOf(scene.id, 'vectors', scene, t);
    const rows = /** @type {any} */ (parts.find(part => part.columns));
    const vectors = parts.filter(part => part.values);
    return {
        caption: captionOf(scene, t),
        ...(rows ? keyRows(rows, scene.tokens, t) : vectorRows(vectors, t)),
    };
}

/** @param {Scene} scene @param {Texts} t */
export const captionOf = ({step, id, named, tokens, token}, t) =>
    t.steps.caption(step + 1, stageOf(id, t).title, named.layer, named.head, tokens[token].piece);
