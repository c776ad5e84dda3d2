/* place - the place of a card or a sentence beside its button: a card below it where there is room,
 * else above; a sentence the other way round, as the next term of a text stands below; within the
 * window. In coordinates of the document, so that it scrolls along. On a narrow screen the style
 * sheet makes a sheet at the lower edge of it.
 */
const [GAP, EDGE] = [8, 8];

/** @param {DOMRect} anchor @param {HTMLElement} card @param {boolean} aboveFirst
 * @returns {Record<string, string>} */
export function placed({left, top, bottom}, card, aboveFirst) {
    const {offsetWidth: width, offsetHeight: height} = card;
    const {clientWidth, clientHeight} = document.documentElement;
    const fitsBelow = bottom + GAP + height <= clientHeight - EDGE;
    const fitsAbove = top - GAP - height >= EDGE;
    const below = aboveFirst && fitsAbove ? false : fitsBelow || top < clientHeight - bottom;
    const y = below ? bottom + GAP : Math.max(EDGE, top - GAP - height);
    const x = Math.max(EDGE, Math.min(left, clientWidth - EDGE - width));
    return {left: `${x + scrollX}px`, top: `${y + scrollY}px`};
}
