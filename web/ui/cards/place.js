/* place - where a card or a sentence stands beside what it was opened at: below it where there is room,
 * else above, and within the window. In coordinates of the document, so that it scrolls along. On a narrow
 * screen the style sheet makes a sheet at the lower edge of it.
 */
const [GAP, EDGE] = [8, 8];

/** @param {DOMRect} anchor @param {HTMLElement} card @returns {Record<string, string>} */
export function placed({left, top, bottom}, card) {
    const {offsetWidth: width, offsetHeight: height} = card;
    const {clientWidth, clientHeight} = document.documentElement;
    const below = bottom + GAP + height <= clientHeight - EDGE || top < clientHeight - bottom;
    const y = below ? bottom + GAP : Math.max(EDGE, top - GAP - height);
    const x = Math.max(EDGE, Math.min(left, clientWidth - EDGE - width));
    return {left: `${x + scrollX}px`, top: `${y + scrollY}px`};
}
