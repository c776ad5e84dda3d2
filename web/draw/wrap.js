/* wrap - a sentence as the lines of a saved picture, which has no layout of its own: widths are
 * estimated from the characters (tokens.js). Between Chinese and Japanese characters a line may break
 * anywhere but before punctuation.
 */
import {fitText, textWidth} from './tokens.js';

const PART = new RegExp(
    '(?:[^\\s\\u2e80-\\ua4cf\\uff00-\\uff60]+|[\\u2e80-\\ua4cf\\uff00-\\uff60])' +
        '[\\u3001\\u3002\\uff01\\uff09\\uff0c\\uff1a\\uff1b\\uff1f]*\\s*',
    'gu',
);

const stopOf = (/** @type {string} */ text) => (/\p{Script=Han}$/u.test(text) ? '。' : '.');
const ENDED = /[.?!…。？！]["'”’」)）]*$/;
/** Titles and sentences as one text: a full stop after each that ends in none of its own. @param {string[]} parts */
export const oneText = parts =>
    parts
        .filter(Boolean)
        .map((one, i, {length}) =>
            i === length - 1 || ENDED.test(one) ? one : `${one}${stopOf(one)}`,
        )
        .join(' ');

/** @param {string} text @param {number} width in px @param {number} font px @returns {string[]} */
export function wrapText(text, width, font) {
    /** @type {string[]} */
    const lines = [];
    let line = '';
    for (const part of text.match(PART) ?? []) {
        if (line && font * textWidth((line + part).trimEnd()) > width) {
            lines.push(line);
            line = '';
        }
        line += part;
    }
    return [...lines, line].map(one => fitText(one.trimEnd(), width, font));
}
