/* six_patterns - the six patterns of attention that Jesse Vig described in 2019, and the bag of words: for
 * each the measure that finds it (src/study/kinds/patterns.c) and which links are examples of it. Pure;
 * lessons/pattern.js shows it. Strength: 0 is uniform attention, 1 the pure pattern, (value - even) / (1 -
 * even). From PARTLY on a head counts as showing the pattern, from CLEARLY on without reserve;
 * below, the tour says that the model has no such head on this text.
 */

/**
 * @import {Token} from '../view.js'
 * @typedef {{shape: number[], data: Float32Array}} Tensor
 * @typedef {{id: string, measure: string, belongs: (tokens: Token[], query: number, key: number) =>
 *     boolean}} Step
 * @typedef {{layer: number, head: number, value: number, even: number, least: number, strength:
 *     number,
 *   verdict: 'clearly' | 'partly' | 'none'}} Found   least: the value from which on the head counts
 */

export const PARTLY = 0.3;
export const CLEARLY = 0.6;

/** From which value on a head counts as showing a pattern. @param {number} even what uniform attention gives */
export const leastOf = even => even + PARTLY * (1 - even);

/** @param {number} value @param {number} even */
const strengthOf = (value, even) => (value - even) / (1 - even);

/** How clearly a head shows a pattern: the one rule of the lesson, of a ranking, of the map of heads and of a head's card.
 * @param {number} value its share of attention @param {number} even @returns {'clearly' | 'partly' | 'none'} */
export function verdictOf(value, even) {
    const strength = strengthOf(value, even);
    return strength >= CLEARLY ? 'clearly' : strength >= PARTLY ? 'partly' : 'none';
}

/** Where attention can go, by the names of the measures; sentences last, since the others are parts of them. */
export const PATTERNS = ['next', 'previous', 'self', 'cls', 'sep', 'same_word', 'other_sentence'];

/** The pattern that a head shows most on a text, null where it shows none; a sentence only where no part of it is as
 * clear. @param {(name: string) => {value: number, even: number}} of a pattern */
export function shownBy(of) {
    const shown = PATTERNS.map(name => ({name, ...of(name)}))
        .filter(({even}) => even > 0 && even < 0.9999)
        .map(one => ({...one, verdict: verdictOf(one.value, one.even)}))
        .filter(({verdict}) => verdict !== 'none')
        .sort((a, b) => strengthOf(b.value, b.even) - strengthOf(a.value, a.even));
    const [most = null] = shown;
    const part = shown.find(({name}) => name !== 'other_sentence');
    return part && part.verdict === most?.verdict ? part : most;
}

const isWord = (/** @type {Token} */ token) => token.word >= 0;
/** @param {Token[]} tokens @param {number} i @param {number} j */
const sameWord = (tokens, i, j) =>
    tokens[i].id === tokens[j].id && isWord(tokens[i]) && isWord(tokens[j]);

/** @type {Step[]} */
export const STEPS = [
    {
        id: 'next',
        measure: 'next',
        belongs: (tokens, i, j) => j === i + 1 && isWord(tokens[i]) && isWord(tokens[j]),
    },
    {
        id: 'previous',
        measure: 'previous',
        belongs: (tokens, i, j) => j === i - 1 && isWord(tokens[i]) && isWord(tokens[j]),
    },
    {id: 'copies', measure: 'copies', belongs: (tokens, i, j) => i !== j && sameWord(tokens, i, j)},
    {
        id: 'across',
        measure: 'same_word_across',
        belongs: (tokens, i, j) => sameWord(tokens, i, j) && tokens[i].type !== tokens[j].type,
    },
    {
        id: 'partner',
        measure: 'partner',
        belongs: (tokens, i, j) =>
            i !== j &&
            isWord(tokens[i]) &&
            tokens[i].word === tokens[j].word &&
            tokens[i].type === tokens[j].type,
    },
    {
        id: 'delimiter',
        measure: 'delimiter',
        belongs: (tokens, i, j) => tokens[j].sentence < 0 && tokens[i].sentence >= 0,
    },
    {
        id: 'own',
        measure: 'own_sentence',
        belongs: (tokens, i, j) => i !== j && tokens[i].type === tokens[j].type,
    },
];

/** Values of one measure, [L * H], or null when this model does not have it.
 * @param {string} measure @param {{patterns: string[], layers: number, heads: number}} model
 * @param {Tensor} measures [M, L, H] */
function valuesOf(measure, {patterns: names, layers, heads}, measures) {
    const at = names.indexOf(measure);
    return at < 0 ? null : measures.data.subarray(at * layers * heads, (at + 1) * layers * heads);
}

/** The head with the largest value of the step's measure; null where the text has nothing to
 * measure: no word comes twice, no word is cut, there is one sentence. @param {Step} step
 * @param {{patterns: string[], layers: number, heads: number}} model
 * @param {Tensor} measures [M, L, H] @param {Tensor} evens [M] @returns {Found | null} */
export function findHead({measure}, model, measures, evens) {
    const values = valuesOf(measure, model, measures);
    const even = evens.data[model.patterns.indexOf(measure)];
    if (!values || !(even > 0 && even < 0.9999)) return null;
    const best = values.reduce((winner, value, i) => (value > values[winner] ? i : winner), 0);
    return {
        layer: Math.floor(best / model.heads),
        head: best % model.heads,
        value: values[best],
        even,
        strength: strengthOf(values[best], even),
        least: leastOf(even),
        verdict: verdictOf(values[best], even),
    };
}

/** The strongest link of the pattern in one head: what the reader may look at first; null when there
 * is none.
 * @param {Step} step @param {Token[]} tokens
 * @param {Tensor | undefined} attention [H, T, T] of its layer @param {number} head */
export function example({belongs}, tokens, attention, head) {
    const count = tokens.length;
    if (!attention || attention.shape[1] !== count) return null;
    let best = {query: -1, key: -1, weight: 0};
    for (let query = 0; query < count; query++) {
        for (let key = 0; key < count; key++) {
            const weight = attention.data[(head * count + query) * count + key];
            if (weight > best.weight && belongs(tokens, query, key)) best = {query, key, weight};
        }
    }
    return best.query < 0 ? null : best;
}
