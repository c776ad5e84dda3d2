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
 * @typedef {{pass: Pass, fills: Fill[], tensors: Map<string, Tensor>}} Computed
 * @typedef {{text: string, textB: string, changes: number[][]}} Input
 */

const FILLINGS = 5;
const MOST_MASKS = 8;
/** Large, and asked for by no view, or computed one by one when asked for. */
const NOT_KEPT = ['mlm_logits'];

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
    let held = '';       // the input whose pass the worker holds
    /** @type {Computed & {key: string, filled: string}} */
    let last = {key: '', filled: '', pass: /** @type {any} */ (null), fills: [], tensors: new Map()};
    /** Of the input without changes. @type {{key: string, tensors: Map<string, Tensor>}} */
    let before = {key: '', tensors: new Map()};

    /** @param {Input} input @param {AbortSignal} signal */
    async function run(input, signal) {
        held = '';
        const pass = await engine.run({...input, drop: NOT_KEPT}, {signal});
        held = keyOf(input);
        return pass;
    }

    /** Copies of those that `kept` has not. @param {Need[]} needs @param {Map<string, Tensor>} kept */
    async function copies(needs, kept) {
        const found = await Promise.all(needs.map(need => kept.get(needName(need)) ?? (need.tensor === undefined
            ? engine.study(need.study, need.argument) : engine.tensor(need.tensor, need.layer))));
        return new Map(needs.map((need, i) => [needName(need), found[i]]));
    }

    /** @param {Need[]} needs @param {Input} plain @param {AbortSignal} signal */
    async function takeBefore(needs, plain, signal) {
        const key = keyOf(plain);
        const kept = before.key === key ? before.tensors : new Map();
        if (needs.every(need => kept.has(needName(need)))) return kept;
        if (held !== key) await run(plain, signal);
        before = {key, tensors: await copies(needs, kept)};
        return before.tensors;
    }

    return {
        /** Nothing of what was computed holds any longer: another model. */
        forget() {
            held = '';
            last = {...last, key: ''};
            before = {key: '', tensors: new Map()};
        },
        /** @param {State} state @param {Model} model @param {{needs: Need[], fillsAll: boolean}} view
         * @param {{signal: AbortSignal, onRun: () => void}} options @returns {Promise<Computed>} */
        async compute(state, model, {needs, fillsAll}, {signal, onRun}) {
            const {text, textB} = state;
            const input = {text, textB, changes: changesOf(state, model)};
            const key = keyOf(input);
            const earlier = needs.filter(need => need.before);
            const same = last.key === key;
            if (!same) onRun();
            const unchanged = await takeBefore(earlier, {text, textB, changes: []}, signal);
            const pass = held === key && same ? last.pass : await run(input, signal);
            const now = await copies(needs.filter(need => !need.before), same ? last.tensors : new Map());
            const positions = positionsToFill(pass, model, state, fillsAll);
            const filled = `${key} ${positions}`;
            if (same && last.filled !== filled) onRun();
            const fills = last.filled === filled ? last.fills : await Promise.all(positions.map(async index =>
                ({index, words: await engine.fill(index, FILLINGS)})));
            if (!signal.aborted) last = {key, filled, pass: same ? last.pass : pass, fills, tensors: new Map([...now, ...unchanged])};
            return last;
        },
    };
}
