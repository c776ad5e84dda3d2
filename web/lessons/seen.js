/* seen - the number that a step of a lesson, or a figure of an article, is about: read from what the
 * model has just computed, never from the lesson's file, which only says what to read and which bound
 * the number keeps. Pure; the page shows it (number.js), tests and `npm run stories` check it.
 *
 *   weight    of a query on some keys, summed: {kind, head: [l, h], query, keys, atLeast}
 *   share     the same, mean over all queries: {kind, head, keys, atLeast}
 *   own       share of attention that stays in the query's own sentence, mean: {kind, head, atLeast}
 *   next      weight on the next token, mean over the queries that have one: {kind, head, atLeast}
 *   score     q · k of a query and a key: {kind, head, query, keys, atLeast}; scaled: the same / √d
 *   fill      probability of a word at a [MASK]: {kind, query, word, atLeast}
 *   neurons   share of the queries for which all of these are among the neurons that make up half of
 *             the winning key's lead (views/neuron/decide.js): {kind, head, neurons, atLeast}
 *   sieve     the sieve bias score of a role on this text (src/measure/patterns.h): {kind, head, role,
 *             atLeast}
 *   link      of the last word `from` on the first word `to`, whatever tokens they are cut into:
 *             {kind, head, from, to, atLeast}; for models whose tokens the lesson cannot know
 *   measure   a measure of one head (src/measure/patterns.c): {kind, head, measure, atLeast}
 *   upper     a measure's mean over the heads of the upper half of the layers, less that over the lower:
 *             {kind, measure, atLeast}
 * atMost in place of atLeast: what breaks under a change.
 */
import {given} from '../draw/marks/arcs.js';
import {total} from '../draw/scale.js';
import {dot} from '../draw/vector.js';
import {decide, keySum} from '../views/neuron/decide.js';

/**
 * @typedef {{data: ArrayLike<number>, shape: number[]}} Tensor
 * @typedef {{kind: string, head?: number[], query?: number, keys?: number[], word?: string, neurons?:
 *     number[], role?: string, from?: string, to?: string, measure?: string, atLeast?: number, atMost?:
 *     number}} Seen
 * @typedef {{tokens: readonly {type: number, sentence: number, piece: string, word?: number, special?: boolean}[],
 *     tensor: (name: string) => Tensor | undefined, measure?: (name: string, of?: string) =>
 *     ArrayLike<number> | null,
 *     model?: {layers: number, heads: number} | null,
 *     fills?: readonly {index: number, words: {piece: string, probability: number}[]}[]}} Source
 *   tensor: by name and layer, 'attention.3'; measure: of the patterns, or of the 'sieves' of a role
 */

/** In the order in which C has them. */
export const ROLES = ['local', 'delimiter', 'cls', 'sep', 'block'];

/** Rows of one head as a function. @param {Tensor | undefined} tensor [H, T, C] @param {number} head */
export function rowsOf(tensor, head) {
    if (!tensor) return null;
    const {
        data,
        shape: [, rows, columns],
    } = tensor;
    return (/** @type {number} */ i, /** @type {number} */ j) =>
        data[(head * rows + i) * columns + j];
}

const mean = (/** @type {number[]} */ list) => total(list) / list.length;

/** @param {Source} source @param {Seen} seen */
function deciding({tensor, tokens}, {head: [layer, head] = [0, 0], neurons = []}) {
    const [q, k] = [tensor(`q.${layer}`), tensor(`k.${layer}`)];
    const weights = rowsOf(tensor(`attention.${layer}`), head);
    if (!q || !k || !weights) return null;
    const [, T, d] = q.shape;
    const group = q.shape[0] / k.shape[0];
    const part = (/** @type {Tensor} */ {data}, /** @type {number} */ at) =>
        Array.from({length: T * d}, (_, i) => data[at * T * d + i]);
    const keys = {data: part(k, Math.floor(head / group)), tokens: T, width: d};
    const sum = keySum(keys);
    const all = part(q, head);
    const hits = tokens.map((_, i) => {
        const row = tokens.map((__, j) => weights(i, j));
        const made = decide(
            all.slice(i * d, (i + 1) * d),
            keys,
            sum,
            row.indexOf(Math.max(...row)),
        );
        const half = made?.order.slice(0, made.half) ?? [];
        return neurons.every(neuron => half.includes(neuron)) ? 1 : 0;
    });
    return mean(hits);
}

/** The tokens of each word that reads so, in either case. @param {Source['tokens']} tokens
 * @param {string} wanted @returns {number[][]} */
