/* numbers - the numbers of the change view: the changed tokens, the shift of each head, the map of
 * the chosen head before and after, and the predictions side by side.
 */
import {wordsOf} from '../needs.js';
import {activeHeads, clampLayer, startOfB} from '../parts/select.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {{index: number, piece: string, now: string | null, refused: {word: string, pieces:
 *     string[]} | null}} Spot
 *   a token; now: what stands there instead; refused: the word that could not be put in
 * @typedef {{name: string, before: number, after: number, below: [boolean, boolean], was?: string,
 *     is?: string}} Guess   was, is: what the numbers are of, where that is another thing before and after;
 *   below: the probability is only known to be at most this, since the word is not among the best
 */

export const BEST = 5; // words shown of a position
export const THUMB = 32; // points of a head's small picture
const FULL = 0.01;
const PUTS = 64; // words that a state can put in, none with a space (state/fields.js)

/** The head whose map is shown large. @param {ViewState} state @param {Computed['model']} model */
export const chosenHead = (state, model) => ({
    layer: clampLayer(state.layer, model),
    head: activeHeads(state.heads, model.heads)[0],
});

/** @param {Pick<ViewState, 'masked'>} state @param {Pick<Computed, 'pass'>} data @returns {Spot[]} */
export function spots({masked}, {pass}) {
    const places = new Map(pass.puts.map(put => [put.position, put]));
    return pass.tokens.map(({piece}, index) => {
        const put = places.get(index);
        if (put && put.id >= 0) return {index, piece, now: put.pieces[0], refused: null};
        return {index, piece, now: masked.includes(index) ? '[MASK]' : null, refused: put ?? null};
    });
}

/** The state without a change at a position. @param {ViewState} state @param {number} index */
export const without = ({masked, replaced}, index) => ({
    masked: masked.filter(position => position !== index),
    replaced: replaced.filter(one => !one.startsWith(`${index}:`)),
});

/** @param {ViewState} state @param {number} index @param {string} word */
export function withWord(state, index, word) {
    const {masked, replaced} = without(state, index);
    const position = (/** @type {string} */ put) => Number.parseInt(put, 10);
    const all = [...replaced, `${index}:${word}`];
    return {masked, replaced: all.sort((a, b) => position(a) - position(b))};
}

/** @param {ViewState} state @param {number} index */
export const withMask = (state, index) => ({
    ...without(state, index),
    masked: [...without(state, index).masked, index].sort((a, b) => a - b),
});

/** Where something else is asked for than was typed. @param {ViewState} state @param {number} tokens
 */
export const isChanged = (state, tokens) =>
    state.off.length + state.zeroed.length + state.swapped.length > 0 ||
    state.without !== '' ||
    [...state.masked, ...wordsOf(state).map(({position}) => position)].some(
        position => position < tokens,
    );

/** The longest word of sentence A that is one token, the last of equals; -1 without one. A [MASK] that
 * the reader has typed is special.
 * @param {import('../view.js').Token[]} tokens */
export function wordToMask(tokens) {
    const isWord = (
        /** @type {import('../view.js').Token} */ {piece, special, sentence, word},
        /** @type {number} */ index,
    ) =>
        !special &&
        sentence === 0 &&
        /\p{L}/u.test(piece) &&
        tokens.every((other, i) => i === index || other.sentence !== 0 || other.word !== word);
    const words = tokens.flatMap((token, index) =>
        isWord(token, index) ? [{index, length: [...token.piece].length}] : [],
    );
    return words.reduce((a, b) => (b.length >= a.length ? b : a), {index: -1, length: 0}).index;
}

/** The token that the reader has chosen in the view that is left: pinned, the query of the views of one
 * head, or the one that "find a head" asks about; -1 for none.
 * @param {Pick<ViewState, 'view' | 'picked' | 'token' | 'from' | 'ask'>} state */
