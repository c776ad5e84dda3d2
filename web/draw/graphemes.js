/* graphemes - text in the units that a reader sees as one character: a letter with its accents, a
 * family of emoji, a Hangul syllable. Nothing the page shows is cut inside of one. Browsers without
 * Intl.Segmenter fall back to code points.
 */

/** @type {Intl.Segmenter | null} */
const segmenter =
    'Segmenter' in Intl ? new Intl.Segmenter(undefined, {granularity: 'grapheme'}) : null;

/** @param {string} text @returns {string[]} */
export const graphemes = text =>
    segmenter ? Array.from(segmenter.segment(text), ({segment}) => segment) : Array.from(text);

/** Where graphemes begin, and the end of the text. @param {string} text @returns {number[]} rising
 */
export function graphemeStarts(text) {
    const starts = [0];
    for (const part of graphemes(text)) starts.push(starts[starts.length - 1] + part.length);
    return starts;
}

const STRONG = /\p{L}/u;
const RIGHT_TO_LEFT =
    /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** Whether the first letter is of a script that is written from right to left. @param {string} text
 */
export const isRightToLeft = text => RIGHT_TO_LEFT.test(STRONG.exec(text)?.[0] ?? '');

/** Attributes of a text in an SVG with which it runs its own way, and stands where it stood: its end is its
 * start then. @param {string} text @param {Record<string, any>} attributes */
export function ownWay(text, attributes) {
    if (!isRightToLeft(text)) return attributes;
    const {'text-anchor': anchor = 'start'} = attributes;
    const other = {start: 'end', end: 'start'}[/** @type {string} */ (anchor)] ?? anchor;
    return {...attributes, 'text-anchor': other, direction: 'rtl'};
}
