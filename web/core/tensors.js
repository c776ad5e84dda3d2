/* tensors - parts of a {data, shape} as engine.tensor gives it: row-major float32, the last axis
 * runs fastest. Slices are views on the same data, never copies. Statistics are not here: they are
 * computed in C (engine.study).
 */

/** @typedef {{data: Float32Array, shape: number[]}} Tensor */

/** The part with the first index fixed: head h of [H, T, T] as [T, T], row t of [T, D] as [D].
 * @param {Tensor} tensor @param {number} index @returns {Tensor} */
export function slice({data, shape: [length, ...rest]}, index) {
    if (!(index >= 0 && index < length))
        throw new RangeError(`index ${index} is outside 0..${length - 1}`);
    const size = rest.reduce((product, n) => product * n, 1);
    return {data: data.subarray(index * size, (index + 1) * size), shape: rest};
}

/** Row i of a [rows, columns] tensor: what query i looks at. @param {Tensor} tensor
 * @param {number} i */
export const row = (tensor, i) => slice(tensor, i).data;

/** Column j of a [rows, columns] tensor: who looks at key j. A copy.
 * @param {Tensor} tensor @param {number} j */
export function column({data, shape: [rows, columns]}, j) {
    if (!(j >= 0 && j < columns)) throw new RangeError(`index ${j} is outside 0..${columns - 1}`);
    return Float32Array.from({length: rows}, (_, i) => data[i * columns + j]);
}

/** The mean over some of the first index: heads of [H, T, T] as one [T, T]. [] means all.
 * @param {Tensor} tensor @param {readonly number[]} [indices] @returns {Tensor} */
export function mean(tensor, indices = []) {
    const all = indices.length ? indices : Array.from({length: tensor.shape[0]}, (_, i) => i);
    const parts = all.map(index => slice(tensor, index).data);
    const data = Float32Array.from(
        {length: parts[0].length},
        (_, i) => parts.reduce((sum, part) => sum + part[i], 0) / parts.length,
    );
    return {data, shape: tensor.shape.slice(1)};
}

/** Index of the greatest value, the first of equals; -1 when there is none (empty, or only NaN).
 * @param {ArrayLike<number>} values */
export function argmax(values) {
    let best = -1;
    for (let i = 0; i < values.length; i++) {
        if (best < 0 ? !Number.isNaN(values[i]) : values[i] > values[best]) best = i;
    }
    return best;
}

/** The indices of the k greatest values, greatest first, equals in their order; NaN is left out.
 * @param {ArrayLike<number>} values @param {number} k */
export const top = (values, k) =>
    Array.from(values, (_, i) => i)
        .filter(i => !Number.isNaN(values[i]))
        .sort((i, j) => values[j] - values[i] || i - j)
        .slice(0, k);

/** Least and greatest of the finite values; [0, 0] when there are none.
 * @param {ArrayLike<number>} values @returns {[number, number]} */
export function range(values) {
    let [low, high] = [Infinity, -Infinity];
    for (let i = 0; i < values.length; i++) {
        if (!Number.isFinite(values[i])) continue;
        low = Math.min(low, values[i]);
        high = Math.max(high, values[i]);
    }
    return low <= high ? [low, high] : [0, 0];
}
