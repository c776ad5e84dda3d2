/* several - q × k of two or three queries side by side, on one scale: whether the same neurons decide
 * for each, after the three pictures of a next-word head in Vig (2019). Marks stand above the neurons
 * that make up half of the lead (decide.js); a frame is around the key that wins.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {group, page} from '../../draw/blocks.js';
import {CELLS} from '../../draw/blocks/columns/cells.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {flow} from '../../draw/blocks/flow.js';
import {rows} from '../../draw/blocks/rows.js';
import {decimal} from '../../draw/scale.js';
import {toggler} from './page.js';
import {queryScene} from './scene.js';

/** @import {Look} from './columns.js' */

const MOST = 3;
const SPACE = 24;

const rising = (/** @type {number[]} */ list) => [...new Set(list)].sort((a, b) => a - b);

/** The queries to begin with: the one shown, and two others spread over the text.
 * @param {number} query @param {number} T */
export const spread = (query, T) =>
    rising(Array.from({length: MOST}, (_, n) => (query + n * Math.ceil(T / MOST)) % T));

/** With this query or without it; one too many takes the place of the first.
 * @param {readonly number[]} queries @param {number} index */
export const toggled = (queries, index) =>
    queries.includes(index)
        ? queries.filter(query => query !== index)
        : rising([...queries.slice(1 - MOST), index]);

/** Those of the state that the text has. @param {readonly number[]} queries @param {number} T */
export const within = (queries, T) => queries.filter(query => query < T).slice(0, MOST);

/** The query, the key that wins and its weight, as the heading of a column. @param {Look} look
 * @param {import('./scene.js').QueryScene} shown */
function headingOf({scene: {tokens}, narrow}, {query, decision, weights}) {
    const from = `${query} ${tokens[query].piece}`;
    if (!decision || narrow) return from;
    const {winner} = decision;
    return `${from} → ${tokens[winner].piece} ${decimal(weights[winner])}`;
}

/** @param {Look} look @param {import('./scene.js').QueryScene} shown
 * @returns {import('../../draw/blocks/rows.js').CellsColumn} */
const columnOf = (look, shown) => ({
    ...{id: `products${shown.query}`, kind: CELLS, title: headingOf(look, shown)},
    ...{grid: shown.products, scale: look.scene.productScale, struck: look.scene.zeroed},
    ...{framed: shown.decision?.winner, marks: shown.decision?.order.slice(0, shown.decision.half)},
});

/** @param {Look} look @param {readonly number[]} queries */
function strips(look, queries) {
    const {scene, t} = look;
    const columns = queries.map(query => columnOf(look, queryScene(scene, query)));
    return rows([{id: 'key', kind: TOKENS, title: t.key, tokens: scene.tokens}, ...columns], {
        id: 'several',
        titles: [t.key, ...columns.map(({title}) => String(title))],
        after: SPACE,
        onPick(place, touch, props) {
            if (!touch) toggler(props)(place.col);
        },
    });
}

/** Opens and closes the comparison. @param {import('../../draw/blocks.js').Props & {block: any}} props */
const Opener = ({data: {t}, on, scene, block: {queries, query}}) =>
    h(
        'p',
        null,
        buttonOf(
            'plain',
            {
                'aria-expanded': queries.length > 0,
                onClick() {
                    on.local({compared: true}); // it stays where it was pressed
                    on.set({queries: queries.length ? [] : spread(query, scene.T)});
                },
            },
            t.neuron.several,
        ),
    );

/** @param {Look} look @param {readonly number[]} asked the queries of the state
 * @returns {import('../../draw/blocks.js').Block[]} */
export function several(look, asked) {
    const {scene, shown, t, file} = look;
    const queries = within(asked, scene.T);
    const opener = page(Opener, {queries, query: shown.query});
    if (!queries.length) return [opener];
    if (file) return [strips(look, queries)];
    const choice = flow({
        name: t.neuron.several,
        words: scene.tokens.map(({piece}, index) => ({index, piece})),
        isPressed: index => queries.includes(index),
        onPick: (index, {on}) => on.set({queries: toggled(queries, index)}),
    });
    return [
        opener,
        group(
            inside => h('section', {class: 'several', 'aria-label': t.neuron.several}, inside),
            [
                page(() => h('p', {class: 'soft'}, t.neuron.severalSays)),
                choice,
                strips(look, queries),
            ],
        ),
    ];
}