function chosenToken({view, picked, token, from, ask}) {
    if (picked.length) return picked.includes(token) ? token : picked[0];
    if (view === 'neuron' || view === 'steps') return token;
    return view === 'find' && !ask ? from : -1;
}

/** A text set against another one: how many tokens each has; replaced: the words of the second in the places of the
 * first's others, as the state names them, null where they have not as many tokens, or differ in too many.
 * @typedef {import('../view.js').Token} Token
 * @param {Token[]} one of its sentence A @param {Token[]} two @param {0 | 1} sentence of the second */
export function against(one, two, sentence) {
    const a = one.filter(token => token.sentence === 0);
    const b = two.filter(token => token.sentence === sentence);
    const replaced = a.flatMap((token, i) =>
        token.id === b[i]?.id ? [] : [`${one.indexOf(token)}:${b[i]?.piece}`],
    );
    const fits = a.length === b.length && replaced.length <= PUTS && !/\s/.test(replaced.join(''));
    return {counts: [a.length, b.length], replaced: fits ? replaced : null};
}

/** What this view has changed by itself, so that it can say so (page.js); a link does not say who it was. back: where
 * sentence B has been put in the place of A, how both stood before.
 * @type {{masked: number[], replaced: string[], chosen?: boolean, back?: Partial<ViewState>} | null} */
let begun = null;

/** Of masked words: the reader has gone on. */
export const forgetBegun = () => {
    if (!begun?.back) begun = null;
};

/** What the view has changed by itself; null where that is not all that is changed.
 * @param {ViewState} state @param {number} tokens */
export function begunWith(state, tokens) {
    const {masked, replaced} = state;
    const isSame = String([begun?.masked, begun?.replaced]) === String([masked, replaced]);
    return isSame && !isChanged({...state, masked: [], replaced: []}, tokens) ? begun : null;
}

/** Sentence B in the place of A. @param {string[]} replaced @param {Partial<ViewState>} back */
export function beginAgainst(replaced, back) {
    begun = {masked: [], replaced, back};
    return {textB: '', replaced};
}

/** Who comes with nothing changed begins with B set against A where there is a sentence B of as many tokens, else with
 * one word masked, the chosen one where one is; and at the head that this changes most.
 * @type {NonNullable<import('../view.js').View['begin']>} */
export function beginChanged(state, {model, tokens, imported}) {
    begun = null;
    const {textB, beside} = state;
    if (imported || isChanged(state, tokens.length) || /\btext/.test(beside)) return null;
    const token = chosenToken(state);
    const chosen = Boolean(tokens[token] && !tokens[token].special);
    const replaced = (textB && !chosen && against(tokens, tokens, 1).replaced) || [];
    const index = chosen ? token : wordToMask(tokens);
    if (!replaced.length && (index < 0 || model.special.mask < 0)) return null;
    return {
        needs: [],
        patch() {
            if (replaced.length) return beginAgainst(replaced, {textB});
            begun = {masked: [index], replaced, chosen};
            return {masked: [index], token: index};
        },
        after(_, tensors) {
            const moved = tensors.get('measure.shift');
            return moved ? placeAt(mostMoved(moved.data), model) : {};
        },
        lends: replaced.length ? ['textB', 'replaced'] : ['masked', 'token'],
    };
}

/** The head that has moved most. @param {Float32Array} moved [L, H] */
export const mostMoved = moved =>
    moved.reduce((best, share, i) => (share > moved[best] ? i : best), 0);

/** A head, as the state says it. @param {number} index @param {{heads: number}} model */
export const placeAt = (index, {heads}) => ({
    layer: Math.floor(index / heads),
    heads: [index % heads],
});

/** Of the points of the small pictures, this share is drawn in full colour: a single large change would
 * leave all others too pale to be seen. @param {Float32Array} points */
function fullColour(points) {
    const sizes = points.map(Math.abs).sort();
    return sizes[Math.floor(sizes.length * (1 - FULL))] || sizes[sizes.length - 1];
}

