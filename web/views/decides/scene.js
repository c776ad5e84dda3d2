/* scene - the change of ln p of one prediction when a token is masked, a head or an MLP switched off, each in a
 * pass of its own (Michel et al. 2019). The prediction is a word at a position, or the label of the text, of
 * which it is ln p less that of the runner-up. Numbers come one after the other.
 */
import {remember} from '../../draw/memo.js';
import {counted} from '../parts/select.js';
import {deepName} from '../also.js';
import {patchDeep, patchScene} from './patch.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('../../worker/passes.js').Change} Change
 * @typedef {import('../../worker/passes.js').Guess} Guess
 * @typedef {import('../also.js').DeepNeed} DeepNeed
 * @typedef {{change: Change, value: number | null}} Effect   value: null until it is there
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

const WORDS = 10; // to choose from

/** Words at the masks, or at the end. @type {import('../view.js').View['needs']} */
export function needs(_, {predicts, mlm}) {
    if (predicts?.includes('labels')) return [{labels: true}];
    const causal = predicts?.includes('next_word');
    return causal || mlm ? [{predictions: causal ? 'last' : 'masks', top: WORDS}] : [];
}

/** What is predicted: a word of those at the first position, or labels; null: nothing. @param {Pick<ViewState, 'ask'>} state
 * @param {Pick<Computed, 'model' | 'pass' | 'tensors'>} data */
export function targetOf({ask}, {model, pass, tensors}) {
    if (model.predicts?.includes('labels')) {
        const labels = pass.prediction?.task === 'labels' ? pass.prediction.labels : [];
        return labels.length > 1
            ? {position: -1, words: /** @type {Guess[]} */ ([]), word: null, labels}
            : null;
    }
    const [{predictions = 'masks'} = {}] = needs(/** @type {any} */ ({}), model);
    const found = /** @type {import('../view.js').Fill[] | undefined} */ (
        /** @type {unknown} */ (tensors.get(`predictions.${predictions}.${WORDS}`))
    );
    if (!found?.length) return null;
    const [{index, words}] = found;
    const word = words.find(({id}) => String(id) === ask) ?? words[0];
    return {position: index, words, word, labels: []};
}

/** Every change that is tried. @param {Computed['model']} model @param {Computed['pass']['tokens']} tokens
 * @param {number} position of the prediction @returns {Change[]} */
function changesOf({layers, heads, special: {mask}}, tokens, position) {
    const masks = tokens.flatMap(({special, id}, i) =>
        special || id === mask || i === position || mask < 0
            ? []
            : [/** @type {Change} */ (['token', i, mask])],
    );
    const parts = Array.from({length: layers}, (_, l) => [
        /** @type {Change} */ (['mlp', l]),
        ...Array.from({length: heads}, (_, h) => /** @type {Change} */ (['head', l, h])),
    ]);
    return [...masks, ...parts.reverse().flat()]; // the last layers take least time
}

/** The number that is compared, as a need. @param {NonNullable<ReturnType<typeof targetOf>>} target
 * @param {Change} [also] @returns {DeepNeed} */
const needOf = ({position, word}, also) => ({
    ...(word ? {measure: 'log_probability', args: [position, word.id]} : {labels: true}),
    ...(also && {also}),
});

/** What is read of the same pass, to be set beside. @param {NonNullable<ReturnType<typeof targetOf>>} target */
const dependsNeed = ({position}) => ({measure: 'depends', args: [position]});

/** @type {NonNullable<import('../view.js').View['deep']>} */
export function deep(state, data) {
    const target = targetOf(state, data);
    if (!target) return [];
    if (state.patch) return patchDeep({state, data, target});
    const changes = changesOf(data.model, data.pass.tokens, target.position);
    const beside = target.word && data.model.special.mask >= 0 ? [dependsNeed(target)] : [];
    return [needOf(target), ...changes.map(change => needOf(target, change)), ...beside];
}

/** ln p, or of labels ln p less that of the runner-up; null until it is there.
 * @param {NonNullable<ReturnType<typeof targetOf>>} target @param {any} answer */
function valueOf({labels}, answer) {
    if (!answer) return null;
    if (!labels.length) return answer.data[0];
    const of = (/** @type {string} */ name) =>
        answer.labels.find((/** @type {{label: string}} */ {label}) => label === name).probability;
    const [best, other] = labels.map(({label}) => of(label));
    return answer.scores === 'plain' ? best - other : Math.log(best) - Math.log(other);
}

/** Spearman's rank correlation, as `headlight agree` has it: equal values share their rank.
 * @param {number[]} a @param {number[]} b */
export function rankCorrelation(a, b) {
    const ranks = (/** @type {number[]} */ of) =>
        of.map(x => of.reduce((rank, y) => rank + Math.sign(x - y), 0));
    const [x, y] = [ranks(a), ranks(b)];
    const sum = (/** @type {number[]} */ u, /** @type {number[]} */ v) =>
        u.reduce((all, one, i) => all + one * v[i], 0);
    return sum(x, y) / Math.sqrt(sum(x, x) * sum(y, y));
}

export const READINGS = /** @type {const} */ (['weight', 'moved', 'zeroed', 'rollout', 'nearness']);

/** Readings of attention at the tokens that were masked, beside what that has changed; null until all is there.
 * @param {Effect[]} effects @param {any} tensor of `depends` @param {number} count of tokens */
function readingsOf(effects, tensor, count) {
    const masked = effects.filter(({change: [kind]}) => kind === 'token');
    if (!tensor || masked.length < 2 || masked.some(({value}) => value === null)) return null;
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

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, data) {
    const {model, pass, tensors} = data;
    const target = targetOf(state, data);
    const count = counted(state);
    const shared = {
        ...{tokens: pass.tokens, target, count, layers: model.layers, heads: model.heads},
        patch: state.patch && target ? patchScene({state, data, target}) : null,
    };
    if (!target)
        return {...shared, plain: null, effects: [], there: 0, most: 1, ranked: [], readings: null};
    const read = (/** @type {Change | undefined} */ also) =>
        valueOf(target, tensors.get(deepName(needOf(target, also))));
    const plain = read(undefined);
    const effects = changesOf(model, pass.tokens, target.position).map(change => {
        const value = plain === null ? null : read(change);
        return {change, value: value === null || plain === null ? null : value - plain};
    });
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
