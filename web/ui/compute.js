/* compute - has the engine compute what a state needs, and no more: a pass when the text or the changes inside the model
 * are others, a pass without the changes when a view compares, and copies of the tensors and studies that are not here yet.
 */
import {changesOf, needName} from '../views/needs.js';

/**
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../core/state.js').State} State
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {import('./app.js').Engine} Engine
 * @typedef {{index: number, words: {id: number, piece: string, probability: number}[]}} Fill   of a position
 * @typedef {{pass: Pass, fills: Fill[]}} Predictions
 * @typedef {Predictions & {tensors: Map<string, Tensor>, before: Predictions | null}} Computed
 *   before: without the changes inside the model, when it is asked for
 * @typedef {{text: string, textB: string, changes: number[][]}} Input
 */

const FILLINGS = 5;
const MOST_MASKS = 8;
/** Large, and asked for by no view, or computed one by one when asked for. */
const NOT_KEPT = ['mlm_logits'];

/** @type {{key: string, wish: string, tensors: Map<string, Tensor>, predictions: Predictions | null}} */
const NOTHING = {key: '', wish: '', tensors: new Map(), predictions: null};

/** @param {Input} input */
const keyOf = input => JSON.stringify(input);

/** The positions whose fillings are shown: all when the view says so, else the masks of the text and the masked tokens.
 * @param {Pass} pass @param {Model} model @param {State} state @param {boolean} all */
function positionsToFill(pass, model, state, all) {
    const {mlm, special: {mask}} = model;
    if (!mlm) return [];
    if (all) return pass.tokens.map((_, index) => index);
    const masks = pass.tokens.flatMap(({id}, index) => id === mask || state.masked.includes(index) ? [index] : []);
    return mask < 0 ? [] : masks.slice(0, MOST_MASKS);
}

/** @param {Engine} engine */
export function createComputer(engine) {
    /** What the worker holds. @type {{key: string, pass: Pass} | null} */
    let held = null;
    /** @type {Computed & {key: string, filled: string}} */
    let last = {key: '', filled: '', pass: /** @type {any} */ (null), fills: [], tensors: new Map(), before: null};
    let before = NOTHING;   // of the input without changes

    /** @param {Input} input @param {AbortSignal} signal */
    async function run(input, signal) {
        held = null;
        const pass = await engine.run({...input, drop: NOT_KEPT}, {signal});
        held = {key: keyOf(input), pass};
        return pass;
    }

    /** Copies of those that `kept` has not. @param {Need[]} needs @param {Map<string, Tensor>} kept */
    async function copies(needs, kept) {
        const found = await Promise.all(needs.map(need => kept.get(needName(need)) ?? (need.tensor === undefined
            ? engine.study(need.study, need.argument) : engine.tensor(need.tensor, need.layer))));
        return new Map(needs.map((need, i) => [needName(need), found[i]]));
    }

    /** @param {number[]} positions @returns {Promise<Fill[]>} */
    const fillAt = positions =>
        Promise.all(positions.map(async index => ({index, words: await engine.fill(index, FILLINGS)})));

    /** @param {Need[]} needs @param {Input} plain @param {((pass: Pass) => number[]) | null} positionsOf to fill in
     * @param {string} wish what positionsOf depends on besides the pass @param {AbortSignal} signal */
    async function takeBefore(needs, plain, positionsOf, wish, signal) {
        const key = keyOf(plain);
        if (before.key !== key) before = {...NOTHING, key};
        if (before.wish !== wish) before = {...before, wish, predictions: null};
        const lacking = needs.some(need => !before.tensors.has(needName(need)));
        if (!lacking && (!positionsOf || before.predictions)) return before;
        const pass = held?.key === key ? held.pass : await run(plain, signal);
        const tensors = await copies(needs, before.tensors);
        const predictions = before.predictions ?? (positionsOf && {pass, fills: await fillAt(positionsOf(pass))});
        before = {key, wish, tensors, predictions};
        return before;
    }

    return {
        /** Nothing of what was computed holds any longer: another model. */
        forget() {
            held = null;
            last = {...last, key: ''};
            before = NOTHING;
        },
        /** @param {State} state @param {Model} model
         * @param {{needs: Need[], fillsAll: boolean, fillsBefore?: boolean}} view
         * @param {{signal: AbortSignal, onRun: () => void}} options @returns {Promise<Computed>} */
        async compute(state, model, {needs, fillsAll, fillsBefore = false}, {signal, onRun}) {
            const {text, textB} = state;
            const input = {text, textB, changes: changesOf(state, model)};
            const key = keyOf(input);
            const earlier = needs.filter(need => need.before);
            const same = last.key === key;
            const positionsOf = (/** @type {Pass} */ pass) => positionsToFill(pass, model, state, fillsAll);
            const compared = fillsBefore && input.changes.length > 0;
            if (!same) onRun();
            const unchanged = await takeBefore(earlier, {text, textB, changes: []}, compared ? positionsOf : null,
                `${fillsAll} ${state.masked}`, signal);
            const pass = held?.key === key ? held.pass : await run(input, signal);
            const now = await copies(needs.filter(need => !need.before), same ? last.tensors : new Map());
            const positions = positionsOf(pass);
            const filled = `${key} ${positions}`;
            const fills = last.filled === filled ? last.fills : await fillAt(positions);
            if (!signal.aborted) {
                last = {key, filled, pass: same ? last.pass : pass, fills, tensors: new Map([...now, ...unchanged.tensors]),
                    before: compared ? unchanged.predictions : null};
            }
            return last;
        },
    };
}
