/* imported_tokens - turns imported tokens, which are only texts (imported.js), into the page's
 * tokens: which are special, which belong to one word, and the columns that measures need.
 * Cross-attention becomes attention among the decoder's tokens (sentence 0) followed by the
 * encoder's (sentence 1), of which only the first looking at the second is not empty: so every view
 * of pairs can show it.
 */

/**
 * @import {Token} from '../worker/worker.js'
 * @import {Content} from './imported.js'
 */

const CLS = ['[CLS]', '<s>', '<cls>'];
const SEP = ['[SEP]', '</s>', '<sep>'];
const SPECIAL = /^(?:\[(?:CLS|SEP|PAD|MASK|UNK|BOS|EOS)\]|<[^<>\s]+>)$/;
const STARTS_WORD = /^[\u0120\u2581]/; // of byte-level BPE and of SentencePiece
const FIRST_ID = 3; // 1 and 2 are [CLS] and [SEP]
/** @type {[string, number][]} */
const MARKS = [
    ['.', 3],
    [',', 4],
]; // what C takes for punctuation

/** Word of each token: ## continues one (WordPiece); where words are marked at their start, all else
 * does.
 * @param {string[]} pieces */
function wordsOf(pieces) {
    const marked = pieces.some(piece => STARTS_WORD.test(piece));
    let word = -1;
    let open = false;
    return pieces.map(piece => {
        if (SPECIAL.test(piece)) {
            open = false;
            return -1;
        }
        const continues = open && (marked ? !STARTS_WORD.test(piece) : piece.startsWith('##'));
        open = true;
        return continues ? word : ++word;
    });
}

/** @param {string[]} pieces
 * @param {(special: boolean, index: number) => number} sentenceOf -1, 0 or 1
 * @param {Map<string, number>} ids @returns {Token[]} */
function tokensOf(pieces, sentenceOf, ids) {
    const words = wordsOf(pieces);
    return pieces.map((piece, index) => {
        const special = SPECIAL.test(piece);
        const id = CLS.includes(piece)
            ? 1
            : SEP.includes(piece)
              ? 2
              : (ids.get(piece) ?? FIRST_ID + ids.size);
        if (id >= FIRST_ID) ids.set(piece, id);
        return {
            id,
            piece,
            type: 0,
            from: 0,
            to: 0,
            sentence: sentenceOf(special, index),
            word: words[index],
            special,
        };
    });
}

/** The sentence that a delimiter closes is the one before it. @param {Token[]} tokens */
function withTypes(tokens) {
    let type = 0;
    return tokens.map(token => ({
        ...token,
        type: (type = token.sentence < 0 ? type : token.sentence),
    }));
}

/** @param {import('./imported.js').Part} part @param {Content} content @returns {Token[]} */
export function importedTokens(part, {queries, keys, sentences}) {
    const ids = new Map(MARKS);
    if (part === 'cross') {
        return withTypes([...tokensOf(queries, () => 0, ids), ...tokensOf(keys, () => 1, ids)]).map(
            token => ({...token, crossing: true}),
        );
    }
    return withTypes(
        tokensOf(
            queries,
            (special, index) => (sentences ? (sentences[index] ?? -1) : special ? -1 : 0),
            ids,
        ),
    );
}

/** [3, T]: id, sentence, word. @param {Token[]} tokens */
export const columnsOf = tokens =>
    Int32Array.from([
        ...tokens.map(({id}) => id),
        ...tokens.map(({type}) => type),
        ...tokens.map(({word}) => word),
    ]);

/** [H, Q, K] as the upper right corner of [H, Q+K, Q+K]. @param {Float32Array} data
 * @param {number[]} shape */
export function asCorner(data, [heads, rows, keys]) {
    const all = rows + keys;
    const out = new Float32Array(heads * all * all);
    for (let head = 0; head < heads; head++) {
        for (let row = 0; row < rows; row++) {
            const from = (head * rows + row) * keys;
            out.set(data.subarray(from, from + keys), (head * all + row) * all + rows);
        }
    }
    return out;
}

/** [H, Q, K] stretched to [H, N, N], N the larger: for pictures, which are square.
 * @param {Float32Array} data
 * @param {number[]} shape */
export function asSquare(data, [heads, rows, keys]) {
    const all = Math.max(rows, keys);
    const out = new Float32Array(heads * all * all);
    for (let head = 0; head < heads; head++) {
        for (let y = 0; y < all; y++) {
            const from = (head * rows + Math.floor((y * rows) / all)) * keys;
            const to = (head * all + y) * all;
            for (let x = 0; x < all; x++) out[to + x] = data[from + Math.floor((x * keys) / all)];
        }
    }
    return out;
}
