/* two - views that have two columns where the page is wide: what is asked on the left, what it does on
 * the right, so that the picture begins at the top. Files and narrow pages have one column.
 */
const LEAST = 860;
const GAP = 32;

/** The look of the right column beside a left one of so many pixels; the same look where there is one
 * column. @template {{width: number, file?: boolean}} L @param {L} look @param {number} left
 * @returns {L} */
export const lookBeside = (look, left) =>
    isTwo(look) ? {...look, width: look.width - left - GAP} : look;

/** @param {{width: number, file?: boolean}} look */
export const isTwo = ({width, file}) => !file && width >= LEAST;

/** The class of the element around all, for the view's `frame`; a part of it may be `across`: in both columns.
 * @param {string} id of the view */
export const twoFrame =
    id =>
    (/** @type {any} */ {look}) => ({class: `${id}-view asks${isTwo(look) ? ' two' : ''}`});
