/* scene - the change of ln p of one prediction when a token is masked or removed, a head or an MLP switched off, each in
 * a pass of its own (Michel et al. 2019; C asks, src/intervene/decides.c). The prediction is a word at a position, the
 * label of the text, of which it is ln p less that of the runner-up, that of a token, or where an answer starts; of a model
 * that makes embeddings it is the similarity of two texts. Numbers come one after the other.
 */
import {remember} from '../../draw/memo.js';
import {counted} from '../parts/select.js';
import {answerOf, bySize} from '../asked.js';
import {compares, TASKS} from '../needs.js';
import {patchDeep, patchScene} from './patch.js';
import {togetherNeeds, togetherOf} from './together.js';
import {wroteNeeds, wroteOf} from './wrote.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../../worker/passes.js').Guess} Guess
 * @typedef {import('../asked.js').Question} Question
 * @typedef {import('../asked.js').Answer} Answer
 * @typedef {import('../asked.js').Effect} Effect
 * @typedef {Exclude<Answer, {refused: string}>} Known
 * @typedef {{position: number, words: Guess[], word: Guess | null, labels: {label: string, probability: number}[],
 *     starts?: boolean, ofToken?: boolean, label?: string, similar?: boolean}} Target   starts, ofToken: words are tokens, at which the
 *     answer starts or whose label it is, their ids positions
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

const WORDS = 10; // to choose from

/** Words at the masks, or at the end; labels, answers. @type {import('../view.js').View['needs']} */
export function needs(_, {predicts, mlm}) {
    if (predicts?.some(task => TASKS.test(task))) return [{labels: true}];
    const causal = predicts?.includes('next_word');
    return causal || mlm ? [{predictions: causal ? 'last' : 'masks', top: WORDS}] : [];
}

/** `ask` of the state is the id of a word, and after points whether tokens are removed, and what wrote the logit is shown.
 * @param {Pick<ViewState, 'ask'>} state @param {Computed['model']} model */
export function askedOf({ask}, {special: {mask}}) {
    const [id, ...how] = ask.split('.');
    const removes = mask < 0 || how.includes('removed');
    return {id, removes, masks: mask >= 0, wrote: how.includes('wrote')};
}

/** The tokens at which an answer may start. @param {string} id @param {Computed['pass']} pass @returns {Target | null} */
function startOf(id, {prediction, tokens}) {
    const {answers, starts} =
        prediction?.task === 'answer' ? prediction : {answers: [], starts: []};
    const places = [...new Set(answers.map(({from}) => from))];
    const words = places.map(i => ({id: i, piece: tokens[i].piece, probability: starts[i]}));
    const word = words.find(one => String(one.id) === id) ?? words[0];
    return word ? {position: word.id, words, word, labels: [], starts: true} : null;
}

/** The tokens that have labels, or are replaced or not. The one that is asked about: C's choice, where the reader has made
 * none. @param {string} id @param {Computed['pass']} pass @returns {Target | null} */
function tokenOf(id, {prediction, tokens}) {
    const said =
        prediction?.task === 'token_labels'
            ? prediction.tokens
            : prediction?.task === 'replaced'
              ? prediction.replaced.map(probability => ({label: '', probability}))
              : null;
    if (!said) return null;
    const words = tokens.flatMap(({piece, sentence}, i) => {
        const {label, probability} = said[i];
        return sentence < 0 ? [] : [{id: i, piece: `${piece} ${label}`.trim(), probability}];
    });
    const word = words.find(one => String(one.id) === id) ?? null;
    return {position: word?.id ?? -1, words, word, labels: [], ofToken: true};
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
    if (model.predicts?.includes('answer')) return startOf(id, pass);
    if (model.predicts?.some(task => task === 'token_labels' || task === 'replaced'))
        return tokenOf(id, pass);
    const [{predictions = 'masks'} = {}] = needs(/** @type {any} */ ({}), model);
    const found = /** @type {import('../view.js').Fill[] | undefined} */ (
        /** @type {unknown} */ (tensors.get(`predictions.${predictions}.${WORDS}`))
    );
    if (!found?.length)
        return compares(model, pass)
            ? {position: -1, words: [], word: null, labels: [], similar: true}
            : null;
    const [{index, words}] = found;
    const word = words.find(one => String(one.id) === id) ?? words[0];
    return {position: index, words, word, labels: []};
}

/** What is asked of the text. @param {Pick<ViewState, 'ask' | 'against' | 'by'>} state @param {Pick<Computed, 'model' | 'pass'>} data
 * @param {Target} target @returns {Question} */
function questionOf(state, {model, pass}, target) {
    const [label, runnerUp] = target.labels;
    const word = target.starts || target.ofToken ? undefined : target.word?.id;
    const {removes} = askedOf(state, model);
    const {against} = state;
    return {
        question: {
            intervention: 'decides',
            how: removes ? 'removed' : 'masked',
            ...(state.by === 'mean' && {by: 'mean'}),
            ...(target.word && {at: target.position}),
            ...(word !== undefined && {word, ...(against && {against})}),
            ...(label && {word: label.label, against: runnerUp.label}),
            ...(target.similar && {text: pass.texts}),
        },
    };
}