/** How much each head has moved [L, H], and its small pictures [L, H, S, S]; most: the change that has
 * full colour in them. @param {Computed} data */
export function shifts({tensors, model}) {
    const moved = tensors.get('measure.shift');
    const pictures = tensors.get(`measure.shifts.${THUMB}`);
    if (!moved || !pictures)
        throw new Error('the differences of the heads have not been computed; ask ready() first');
    const most = fullColour(pictures.data);
    const at = mostMoved(moved.data);
    return {
        moved: moved.data,
        pictures: pictures.data,
        most,
        layers: model.layers,
        heads: model.heads,
        top: {layer: Math.floor(at / model.heads), head: at % model.heads, moved: moved.data[at]},
    };
}

/** The attention of one head before and after, and the difference. @param {Computed} data
 * @param {{layer: number, head: number}} chosen */
export function mapOf({tensors}, {layer, head}) {
    const [now, earlier] = [
        tensors.get(`attention.${layer}`),
        tensors.get(`measure.earlier.${layer}`),
    ];
    if (!now || !earlier)
        throw new Error(`the attention of layer ${layer} has not been copied; ask ready() first`);
    const T = now.shape[1];
    const [after, before] = [now, earlier].map(({data}) =>
        data.subarray(head * T * T, (head + 1) * T * T),
    );
    const difference = after.map((weight, i) => weight - before[i]);
    const at = difference.reduce(
        (best, value, i) => (Math.abs(value) > Math.abs(difference[best]) ? i : best),
        0,
    );
    return {T, before, after, difference, most: Math.abs(difference[at]), at};
}

/** The keys of a query that have changed most. @param {ReturnType<typeof mapOf>} map
 * @param {number} query
 * @param {number} count */
export function largestChanges({T, before, after, difference}, query, count) {
    const cells = Array.from({length: T}, (_, key) => {
        const at = query * T + key;
        return {key, before: before[at], after: after[at], difference: difference[at]};
    });
    const size = (/** @type {typeof cells[number]} */ cell) => Math.abs(cell.difference);
    return cells.sort((a, b) => size(b) - size(a)).slice(0, count);
}

/** How much of one attention has to move to become another: half the sum of the absolute differences, of rows that sum
 * to 1 their number at most (as src/measure/shift.c has it). @param {Float32Array} a @param {Float32Array} b */
export const apart = (a, b) => a.reduce((sum, one, i) => sum + Math.abs(one - b[i]), 0) / 2;

/** Share of a query's attention that has moved. @param {ReturnType<typeof mapOf>} map
 * @param {number} query */
export function movedAt({T, before, after}, query) {
    const row = [query * T, (query + 1) * T];
    return apart(after.subarray(...row), before.subarray(...row));
}

/** Those that are among the best before or after, best first; one that is on one side only is at most as probable as the
 * last on the other. @template {{probability: number}} O @param {O[]} before @param {O[]} after
 * @param {(one: O) => string | number} keyOf @param {(one: O) => string} nameOf @param {number} [best]
 * @returns {Guess[]} */
function guesses(before, after, keyOf, nameOf, best) {
    const all = new Map(
        [...after.slice(0, best), ...before.slice(0, best)].map(one => [keyOf(one), one]),
    );
    return [...all].map(([key, one]) => {
        const [was, is] = [before, after].map(list => list.find(other => keyOf(other) === key));
        return {
            name: nameOf(one),
            before: (was ?? before.at(-1))?.probability ?? 1,
            after: (is ?? after.at(-1))?.probability ?? 1,
            below: [!was, !is],
        };
    });
}

const SHOWN = 8; // of labels, tokens and answers

/** @param {string} name @param {number} before @param {number} after @returns {Guess} */
const known = (name, before, after) => ({name, before, after, below: [false, false]});

