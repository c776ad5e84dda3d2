/* why_similar - below the similarity of two texts: what each pair of their tokens adds to it, as a table
 * whose cells sum to the number (hl_split), and the largest pairs. Of mean pooling with cosine or dot product
 * only; for others the engine says why not. Fetched by its press.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {splitOf} from '../engine/similarity.js';
import {signed} from '../draw/chart.js';
import {total} from '../draw/scale.js';
import {table} from '../draw/table.js';
import {Several} from './several_texts.js';
import {pairsOf} from '../save/pairs.js';
import {Files} from './similar_files.js';
import {useFound} from '../shell/use_found.js';

/**
 * @typedef {Awaited<ReturnType<typeof splitOf>>} Split
 * @typedef {import('../words/languages.js').Dialogs['similarity']['why']} Words
 */

const PAIRS = 8; // that are listed
const MOST = 4096; // cells that are drawn
const DIGITS = 4;
const MOST_INK = 35; // per cent, so that numbers can be read on it

/** @param {Split} split */
const cellsOf = ({data, shape: [, across]}) =>
    Array.from(data, (value, i) => ({value, a: Math.floor(i / across), b: i % across}));

/** The pairs that add or take most. @param {Split} split */
export const largest = split =>
    cellsOf(split)
        .sort((x, y) => Math.abs(y.value) - Math.abs(x.value) || x.a - y.a || x.b - y.b)
        .slice(0, PAIRS);

/** A row of the table: a token of A, what it adds with each of B, and the sum. @param {{name: string,
 *     cells: Float32Array, full: number}} props   full: the largest cell of all */
function Row({name, cells, full}) {
    const ink = (/** @type {number} */ value) => {
        const colour = value < 0 ? 'negative' : 'positive';
        const share = Math.round((MOST_INK * Math.abs(value)) / full);
        return {background: `color-mix(in srgb, var(--${colour}) ${share}%, transparent)`};
    };
    return h(
        'tr',
        null,
        h('th', {scope: 'row'}, h('bdi', null, name)),
        Array.from(cells, (value, i) =>
            h('td', {key: i, class: 'number', style: ink(value)}, signed(value, DIGITS)),
        ),
        h('td', {class: 'number'}, signed(total(cells), DIGITS)),
    );
}

/** @param {{split: Split, words: Words}} props */
function Cells({split: {data, tokens}, words}) {
    const [a, b] = tokens;
    const full = Math.max(...data.map(Math.abs)) || 1;
    const columns = ['A \\ B', ...b, 'Σ'].map((name, i) =>
        h('th', {key: i, scope: 'col'}, h('bdi', null, name)),
    );
    return h(
        'div',
        {class: 'pairs-map scroll', role: 'region', tabIndex: 0, 'aria-label': words.title},
        table(
            {columns},
            a.map((name, i) =>
                h(Row, {
                    ...{key: i, name, full},
                    cells: data.subarray(i * b.length, (i + 1) * b.length),
                }),
            ),
        ),
    );
}

/** @param {{split: Split, words: Words, texts?: string[]}} props */
export function Found({split, words, texts}) {
    const [a, b] = split.tokens;
    return [
        h('p', {key: 'says', class: 'hint'}, words.says),
        h(
            'ol',
            {key: 'pairs'},
            largest(split).map(pair =>
                h(
                    'li',
                    {key: `${pair.a} ${pair.b}`},
                    h('bdi', null, a[pair.a]),
                    ' · ',
                    h('bdi', null, b[pair.b]),
                    ' ',
                    h('span', {class: 'number'}, signed(pair.value, DIGITS)),
                ),
            ),
        ),
        split.data.length <= MOST
            ? h(Cells, {key: 'map', split, words})
            : h('p', {key: 'map', class: 'hint'}, words.large),
        h(Files, {key: 'files', label: words.files, matrix: pairsOf(split, words, texts)}),
    ];
}

/** The pairs of tokens of two texts, once they are there. @param {import('./similarity.js').Compare & {texts: string[],
 *     words: Words}} props */
function Pair({session, precision, texts, words}) {
    const found = useFound(
        signal => splitOf(session.beside(), texts, precision, signal),
        [session, precision, ...texts],
    );
    return h(
        'div',
        {class: 'token-pairs', role: 'status'},
        found?.found ? h(Found, {split: found.found, words, texts}) : (found?.why ?? words.coming),
    );
}

/** Of sentence A and sentence B, or of two of several texts. @param {import('./similarity.js').Compare & {texts: string[],
 *     words: Words}} props */
export function Why({texts, words, ...compare}) {
    const [chosen, onPick] = useState(/** @type {string[] | null} */ (null));
    useEffect(() => onPick(null), texts);
    const pair = chosen ?? texts;
    return [
        h(Several, {
            ...{key: 'several', ...compare, texts, words: words.several, every: words.every},
            ...{chosen: chosen ?? [], onPick},
        }),
        chosen &&
            h(
                'p',
                {key: 'which'},
                pair.map((text, i) => [i > 0 && ' · ', h('bdi', null, text)]),
            ),
        h(Pair, {key: 'pair', ...compare, texts: pair, words}),
    ];
}
