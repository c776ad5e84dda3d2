/* rows - every number of the neuron view for the picked query: a row a key, a column a neuron and
 * quantity, and the sum below. For long texts only the products, which make up the scores.
 */
import {signed} from '../../draw/chart.js';
import {exact} from '../../draw/scale.js';
import {queryScene} from './scene.js';

/** @import {Cell} from '../view.js' */

// T·d above which a table of everything would keep the browser busy for seconds
const MOST_CELLS = 8192;
const DIGITS = 4;

const number = (/** @type {number} */ value) => signed(value, DIGITS);

/** The blocks of cells that the table has. @param {import('./scene.js').HeadScene} scene
 * @param {import('./scene.js').QueryScene} shown @param {boolean} all */
function blocksOf({q, k, v}, shown, all) {
    const full = [
        {name: 'q', data: q},
        {name: 'k', data: k},
        {name: 'q×k', data: shown.products.data},
        {name: 'v', data: v},
        {name: 'a×v', data: shown.weighted.data},
    ];
    return all ? full : full.filter(({name}) => name === 'q×k');
}

/** @param {import('./scene.js').HeadScene} scene @param {import('../view.js').Texts} t */
export function neuronRows(scene, t) {
    const shown = queryScene(scene, scene.token);
    const {tokens, T, d} = scene;
    const all = T * d <= MOST_CELLS;
    const blocks = blocksOf(scene, shown, all);
    const neurons = Array.from({length: d}, (_, j) => j);
    const old = shown.before;
    const rows = tokens.map(
        ({piece}, key) =>
            /** @type {Cell[]} */ ([
                key,
                {text: piece, user: true},
                number(shown.scores[key]),
                exact(shown.weights[key]),
                ...(shown.moved ? [exact(shown.moved[key])] : []),
                ...(old ? [number(old.scores[key]), exact(old.weights[key])] : []),
                ...blocks.flatMap(block => neurons.map(j => number(block.data[key * d + j]))),
            ]),
    );
    if (all) {
        const empty = Array((old ? 4 : 2) + (shown.moved ? 1 : 0) + 4 * d).fill('');
        rows.push(['', 'Σ a×v', ...empty, ...Array.from(shown.sum, number)]);
    }
    const score = `q·k/√${d}`;
    const before = [`${t.neuron.before}: ${score}`, `${t.neuron.before}: ${t.weight}`];
    return {
        caption: t.neuron.tableCaption(scene.layer, scene.head, tokens[shown.query].piece, all),
        columns: [
            ...[t.position, t.key, score, t.weight],
            ...(shown.moved ? [t.moved] : []),
            ...(old ? before : []),
            ...blocks.flatMap(({name}) => neurons.map(j => `${name} ${j}`)),
        ],
        rows,
    };
}
