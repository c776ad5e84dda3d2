/* tokens - the layout of the two columns of tokens: query on the left, key on the right, one row a
 * token. Pure geometry; the page lays HTML over it and the SVG draws the same numbers. Widths are
 * estimated from the characters, so that the layout needs no font and never shifts.
 */
import {graphemes} from './graphemes.js';

/**
 * @typedef {{width: number, height: number, gutter: number, box: number, left: number, right:
 *     number}} Layout
 *   gutter: width of the strip outside of each column; box: width of a column; left, right: x where
 *   lines begin and end
 */

export const ROW = 26; // at least 24: the smallest target of WCAG 2.5.8
export const FONT = 15;
const LEAST = 112; // room for a struck-through word beside [MASK]
const MAX_WIDTH = 680; // longer lines are hard to follow
const WIDE = new RegExp(
    '[W@%\\u1100-\\u115f\\u2e80-\\ua4cf\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe30-\\ufe6f' +
        '\\uff00-\\uff60\\uffe0-\\uffe6]|[\\u{1f000}-\\u{3ffff}]',
    'u',
);
const KINDS = [
    {match: WIDE, em: 1},
    {match: /[A-Zmw#]/, em: 0.72},
    {match: /[ijlft.,:;'!|]/, em: 0.34},
];

/** Estimated width in em. @param {string} text */
export function textWidth(text) {
    let width = 0;
    for (const c of text) width += KINDS.find(({match}) => match.test(c))?.em ?? 0.56;
    return width;
}

/** The text, or as much of it as fits. @param {string} text @param {number} width in px
 * @param {number} font px */
export function fitText(text, width, font) {
    const room = width / font;
    if (textWidth(text) <= room) return text;
    let cut = '';
    for (const c of graphemes(text)) {
        if (textWidth(cut + c) > room - 0.8) break;
        cut += c;
    }
    return `${cut}…`;
}

/** The piece cut to the width of its column. @param {string} piece @param {number} boxWidth */
export const fitPiece = (piece, boxWidth) => fitText(piece, boxWidth - 16, FONT);

/** @param {string[][]} columns the pieces on the left and on the right
 * @param {number} available width in px
 * @param {number} [gutter] @param {number} [beside] room in a column for something beside the piece
 * @returns {Layout} */
export function layoutColumns([left, right], available, gutter = 0, beside = 0) {
    const width = Math.max(240, Math.min(MAX_WIDTH + 2 * beside, Math.round(available)));
    const longest = Math.max(0, ...left.map(textWidth), ...right.map(textWidth));
    const most = Math.min(168 + beside, (width - 2 * gutter) * (beside ? 0.4 : 0.34));
    const least = Math.min(LEAST, width / 4); // a phone's lines need room
    const box = Math.round(Math.min(Math.max(least, longest * FONT + 24 + beside), most));
    const height = Math.max(left.length, right.length, 1) * ROW;
    return {width, height, gutter, box, left: gutter + box + 4, right: width - gutter - box - 4};
}

/** @param {number} row */
export const rowMiddle = row => row * ROW + ROW / 2;
