/* columns - the rows of the neuron view: from a query and the keys to weights, and from weights and
 * values to a sum. `open` names the blocks of cells that are unfolded.
 */
import {h} from 'preact';
import {BARS} from '../../draw/blocks/columns/bars.js';
import {CELLS} from '../../draw/blocks/columns/cells.js';
import {FAN} from '../../draw/blocks/columns/fan.js';
import {NUMBERS} from '../../draw/blocks/columns/numbers.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {headColour} from '../../draw/colour.js';

/**
 * @import {Column, CellsColumn} from '../../draw/blocks/rows.js'
 * @import {HeadScene, QueryScene} from './scene.js'
 * @import {Texts} from '../view.js'
 * @typedef {{scene: HeadScene, shown: QueryScene, t: Texts, open: readonly string[], narrow:
 *     boolean, tight: boolean, file: boolean, theme: string}} Look
 */

export const BLOCKS = {q: 'q', k: 'k', products: 'q × k', v: 'v', weighted: 'a × v'};
const [FAN_WIDTH, SHORT] = [72, 36];

const title = (/** @type {string} */ concept, /** @type {string} */ text) =>
    h('span', {class: `of-${concept}`}, text);

/** q of the query in its frame, k and the products of all keys. @param {Look} look
 * @returns {CellsColumn[]} */
function scoreBlocks({scene: {vectorScale, productScale, zeroed}, shown, file}) {
    const {decision, query} = shown;
    // neurons that decide
    const marks = decision && !file ? decision.order.slice(0, decision.half) : [];
    /** @type {(id: string, name: any, grid: import('../../draw/marks/matrix.js').Grid, scale:
     *     import('../../draw/chart.js').Scale) => CellsColumn} */
    const block = (id, name, grid, scale) => ({
        ...{id, kind: CELLS, title: name, grid, scale},
        marks,
        struck: zeroed,
    });
    return [
        {...block('q', title('query', 'q'), shown.q, vectorScale), faint: query, framed: query},
        block('k', title('key', 'k'), shown.k, vectorScale),
        block('products', 'q × k', shown.products, productScale),
    ];
}

/** From the query to the keys, between q and k. @param {Look} look @returns {Column} */
const fan = ({scene: {head}, shown: {query, weights}, theme, tight}) => ({
    ...{id: 'fan', kind: FAN, title: '', width: tight ? SHORT : FAN_WIDTH},
    from: query,
    values: weights,
    colour: headColour(head, theme),
});

/** The scores and the weights. @param {Look} look @returns {Column[]} */
const results = ({scene: {d}, shown: {scores, weights, before}, t, narrow, file}) => [
    {
        ...{id: 'score', kind: NUMBERS, title: `q·k / √${d}`, width: 68},
        ...{values: scores, old: before?.scores ?? null, was: t.inside.was},
    },
    {
        ...{id: 'weight', kind: BARS, title: 'softmax', width: file ? 104 : narrow ? 64 : 124},
        ...{values: weights, old: before?.weights ?? null, was: t.inside.was},
    },
];

/** @param {Look} look @returns {Column[]} */
export function scoreColumns(look) {
    const {scene, shown, t, open, narrow} = look;
    const {tokens} = scene;
    const most = Math.max(...shown.weights);
    const [q, ...others] = scoreBlocks(look).map(block => (open.includes(block.id) ? block : null));
    const lines = !narrow && q && others.some(Boolean) ? fan(look) : null;
    // On a narrow page one column of tokens stands for both: each row is a key, the query in a box.
    const key = title('key', t.key);
    const first = !narrow ? t.query : q ? [title('query', t.query), ' / ', key] : key;
    /** @type {Column[]} */
    const ends = [
        {
            ...{id: 'query', kind: TOKENS, title: first, tokens, side: 'query'},
            ...{label: t.head.queryColumn, boxed: shown.query},
        },
        {
            ...{id: 'key', kind: TOKENS, title: t.key, tokens, side: 'key'},
            label: t.head.keyColumn,
            tint: Float32Array.from(shown.weights, weight => (most > 0 ? weight / most : 0)),
        },
    ];
    return [ends[0], q, lines, ...others, ...results(look), narrow ? null : ends[1]].flatMap(
        column => (column ? [column] : []),
    );
}

/** The headings of the same as plain text, of a file. @param {HeadScene} scene @param {Texts} t */
export const scoreTitles = ({d}, t) => [
    ...[t.query, 'q', '', 'k', 'q × k'],
    ...[`q·k / √${d}`, 'softmax', t.key],
];

/** @param {Look} look @returns {Column[]} */
export function valueColumns({scene, shown, open, narrow, t}) {
    const {tokens, valueScale, sumScale} = scene;
    /** @type {Column[]} */
    const blocks = [
        {id: 'v', kind: CELLS, title: title('value', 'v'), grid: shown.v, scale: valueScale},
        {id: 'weighted', kind: CELLS, title: 'a × v', grid: shown.weighted, scale: sumScale},
    ];
    return [
        {id: 'key', kind: TOKENS, title: t.key, tokens},
        {id: 'weight', kind: BARS, title: 'a', values: shown.weights, width: narrow ? 46 : 104},
        ...blocks.filter(({id}) => open.includes(id)),
        ...(shown.moved
            ? [
                  {
                      id: 'moved',
                      kind: BARS,
                      title: t.moved,
                      values: shown.moved,
                      width: narrow ? 64 : 124,
                  },
              ]
            : []),
    ];
}
