/* vector - arithmetic on the vectors that views draw, no more than sums and products for display,
 * and how wide a row of them is. Statistics are computed in C.
 */

/** Row `index` of a [rows, width] tensor, or of layer-like data from `start` on.
 * @param {{data: Float32Array}} tensor
 * @param {number} index @param {number} width @param {number} [start] */
export const vectorOf = ({data}, index, width, start = 0) =>
    data.subarray(start + index * width, start + (index + 1) * width);

/** @param {...ArrayLike<number>} vectors of one length */
export const sumOf = (...vectors) =>
    Float32Array.from({length: vectors[0].length}, (_, i) =>
        vectors.reduce((sum, vector) => sum + vector[i], 0),
    );

/** @param {ArrayLike<number>} a @param {ArrayLike<number>} b of one length */
export const dot = (a, b) => Array.from(a).reduce((sum, one, i) => sum + one * b[i], 0);

/** Each row of `rows` [T, width] times, element by element, the vector.
 * @param {ArrayLike<number>} rows
 * @param {ArrayLike<number>} vector */
export const timesVector = (rows, vector) =>
    Float32Array.from(rows, (value, i) => value * vector[i % vector.length]);

/** Row t of `rows` [T, width] times weights[t]. @param {ArrayLike<number>} rows
 * @param {ArrayLike<number>} weights */
export function timesEach(rows, weights) {
    const width = rows.length / weights.length;
    return Float32Array.from(rows, (value, i) => value * weights[Math.floor(i / width)]);
}

/** Mean and standard deviation of the values, as LayerNorm takes them.
 * @param {ArrayLike<number>} vector */
export function moments(vector) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < vector.length; i++) sum += vector[i];
    const mean = sum / vector.length;
    for (let i = 0; i < vector.length; i++) squares += (vector[i] - mean) ** 2;
    return {mean, deviation: Math.sqrt(squares / vector.length)};
}

/** Columns from..from + width of [T, D]. @param {{data: Float32Array, shape: number[]}} tensor
 * @param {number} from
 * @param {number} width */
export function columnsOf({data, shape: [T, D]}, from, width) {
    const out = new Float32Array(T * width);
    for (let i = 0; i < T; i++)
        out.set(data.subarray(i * D + from, i * D + from + width), i * width);
    return out;
}
