/* patch - the other question of What decides: which parts of another text bring its prediction along? A token's row of
 * the stream at each layer, or a head's output, is taken from the other text (Vig et al. 2020, Meng et al. 2022; C asks,
 * src/intervene/patch.c); of the difference between the two texts, in ln p of the other's word less that of this one's (of the
 * runner-up where both have the same), each recovers a share.
 * Texts of as many tokens are patched token by token; of others one token of each is chosen.
 */
import {answerOf, bySize, deepName} from '../asked.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Token} Token
 * @typedef {import('../asked.js').DeepNeed} DeepNeed
 * @typedef {import('../asked.js').Effect} Effect
 * @typedef {import('./scene.js').Target} Target
 * @typedef {{state: ViewState, data: Pick<Computed, 'model' | 'pass' | 'tensors'>, target: Target}} Asked
 */

const AWAY = 0.1; // a share below 0 that is told

/** @param {readonly Token[]} a @param {readonly Token[]} b where they differ first */
function firstOther(a, b) {
    const at = a.findIndex(({id}, i) => id !== b[i]?.id);
    return Math.max(0, Math.min(at, a.length - 1, b.length - 1));
}

/** One token of each, where they have not as many; null: each its own. @param {Asked} asked @param {readonly Token[]} others */
function pairOf({state: {from, to}, data}, others) {
    const {tokens} = data.pass;
    if (tokens.length === others.length) return null;
    const usual = firstOther(tokens, others);
    const within = (/** @type {number} */ at, /** @type {readonly Token[]} */ all) =>
        at >= 0 && at < all.length ? at : usual;
    return {to: within(to, tokens), from: within(from, others)};
}

/** What is known before any pass: the other text's tokens, whether it predicts anything, what is asked. @param {Asked} asked */
function known(asked) {
    const {state, data, target} = asked;
    const {predicts, special} = data.model;
    const cut = {tokensOf: state.patch};
    const others = /** @type {Token[] | undefined} */ (
        /** @type {unknown} */ (data.tensors.get(deepName(cut)))
    );
    if (!others) return {problem: 'waits', needs: [cut]};
    const causal = predicts?.includes('next_word');
    const isMasked = others.some(({id}) => id === special.mask);
    if (!target.labels.length && !causal && !isMasked)
        return {problem: 'none', needs: [cut], others};
    const pair = pairOf(asked, others);
    const question = {
        ...{intervention: 'patch', from: state.patch},
        ...(target.word && {against: target.word.id}),
        ...(pair && {tokens: [pair.to, pair.from]}),
    };
    const places = pair ? [pair.to] : [...data.pass.tokens.keys()];
    return {problem: '', needs: [cut, {question}], question, others, pair, places};
}

/** @param {Asked} asked @returns {DeepNeed[]} */
export const patchDeep = asked => known(asked).needs;

/** @param {Asked} asked */
export function patchScene(asked) {
    const found = known(asked);
    const answer = found.question && answerOf(asked.data.tensors, {question: found.question});
    const shown = {...found, words: /** @type {string[]} */ ([]), unchanged: 0, refused: ''};
    const nothing = {...shown, onto: 0, of: 0, there: 0, all: 0, ranked: [], told: []};
    if (!answer) return {...nothing, ...ledBy([]), problem: found.problem || 'waits'};
    if (answer.refused !== undefined)
        return {...nothing, ...ledBy([]), problem: 'refused', refused: answer.refused};
    const {word, label, against, unchanged = 0, note, steps, effects} = answer;
    const onto = answer.log_ratio ?? answer.log_probability ?? answer.score ?? 0;
    const ranked = bySize(effects);
    // before the first layer a token's vector is the token itself: of that nothing is learned
    const told = ranked.filter(({kind, layer}) => kind !== 'patch_token' || layer !== 0);
    return {
        ...{...shown, problem: note ? 'same' : '', unchanged, onto, ranked, told},
        words: [word ?? label ?? '', ...(against === undefined ? [] : [against])],
        ...{of: answer.from ?? 0, there: steps[0], all: steps[1]},
        ...ledBy(told),
    };
}

const shareOf = (/** @type {Effect} */ {recovered}) => recovered ?? 0;

/** What brings most, and what leads away: the token's vector of the last layer that still brings half of the difference
 * (else the largest), the largest head, and the largest below 0. @param {Effect[]} told the largest first */
function ledBy(told) {
    const ahead = told.filter(one => shareOf(one) > 0);
    const rows = ahead.filter(({kind}) => kind === 'patch_token');
    const halves = rows.filter(one => shareOf(one) >= 0.5);
    const last = Math.max(...halves.map(({layer}) => Number(layer)));
    return {
        row: halves.find(({layer}) => layer === last) ?? rows[0],
        isHalf: halves.length > 0,
        head: ahead.find(({kind}) => kind === 'patch_head'),
        away: told.find(one => shareOf(one) <= -AWAY),
    };
}
