/* still - the head view of <head-light> while there is no model: the page's own figure on
 * precomputed attention, with the strongest partners of a token in a line or two instead of the
 * panel. Small, since it comes with the first load.
 */
import {h} from 'preact';
import {decimal} from '../draw/scale.js';
import {Picture} from '../draw/blocks.js';
import {headDrawing} from '../views/head/drawing.js';
import {ranked} from '../views/head/partners.js';
import {say} from '../views/head/rows.js';
import {chosenOf, selection, shownName, wholeScene} from '../views/head/scene.js';
import {Figure} from '../figure/figure.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Precomputed} from '../files/precomputed.js'
 * @import {Page as Texts} from '../words/languages.js'
 * @import {ElementWords as Still} from '../words/element.js'
 * @typedef {typeof import('./own.js') | null} Own
 */

const MOST = 5;

/** The words as the views know them: only those that the head view says are there.
 * @param {Still} still @returns {Texts} */
const textsOf = still =>
    /** @type {Texts} */ (
        /** @type {unknown} */ ({
            ...still.words,
            head: still.head,
            code: still.code,
            canvasHelp: still.element.keys,
        })
    );

/** The strongest partners of the chosen tokens, by mean weight over the heads. In 255ths, 0 and 1
 * are not meant exactly.
 * @param {{state: State, data: import('../views/view.js').ViewData, t: Texts}} props */
function Partners({state, data, t}) {
    const scene = selection(state, data);
    const chosen = chosenOf(scene, data.focus, state);
    if (!chosen) return null;
    const bdi = (/** @type {number} */ index) => h('bdi', null, scene.tokens[index].piece);
    const does = chosen.side === 'query' ? t.head.looksAt : t.head.lookedAtBy;
    return h(
        'div',
        {class: `panel ${chosen.side}`},
        h(
            'h2',
            null,
            chosen.indexes.map(index => [bdi(index), ' ']),
            does(chosen.indexes.length),
        ),
        h(
            'ul',
            null,
            ranked(scene, chosen)
                .slice(0, MOST)
                .filter(({mean}) => mean > 0)
                .map(({index, mean}) =>
                    h(
                        'li',
                        {key: index},
                        bdi(index),
                        ' ',
                        h('span', {class: 'number'}, mean < 1 ? decimal(mean) : '>0.99'),
                    ),
                ),
        ),
    );
}

/** @param {Precomputed} figure @param {Still['element']} words @param {Own} own
 * @returns {import('../views/view.js').View} */
const viewOf = (figure, words, own) =>
    /** @type {any} */ ({
        id: 'head',
        edits: () => true,
        render: (/** @type {any} */ state, /** @type {any} */ data, /** @type {any} */ on) =>
            h(Picture, {view: own?.marked(headDrawing) ?? headDrawing, state, data, on}),
        howTo: (/** @type {Texts} */ t, /** @type {State} */ state) => [
            words.howTo(shownName(state, figure, t)),
        ],
        panel: (/** @type {any} */ state, /** @type {any} */ data, /** @type {Texts} */ t) =>
            h(Partners, {state, data, t}),
        describe: (/** @type {any} */ state, /** @type {any} */ data, /** @type {Texts} */ t) =>
            say(wholeScene(state, data), t),
    });

/** @param {Precomputed} figure @returns {import('../views/view.js').Computed} */
const computedOf = ({model, pass, tensors}) => ({model, pass, tensors, fills: [], before: null});

/** @param {{state: State, set: (patch: Partial<State>) => void, figure: Precomputed, still: Still,
 *     theme: string, own: Own}} props */
export function StillFigure({state, set, figure, still, theme, own}) {
    const {rows, cols} = selection(state, computedOf(figure));
    const t = textsOf(still);
    const view = viewOf(figure, still.element, own);
    const data = {...computedOf(figure), theme};
    // The figure asks for its width first; its room is there before.
    return h(
        'div',
        {part: 'figure', style: {'--rows': String(Math.max(rows[1] - rows[0], cols[1] - cols[0]))}},
        h(Figure, {view, state, data, set, t, busy: false, peek: -1, frozen: true}),
    );
}
