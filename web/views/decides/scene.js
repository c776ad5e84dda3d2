/* scene - the change of ln p of one prediction when a token is masked or removed, a head or an MLP switched off, each in
 * a pass of its own (Michel et al. 2019). The prediction is a word at a position, the label of the text, of which it
 * is ln p less that of the runner-up, or where an answer starts; of a model that makes embeddings it is the similarity
 * of two texts (similar.js). Numbers come one after the other.
 */
import {remember} from '../../draw/memo.js';
import {counted} from '../parts/select.js';
import {deepName} from '../also.js';
import {patchDeep, patchScene} from './patch.js';
import {compares, similarDeep, similarEffects} from './similar.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../../worker/passes.js').Change} Change
 * @typedef {import('../../worker/passes.js').Guess} Guess
 * @typedef {import('../also.js').DeepNeed} DeepNeed
 * @typedef {import('../view.js').Token} Token
 * @typedef {{change: Change, value: number | null, token?: Token, text?: number}} Effect   value: null until it is
 *     there; token: that is changed, and in which of two texts that are compared
 * @typedef {{position: number, words: Guess[], word: Guess | null, labels: {label: string, probability: number}[],
 *     starts?: boolean, similar?: boolean}} Target   starts: words are tokens at which the answer starts, their ids
 *     positions
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

const WORDS = 10; // to choose from

/** Words at the masks, or at the end; labels, answers. @type {import('../view.js').View['needs']} */
export function needs(_, {predicts, mlm}) {
    if (predicts?.some(task => task === 'labels' || task === 'answer')) return [{labels: true}];
    const causal = predicts?.includes('next_word');
    return causal || mlm ? [{predictions: causal ? 'last' : 'masks', top: WORDS}] : [];
}

/** `ask` of the state is the id of a word, and after a point whether tokens are removed.
 * @param {Pick<ViewState, 'ask'>} state @param {Computed['model']} model */
export function askedOf({ask}, {special: {mask}}) {
    const [id, how] = ask.split('.');
    return {id, removes: mask < 0 || how === 'removed', masks: mask >= 0};
}

/** The tokens at which an answer may start. @param {string} id @param {Computed['pass']} pass @returns {Target | null} */
function answerOf(id, {prediction, tokens}) {
    const {answers, starts} =
        prediction?.task === 'answer' ? prediction : {answers: [], starts: []};
    const places = [...new Set(answers.map(({from}) => from))];
    const words = places.map(i => ({id: i, piece: tokens[i].piece, probability: starts[i]}));
    const word = words.find(one => String(one.id) === id) ?? words[0];
    return word ? {position: word.id, words, word, labels: [], starts: true} : null;
}

/** @param {Computed['pass']} pass @returns {Target | null} */
function labelsOf({prediction}) {
    const labels = prediction?.task === 'labels' ? prediction.labels : [];
    return labels.length > 1 ? {position: -1, words: [], word: null, labels} : null;
}

/** What is predicted: a word of those at the first position, labels, an answer; else a similarity; null: nothing.
 * @param {Pick<ViewState, 'ask'>} state @param {Pick<Computed, 'model' | 'pass' | 'tensors'>} data @returns {Target | null} */
function targetOf(state, data) {
    const {model, pass, tensors} = data;
    const {id} = askedOf(state, model);
    if (model.predicts?.includes('labels')) return labelsOf(pass);
    if (model.predicts?.includes('answer')) return answerOf(id, pass);
    const [{predictions = 'masks'} = {}] = needs(/** @type {any} */ ({}), model);
    const found = /** @type {import('../view.js').Fill[] | undefined} */ (
        /** @type {unknown} */ (tensors.get(`predictions.${predictions}.${WORDS}`))
    );
    if (!found?.length)
        return compares(data)
            ? {position: -1, words: [], word: null, labels: [], similar: true}
            : null;
    const [{index, words}] = found;
    const word = words.find(one => String(one.id) === id) ?? words[0];
    return {position: index, words, word, labels: []};
}

/** Tokens that are changed in turn: those of the text, but for the one predicted and the reader's [MASK].
 * @param {Pick<ViewState, 'ask'>} state @param {Computed['model']} model @param {readonly Token[]} tokens
 * @param {number} position @returns {Change[]} */
function readsOf(state, model, tokens, position) {
    const {mask} = model.special;
    const {removes} = askedOf(state, model);
    return tokens.flatMap(({special, id}, i) =>
        special || id === mask || i === position
            ? []
            : [removes ? ['removed', i] : ['token', i, mask]],
    );
}

/** Heads and MLPs. @param {Computed['model']} model @returns {Change[]} */
function partsOf({layers, heads}) {
    const parts = Array.from({length: layers}, (_, l) => [
        /** @type {Change} */ (['mlp', l]),
        ...Array.from({length: heads}, (_, h) => /** @type {Change} */ (['head', l, h])),
    ]);
    return parts.reverse().flat(); // the last layers take least time
}

/** Where the prediction is when a token before it is gone. @param {Target} target @param {Change} [also] */
const placeOf = ({position}, also) =>
    also?.[0] === 'removed' && also[1] < position ? position - 1 : position;

/** The number that is compared, as a need. @param {Target} target @param {Change} [also] @returns {DeepNeed} */
const needOf = (target, also) => ({
    ...(target.word && !target.starts
        ? {measure: 'log_probability', args: [placeOf(target, also), target.word.id]}
        : {labels: true}),
    ...(also && {also}),
});

/** What is read of the same pass, to be set beside. @param {Target} target */
const dependsNeed = ({position}) => ({measure: 'depends', args: [position]});

