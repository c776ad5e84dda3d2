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

/** Remembers what the worker holds and what has been copied from it. */
export class Computer {
    #engine;
    /** The input whose pass the worker holds. */
    #held = '';
    /** @type {Computed & {key: string, filled: string}} */
    #last = {key: '', filled: '', pass: /** @type {any} */ (null), fills: [], tensors: new Map()};
    /** Of the input without changes. @type {{key: string, tensors: Map<string, Tensor>}} */
    #before = {key: '', tensors: new Map()};

    /** @param {Engine} engine */
    constructor(engine) {
        this.#engine = engine;
    }

    /** Nothing of what was computed holds any longer: another model. */
    forget() {
        this.#held = '';
        this.#last = {...this.#last, key: '', filled: ''};
        this.#before = {key: '', tensors: new Map()};
    }

    /** @param {Input} input @param {AbortSignal} signal */
    async #run(input, signal) {
        this.#held = '';
        const pass = await this.#engine.run({...input, drop: NOT_KEPT}, {signal});
        this.#held = keyOf(input);
        return pass;
    }

    /** Copies of those that `kept` has not. @param {Need[]} needs @param {Map<string, Tensor>} kept */
    async #copies(needs, kept) {
        const engine = this.#engine;
        const found = await Promise.all(needs.map(need => kept.get(needName(need)) ?? (need.tensor === undefined
            ? engine.study(need.study, need.argument) : engine.tensor(need.tensor, need.layer))));
        return new Map(needs.map((need, i) => [needName(need), found[i]]));
    }

    /** @param {Need[]} needs @param {Input} plain @param {AbortSignal} signal */
    async #takeBefore(needs, plain, signal) {
        const key = keyOf(plain);
        const kept = this.#before.key === key ? this.#before.tensors : new Map();
        if (needs.every(need => kept.has(needName(need)))) return kept;
        if (this.#held !== key) await this.#run(plain, signal);
        this.#before = {key, tensors: await this.#copies(needs, kept)};
        return this.#before.tensors;
    }

    /** @param {number[]} positions */
    #fillings = positions => Promise.all(positions.map(async index =>
        ({index, words: await this.#engine.fill(index, FILLINGS)})));

    /** @param {State} state @param {Model} model @param {{needs: Need[], fillsAll: boolean}} view
     * @param {{signal: AbortSignal, onRun: () => void}} options @returns {Promise<Computed>} */
    async compute(state, model, {needs, fillsAll}, {signal, onRun}) {
        const {text, textB} = state;
        const input = {text, textB, changes: changesOf(state, model)};
        const key = keyOf(input);
        const last = this.#last;
        const same = last.key === key;
        if (!same) onRun();
        const before = await this.#takeBefore(needs.filter(need => need.before), {text, textB, changes: []}, signal);
        const ran = this.#held === key && same ? last.pass : await this.#run(input, signal);
        const pass = same ? last.pass : ran;
        const now = await this.#copies(needs.filter(need => !need.before), same ? last.tensors : new Map());
        const positions = positionsToFill(pass, model, state, fillsAll);
        const filled = `${key} ${positions}`;
        const fills = last.filled === filled ? last.fills : await this.#fillings(positions);
        const next = {key, filled, pass, fills, tensors: new Map([...now, ...before])};
        if (!signal.aborted) this.#last = next;
        return next;
    }
}
