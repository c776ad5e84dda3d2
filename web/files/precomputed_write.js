/* precomputed_write - writes the figure that precomputed.js reads: tokens, texts and attention of one
 * text as JSON, weights in 8 bits. Each row is rounded so that its sum stays what it was; a weight is
 * then off by less than 1/255. Pure.
 */
import {FORMAT, FULL, NAME} from './precomputed.js';

/**
 * @typedef {import('../worker/worker.js').Pass} Pass
 * @typedef {import('../worker/worker.js').Model} Model
 * @typedef {import('../worker/worker.js').Tensor} Tensor
 */

// of what has been published (state.js): since 2 a figure names its model by id
const VERSION = 2;

/** A row of weights as whole 255ths: the largest remainders are rounded up until the sum is right.
 * @param {Float32Array} row @param {Uint8Array} out */
function roundRow(row, out) {
    const parts = Array.from(row, weight => FULL * Math.min(1, Math.max(0, weight)));
    parts.forEach((part, i) => {
        out[i] = Math.floor(part);
    });
    const missing = Math.round(parts.reduce((sum, part) => sum + part - Math.floor(part), 0));
    parts
        .map((part, i) => ({i, rest: part - Math.floor(part)}))
        .sort((a, b) => b.rest - a.rest || a.i - b.i)
        .slice(0, missing)
        .forEach(({i}) => {
            out[i]++;
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
