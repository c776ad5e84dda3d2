/* level - the same attention by tokens of the vocabulary or by words as typed, for any view:
 * unitsOf says what stands in a row, mergeAttention gives the weights between them. To a word = sum
 * over its pieces, from a word = mean over its pieces (Clark et al. 2019, section 4.1), so that a
 * row that summed to 1 still does. A word is what was typed between spaces and punctuation. The
 * tokenizer takes every Chinese character as a word of its own; here characters typed without a
 * space between them are one, so that a reader can group them by typing spaces. Left out, on
 * request: the [CLS] and [SEP] that the tokenizer adds. Weights are never rescaled. Pure.
 */
import {graphemeStarts} from '../../draw/graphemes.js';

/**
 * @import {Token} from '../../worker/worker.js'
 * @typedef {{data: Float32Array, shape: number[]}} Tensor
 * @typedef {{tokens: Token[], texts?: string[]}} Text   texts: sentence A and B, which from and to
 *                                                       of a token refer to
 * @typedef {{index: number, last: number, piece: string, sentence: number, special: boolean,
 *   crossing?: boolean}} Unit   it stands for the tokens index..last; piece: what to show,
 *                               vocabulary or typed text
 */

export const LEVELS = /** @type {const} */ (['pieces', 'words']);

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}々〆ー]/u;

/** @param {string} text @param {number} at the index after the character */
const characterBefore = (text, at) => [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
/** @param {string} text @param {number} at */
const characterAt = (text, at) => String.fromCodePoint(text.codePointAt(at) ?? 0);

/** Whether the character before `at` and the one after it belong to a script that is typed without
 * spaces.
 * @param {string} text @param {number} at */
const isUnspaced = (text, at) =>
    UNSPACED.test(characterBefore(text, at)) && UNSPACED.test(characterAt(text, at));

/** Widens from..to of each token to whole graphemes: accents and joiners that the tokenizer drops
 * are part of what was typed.
 * @param {string} text @returns {(token: Token) => [number, number]} */
function widened(text) {
    const begin = new Int32Array(text.length + 1);
    const end = new Int32Array(text.length + 1);
    const starts = graphemeStarts(text);
    starts.forEach((start, i) => {
        begin.fill(start, start, starts[i + 1] ?? start + 1);
        end.fill(start, i ? starts[i - 1] + 1 : 0, start + 1);
    });
    return ({from, to}) => [begin[from], end[to]];
}

/** [first, last] token of each word. @param {Text} text
 * @param {((token: Token) => [number, number])[]} spans */
function wordRanges({tokens, texts = []}, spans) {
    /** @type {[number, number][]} */
    const ranges = [];
    tokens.forEach((token, index) => {
        const before = tokens[index - 1];
        const joined =
            before &&
            token.sentence >= 0 &&
            token.sentence === before.sentence &&
            (token.word === before.word ||
                (token.from === before.to && isUnspaced(texts[token.sentence], token.from)) ||
                spans[token.sentence](token)[0] < spans[token.sentence](before)[1]);
        if (joined) ranges[ranges.length - 1][1] = index;
        else ranges.push([index, index]);
    });
    return ranges;
}

/** @param {Text} text @returns {Unit[]} */
function words(text) {
    const {tokens, texts = []} = text;
    const spans = texts.map(widened);
    return wordRanges(text, spans).map(([index, last]) => {
        const {sentence, piece, special, crossing} = tokens[index];
        const typed =
            sentence < 0
                ? piece
                : texts[sentence].slice(
                      spans[sentence](tokens[index])[0],
                      spans[sentence](tokens[last])[1],
                  );
        return {index, last, piece: typed, sentence, special, crossing};
    });
}

/** What stands in the rows: pieces or words, with or without the added [CLS] and [SEP],
 * and the first token.
 * @param {Text} text @param {string} level @param {boolean} [specials]
 * @param {boolean} [first] with the first token @returns {Unit[]} */
export function unitsOf(text, level, specials = true, first = true) {
    const all =
        level === 'words' && text.texts?.length
            ? words(text)
            : text.tokens.map(({piece, sentence, special, crossing}, index) => ({
                  index,
                  last: index,
                  piece,
                  sentence,
                  special,
                  crossing,
              }));
    return specials && first
        ? all
        : all.filter(({sentence, index}) => (specials || sentence >= 0) && (first || index > 0));
}

/** Whether characters were joined that the tokenizer takes as words of their own.
 * @param {Unit[]} units @param {Token[]} tokens */
export const isGrouped = (units, tokens) =>
    units.some(({index, last}) => tokens[index].word !== tokens[last].word);

/** The unit that stands for a token, -1 if none is shown. @param {Unit[]} units
 * @param {number} position */
export const unitAt = (units, position) =>
    units.findIndex(({index, last}) => index <= position && position <= last);

/** All tokens of a unit. @param {{index: number, last: number}} unit */
export const positionsOf = ({index, last}) =>
    Array.from({length: last - index + 1}, (_, i) => index + i);

/** @param {Tensor} tensor [n, T, T] @param {Unit[]} units
 * @returns {Tensor} [n, units, units]; the same when nothing is merged */
export function mergeAttention(tensor, units) {
    const [count, T] = tensor.shape;
    const size = units.length;
    if (size === T) return tensor;
    const unitOf = new Int32Array(T).fill(-1);
    units.forEach((unit, i) => unitOf.fill(i, unit.index, unit.last + 1));
    const data = new Float32Array(count * size * size);
    for (let head = 0; head < count; head++) {
        units.forEach((unit, i) => {
            const sums = new Float64Array(size);
            for (let query = unit.index; query <= unit.last; query++) {
                const at = (head * T + query) * T;
                for (let key = 0; key < T; key++)
                    if (unitOf[key] >= 0) sums[unitOf[key]] += tensor.data[at + key];
            }
            const pieces = unit.last - unit.index + 1;
            data.set(
                sums.map(sum => sum / pieces),
                (head * size + i) * size,
            );
        });
    }
    return {data, shape: [count, size, size]};
}
