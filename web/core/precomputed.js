/* precomputed - the attention of one figure as a small JSON text that stands in someone's page: tokens, texts, and weights in
 * 8 bits, so that the figure is drawn before any model is there. Each row is rounded so that its sum stays what it was; a
 * weight is then off by less than 1/255. What comes in was written by others: anything that does not fit is refused with a
 * sentence. Pure.
 */
import {CoreError} from './errors.js';

/**
 * @typedef {import('./worker.js').Pass} Pass
 * @typedef {import('./worker.js').Model} Model
 * @typedef {import('./worker.js').Tensor} Tensor
 * @typedef {{model: Model, pass: Pass, tensors: Map<string, Tensor>, name: string, bytes: number}} Precomputed
 *   name, bytes: of the model, '' and 0 when not known; tensors: [n, T, T] by the names of views/needs.js
 */

const VERSION = 1;
const FULL = 255;
const MOST = {tokens: 512, heads: 64, layers: 64, characters: 8e6, text: 100000};
const NAME = /^(attention\.\d{1,2}|study\.(rollout|layer_mean))$/;

/** A row of weights as whole 255ths: the largest remainders are rounded up until the sum is right.
 * @param {Float32Array} row @param {Uint8Array} out */
function roundRow(row, out) {
    const parts = Array.from(row, weight => FULL * Math.min(1, Math.max(0, weight)));
    parts.forEach((part, i) => { out[i] = Math.floor(part); });
    const missing = Math.round(parts.reduce((sum, part) => sum + part - Math.floor(part), 0));
    parts.map((part, i) => ({i, rest: part - Math.floor(part)})).sort((a, b) => b.rest - a.rest || a.i - b.i)
        .slice(0, missing).forEach(({i}) => { out[i]++; });
}

/** @param {Tensor} tensor @returns {string} base64 */
function pack({data, shape: [, , T]}) {
    const bytes = new Uint8Array(data.length);
    for (let at = 0; at < data.length; at += T) roundRow(data.subarray(at, at + T), bytes.subarray(at, at + T));
    let text = '';
    for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
    return btoa(text);
}

/** @param {{model: Model, pass: Pass, tensors: Iterable<[string, Tensor]>, name: string, bytes: number}} figure
 * @returns {object} for JSON.stringify */
export const encodeFigure = ({model, pass, tensors, name, bytes}) => ({
    headlight: VERSION,
    model: {name, bytes, layers: model.layers, heads: model.heads, mask: model.special.mask},
    texts: pass.texts,
    tokens: pass.tokens.map(({piece, id, type, from, to, sentence, word, special}) =>
        [piece, id, type, from, to, sentence, word, special ? 1 : 0]),
    weights: Object.fromEntries(Array.from(tensors, ([key, tensor]) => [key, {n: tensor.shape[0], u8: pack(tensor)}])),
});

/** @param {string} what @returns {never} */
function refuse(what) {
    throw new CoreError('file', `the figure in the page cannot be read: ${what}; make it anew with Share on the Headlight page`);
}

/** @param {unknown} value @param {number} low @param {number} high @param {string} what @returns {number} */
function whole(value, low, high, what) {
    return Number.isInteger(value) && /** @type {number} */ (value) >= low && /** @type {number} */ (value) <= high
        ? /** @type {number} */ (value) : refuse(`${what} must be a whole number from ${low} to ${high}`);
}

/** @param {unknown} value @param {string} what @returns {string} */
const string = (value, what) => typeof value === 'string' && value.length <= MOST.text ? value : refuse(`${what} must be a text`);

/** @param {unknown} value @param {number} most @param {string} what @returns {any[]} */
const list = (value, most, what) => Array.isArray(value) && value.length <= most ? value
    : refuse(`${what} must be a list of at most ${most}`);

/** @param {any} row @param {string[]} texts @returns {import('./worker.js').Token} */
function tokenOf(row, texts) {
    const [piece, id, type, from, to, sentence, word, special] = list(row, 8, 'a token');
    const length = texts[whole(sentence, -1, texts.length - 1, 'the sentence of a token')]?.length ?? 0;
    return {piece: string(piece, 'a token'), id: whole(id, 0, 2 ** 31, 'the id of a token'), type: whole(type, 0, 255, 'the type of a token'),
        from: whole(from, 0, length, 'where a token begins'), to: whole(to, from, length, 'where a token ends'), sentence,
        word: whole(word, -1, 2 ** 31, 'the word of a token'), special: special === 1};
}

/** @param {string} key @param {any} value @param {number} T @param {{layers: number, heads: number}} model @returns {Tensor} */
function unpack(key, value, T, {layers, heads}) {
    if (!NAME.test(key)) refuse(`'${key.slice(0, 40)}' is no attention`);
    const n = whole(value?.n, 1, Math.max(heads, layers), `the heads of ${key}`);
    if (n !== (key === 'study.rollout' ? layers : heads)) refuse(`${key} has ${n} matrices, the model has ${layers} layers of ${heads} heads`);
    let text = '';
    try {
        text = atob(string(value.u8, key).slice(0, 2 * n * T * T + 8));
    } catch {
        refuse(`${key} is not base64`);
    }
    if (text.length !== n * T * T) refuse(`${key} has ${text.length} numbers instead of ${n * T * T}`);
    return {data: Float32Array.from(text, c => c.charCodeAt(0) / FULL), shape: [n, T, T]};
}

/** @param {string} text @returns {any} */
function parse(text) {
    if (text.length > MOST.characters) refuse('it is longer than 8 MB');
    try {
        return JSON.parse(text);
    } catch {
        return refuse('it is not JSON');
    }
}

/** @param {string} text @returns {Precomputed} */
export function decodeFigure(text) {
    const source = parse(text);
    if (source?.headlight !== VERSION) refuse(`it is not of version ${VERSION}`);
    const {name, bytes, layers, heads, mask} = source.model ?? {};
    const shape = {layers: whole(layers, 1, MOST.layers, 'the number of layers'), heads: whole(heads, 1, MOST.heads, 'the number of heads')};
    const texts = list(source.texts, 2, 'texts').map(value => string(value, 'a text'));
    const tokens = list(source.tokens, MOST.tokens, 'tokens').map(row => tokenOf(row, texts));
    if (!tokens.length) refuse('it has no tokens');
    const model = /** @type {Model} */ (/** @type {unknown} */ ({...shape, mlm: false, nsp: false, warnings: [],
        special: {unk: -1, mask: whole(mask, -1, 2 ** 31, 'the id of [MASK]')}}));
    const entries = Object.entries(source.weights ?? {}).slice(0, MOST.layers + 2);
    const tensors = new Map(entries.map(([key, value]) => [key, unpack(key, value, tokens.length, shape)]));
    const pass = {puts: [], tokens, texts, dropped: [], nextSentence: null, milliseconds: 0};
    return {model, pass, tensors, name: string(name ?? '', 'the name of the model'), bytes: whole(bytes ?? 0, 0, 2 ** 40, 'the size of the model')};
}
