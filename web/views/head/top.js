/* top - the reader's setting "only the strongest attention" of each query: the largest weights first, until their sum reaches a
 * share of what the query gives to the keys shown (exBERT). Several heads are taken together: the
 * keys are ranked by the mean over the heads.
 */
import {reached, total} from '../../draw/scale.js';
import {meanOf} from './mix.js';

/** The attention with all other weights set to 0.
 * @param {{data: Float32Array, shape: number[]}} attention [n, T, T]
 * @param {readonly number[]} heads
 * @param {{rows: number[], cols: number[]}} ranges of what is shown @param {number} share 0..1 */
export function keepTop(attention, heads, {rows, cols}, share) {
    const {data, shape} = attention;
    const T = shape[1];
    const kept = new Float32Array(data.length);
    const means = meanOf(attention, heads).data;
    for (let query = rows[0]; query < rows[1]; query++) {
        for (const key of strongest(means.subarray(query * T, (query + 1) * T), cols, share)) {
            for (const head of heads)
                kept[(head * T + query) * T + key] = data[(head * T + query) * T + key];
        }
    }
    return {data: kept, shape};
}

/** @param {Float32Array} means @param {number[]} range @param {number} share @returns {number[]} */
function strongest(means, [from, to], share) {
    const order = Array.from({length: to - from}, (_, i) => from + i).sort(
        (a, b) => means[b] - means[a] || a - b,
    );
    const weights = order.map(key => means[key]);
    return order.slice(0, reached(weights, share * total(weights)));
}
