/* scene - the numbers of the view of next words: the words that the model predicts at one position, and
 * the best at every one; and the probabilities of a draw, of temperature and top-k:
 *
 *   q_i = p_i^(1/T) / sum over the k most probable words of p_j^(1/T)
 *
 * which is softmax(logits / T) over those k, since softmax's own denominator cancels.
 */
import {remember} from '../../draw/memo.js';
import {spots} from '../change/numbers.js';
import {needName} from '../needs.js';
import {lensNeed, lensOf} from './lens.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Fill} Fill
 * @typedef {{id: number, piece: string, probability: number}} Word
 * @typedef {'next' | 'masked'} Kind
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

export const MOST = 100; // words that are asked for at a position
export const [COLDEST, HOTTEST] = [0.1, 2]; // temperatures

/** What a model predicts: 'next' of the text before, 'masked' from both sides, '' no words.
 * @param {Pick<Computed['model'], 'predicts' | 'mlm'>} model */
export const kindOf = ({predicts, mlm}) =>
    predicts?.includes('next_word') ? 'next' : mlm ? 'masked' : '';

/** The probabilities with which words are drawn. @param {Word[]} words most probable first
 * @param {{temperature: number, topK: number}} how @returns {(Word & {share: number})[]} */
export function drawn(words, {temperature, topK}) {
    const kept = words.slice(0, topK);
    const best = Math.log(kept[0]?.probability || 1);
    const shares = kept.map(({probability}) =>
        Math.exp((Math.log(probability) - best) / temperature),
    );
    const sum = shares.reduce((all, share) => all + share, 0);
    return kept.map((word, i) => ({...word, share: shares[i] / sum}));
}

/** A word by chance. @param {{id: number, share: number}[]} words @param {number} chance 0..1 */
export function pick(words, chance) {
    let left = chance;
    return words.find(({share}) => (left -= share) < 0) ?? words[words.length - 1];
}

/** Where the words are asked for: the token chosen, else the end of the text, or the first mask.
 * @param {string} kind @param {number} token @param {Computed['pass']['tokens']} tokens @param {Fill[]} masks */
function placeOf(kind, token, tokens, masks) {
    if (token >= 0 && token < tokens.length) return token;
    if (kind === 'next') return tokens.length - 1;
    return (
        masks[0]?.index ??
        Math.max(
            0,
            tokens.findIndex(({special}) => !special),
        )
    );
}

/** @param {Computed['model']} model @param {Computed['pass']} pass @param {Fill[]} first of the masks or
 *     the end of the text @param {Fill[] | undefined} all @param {number} token
 * @param {readonly number[]} masked @param {unknown} found what the lens is
 * made of @param {boolean} oneBased
 * @param {ReturnType<typeof lensOf>} lens */
function makeScene(model, pass, first, all, token, masked, found, oneBased, lens) {
    const {tokens} = pass;
    const kind = kindOf(model);
    const at = placeOf(kind, token, tokens, first);
    const fills = new Map([...(all ?? []), ...first].map(fill => [fill.index, fill.words]));
    const words = fills.get(at) ?? [];
    const tokenAfter = (/** @type {number} */ index) => tokens[kind === 'next' ? index + 1 : index];
    const bests = tokens.map((_, index) => fills.get(index)?.[0] ?? null);
    return {
        /** '' where the model predicts no words: nothing of it is then drawn. */
        kind: /** @type {Kind} */ (kind),
        ...{tokens, at, fills, bests, words, lens},
        /** What stands at each position now, null as typed. */
        names: spots({masked}, {pass}).map(({now}) => now),
        /** Predictions of all positions have come. */
        isWhole: all !== undefined,
        isEnd: at === tokens.length - 1,
        isMask: tokens[at]?.id === model.special.mask || masked.includes(at),
        written: pass.written?.count ?? 0,
        joins: pass.written?.joins ?? true,
        isFull: tokens.length >= model.positions,
        /** What is there, of the token that the prediction at a position is about. */
        actual: (/** @type {number} */ index) =>
            fills.get(index)?.find(({id}) => id === tokenAfter(index)?.id) ?? null,
        /** Where it is none of the words asked for: it is less probable than this, the last of them. */
        under: (/** @type {number} */ index) =>
            (tokenAfter(index) && fills.get(index)?.at(-1)?.probability) || 0,
    };
}
const made = remember(makeScene, 8);

/** @param {ViewState} state @param {Computed} data */
export function nextScene(state, data) {
    const {token, masked, oneBased} = state;
    const {model, pass, tensors} = data;
    const of = (/** @type {string} */ which) =>
        /** @type {Fill[] | undefined} */ (
            /** @type {unknown} */ (tensors.get(`predictions.${which}.${MOST}`))
        );
    const first = of(kindOf(model) === 'next' ? 'last' : 'masks') ?? NONE;
    const kind = kindOf(model);
    const found = tensors.get(needName(lensNeed(state, kind)));
    return made(
        model,
        pass,
        first,
        of('all'),
        token,
        masked,
        found,
        oneBased,
        lensOf(state, data, kind),
    );
}
/** @type {Fill[]} */
const NONE = [];
