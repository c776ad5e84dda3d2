/* numbers - the numbers of the comparison of two models, from the study's answer: roles gained and
 * lost by layer, the change of a head, the changed heads. Pure; before is the model of the page,
 * after the second one.
 */
import {countsByLayer} from '../roles/numbers.js';

/**
 * @typedef {{role: string, ceiling: number | null, tau: number, testable: boolean, why: string, n:
 *     number[], before: (number | null)[], after: (number | null)[],
 *   difference: (number | null)[], p: (number | null)[], q: (number | null)[], changed: number[],
 *   item: number[], has_before: number[], has_after: number[], gained: number[], lost: number[]}}
 *   Role
 * @typedef {{before: (number | null)[], after: (number | null)[], difference: (number | null)[],
 *     low: (number | null)[], high: (number | null)[],
 *   p: (number | null)[], q: (number | null)[], changed: number[]}} OfLayers   of every layer, and
 *       last of all
 * @typedef {{layers: number, heads: number, items: number, tau: number, alpha: number, correction:
 *     string, roles: Role[], measures: string[],
 *   margin: number, effect: (number | null)[][], n: number[][], before: (number | null)[][], after:
 *   (number | null)[][], difference: (number | null)[][], low: (number | null)[][],
 *   high: (number | null)[][], p: (number | null)[][], q: (number | null)[][], item: number[][], sep_of_layers: OfLayers}} Answer   first
 *       index: measure
 */

/** Roles gained and lost by layer, over the roles that are shown. @param {readonly Role[]} roles
 * @param {number} layers */
export function byLayer(roles, layers) {
    const sum = (/** @type {'gained' | 'lost'} */ what) =>
        Array.from({length: layers}, (_, layer) =>
            roles.reduce((total, role) => total + countsByLayer(role[what], layers)[layer], 0),
        );
    return {gained: sum('gained'), lost: sum('lost')};
}

/** Of each head what it gained and lost. @param {readonly Role[]} roles @param {number} count heads
 */
export const changesOf = (roles, count) =>
    Array.from({length: count}, (_, i) => ({
        gained: roles.filter(({gained}) => gained[i]).map(({role}) => role),
        lost: roles.filter(({lost}) => lost[i]).map(({role}) => role),
        kept: roles
            .filter(({has_before, has_after}) => has_before[i] && has_after[i])
            .map(({role}) => role),
    }));

/** Significant after Benjamini and Hochberg over all tests of the answer. @param {number | null} q
 * @param {number} alpha */
export const isSignificant = (q, alpha) => q !== null && q < alpha;

/** How many heads fell and rose in a measure: significantly, and by an effect (Cohen's d) of at
 * least the margin.
 * @param {Answer} answer @param {number} m */
export function movement({difference, q, alpha, effect, margin}, m) {
    const clear = (/** @type {number} */ i) =>
        isSignificant(q[m][i], alpha) && Math.abs(effect[m][i] ?? Infinity) >= margin;
    const moved = difference[m].map((value, i) => (clear(i) ? Math.sign(value ?? 0) : 0));
    return {
        up: moved.filter(one => one > 0).length,
        down: moved.filter(one => one < 0).length,
        same: moved.filter(one => !one).length,
    };
}
