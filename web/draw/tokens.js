/* tokens - where the two columns of tokens stand: query on the left, key on the right, one row a token.
 * Pure geometry; the page lays HTML over it and the SVG export draws the same numbers.
 * Widths are estimated from the characters, so that the layout needs no font and never shifts. */

export const ROW = 26;     /* at least 24: the smallest target of WCAG 2.5.8 */
export const FONT = 15;
const MAX_WIDTH = 680;     /* longer lines are hard to follow */
const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{1f000}-\u{3ffff}]/u;

/* Estimated width in em. */
export function textWidth(text) {
    let width = 0;
    for (const c of text) width += WIDE.test(c) ? 1 : /[A-ZmwMW@#%]/.test(c) ? 0.72 : /[ijlft.,:;'!|]/.test(c) ? 0.34 : 0.56;
    return width;
}

/* The piece as it is shown: cut to the width of its column, whole in the title. */
export function fitPiece(piece, boxWidth) {
    const room = (boxWidth - 16) / FONT;
    if (textWidth(piece) <= room) return piece;
    let cut = '';
    for (const c of piece) {
        if (textWidth(cut + c) > room - 0.8) break;
        cut += c;
    }
    return `${cut}…`;
}

/* pieces: [left, right] lists of strings; available: width in px. */
export function layoutColumns(pieces, available) {
    const width = Math.max(240, Math.min(MAX_WIDTH, Math.round(available)));
    const longest = Math.max(0, ...pieces.flat().slice(0, 2048).map(textWidth));
    const box = Math.round(Math.min(Math.max(64, longest * FONT + 24), Math.min(168, width * 0.34)));
    const rows = Math.max(pieces[0].length, pieces[1].length, 1);
    return {width, height: rows * ROW, box, left: box + 4, right: width - box - 4};
}

export const rowMiddle = row => row * ROW + ROW / 2;
