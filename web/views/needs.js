/* needs - the requests of a view, as one list: tensors, measures, and predicted words for tokens;
 * their names; and the changes inside the model that the state asks for. Pure. session/compute.js
 * has the list computed by one message, app/app.js waits until it is there.
 */

/**
 * @typedef {{tensor?: string, layer?: number, measure?: string, args?: number[], predictions?:
 *     'masks' | 'all' | 'last', top?: number,
 *   nextSentence?: boolean, labels?: boolean, plain?: boolean, compared?: boolean, later?: boolean}} Need   one of
 *       tensor, measure, predictions and nextSentence, as
 *   the engine answers them (worker/passes.js); predictions: 'masks', 'all', 'last', or 'lens:' and the position; plain: of the text as typed and the model as it is,
 *   without the changes; compared: the pass is set against that one, by a measure or with its
 *   predictions (data.before); later: the view is drawn before it is there
 * @typedef {import('../worker/passes.js').Fill} Fill
 * @import {Change} from '../worker/passes.js'
 * @typedef {{nextSentence: number[] | null, fills: Fill[], prediction?: import('../worker/passes.js').Prediction |
 *     null}} Before   the predictions of the plain
 *     pass, at the positions of the changed one's
 * @import {State} from '../state/state.js'
 * @import {Model} from '../worker/worker.js'
 */

const FILLINGS = 5;
/** Words at a position that are compared: more than are shown, so that those shown are found on the
 * other side too. */
const COMPARED = 200;

/** The name under which a view finds it in data.tensors: 'attention.3', 'embeddings',
 * 'measure.rollout', 'measure.heatmaps.64.0.0', 'plain.attention.3'. @param {Need} need */
export function needName({tensor, layer, measure, args = [], predictions, top, labels, plain}) {
    const parts =
        tensor !== undefined
            ? [tensor, layer]
            : measure !== undefined
              ? ['measure', measure, ...args]
              : predictions
                ? ['predictions', predictions, top]
                : [labels ? 'labels' : 'nextSentence'];
    return [plain ? 'plain' : undefined, ...parts].filter(part => part !== undefined).join('.');
}

/** Are heads shown by what they move? @param {Pick<State, 'show'>} state */
export const isMoved = ({show}) => show === 'moved';

/** What is shown where weights are needed: the weights, or each head's shares of what it moves.
 * @param {Need} need @param {Pick<State, 'show'>} state @returns {Need} */
export const shownNeed = (need, state) =>
    isMoved(state) ? {measure: `moved_${need.measure ?? 'shares'}`, args: need.args} : need;

/** The attention of a layer. @param {number} layer @returns {Need} */
export const attentionNeed = layer => ({tensor: 'attention', layer, args: [layer]});

/** The state that attention from a file is shown in: it has no values, or only their lengths. @template {{show: string}} S @param {S} state
 * @param {Pick<Model, 'moves'> | null} [model] @returns {S} */
export const withoutValues = (state, model) =>
    state.show === 'weight' || (model?.moves && isMoved(state))
        ? state
        : {...state, show: 'weight'};

/** A need as the engine takes it. @param {Need} need @returns {import('../worker/passes.js').Want} */
export function wantOf({compared, later, ...want}) {
    const [, at] = /^lens:(.+)$/.exec(String(want.predictions)) ?? [];
    if (at) return {lens: /^\d+$/.test(at) ? Number(at) : at, top: want.top};
    return compared && want.measure !== undefined ? {...want, against: 'plain'} : want;
}

/** What a lesson needs beside the view. @param {Pick<State, 'tour'>} state @returns {Need[]} */
export const tourNeeds = ({tour}) =>
    tour < 0 ? [] : ['patterns', 'even', 'sieves'].map(measure => ({measure}));

/** The next word, as it stands above figures that do not show it themselves (figure/verdict.js). @type {Need} */
export const NEXT_WORD = {predictions: 'last', top: FILLINGS, later: true};

