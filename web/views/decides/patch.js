/* patch - the other question of What decides: which parts of another text bring its prediction along? A token's row of
 * the stream at each layer, or a head's output, is taken from the other text (Vig et al. 2020, Meng et al. 2022);
 * of the difference between the two texts, in ln p of the other's word less that of this one's (of the runner-up where both
 * have the same), each recovers a share.
 * Texts of as many tokens are patched token by token; of others one token of each is chosen.
 */
import {deepName} from '../also.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../view.js').Token} Token
 * @typedef {import('../../worker/passes.js').Change} Change
 * @typedef {import('../../worker/passes.js').Source} Source
 * @typedef {import('../also.js').DeepNeed} DeepNeed
 * @typedef {{id: number, piece: string}} Named   a word, or a label (id -1)
 * @typedef {{position: number, word: Named | null, words: Named[], labels: {label: string}[]}} Target   of What decides
 * @typedef {{change: Change, value: number | null, share: number}} Effect
 * @typedef {{problem: string, needs: DeepNeed[], words?: Named[], onto?: number, of?: number, others?: readonly Token[],
 *     own?: DeepNeed[], pair?: {to: number, from: number} | null, source?: Source, places?: number[], changes?: Change[]}} Known
 *     problem: why there is nothing more
 * @typedef {{state: ViewState, data: Pick<Computed, 'model' | 'pass' | 'tensors'>, target: Target}} Asked
 */

export const LEAST = 0.1; // a difference of which shares are taken
const AWAY = 0.1; // a share below 0 that is told

/** @param {Asked} asked @param {DeepNeed} need */
const read = ({data: {tensors}}, need) =>
    /** @type {any} */ (tensors.get(deepName(need)) ?? undefined);

/** A need of the other text by itself. @param {Asked} asked @param {DeepNeed} need @returns {DeepNeed} */
const alone = ({state: {patch}}, need) => ({
    ...need,
    alone: true,
    source: {text: patch, textB: ''},
});

/** Its tokens, and its prediction. @param {Asked} asked @returns {DeepNeed[]} */
const firstNeeds = asked => {
    const causal = asked.data.model.predicts?.includes('next_word');
    const words = {
        predictions: /** @type {'last' | 'masks'} */ (causal ? 'last' : 'masks'),
        top: 1,
    };
    const said = asked.target.labels.length ? {labels: true} : words;
    return [{tokens: true}, said].map(need => alone(asked, need));
};

/** What the other text predicts; null: nothing; undefined: it is not there yet. @param {Asked} asked
 * @returns {{position: number, named: Named} | null | undefined} */
function otherOf(asked) {
    const answer = read(asked, firstNeeds(asked)[1]);
    if (!answer) return undefined;
    if (asked.target.labels.length)
        return {position: -1, named: {id: -1, piece: answer.labels[0].label}};
    const [first] = answer;
    return first ? {position: first.index, named: first.words[0]} : null;
}

/** The word of the other text, and that of this one, or the runner-up where both have the same.
 * @param {Asked} asked @param {Named} named */
function contrastOf({target: {word, words, labels}}, named) {
    const all = labels.length ? labels.map(({label}) => ({id: -1, piece: label})) : words;
    const own = word ?? all[0];
    const other = all.find(({piece}) => piece !== named.piece);
    const second = own.piece === named.piece ? other : own;
    return second ? [named, second] : [named];
}

/** @param {Asked} asked @param {number} position @param {Named[]} words @returns {DeepNeed[]} */
const valueNeeds = (asked, position, words) =>
    asked.target.labels.length
        ? [{labels: true}]
        : words.map(({id}) => ({measure: 'log_probability', args: [position, id]}));

/** ln p of the first less that of the second; null: not there. @param {Asked} asked @param {Named[]} words
 * @param {DeepNeed[]} needs */
function valueOf(asked, words, needs) {
    const answers = needs.map(need => read(asked, need));
    if (answers.some(answer => !answer)) return null;
    const [{labels, scores}] = answers;
    const numbers = words.map(({piece}, i) => {
        if (!labels) return answers[i].data[0];
        const {probability} = labels.find((/** @type {any} */ {label}) => label === piece);
        return scores === 'plain' ? probability : Math.log(probability);
    });
    return numbers[0] - (numbers[1] ?? 0);
}

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

