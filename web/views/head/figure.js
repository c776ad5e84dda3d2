/* figure - the head view as HTML: two columns of buttons over one canvas. The buttons carry data-side, data-index and
 * data-last; what pointing, pressing and arrow keys do with them is the page's affair (ui/figure.js).
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {ROW} from '../../draw/tokens.js';
import {Caption} from './caption.js';
import {canMask, Column, topWords} from './column.js';
import {basePainter, focusPainter} from './marks.js';
import {chosenOf, headScene, pinnedRows, selection} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {{state: ViewState, data: import('../view.js').ViewData, on: import('../view.js').On}} Props
 */

const ROOMY = 480;   // below, the words stand in the numbers only
const BESIDE = 84;   // px for the word that the model expects at a query

/** @param {{layout: Scene['layout'], t: import('../view.js').Texts}} props */
function Axes({layout, t}) {
    const axis = (/** @type {string} */ side, /** @type {string} */ name, /** @type {string} */ does) =>
        h('span', {class: `axis ${side}`, style: {width: `${layout.box + layout.gutter}px`,
            [side === 'query' ? 'paddingLeft' : 'paddingRight']: `${layout.gutter}px`}},
        h('span', null, name, h('small', null, does)));
    return h('div', {class: 'axes', 'aria-hidden': true}, axis('query', t.query, t.queryDoes), axis('key', t.key, t.keyDoes));
}

/** The state with only the previewed head, or as it is. A rollout has no heads. @param {ViewState} state @param {number} peek
 * @returns {ViewState} */
export const lookedAt = (state, peek) => peek < 0 || state.mix === 'rollout' ? state
    : {...state, heads: [peek], mix: state.mix === 'mean' ? 'heads' : state.mix};

/** Frames around the tokens whose lines are shown. @param {{scene: Scene, side: string, indexes: number[]}} props */
function Marks({scene: {layout, rows, cols}, side, indexes}) {
    const {box, gutter} = layout;
    const first = side === 'query' ? rows[0] : cols[0];
    return indexes.map(index => h('div', {key: index, class: `mark ${side}`, style: {width: `${box}px`, height: `${ROW}px`,
        [side === 'query' ? 'left' : 'right']: `${gutter}px`, transform: `translateY(${(index - first) * ROW}px)`}}));
}

/** @param {Props} props */
export function HeadFigure({state, data, on}) {
    const {width, theme, t, cursor, peek, fills, pass: {tokens}} = data;
    const beside = state.fillings && width >= ROOMY ? BESIDE : 0;
    const scene = useMemo(() => headScene(state, data, width, beside), [selection(state, data), width, beside]);
    const looked = useMemo(() => lookedAt(state, peek), [state, peek]);
    const seen = useMemo(() => peek < 0 ? scene : headScene(looked, data, width, beside), [scene, looked]);
    const chosen = chosenOf(scene, data.focus, state);
    const chosenKey = chosen && `${chosen.side} ${chosen.indexes}`;
    const base = useMemo(() => basePainter(scene, theme), [scene, theme]);
    const overlay = useMemo(() => chosen ? focusPainter(seen, chosen, theme) : seen === scene ? null : basePainter(seen, theme),
        [seen, scene, theme, chosenKey]);
    const words = useMemo(() => beside ? topWords(fills, tokens) : null, [beside, fills, tokens]);
    const pinned = pinnedRows(scene, state).join();
    const {layout, layout: {box, gutter}} = scene;
    const column = (/** @type {string} */ side, /** @type {number[]} */ [from, to], /** @type {string} */ label) =>
        h(Column, {tokens: scene.tokens, from, to, side, box, gutter, label, masked: state.masked, canMask: canMask(data.model),
            words: side === 'query' ? words : null, pinned: state.side === side ? pinned : '',
            stop: cursor?.side === side ? cursor.index : -1});
    return h('div', {class: 'head-view', style: {width: `${layout.width}px`}},
        h(Caption, {state, data, on}),
        h(Axes, {layout, t}),
        h('div', {class: 'columns', style: {height: `${layout.height}px`}},
            h(on.Canvas, {width: layout.width, height: layout.height, base, overlay}),
            column('query', scene.rows, t.head.queryColumn), column('key', scene.cols, t.head.keyColumn),
            chosen && h(Marks, {scene, ...chosen})));
}