/** The words that a model predicts: at the masks, or where `all` is asked for at every position; a causal model's next
 * word when it is compared, or shown beside the view (`next`). The first layers of a model that is on its way (whole)
 * predict nothing yet. @param {Pick<Model, 'mlm' | 'whole' | 'predicts'>} model
 * @param {{all: boolean, compared: boolean, next?: boolean}} asked @returns {Need[]} */
export function wordNeeds({mlm, whole, predicts}, {all, compared, next}) {
    if (whole) return [];
    if (mlm) return [{predictions: all ? 'all' : 'masks', top: compared ? COMPARED : FILLINGS}];
    if (!predicts?.includes('next_word')) return [];
    return compared ? [{predictions: 'last', top: COMPARED}] : next ? [NEXT_WORD] : [];
}

/** What the view and the page around it need for a state: all that it shows, each once.
 * @param {Pick<import('./view.js').View, 'needs' | 'later' | 'fillsAll' | 'predicts'>} view @param {State} state
 * @param {Model} model @returns {Need[]} */
export function allNeeds(view, state, model) {
    const own = view.needs(state, model);
    const compared = own.some(need => need.compared);
    // In fast it may be another word than views of predictions say.
    const next = !view.predicts && precisionOf(state, model) === 'fine';
    const fills = wordNeeds(model, {all: view.fillsAll?.(state) ?? false, compared, next});
    const before = !compared
        ? []
        : [...fills, {nextSentence: true}, {labels: true}].map(need => ({...need, plain: true}));
    const later = (view.later?.(state, model) ?? []).map(need => ({...need, later: true}));
    const all = [...own, ...tourNeeds(state), ...fills, ...before, ...later];
    return all.filter(
        (need, i) => all.findIndex(other => needName(other) === needName(need)) === i,
    );
}

/** The predictions among the answers to needs. @param {Need[]} needs
 * @param {Map<string, any>} answers
 * @returns {{fills: Fill[], before: Before | null}} */
export function fillsOf(needs, answers) {
    /** The answer to the first such need. @param {(need: Need) => unknown} is */
    const answer = is => {
        const need = needs.find(is);
        return need && answers.get(needName(need));
    };
    const fills = (/** @type {boolean} */ plain) =>
        answer(need => need.predictions && !need.later && !need.plain !== plain) ?? [];
    return {
        fills: fills(false),
        before: needs.some(need => need.nextSentence)
            ? {
                  nextSentence: answer(need => need.nextSentence) ?? null,
                  fills: fills(true),
                  prediction: answer(need => need.labels && need.plain) ?? null,
              }
            : null,
    };
}

/** Whether everything is there that the view needs for this state.
 * @param {{needs: (state: any, model: any) => Need[]}} view @param {any} state
 * @param {{model: any, tensors: Map<string, any>}} data */
export const isReady = (view, state, data) =>
    view.needs(state, data.model).every(need => data.tensors.has(needName(need)));

/** @param {string} kind @param {number[]} numbers @returns {Change} */
const rowOf = (kind, numbers) => [kind, ...numbers];

/** Rows of hl_change: masked tokens, heads that are off, neurons that are zero, embeddings left out or
 * exchanged. What the model does not have is left out.
 * @param {Pick<State, 'masked' | 'off' | 'zeroed'> & Partial<Pick<State, 'without' | 'swapped'>>} state
 * @param {{layers: number, heads: number, head_width: number, special: {mask: number}}} model
 * @returns {Change[]} */
export function changesOf({masked, off, zeroed, without, swapped = []}, model) {
    const known = (/** @type {number[]} */ [layer, head, neuron = 0]) =>
        layer < model.layers && head < model.heads && neuron < model.head_width;
    const places = (/** @type {readonly string[]} */ list) =>
        list.map(place => place.split('.').map(Number)).filter(known);
    const mask = model.special.mask;
    return [
        ...(mask >= 0 ? masked.map(position => rowOf('token', [position, mask])) : []),
        ...places(off).map(place => rowOf('head', place)),
        ...places(zeroed).map(place => rowOf('neuron', place)),
        ...(without ? [rowOf(`no_${without}`, [])] : []),
        ...(swapped.length === 2 ? [rowOf('swap', [...swapped])] : []),
    ];
}