/** What is patched from, and each patch. @param {Asked} asked @param {readonly Token[]} others */
function patchesOf(asked, others) {
    const {model, pass} = asked.data;
    const pair = pairOf(asked, others);
    const from = pair && pass.tokens.map((_, i) => (i === pair.to ? pair.from : -1));
    const source = {text: asked.state.patch, textB: '', ...(from && {from})};
    const places = pair ? [pair.to] : [...pass.tokens.keys()];
    const changes = Array.from({length: model.layers}, (_, l) => [
        ...places.map(i => /** @type {Change} */ (['patch_token', l, i])),
        ...Array.from(
            {length: model.heads},
            (_, h) => /** @type {Change} */ (['patch_head', l, h]),
        ),
    ]);
    return {pair, source, places, changes: changes.reverse().flat()}; // the last layers take least time
}

/** What is known so far: the contrast and its values, and what is patched. @param {Asked} asked @returns {Known} */
function known(asked) {
    const others = /** @type {Token[] | undefined} */ (read(asked, firstNeeds(asked)[0]));
    const other = otherOf(asked);
    if (!others || other === undefined) return {problem: 'waits', needs: firstNeeds(asked)};
    if (!other) return {problem: 'none', needs: firstNeeds(asked)};
    const words = contrastOf(asked, other.named);
    const own = valueNeeds(asked, asked.target.position, words);
    const needs = valueNeeds(asked, other.position, words).map(need => alone(asked, need));
    const [onto, of] = [valueOf(asked, words, own), valueOf(asked, words, needs)];
    const all = [...firstNeeds(asked), ...own, ...needs];
    if (onto === null || of === null) return {problem: 'waits', needs: all};
    const found = {words, onto, of, others};
    return Math.abs(of - onto) < LEAST
        ? {...found, problem: 'same', needs: all}
        : {...found, problem: '', needs: all, own, ...patchesOf(asked, others)};
}

/** @param {Known} found @param {Change} change @returns {DeepNeed[]} */
const patchNeeds = ({own = [], source}, change) =>
    own.map(need => ({...need, also: change, source}));

/** @param {Asked} asked @returns {DeepNeed[]} */
export function patchDeep(asked) {
    const found = known(asked);
    const {changes = []} = found;
    return [...found.needs, ...changes.flatMap(change => patchNeeds(found, change))];
}

/** @param {Asked} asked */
export function patchScene(asked) {
    const found = known(asked);
    const {words = [], onto = 0, of = 0, changes = []} = found;
    const effects = changes.map(change => {
        const value = valueOf(asked, words, patchNeeds(found, change));
        return {change, value, share: value === null ? 0 : (value - onto) / (of - onto)};
    });
    const there = effects.filter(({value}) => value !== null);
    const ranked = there.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
    // before the first layer a token's vector is the token itself: of that nothing is learned
    const told = ranked.filter(({change: [kind, layer]}) => kind !== 'patch_token' || layer !== 0);
    return {
        ...found,
        effects,
        there: there.length,
        unchanged: there.filter(({value}) => value === onto).length,
        ...{ranked, told, ...ledBy(told)},
    };
}

/** What brings most, and what leads away: the token's vector of the last layer that still brings half of the difference
 * (else the largest), the largest head, and the largest below 0. @param {Effect[]} told the largest first */
function ledBy(told) {
    const ahead = told.filter(({share}) => share > 0);
    const rows = ahead.filter(({change: [kind]}) => kind === 'patch_token');
    const halves = rows.filter(({share}) => share >= 0.5);
    const last = Math.max(...halves.map(({change: [, layer]}) => layer));
    return {
        row: halves.find(({change: [, layer]}) => layer === last) ?? rows[0],
        isHalf: halves.length > 0,
        head: ahead.find(({change: [kind]}) => kind === 'patch_head'),
        away: told.find(({share}) => share <= -AWAY),
    };
}