/** @type {NonNullable<import('../view.js').View['deep']>} */
export function deep(state, data) {
    const target = targetOf(state, data);
    if (!target) return [];
    const {model, pass} = data;
    const reads = (/** @type {readonly Token[]} */ tokens) =>
        readsOf(state, model, tokens, target.position);
    if (target.similar) return similarDeep(/** @type {Computed} */ (data), reads, partsOf(model));
    if (state.patch && !target.starts) return patchDeep({state, data, target});
    const {removes} = askedOf(state, model);
    const changes = [...reads(pass.tokens), ...partsOf(model)];
    const beside = target.word && !target.starts && !removes ? [dependsNeed(target)] : [];
    return [needOf(target), ...changes.map(change => needOf(target, change)), ...beside];
}

/** ln p, or of labels ln p less that of the runner-up; null until it is there.
 * @param {Target} target @param {any} answer @param {Change} [also] */
function valueOf(target, answer, also) {
    const {labels} = target;
    if (!answer) return null;
    if (target.starts) return Math.log(answer.starts[placeOf(target, also)]);
    if (!labels.length) return answer.data[0];
    const of = (/** @type {string} */ name) =>
        answer.labels.find((/** @type {{label: string}} */ {label}) => label === name).probability;
    const [best, other] = labels.map(({label}) => of(label));
    return answer.scores === 'plain' ? best - other : Math.log(best) - Math.log(other);
}

/** Spearman's rank correlation, as `headlight agree` has it: equal values share their rank; NaN where one side is all equal.
 * @param {number[]} a @param {number[]} b */
export function rankCorrelation(a, b) {
    const ranks = (/** @type {number[]} */ of) =>
        of.map(x => of.reduce((rank, y) => rank + Math.sign(x - y), 0));
    const [x, y] = [ranks(a), ranks(b)];
    const sum = (/** @type {number[]} */ u, /** @type {number[]} */ v) =>
        u.reduce((all, one, i) => all + one * v[i], 0);
    return sum(x, y) / Math.sqrt(sum(x, x) * sum(y, y));
}

const LEAST = 4; // tokens that can be compared, as there
const READINGS = /** @type {const} */ (['weight', 'moved', 'zeroed', 'rollout', 'nearness']);

/** Readings of attention at the tokens that were masked, beside what that has changed; null until all is there.
 * @param {Effect[]} effects @param {any} tensor of `depends` @param {number} count of tokens */
function readingsOf(effects, tensor, count) {
    const masked = effects.filter(({change: [kind]}) => kind === 'token');
    if (!tensor || masked.length < LEAST || masked.some(({value}) => value === null)) return null;
    const tokens = masked.map(({change: [, i]}) => Number(i));
    const decided = masked.map(({value}) => Math.abs(value ?? 0));
    const readings = READINGS.map((id, r) => {
        const values = tokens.map(i => /** @type {number} */ (tensor.data[r * count + i]));
        return {id, values, agrees: rankCorrelation(values, decided)};
    });
    return {tokens, decided, readings};
}

const bySize = (/** @type {Effect} */ a, /** @type {Effect} */ b) =>
    Math.abs(b.value ?? 0) - Math.abs(a.value ?? 0);

/** Every change, and what it does to the prediction. @param {ViewState} state @param {Computed} data @param {Target} target
 * @returns {{plain: number | null, effects: Effect[]}} */
function effectsOf(state, data, target) {
    const {model, pass, tensors} = data;
    const reads = (/** @type {readonly Token[]} */ tokens) =>
        readsOf(state, model, tokens, target.position);
    if (target.similar) return similarEffects(data, reads, partsOf(model));
    const read = (/** @type {Change | undefined} */ also) =>
        valueOf(target, tensors.get(deepName(needOf(target, also))), also);
    const plain = read(undefined);
    const effects = [...reads(pass.tokens), ...partsOf(model)].map(change => {
        const value = plain === null ? null : read(change);
        const token = /token|removed/.test(change[0]) && {token: pass.tokens[change[1]]};
        return {
            ...{change, ...token},
            value: value === null || plain === null ? null : value - plain,
        };
    });
    return {plain, effects};
}

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, data) {
    const {model, pass, tensors} = data;
    const target = targetOf(state, data);
    const count = counted(state);
    const patched = state.patch && target && !target.starts && !target.similar;
    const shared = {
        ...{tokens: pass.tokens, target, count, layers: model.layers, heads: model.heads},
        ...{asked: askedOf(state, model), similarity: model.similarity ?? 'cosine'},
        patch: patched ? patchScene({state, data, target}) : null,
    };
    if (!target)
        return {...shared, plain: null, effects: [], there: 0, most: 1, ranked: [], readings: null};
    const {plain, effects} = effectsOf(state, data, target);
    const found = effects.filter(({value}) => value !== null);
    return {
        ...{...shared, plain, effects},
        readings: readingsOf(
            effects,
            tensors.get(deepName(dependsNeed(target))),
            pass.tokens.length,
        ),
        there: found.length,
        most: Math.max(1e-9, ...found.map(({value}) => Math.abs(value ?? 0))),
        /** Those there, the largest first. */
        ranked: [...found].sort(bySize),
    };
}

const remembered = remember(
    /** @param {any[]} keys */
    (...keys) => makeScene(.../** @type {[ViewState, Computed]} */ (keys.slice(-2))),
    8,
);

/** Another one when what is shown is another. @param {ViewState} state @param {Computed} data
 * @returns {Scene} */
export const decidesScene = (state, data) =>
    remembered(
        ...[state.ask, state.patch, state.from, state.to].map(String),
        state.oneBased,
        data.tensors,
        data.pass,
        data.model,
        state,
        data,
    );
