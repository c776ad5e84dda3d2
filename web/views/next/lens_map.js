/* lens_map - the logit lens at every position: layers down, positions across; the higher the last layer's
 * word already ranks, the stronger the colour. Computed when asked for, one position after the other.
 */
import {h} from 'preact';
import {heading} from '../../draw/blocks/prose.js';
import {page} from '../../draw/blocks.js';
import {heat} from '../../draw/blocks/heat.js';
import {paperOf} from '../../draw/paper.js';
import {percent} from '../../draw/scale.js';
import {lensAt} from '../parts/lens.js';

/**
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('../../worker/passes.js').Lens} Lens
 * @typedef {ReturnType<typeof lensMapOf>} LensMap
 */

const FAINTEST = 4; // powers of ten: a rank of 10,000 and beyond has no colour

export const MAP_NEED = lensAt('all', 1);

/** How strong the colour of a rank is. @param {number} rank from 1 */
export const inkOfRank = rank => Math.max(0, 1 - Math.log10(rank) / FAINTEST);

/** @param {Lens[]} found at each position @param {import('../view.js').Computed['pass']} pass
 * @param {(string | null)[]} names of changed tokens @param {number} layers
 * @param {(layer: number) => number} count */
export const lensMapOf = (found, {tokens}, names, layers, count) => ({
    layers: Array.from({length: layers}, (_, layer) => count(layer)),
    tokens: tokens.map(({piece}, i) => names[i] ?? piece),
    last: found.map(({words: [word]}) => word),
    cell(/** @type {number} */ layer, /** @type {number} */ position) {
        const {pieces, probabilities, ranks, shares} = found[position];
        return {
            piece: pieces[layer],
            probability: probabilities[layer],
            rank: ranks[layer * layers],
            share: shares[layer * layers],
        };
    },
});

/** The cell pointed at, in words. @param {{scene: any, over: {row: number, col: number}, data: {t: Texts}}} props */
function Readout({scene: {map}, over: {row, col}, data: {t}}) {
    const {piece, probability, rank, share} = map.cell(row, col);
    const words = t.next.lens;
    const word = (/** @type {string} */ text) => h('bdi', {class: 'key'}, text);
    return h(
        'p',
        {class: 'shift-readout', 'aria-live': 'polite'},
        t.layerName(map.layers[row]),
        t.comma,
        h('bdi', {class: 'query'}, map.tokens[col]),
        h('small', null, ` ${col}`),
        ': ',
        word(piece),
        ` ${percent(probability)} · ${words.columns.rankOf} (`,
        word(map.last[col]),
        '): ',
        h('strong', {class: 'number'}, rank),
        `, ${percent(share)}`,
    );
}

/** @param {LensMap} map @param {import('../../draw/blocks.js').Look} look @param {Texts} t */
export function mapBlocks(map, {theme, file}, t) {
    const words = t.next.lens;
    return [
        file && heading(words.map, 26, {x: 4, y: 16, 'font-size': 13}),
        page(Readout, {id: 'lens-readout'}),
        heat({
            id: 'lens-map',
            rows: map.layers.map(String),
            cols: map.tokens,
            valueAt: (layer, position) => map.cell(layer, position).rank,
            inkOf: inkOfRank,
            colourOf: () => paperOf(theme).bar,
            visible: null,
            name: words.map,
            hint: words.keys,
            axes: {down: t.layer, across: t.next.columns.token},
            every: t.heatmap.every,
        }),
        page(() => h('p', {class: 'hint'}, words.ink)),
    ];
}

/** The cell pointed at; at first the last layer at the position that is shown. @param {any} scene
 * @param {import('../../draw/blocks.js').Pointed} pointed */
export function overMap({map, at}, {point}) {
    if (!map) return null;
    const inMap = point?.id === 'lens-map' ? point : {row: Infinity, col: at};
    const cell = {
        row: Math.min(inMap.row, map.layers.length - 1),
        col: Math.min(inMap.col, map.tokens.length - 1),
    };
    return {'lens-map': cell, 'lens-readout': cell};
}

/** A row a layer and position. @param {LensMap} map @param {Texts} t @returns {import('../view.js').Table} */
export function mapTable({layers, tokens, last, cell}, t) {
    const {columns, caption} = t.next.lens;
    const {first, chance, final, rankOf, shareOf} = columns;
    const user = (/** @type {string} */ text) => ({text, user: /** @type {const} */ (true)});
    return {
        caption,
        columns: [t.layer, t.position, t.next.columns.token, first, chance, final, rankOf, shareOf],
        rows: layers.flatMap((name, layer) =>
            tokens.map((token, position) => {
                const {piece, probability, rank, share} = cell(layer, position);
                return /** @type {import('../view.js').Cell[]} */ ([
                    ...[name, position, user(token), user(piece)],
                    {value: probability, text: percent(probability)},
                    ...[user(last[position]), rank],
                    {value: share, text: percent(share)},
                ]);
            }),
        ),
    };
}