/** Is another text asked about, of which words or labels are compared? @param {Pick<ViewState, 'patch'>} state
 * @param {Target | null} target */
const isPatched = ({patch}, target) =>
    Boolean(patch && target && !target.starts && !target.ofToken && !target.similar);

/** All that is asked of the text. Of a masked word first how readings of attention agree with what masking changes
 * (src/intervene/agree.c), and then only heads and MLPs. @param {Pick<ViewState, 'ask' | 'against' | 'by'>} state
 * @param {Pick<Computed, 'model' | 'pass'>} data @param {Target} target @returns {Question[]} */
function questionsOf(state, data, target) {
    const whole = questionOf(state, data, target);
    const {at, word, how, against} = whole.question;
    if (word === undefined || !target.word || how === 'removed' || against) return [whole];
    const others = {question: {...whole.question, parts: ['heads', 'mlps']}};
    return [{question: {intervention: 'agree', at, word}}, others];
}

/** @type {NonNullable<import('../view.js').View['deep']>} */
export function deep(state, data) {
    const target = targetOf(state, data);
    if (!target) return [];
    if (isPatched(state, target)) return patchDeep({state, data, target});
    const questions = questionsOf(state, data, target);
    const [answer] = questions.map(one => answerOf(data.tensors, one));
    const together = togetherNeeds(state.together, questionOf(state, data, target));
    return [...wroteNeeds(state, data.model, target, answer), ...questions, ...together];
}

/** Readings of attention at the tokens that were masked, beside what that has changed; null: not known, or of too few
 * tokens. @param {Known} answer to `agree` */
function readingsOf({effects, readings = [], correlations}) {
    if (!correlations) return null;
    const masked = [...effects].sort((a, b) => Number(a.position) - Number(b.position));
    return {
        tokens: masked.map(({position}) => Number(position)),
        decided: masked.map(({change}) => Math.abs(change ?? 0)),
        readings: readings
            .slice(0, -1)
            .map((id, r) => ({
                id,
                values: masked.map(effect => Number(/** @type {any} */ (effect)[id])),
                agrees: correlations[r][readings.length - 1],
            })),
    };
}

/** ln p, or a label's less that of the runner-up, or a similarity; null: not there yet. @param {any} answer */
const plainOf = answer =>
    answer?.log_probability ?? answer?.log_ratio ?? answer?.score ?? answer?.similarity ?? null;

/** With the token that the answer is about, and its label. @param {Target} target @param {{position?: number, label?: string}} answer
 * @returns {Target} */
const chosenOf = (target, {position = -1, label}) => ({
    ...{...target, position, label},
    word: target.words.find(({id}) => id === position) ?? null,
});

/** Before the first answer. */
const NOTHING = {
    plain: null,
    probability: 0,
    against: '',
    refused: '',
    there: 0,
    all: 0,
    most: 1,
    ranked: [],
    readings: null,
    atOnce: null,
    wrote: [],
};

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, data) {
    const {model, pass, tensors} = data;
    const target = targetOf(state, data);
    const count = counted(state);
    const patched = target && isPatched(state, target);
    const shared = {
        ...{tokens: pass.tokens, target, count, layers: model.layers, heads: model.heads},
        ...{asked: askedOf(state, model), similarity: model.similarity ?? 'cosine'},
        patch: patched ? patchScene({state, data, target}) : null,
        ...{by: state.by, together: state.together},
    };
    if (!target || patched) return {...shared, ...NOTHING};
    const asked = questionsOf(state, data, target);
    const answers = asked.flatMap(one => answerOf(tensors, one) ?? []);
    const refused = answers.find(one => one.refused !== undefined)?.refused;
    if (!answers.length || refused !== undefined)
        return {...shared, ...NOTHING, refused: refused ?? ''};
    const known = /** @type {Known[]} */ (answers);
    const [answer] = known;
    const ranked = bySize(known.flatMap(({effects}) => effects));
    const later = (asked.length - known.length) * model.layers * (model.heads + 1);
    const steps = (/** @type {0 | 1} */ i) => known.reduce((sum, {steps}) => sum + steps[i], 0);
    return {
        ...{...shared, refused: '', plain: plainOf(answer), ranked},
        ...{there: steps(0), all: steps(1) + later},
        probability: answer.probability ?? 0,
        ...(target.ofToken && {target: chosenOf(target, answer)}),
        wrote: wroteOf(wroteNeeds(state, model, target, answer), tensors, ranked),
        atOnce: togetherOf(state.together, questionOf(state, data, target), tensors),
        against: target.word ? (answer.against ?? '') : '',
        readings: readingsOf(answer),
        most: Math.max(1e-9, Math.abs(ranked[0]?.change ?? 0)),
    };
}

const remembered = remember(
    /** @param {any[]} keys */
    (...keys) => makeScene(.../** @type {[ViewState, Computed]} */ (keys.slice(-2))),
    11,
);

/** Another one when what is shown is another. @param {ViewState} state @param {Computed} data
 * @returns {Scene} */
export const decidesScene = (state, data) =>
    remembered(
        ...[state.ask, state.against, state.patch, state.from, state.to].map(String),
        ...[state.by, state.together, state.oneBased].map(String),
        ...[data.tensors, data.pass, data.model, state, data],
    );
