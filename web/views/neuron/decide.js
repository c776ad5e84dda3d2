/* decide - finds the neurons behind a query's strongest weight. The score of the winning key
 * exceeds the mean score of the other keys by its lead, and the lead is a sum over neurons,
 * exactly: Σ_j q_j (k_win,j - mean of the other k_j) / √d. Neurons are ranked by their term;
 * zeroing one takes just its term away. `half` is how many of them, the largest first, make up half
 * of the lead. `summarise` says the same of all queries: how many neurons usually decide, and which
 * most often.
 */
import {reached, total} from '../../draw/scale.js';

/**
 * @typedef {{data: ArrayLike<number>, tokens: number, width: number}} Keys   [T, d] of one head
 * @typedef {{winner: number, lead: number, terms: Float64Array, order: number[], half: number}}
 *     Decision
 *   order: neurons by falling term
 * @typedef {{least: number, median: number, most: number, common: {neuron: number, count:
 *     number}[], queries: number}} Summary
 */

/** The sum of all keys, by neuron. @param {Keys} keys */
export function keySum({data, tokens, width}) {
    const sum = new Float64Array(width);
    for (let i = 0; i < tokens * width; i++) sum[i % width] += data[i];
    return sum;
}

/** null when no key wins: a single token, or equal scores.
 * @param {ArrayLike<number>} query [d], zeros for neurons that are off @param {Keys} keys
 * @param {Float64Array} sum of the keys
 * @param {number} winner @returns {Decision | null} */
export function decide(query, {data, tokens, width}, sum, winner) {
    const terms = Float64Array.from({length: width}, (_, j) => {
        const own = data[winner * width + j];
        return (query[j] * (own - (sum[j] - own) / (tokens - 1))) / Math.sqrt(width);
    });
    const lead = total(terms);
    if (!(lead > 1e-9)) return null;
    const order = Array.from(terms, (_, j) => j).sort((a, b) => terms[b] - terms[a] || a - b);
    const falling = order.map(j => terms[j]);
    return {winner, lead, terms, order, half: reached(falling, lead / 2)};
}

/** Over many decisions: how many neurons make up half, and which are among them most often.
 * @param {readonly (Decision | null)[]} decisions @returns {Summary | null} */
export function summarise(decisions) {
    const made = decisions.flatMap(decision => (decision ? [decision] : []));
    if (!made.length) return null;
    const halves = made.map(({half}) => half).sort((a, b) => a - b);
    /** @type {Map<number, number>} */
    const counts = new Map();
    for (const {order, half} of made) {
        for (const neuron of order.slice(0, half))
            counts.set(neuron, (counts.get(neuron) ?? 0) + 1);
    }
    const common = [...counts]
        .map(([neuron, count]) => ({neuron, count}))
        .sort((a, b) => b.count - a.count || a.neuron - b.neuron);
    return {
        least: halves[0],
        median: halves[halves.length >> 1],
        most: halves[halves.length - 1],
        common,
        queries: made.length,
    };
}
