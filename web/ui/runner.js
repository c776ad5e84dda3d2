/* runner - which input the engine has run last, and copies of what was computed of it. The engine holds one pass at a time;
 * here it is run again only when another one stands there.
 */
import {needName} from '../views/needs.js';

/**
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {{text: string, textB: string, precision: 'fine' | 'fast', changes: number[][],
 *   words: {position: number, word: string}[]}} Input
 * @typedef {{index: number, words: {id: number, piece: string, probability: number}[]}} Fill   of a position
 * @typedef {ReturnType<typeof createRunner>} Runner
 */

/** Large, and asked for by no view, or computed one by one when asked for. */
const NOT_KEPT = ['mlm_logits'];

/** @param {Input} input */
export const keyOf = input => JSON.stringify(input);

/** @param {import('./app.js').TextEngine} engine */
export function createRunner(engine) {
    /** @type {{key: string, pass: Pass} | null} */
    let held = null;
    return {
        forget() { held = null; },
        /** Has the engine hold the pass of this input. @param {Input} input @param {AbortSignal} signal */
        async run(input, signal) {
            const key = keyOf(input);
            if (held?.key === key) return held.pass;
            held = null;
            const pass = await engine.run({...input, drop: NOT_KEPT}, {signal});
            held = {key, pass};
            return pass;
        },
        /** What is needed of the pass held, by name; `kept` has some of it already.
         * @param {Need[]} needs @param {Map<string, Tensor>} kept @returns {Promise<Map<string, Tensor>>} */
        async copies(needs, kept) {
            const found = await Promise.all(needs.map(need => kept.get(needName(need)) ?? (need.tensor === undefined
                ? engine.study(need.study, need.argument) : engine.tensor(need.tensor, need.layer))));
            return new Map(needs.map((need, i) => [needName(need), found[i]]));
        },
        /** @param {number[]} positions @param {number} count of words @returns {Promise<Fill[]>} */
        fills: (positions, count) => Promise.all(positions.map(async index =>
            ({index, words: await engine.fill(index, count)}))),
        remember: () => engine.remember(),
    };
}
