/* before - the pass of the text as typed through the model as it is, for views that set the changed pass against it:
 * copies of its tensors, and its predictions. What later runs are compared with in C is kept there (engine.remember).
 */
import {throwIfAborted} from '../core/errors.js';
import {needName} from '../views/needs.js';
import {keyOf} from './runner.js';

/**
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {import('./runner.js').Fill} Fill
 * @typedef {import('./runner.js').Input} Input
 * @typedef {{pass: Pass, fills: Fill[]}} Before   its predictions, at the positions of the changed pass's
 * @typedef {{key: string, pass: Pass, tensors: Map<string, Tensor>, fills: Fill[], positions: string,
 *   remembered: boolean}} Kept
 */

/** Words at a position that are compared: more than are shown, so that those shown are found on the other side too. */
export const COMPARED = 200;

/** @param {import('./runner.js').Runner} runner */
export function createBefore(runner) {
    /** @type {Kept | null} */
    let kept = null;

    /** @param {Input} plain @param {AbortSignal} signal @returns {Promise<Kept>} */
    async function hold(plain, signal) {
        const pass = await runner.run(plain, signal);
        const key = keyOf(plain);
        kept = kept?.key === key ? kept : {key, pass, tensors: new Map(), fills: [], positions: '', remembered: false};
        return kept;
    }

    return {
        forget() { kept = null; },
        /** @param {Need[]} needs those with `before` @param {Input} plain @param {AbortSignal} signal */
        async tensors(needs, plain, signal) {
            const there = kept?.key === keyOf(plain) ? kept.tensors : new Map();
            if (needs.every(need => there.has(needName(need)))) return there;
            const now = await hold(plain, signal);
            now.tensors = await runner.copies(needs, now.tensors);
            return now.tensors;
        },
        /** The pass that the next one is compared with. @param {Input} plain
         * @param {(pass: Pass) => number[]} positionsOf where predictions are wanted
         * @param {AbortSignal} signal @returns {Promise<Before>} */
        async compare(plain, positionsOf, signal) {
            const there = kept?.key === keyOf(plain) ? kept : null;
            if (there?.remembered && there.positions === `${positionsOf(there.pass)}`) return there;
            const now = await hold(plain, signal);
            const positions = positionsOf(now.pass);
            const fills = await runner.fills(positions, COMPARED);
            throwIfAborted(signal);   // else it might be a newer pass that is remembered
            if (!now.remembered) await runner.remember();
            kept = {...now, fills, positions: `${positions}`, remembered: true};
            return kept;
        },
    };
}
