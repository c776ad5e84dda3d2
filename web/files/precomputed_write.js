/* precomputed_write - writes the figure that precomputed.js reads: tokens, texts and attention of one
 * text as JSON, weights in 8 bits. Each weight prints with two digits as it was, and each row keeps its sum
 * where it can; a weight is then off by less than 1/255. Pure.
 */
import {FORMAT, FULL, NAME} from './precomputed.js';

/** @import {Pass, Model, Tensor} from '../worker/worker.js' */

// of what has been published (state.js): since 2 a figure names its model by id
const VERSION = 2;

/** Whether a number of 255ths prints as the weight does, with the two digits of the page.
 * @param {number} part @param {number} weight */
const alike = (part, weight) => (part / FULL).toFixed(2) === weight.toFixed(2);

/** A row of weights as whole 255ths: the nearest that print as the weights do (one of the two neighbours always
 * does, since a hundredth is 2.55 of them); then those that are nearest to their other neighbour change over
 * until the sum is right.
 * @param {Float32Array} row @param {Uint8Array} out */
function roundRow(row, out) {
    const parts = Array.from(row, weight => FULL * Math.min(1, Math.max(0, weight)));
    parts.forEach((part, i) => {
        const near = Math.round(part);
        out[i] = alike(near, row[i]) ? near : near + (near < part ? 1 : -1);
    });
    const sum = (/** @type {ArrayLike<number>} */ list) =>
        Array.from(list).reduce((a, b) => a + b, 0);
    const missing = Math.round(sum(parts)) - sum(out);
    const step = Math.sign(missing);
    parts
        .map((part, i) => ({i, off: step * (out[i] - part)}))
        .filter(({i, off}) => off < 0 && alike(out[i] + step, row[i]))
        .sort((a, b) => a.off - b.off || a.i - b.i)
        .slice(0, Math.abs(missing))
        .forEach(({i}) => {
            out[i] += step;
        });
}

/** @param {Tensor} tensor @returns {string} base64 */
function pack({data, shape: [, , T]}) {
    const bytes = new Uint8Array(data.length);
    for (let at = 0; at < data.length; at += T)
        roundRow(data.subarray(at, at + T), bytes.subarray(at, at + T));
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000)
        text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
}

const nameInFile = (/** @type {string} */ key) => key.replace(/^measure\./, 'study.');

/** Of the tensors, those that a figure can hold.
 * @param {{model: Model, pass: Pass, tensors: Iterable<[string, Tensor]>, id: string, name: string,
 *     bytes: number}} figure @returns {object} for JSON.stringify */
export const encodeFigure = ({model, pass, tensors, id, name, bytes}) => ({
    headlight: FORMAT,
    v: VERSION,
    model: {id, name, bytes, layers: model.layers, heads: model.heads, mask: model.special.mask},
    texts: pass.texts,
    tokens: pass.tokens.map(({piece, id, type, from, to, sentence, word, special}) => [
        piece,
        id,
        type,
        from,
        to,
        sentence,
        word,
        special ? 1 : 0,
    ]),
    weights: Object.fromEntries(
        Array.from(tensors)
            .filter(([key]) => NAME.test(nameInFile(key)))
            .map(([key, tensor]) => [nameInFile(key), {n: tensor.shape[0], u8: pack(tensor)}]),
    ),
});