function wordsLike(tokens, wanted) {
    /** @type {Map<string, number[]>} */
    const words = new Map();
    tokens.forEach(({word = -1, type}, i) => {
        if (word >= 0) words.set(`${type}.${word}`, [...(words.get(`${type}.${word}`) ?? []), i]);
    });
    const text = (/** @type {number[]} */ list) =>
        list.map(i => tokens[i].piece.replace(/^##|^[▁Ġ␣]/, '')).join('');
    return [...words.values()].filter(list => text(list).toLowerCase() === wanted.toLowerCase());
}

/** q · k, one of the heads of keys for a group of heads of queries. @param {Source} source @param {Seen} seen
 * @param {boolean} scaled by 1 / √d */
function scoreOf({tensor}, {head: [layer, head] = [0, 0], query = 0, keys: [key] = []}, scaled) {
    const [q, k] = [tensor(`q.${layer}`), tensor(`k.${layer}`)];
    if (!q || !k) return null;
    const [, T, d] = q.shape;
    const row = (/** @type {Tensor} */ {data}, /** @type {number} */ at) =>
        Array.from(data).slice(at * d, (at + 1) * d);
    const keyHead = Math.floor((head * k.shape[0]) / q.shape[0]);
    const product = dot(row(q, head * T + query), row(k, keyHead * T + key));
    return product / (scaled ? Math.sqrt(d) : 1);
}

/** What queries of a head give to keys; NaN where it is not there. @param {Source} source @param {number[]} [place] */
function givenBy({tensor}, [layer, head] = [0, 0]) {
    const attention = tensor(`attention.${layer}`);
    return (/** @type {number[]} */ queries, /** @type {number[]} */ keys) =>
        attention ? given(attention, [head], queries, keys) : NaN;
}

/** @type {Record<string, (source: Source, seen: Seen) => number | null>} */
const READ = {
    weight: (source, {head, query = 0, keys = []}) => givenBy(source, head)([query], keys),
    share: (source, {head, keys = []}) => givenBy(source, head)([...source.tokens.keys()], keys),
    own(source, {head}) {
        const [gives, types] = [givenBy(source, head), source.tokens.map(({type}) => type)];
        const alike = types.map(type => types.flatMap((one, i) => (one === type ? [i] : [])));
        return mean(alike.map((keys, i) => gives([i], keys)));
    },
    next(source, {head}) {
        const gives = givenBy(source, head);
        return mean(source.tokens.slice(1, -1).map((_, i) => gives([i + 1], [i + 2])));
    },
    fill: ({fills}, {query, word}) =>
        fills?.find(({index}) => index === query)?.words.find(({piece}) => piece.trim() === word)
            ?.probability ?? null,
    score: (source, seen) => scoreOf(source, seen, false),
    scaled: (source, seen) => scoreOf(source, seen, true),
    neurons: deciding,
    link(source, {head, from = '', to = ''}) {
        const {tokens} = source;
        const [queries, keys] = [wordsLike(tokens, from).at(-1), wordsLike(tokens, to)[0]];
        return queries && keys ? givenBy(source, head)(queries, keys) : null;
    },
    measure({measure, model}, {head: [layer, head] = [0, 0], measure: name = ''}) {
        const values = measure?.(name);
        return values && model ? values[layer * model.heads + head] : null;
    },
    upper({measure, model}, {measure: name = ''}) {
        const values = measure?.(name);
        if (!values || !model) return null;
        const half = Math.floor(model.layers / 2) * model.heads;
        return mean(Array.from(values).slice(half)) - mean(Array.from(values).slice(0, half));
    },
    sieve({measure, model}, {head: [layer, head] = [0, 0], role = ''}) {
        const values = measure?.(role, 'sieves');
        return values && model ? values[layer * model.heads + head] : null;
    },
};

export const KINDS = Object.keys(READ);

/** The token that a figure of this number pins: the one that looks; none where all count.
 * @param {Source['tokens']} tokens @param {Seen} seen @returns {number[]} */
export function pinnedBy(tokens, {kind, query, from = ''}) {
    if (kind === 'weight' && query !== undefined) return [query];
    return kind === 'link' ? (wordsLike(tokens, from).at(-1) ?? []) : [];
}

/** null where what it is read from is not there, or of another text. @param {Source} source
 * @param {Seen} seen @returns {number | null} */
export function readSeen(source, seen) {
    const places = [seen.query ?? 0, ...(seen.keys ?? [])];
    if (places.some(place => place >= source.tokens.length)) return null;
    const value = READ[seen.kind]?.(source, seen) ?? null;
    return value === null || Number.isNaN(value) ? null : value;
}

/** @param {number} value @param {Seen} seen */
export const holds = (value, {atLeast = -Infinity, atMost = Infinity}) =>
    value >= atLeast && value <= atMost;
