/* compute - has the engine compute what a state needs, and no more: a pass when the text or the changes inside the model
 * are others, a pass without the changes when a view compares, and copies of the tensors and studies that are not here yet.
 */
import {changesOf, needName, wordsOf} from '../views/needs.js';
import {COMPARED, createBefore} from './before.js';
import {createRunner, keyOf} from './runner.js';

/**
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../core/state.js').State} State
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {import('./before.js').Before} Before
 * @typedef {import('./runner.js').Fill} Fill
 * @typedef {{pass: Pass, fills: Fill[], tensors: Map<string, Tensor>, before: Before | null}} Computed
 */

const FILLINGS = 5;
const MOST_MASKS = 8;

/** The positions whose fillings are shown: all when the view says so, else the masks of the text and the changed tokens.
 * @param {Pass} pass @param {Model} model @param {State} state @param {boolean} all */
function positionsToFill(pass, model, state, all) {
    const {mlm, special: {mask}} = model;
    if (!mlm) return [];
    if (all) return pass.tokens.map((_, index) => index);
    const words = wordsOf(state).map(({position}) => position);
    return pass.tokens.flatMap(({id}, index) => (mask >= 0 && (id === mask || state.masked.includes(index))) ||
        words.includes(index) ? [index] : []).slice(0, MOST_MASKS);
}

/** What the engine is to run for a state.
 * @param {Pick<State, 'text' | 'textB' | 'precision' | 'masked' | 'off' | 'zeroed' | 'replaced'>} state @param {Model} model
 * @returns {import('./runner.js').Input} */
export const inputOf = (state, model) => ({text: state.text, textB: state.textB, precision: state.precision,
    changes: changesOf(state, model), words: wordsOf(state)});

/** @param {import('./app.js').TextEngine} engine */
export function createComputer(engine) {
    const runner = createRunner(engine);
    const earlier = createBefore(runner);
    /** @type {Computed & {key: string, filled: string}} */
    let last = {key: '', filled: '', pass: /** @type {any} */ (null), fills: [], tensors: new Map(), before: null};

    return {
        /** Nothing of what was computed holds any longer: another model. */
        forget() {
            runner.forget();
            earlier.forget();
            last = {...last, key: ''};
        },
        /** @param {State} state @param {Model} model @param {{needs: Need[], later?: Need[], fillsAll: boolean}} view   later: not waited for,
         * but given where it is here already
         * @param {{signal: AbortSignal, onRun: () => void}} options @returns {Promise<Computed>} */
        async compute(state, model, {needs: wanted, later = [], fillsAll}, {signal, onRun}) {
            const input = inputOf(state, model);
            const plain = {...input, changes: [], words: []};
            const positionsOf = (/** @type {Pass} */ pass) => positionsToFill(pass, model, state, fillsAll);
            const key = keyOf(input);
            const same = last.key === key;
            const needs = [...wanted, ...later.filter(need => same && last.tensors.has(needName(need)))];
            if (!same) onRun();
            const unchanged = await earlier.tensors(needs.filter(need => need.before), plain, signal);
            const before = needs.some(need => need.compared) ? await earlier.compare(plain, positionsOf, signal) : null;
            const pass = await runner.run(input, signal);
            const now = await runner.copies(needs.filter(need => !need.before), same ? last.tensors : new Map());
            const positions = positionsOf(pass);
            const count = before ? COMPARED : FILLINGS;
            const filled = `${key} ${positions} ${count}`;
            if (same && last.filled !== filled) onRun();
            const fills = last.filled === filled ? last.fills : await runner.fills(positions, count);
            if (!signal.aborted) last = {key, filled, pass: same ? last.pass : pass, fills, before,
                tensors: new Map([...now, ...unchanged])};
            return last;
        },
    };
}
