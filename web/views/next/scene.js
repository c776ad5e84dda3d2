/* scene - the numbers of the view of next words: the words that the model predicts at one position, and
 * the best at every one; and the probabilities of a draw, of temperature and top-k:
 *
 *   q_i = p_i^(1/T) / sum over the k most probable words of p_j^(1/T)
 *
 * which is softmax(logits / T) over those k, since softmax's own denominator cancels; then top-p (Holtzman et al. 2020):
 * the fewest of them whose q reach p, in the order of transformers' generate.
 */
import {remember} from '../../draw/memo.js';
import {reached, total} from '../../draw/scale.js';
import {spots} from '../change/numbers.js';
import {needName} from '../needs.js';
import {kindOf} from '../parts/lens.js';
import {counted} from '../parts/select.js';
import {lensNeed, lensOf} from './lens.js';
import {lensMapOf, MAP_NEED} from './lens_map.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Fill} Fill
 * @typedef {{id: number, piece: string, probability: number}} Word
 * @typedef {Word & {share: number, upTo: number}} Drawn   upTo: the share of all up to this one
 * @typedef {'next' | 'masked'} Kind
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

export const MOST = 100; // words that are asked for at a position, and so the most that are drawn from
export const MOST_NATS = 7; // of surprise, in the full shade
export const [COLDEST, HOTTEST] = [0.1, 2]; // temperatures

/** How strong the shade of a token is: −ln p. @param {number} probability */
const inkOfSurprise = probability => Math.min(1, -Math.log(probability) / MOST_NATS);

/** What changes the model's own probabilities, null where nothing does.
 * @param {{temperature: number, topK: number, topP: number}} how */
export const changing = how =>
    how.temperature === 1 && how.topK === MOST && how.topP === 1 ? null : how;

/** The probabilities with which words are drawn. @param {Word[]} words most probable first
 * @param {{temperature: number, topK: number, topP?: number}} how @returns {Drawn[]} */
export function drawn(words, {temperature, topK, topP = 1}) {
    const kept = words.slice(0, topK);
    const best = Math.log(kept[0]?.probability || 1);
    const shares = kept.map(({probability}) =>
        Math.exp((Math.log(probability) - best) / temperature),
    );
    const count = topP === 1 ? shares.length : reached(shares, topP * total(shares));
    const nucleus = shares.slice(0, count);
    const sum = total(nucleus);
    let upTo = 0;
    return nucleus.map((share, i) => ({
        ...{...kept[i], share: share / sum},
        upTo: (upTo += share / sum),
    }));
}

/** A word by chance. @param {Drawn[]} words @param {number} chance 0..1 */
export const pick = (words, chance) => words.find(({upTo}) => chance < upTo) ?? words.at(-1);

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
 * @param {readonly number[]} masked @param {boolean} isMap the lens at all positions
 * @param {boolean} oneBased @param {any} found what the lens is made of @param {any} foundMap and its map */
function makeScene(model, pass, first, all, token, masked, isMap, oneBased, found, foundMap) {
    const {tokens} = pass;
    const kind = kindOf(model);
    const at = placeOf(kind, token, tokens, first);
    const fills = new Map([...(all ?? []), ...first].map(fill => [fill.index, fill.words]));
    const words = fills.get(at) ?? [];
    const tokenAfter = (/** @type {number} */ index) => tokens[kind === 'next' ? index + 1 : index];
    const bests = tokens.map((_, index) => fills.get(index)?.[0] ?? null);
    /** What stands at each position now, null as typed. */
    const names = spots({masked}, {pass}).map(({now}) => now);
    const count = counted({oneBased});
    return {
        /** '' where the model predicts no words: nothing of it is then drawn. */
        kind: /** @type {Kind} */ (kind),
        ...{tokens, at, fills, bests, words, names},
        lens: kind && found ? lensOf(found, model.layers, count) : null,
        isMap,
        map:
            foundMap?.length === tokens.length
                ? lensMapOf(foundMap, pass, names, model.layers, count)
                : null,
        /** Predictions of all positions have come. */
        isWhole: all !== undefined,
        isEnd: at === tokens.length - 1,
        isMask: tokens[at]?.id === model.special.mask || masked.includes(at),
        written: pass.written?.count ?? 0,
        joins: pass.written?.joins ?? true,
        isFull: tokens.length >= model.positions,
        /** The shade of a token by the prediction before it. @param {number} index */
        surprise(index) {
            const list = fills.get(index - 1);
            const found = list?.find(({id}) => id === tokens[index].id) ?? list?.at(-1);
            return found ? inkOfSurprise(found.probability) : 0;
        },
        /** What is there, of the token that the prediction at a position is about. */
        actual: (/** @type {number} */ index) =>
            fills.get(index)?.find(({id}) => id === tokenAfter(index)?.id) ?? null,
        /** Where it is none of the words asked for: it is less probable than this, the last of them. */
        under: (/** @type {number} */ index) =>
            (tokenAfter(index) && fills.get(index)?.at(-1)?.probability) || 0,
    };
}
const made = remember(makeScene);

/** @param {ViewState} state @param {Computed} data */
export function nextScene(state, data) {
    const {token, masked, oneBased, lens} = state;
    const {model, pass, tensors} = data;
    const of = (/** @type {string} */ which) =>
        /** @type {Fill[] | undefined} */ (
            /** @type {unknown} */ (tensors.get(`predictions.${which}.${MOST}`))
        );
    const kind = kindOf(model);
    const first = of(kind === 'next' ? 'last' : 'masks') ?? NONE;
    return made(
        model,
        pass,
        first,
        of('all'),
        token,
        masked,
        lens,
        oneBased,
        tensors.get(needName(lensNeed(state, kind))),
        tensors.get(needName(MAP_NEED)),
    );
}
/** @type {Fill[]} */
const NONE = [];
