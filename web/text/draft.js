/* draft - the text typed in the two boxes and perhaps not shown yet. Apart from the boxes
 * (texts.js), since much of the page asks for it.
 */

/** @typedef {{text: string, textB: string}} Pair */

/** What stands in the two boxes, for the rest of the page. isNew: it is not shown yet. */
export const typed = {draft: /** @type {Pair} */ ({text: '', textB: ''}), isNew: false, send() {}};