/** Those that have changed most. @param {Guess[]} list */
const mostChanged = list =>
    list
        .map((guess, index) => ({guess, index}))
        .filter(({guess: {was, is, before, after}}) => was !== is || before !== after)
        .sort(
            (a, b) =>
                Number(b.guess.was !== b.guess.is) - Number(a.guess.was !== a.guess.is) ||
                Math.abs(b.guess.after - b.guess.before) - Math.abs(a.guess.after - a.guess.before),
        )
        .slice(0, SHOWN)
        .sort((a, b) => a.index - b.index)
        .map(({guess}) => guess);

/** A pass's tokens, each with its number, since a text may have one twice.
 * @param {Computed['pass']['tokens']} tokens */
const numbered = tokens => tokens.map(({piece}, index) => `${index} ${piece}`);

/** Spans of tokens that are among the best answers on either side. @param {any[]} before @param {any[]} after
 * @param {Computed['pass']['tokens']} tokens */
function answers(before, after, tokens) {
    const nameOf = (/** @type {any} */ {from, to}) =>
        tokens.slice(from, to + 1).map(({piece}) => piece);
    return guesses(
        before,
        after,
        ({from, to}) => `${from}-${to}`,
        one => nameOf(one).join(' '),
    );
}

/** What a fine-tuned model says, before and after, by its task (worker/passes.js).
 * @type {Record<string, (was: any, is: any, tokens: Computed['pass']['tokens']) => Guess[]>} */
const SAYS = {
    labels: (was, is) =>
        /** @type {any[]} */ (is.labels)
            .map(({label, probability}) => {
                const other = was.labels.find((/** @type {any} */ one) => one.label === label);
                return known(label, other?.probability ?? 0, probability);
            })
            .sort((a, b) => Math.max(b.before, b.after) - Math.max(a.before, a.after))
            .slice(0, SHOWN),
    answer: (was, is, tokens) => answers(was.answers, is.answers, tokens),
    token_labels: (was, is, tokens) =>
        mostChanged(
            numbered(tokens).map((name, i) => ({
                ...known(name, was.tokens[i].probability, is.tokens[i].probability),
                ...{was: was.tokens[i].label, is: is.tokens[i].label},
            })),
        ),
    replaced: (was, is, tokens) =>
        mostChanged(
            numbered(tokens).map((name, i) => known(name, was.replaced[i], is.replaced[i])),
        ),
};

/** @param {Pick<Computed, 'pass' | 'before'>} data */
function saysOf({pass: {prediction, tokens}, before}) {
    const was = before?.prediction;
    if (!prediction || !was || prediction.task !== was.task) return null;
    const plain = prediction.task === 'labels' && prediction.scores === 'plain';
    return {task: prediction.task, plain, guesses: SAYS[prediction.task](was, prediction, tokens)};
}

/** The most probable of a list before, and after: 'negative' and 'positive'; null where there is no
 * such list. @param {Guess[]} guesses */
export function turned(guesses) {
    const [was, is] = /** @type {const} */ (['before', 'after']).map((side, i) =>
        guesses
            .filter(({below}) => !below[i])
            .sort((a, b) => b[side] - a[side])
            .at(0),
    );
    return was && is ? {was, is} : null;
}

/** What the model predicts, before and after. @param {Pick<Computed, 'pass' | 'fills' | 'before'>} data */
export function predictions({pass, fills, before}) {
    const pair =
        startOfB(pass.tokens) >= 0 && pass.nextSentence && before?.nextSentence
            ? {before: before.nextSentence[0], after: pass.nextSentence[0]}
            : null;
    const words = fills.flatMap(({index, words: after}) => {
        const was = before?.fills.find(fill => fill.index === index);
        const all =
            was &&
            guesses(
                was.words,
                after,
                ({id}) => id,
                ({piece}) => piece,
                BEST,
            );
        return all ? [{index, guesses: all}] : [];
    });
    return {pair, words, says: saysOf({pass, before})};
}
