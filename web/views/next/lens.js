/* lens - the logit lens at the position shown (nostalgebraist 2020): the word that the model's own output
 * head reads from the stream after each layer, and how far up the last layer's word already is. Raw:
 * earlier layers were not trained to be read so.
 */
import {h} from 'preact';
import {page} from '../../draw/blocks.js';
import {title} from '../../draw/blocks/prose.js';
import {rows} from '../../draw/blocks/rows.js';
import {NUMBERS} from '../../draw/blocks/columns/numbers.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {percent} from '../../draw/scale.js';
import {needName} from '../needs.js';
import {termsIn} from '../parts/mark.js';
import {counted} from '../parts/select.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../../worker/passes.js').Lens} Lens
 */

const TOP = 5;
const [LAYER, WORD, NUMBER] = [64, 132, 108]; // px of columns

/** Of the token chosen, else of where words are asked for. @param {ViewState} state @param {string} kind
 * @returns {import('../needs.js').Need} */
export const lensNeed = ({token}, kind) => ({
    predictions: /** @type {any} */ (
        `lens:${token >= 0 ? token : kind === 'next' ? 'last' : 'masks'}`
    ),
    top: TOP,
});

/** A row a layer; null until it is there. @param {ViewState} state @param {Computed} data
 * @param {string} kind */
export function lensOf(state, {tensors, model: {layers}}, kind) {
    const found = /** @type {Lens | undefined} */ (
        /** @type {unknown} */ (tensors.get(needName(lensNeed(state, kind))))
    );
    if (!kind || !found) return null;
    const {ids, pieces, probabilities, ranks, shares, words} = found;
    const width = ids.length / layers;
    const count = counted(state);
    return {
        last: words[0],
        layers: Array.from({length: layers}, (_, layer) => ({
            name: count(layer),
            piece: pieces[layer * width],
            probability: probabilities[layer * width],
            rank: ranks[layer * layers],
            share: shares[layer * layers],
        })),
    };
}

/** @param {NonNullable<ReturnType<typeof lensOf>>} lens @param {Texts} t */
export function lensBlocks({last, layers}, t) {
    const words = t.next.lens;
    const {first, chance, rank, share} = words.columns;
    const titles = [t.layer, first, chance, rank(last), share(last)];
    const number = (/** @type {string} */ id, /** @type {number} */ i) => ({
        ...{id, kind: NUMBERS, title: titles[i], width: NUMBER},
    });
    const columns = [
        {
            ...{id: 'layer', kind: TOKENS, title: titles[0], width: LAYER},
            tokens: layers.map(({name}) => ({piece: String(name)})),
        },
        {
            ...{id: 'first', kind: TOKENS, title: titles[1], width: WORD},
            tokens: layers.map(({piece}) => ({piece})),
            tint: layers.map(({probability}) => probability),
        },
        {...number('chance', 2), text: percent, values: layers.map(one => one.probability)},
        {...number('rank', 3), text: String, values: layers.map(one => one.rank)},
        {...number('share', 4), text: percent, values: layers.map(one => one.share)},
    ];
    return [
        title(words.title),
        page(() => h('p', {class: 'hint'}, termsIn(t, words.hint))),
        rows(columns, {id: 'lens', titles}),
    ];
}