/** What the engine is asked for, by the state's precision. */
const ASKED = /** @type {const} */ ({fast: 'usual', fine: 'fine', int8: 'fast'});

/** Views of predictions and of what changes them. */
const PREDICT = /^(next|decides|why|change)$/;

/** @typedef {Pick<State, 'precision'> & Partial<Pick<State, 'view' | 'text' | 'textB' | 'masked'>>} Computes
 * @typedef {Pick<Model, 'precision'> & Partial<Pick<Model, 'predicts'>>} Computing */

/** Is something predicted, decided or split? Then fine unless the reader asks otherwise, so that a text has one best word
 * wherever it is shown. @param {Computes} state @param {Computing} model */
const isPredicted = ({view = '', text, textB, masked}, {predicts}) =>
    PREDICT.test(view) ||
    masked?.length ||
    /\[MASK\]|<mask>/.test(`${text} ${textB}`) ||
    predicts?.some(task => /labels|answer/.test(task));

/** @param {Computes} state @param {Computing} model */
export function askedPrecision(state, model) {
    const asked = ASKED[state.precision];
    return asked === 'usual' && isPredicted(state, model) ? 'fine' : asked;
}

/** fine or fast: what a model is computed in. @param {Computes} state @param {Computing} model */
export function precisionOf(state, model) {
    const asked = askedPrecision(state, model);
    return asked === 'usual' ? (model.precision ?? 'fast') : asked;
}

/** The state's precision that a model is computed in so. @param {'fine' | 'fast'} wanted @param {Computes} state
 * @param {Computing} model */
export const precisionFor = (wanted, state, model) =>
    precisionOf({...state, precision: wanted}, model) === wanted ? wanted : 'int8';

/** What a model says of a text whatever is in it. */
export const TASKS = /labels|answer|replaced/;

/** Are two texts there, and a model that says how alike they are? @param {Pick<Model, 'predicts'>} model
 * @param {Pick<import('../worker/worker.js').Pass, 'texts'>} pass */
export const compares = ({predicts}, {texts}) => predicts?.includes('embedding') && texts[1] !== '';

/** Is there no label, answer, next word, masked token or pair with a similarity? Of a pass that is there.
 * @param {{model: Model | null, pass: import('../worker/worker.js').Pass | null}} shown @param {Pick<State, 'masked'>} state */
export function isNothingPredicted({model, pass}, {masked}) {
    if (!model || !pass) return false;
    const {predicts = [], mlm, special} = model;
    return !(
        predicts.some(task => task === 'next_word' || TASKS.test(task)) ||
        (mlm && (masked.length || pass.tokens.some(({id}) => id === special.mask))) ||
        compares(model, pass)
    );
}

/** The words of `replaced`. @param {Pick<State, 'replaced'>} state
 * @returns {{position: number, word: string}[]} */
export const wordsOf = ({replaced}) =>
    replaced.map(one => {
        const colon = one.indexOf(':');
        return {position: Number(one.slice(0, colon)), word: one.slice(colon + 1)};
    });

/** The ids of tokens that a causal model has written after the text. @param {Partial<Pick<State, 'written'>>} state */
export const writtenOf = ({written = ''}) => (written.match(/\d{1,6}/g) ?? []).map(Number);

/** No change at all. */
export const UNCHANGED = /* @__PURE__ */ Object.freeze({
    masked: [],
    replaced: [],
    off: [],
    zeroed: [],
    without: '',
    swapped: [],
});

/** What concerns the tokens of one text, as a new text begins. */
export const FRESH = /* @__PURE__ */ Object.assign(
    {picked: [], token: -1, from: -1, to: -1, written: '', heading: '', note: '', marks: []},
    UNCHANGED,
);

/** Does the state ask for any? @param {State} state */
export const hasChanges = state =>
    Object.keys(UNCHANGED).some(
        name => state[/** @type {keyof typeof UNCHANGED} */ (name)].length > 0,
    );
