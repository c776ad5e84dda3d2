/* lens - the logit lens at the position shown (nostalgebraist 2020): the word that the model's own output
 * head reads from the stream after each layer, and how far up the last layer's word already is. Raw:
 * earlier layers were not trained to be read so.
 */
import {h} from 'preact';
import {page} from '../../draw/blocks.js';
import {finding, note, title} from '../../draw/blocks/prose.js';
import {rows} from '../../draw/blocks/rows.js';
import {NUMBERS} from '../../draw/blocks/columns/numbers.js';
import {TOKENS} from '../../draw/blocks/columns/tokens.js';
import {percent} from '../../draw/scale.js';
import {Choice} from '../parts/choice.js';
import {lensAt} from '../parts/lens.js';
import {termsIn} from '../parts/mark.js';
import {MAP_NEED, mapBlocks, mapTable} from './lens_map.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../../worker/passes.js').Lens} Lens
 */

const TOP = 5;
const [LAYER, WORD, NUMBER] = [64, 132, 108]; // px of columns

/** Of the token chosen, else of where words are asked for. @param {ViewState} state @param {string} kind
 * @returns {import('../needs.js').Need} */
export const lensNeed = ({token}, kind) =>
    lensAt(token >= 0 ? token : kind === 'next' ? 'last' : 'masks', TOP);

/** @param {ViewState} state @param {string} kind */
export const lensNeeds = (state, kind) => [
    lensNeed(state, kind),
    ...(state.lens ? [MAP_NEED] : []),
];

/** A row a layer. @param {Lens} found @param {number} layers @param {(layer: number) => number} count */
export function lensOf({ids, pieces, probabilities, ranks, shares, words}, layers, count) {
    const width = ids.length / layers;
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

/** At one position. @param {ReturnType<typeof lensOf>} lens @param {Texts} t */
function tableBlock({last, layers}, t) {
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
    return rows(columns, {id: 'lens', titles});
}

/** From which layer on the last layer's word comes first. @param {ReturnType<typeof lensOf>} lens @param {Texts} t */
export function settled({last, layers}, t) {
    const isFirst = layers.map(({rank}) => rank === 1);
    const [from, first] = [isFirst.lastIndexOf(false) + 1, isFirst.indexOf(true)];
    return t.next.lens.settled({
        ...{word: last, layer: layers[from].name, share: percent(layers[from].share)},
        end: from < layers.length - 1 ? percent(layers[layers.length - 1].share) : '',
        before: first < from ? layers[first].name : -1,
    });
}

/** One position, or all. @param {import('../../draw/blocks.js').Props} props */
const Where = ({state, data: {t}, on}) =>
    h(Choice, {
        ...{name: 'lens', legend: t.next.lens.where, value: state.lens ? 'all' : 'one'},
        options: ['one', 'all'].map(value => ({value, label: t.next.lens.wheres[value]})),
        onChoose: one => on.set({lens: one === 'all'}),
    });

/** @param {import('./scene.js').Scene} scene @param {import('../../draw/blocks.js').Look} look
 * @param {Texts} t */
export function lensBlocks({lens, map, isMap}, look, t) {
    const words = t.next.lens;
    return [
        title(words.title),
        !isMap && lens && finding(settled(lens, t)), // in sight on a screen of 800 px
        page(() => h('p', {class: 'hint'}, termsIn(t, words.hint))),
        page(Where),
        ...(isMap
            ? map
                ? mapBlocks(map, look, t)
                : [note(t.next.waits)]
            : lens
              ? [tableBlock(lens, t)]
              : []),
    ];
}

/** As a file: a row a layer, or a layer and position. @param {import('./scene.js').Scene} scene @param {Texts} t
 * @returns {import('../view.js').Table | null} */
export function lensTable({lens, map, isMap, at, tokens}, t) {
    if (isMap) return map && mapTable(map, t);
    if (!lens) return null;
    const {first, chance, rank, share} = t.next.lens.columns;
    return {
        caption: t.next.lens.captionAt(at, tokens[at].piece),
        columns: [t.layer, first, chance, rank(lens.last), share(lens.last)],
        rows: lens.layers.map(one => [
            ...[one.name, {text: one.piece, user: /** @type {const} */ (true)}],
            ...[{value: one.probability, text: percent(one.probability)}, one.rank],
            {value: one.share, text: percent(one.share)},
        ]),
    };
}
