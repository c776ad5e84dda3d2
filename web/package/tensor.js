/* tensor - numbers with their shape, which can also be asked as transformers.js's tensors are: `dims`, `tolist()`.
 */

/** @param {Float32Array} data @param {number[]} shape @param {number} from @returns {any} */
function nested(data, [size, ...rest], from) {
    if (!rest.length) return Array.from(data.subarray(from, from + size));
    const step = rest.reduce((all, one) => all * one, 1);
    return Array.from({length: size}, (_, i) => nested(data, rest, from + i * step));
}

/** Neither is a field of its own: what is saved of a tensor is `data` and `shape`.
 * @template {{data: Float32Array, shape: number[]}} Made
 * @param {Made} made @returns {Made & import('./head-light').Tensor} */
export const tensorOf = made =>
    Object.defineProperties(/** @type {any} */ (made), {
        dims: {value: made.shape},
        tolist: {value: () => nested(made.data, made.shape, 0)},
    });
