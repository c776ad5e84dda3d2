/* precomputed - the attention of one figure as a small JSON text embedded in someone's page:
 * tokens, texts, and weights in 8 bits, so that the figure can be drawn before any model is loaded.
 * How it is read; precomputed_write.js writes it. What comes in was written by others: anything
 * that does not fit is refused with a sentence that names the part. Pure.
 */
/**
 * @import {Pass, Model, Tensor} from '../worker/worker.js'
 * @typedef {{model: Model, pass: Pass, tensors: Map<string, Tensor>, id: string, name: string,
 *     bytes: number}} Precomputed
 *   id, name, bytes: of the model, '' and 0 when not known; tensors: [n, T, T] by the names of
 *   views/needs.js
 */

export const FORMAT = 1; // of the JSON; every reader since the first takes it
export const FULL = 255;
const MOST = {tokens: 512, heads: 64, layers: 64, characters: 8e6, text: 100000};
const MOST_ID = 1e9;
const MOST_BYTES = 1e12;
// as files have it: what the page calls a measure is a study there
export const NAME = /^(attention\.\d{1,2}|study\.(rollout|layer_mean))$/;

/** @param {unknown} fits @param {string} what */
function check(fits, what) {
    if (!fits)
        throw new Error(
            `the figure in the page cannot be read (${what}); make it anew with Share on the Headlight page`,
        );
}

/** @param {any} value @param {number} low @param {number} high @param {string} what
 * @returns {number} */
function whole(value, low, high, what) {
    check(Number.isInteger(value) && value >= low && value <= high, what);
    return value;
}

/** @param {any} value @param {string} what @returns {string} */
function string(value, what) {
    check(typeof value === 'string' && value.length <= MOST.text, what);
    return value;
}

/** @param {any} value @param {number} most @param {string} what @returns {any[]} */
function list(value, most, what) {
    check(Array.isArray(value) && value.length <= most, what);
    return value;
}

/** None is an empty one: what it lacks is named next. @param {any} value @param {string} what
 * @returns {any} */
function object(value = {}, what) {
    check(typeof value === 'object' && value !== null, what);
    return value;
}

/** @param {any} row @param {string[]} texts @returns {import('../worker/worker.js').Token} */
function tokenOf(row, texts) {
    const what = 'tokens';
    const [piece, id, type, from, to, sentence, word, special] = list(row, 8, what);
    const length = texts[whole(sentence, -1, texts.length - 1, what)]?.length ?? 0;
    return {
        piece: string(piece, what),
        id: whole(id, 0, MOST_ID, what),
        type: whole(type, 0, FULL, what),
        from: whole(from, 0, length, what),
        to: whole(to, from, length, what),
        sentence,
        word: whole(word, -1, MOST_ID, what),
        special: special === 1,
    };
}

/** @param {string} key @param {any} value @param {number} T
 * @param {{layers: number, heads: number}} model @returns {Tensor} */
function unpack(key, value, T, {layers, heads}) {
    check(NAME.test(key), 'weights');
    const n = key === 'study.rollout' ? layers : heads;
    check(
        value?.n === n && value.u8?.length % 4 === 0 && /^[A-Za-z\d+/]*={0,2}$/.test(value.u8),
        key,
    );
    const text = atob(value.u8.slice(0, 2 * n * T * T + 8));
    check(text.length === n * T * T, key);
    return {data: Float32Array.from(text, c => c.charCodeAt(0) / FULL), shape: [n, T, T]};
}

/** @param {string} text @returns {any} */
function parse(text) {
    check(text.length <= MOST.characters, 'longer than 8 MB');
    try {
        return JSON.parse(text);
    } catch (error) {
        return check(false, /** @type {Error} */ (error).message);
    }
}

/** @param {string} text @returns {Precomputed} */
export function decodeFigure(text) {
    const {headlight, model, texts: typed, tokens: rows, weights} = parse(text) ?? {};
    check(headlight === FORMAT, 'version');
    const [of, parts] = [object(model, 'model'), object(weights, 'weights')];
    const shape = {
        layers: whole(of.layers, 1, MOST.layers, 'layers'),
        heads: whole(of.heads, 1, MOST.heads, 'heads'),
    };
    const texts = list(typed, 2, 'texts').map(value => string(value, 'texts'));
    const tokens = list(rows, MOST.tokens, 'tokens').map(row => tokenOf(row, texts));
    check(tokens.length, 'tokens');
    const shown = /** @type {Model} */ (
        /** @type {unknown} */ ({
            ...shape,
            mlm: false,
            nsp: false,
            warnings: [],
            ...{tensors: [], patterns: []}, // views ask which there are
            special: {unk: -1, mask: whole(of.mask, -1, MOST_ID, 'mask')},
        })
    );
    const tensors = new Map(
        Object.entries(parts).map(([key, value]) => [
            key.replace(/^study\./, 'measure.'),
            unpack(key, value, tokens.length, shape),
        ]),
    );
    const pass = {puts: [], tokens, texts, dropped: [], nextSentence: null, milliseconds: 0};
    return {
        model: shown,
        pass,
        tensors,
        id: string(of.id ?? '', 'id'),
        name: string(of.name, 'name'),
        bytes: whole(of.bytes, 0, MOST_BYTES, 'bytes'),
    };
}
