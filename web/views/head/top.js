/* top - the reader's setting "only the strongest attention" of each query: the largest weights first, until their sum reaches a
 * share of what the query gives to the keys shown (exBERT). Several heads are taken together: the
 * keys are ranked by the sum over the heads.
 */

/** The attention with all other weights set to 0.
 * @param {{data: Float32Array, shape: number[]}} attention [n, T, T]
 * @param {readonly number[]} heads
 * @param {{rows: number[], cols: number[]}} ranges of what is shown @param {number} share 0..1 */
export function keepTop({data, shape}, heads, {rows, cols}, share) {
    const T = shape[1];
    const kept = new Float32Array(data.length);
    const sums = new Float64Array(T);
    for (let query = rows[0]; query < rows[1]; query++) {
        sums.fill(0);
        for (const head of heads) {
            const at = (head * T + query) * T;
            for (let key = cols[0]; key < cols[1]; key++) sums[key] += data[at + key];
        }
        for (const key of strongest(sums, cols, share)) {
            for (const head of heads)
                kept[(head * T + query) * T + key] = data[(head * T + query) * T + key];
        }
    }
    return {data: kept, shape};
}

/** @param {Float64Array} sums @param {number[]} range @param {number} share @returns {number[]} */
function strongest(sums, [from, to], share) {
    const order = Array.from({length: to - from}, (_, i) => from + i).sort(
        (a, b) => sums[b] - sums[a] || a - b,
    );
    const wanted = share * order.reduce((sum, key) => sum + sums[key], 0);
    let sum = 0;
    let count = 0;
    while (count < order.length && sum < wanted) sum += sums[order[count++]];
    return order.slice(0, count);
}
