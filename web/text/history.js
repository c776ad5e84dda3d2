/* history - the texts that the reader has typed, the latest first. They are kept for as long as this
 * tab is open (sessionStorage) and in no other; where that is refused, until the page is left.
 */
const NAME = 'headlight.texts';
const MOST = 8;
const LONGEST = 4000;

/** @typedef {[text: string, textB: string]} Pair */

/** @param {unknown} value @returns {value is Pair} */
const isPair = value =>
    Array.isArray(value) && value.length === 2 && value.every(text => typeof text === 'string');

/** @returns {Pair[]} */
export function readHistory() {
    try {
        const list = JSON.parse(sessionStorage.getItem(NAME) ?? '[]');
        return Array.isArray(list) ? list.filter(isPair).slice(0, MOST) : [];
    } catch {
        return [];
    }
}

/** @param {Pair[]} list */
export function writeHistory(list) {
    try {
        if (list.length) sessionStorage.setItem(NAME, JSON.stringify(list));
        else sessionStorage.removeItem(NAME);
    } catch {
        // it holds until the page is left
    }
}

/** With a text in front, once. @param {Pair[]} list @param {Pair} pair @returns {Pair[]} */
export const withText = (list, pair) =>
    pair[0].length + pair[1].length > LONGEST || !pair[0].trim()
        ? list
        : [pair, ...list.filter(([a, b]) => a !== pair[0] || b !== pair[1])].slice(0, MOST);
