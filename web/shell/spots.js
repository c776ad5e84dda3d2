/* spots - from elements to tokens and back: the buttons of a figure carry data-side (query or key),
 * data-index (the token's position) and, when they stand for several tokens, data-last.
 */

/** @import {Focus} from '../views/view.js' */

const SIDES = new Map([
    ['ArrowLeft', 'query'],
    ['ArrowRight', 'key'],
]);
const STEPS = new Map([
    ['ArrowDown', 1],
    ['ArrowUp', -1],
]);

/** @param {Focus | null | undefined} a @param {Focus | null | undefined} b */
export const same = (a, b) => a?.side === b?.side && a?.index === b?.index;

/** What was really pressed: outside of a shadow tree (element/element.js) the target is the element that
 * holds the tree.
 * @param {Event} event */
export const innermost = event => event.composedPath()[0] ?? event.target;

/** The token button at or around a target. @param {EventTarget | null} target
 * @returns {HTMLElement | null} */
export const tokenOf = target =>
    target instanceof Element ? target.closest('[data-index]') : null;

/** @param {EventTarget | null} target @returns {Focus | null} */
export function spotOf(target) {
    const {side, index} = tokenOf(target)?.dataset ?? {};
    return side === undefined ? null : {side, index: Number(index)};
}

/** The positions that a button stands for. @param {Element} token */
export function positionsAt(token) {
    const first = Number(token.getAttribute('data-index'));
    const last = Number(token.getAttribute('data-last') ?? first);
    return Array.from({length: last - first + 1}, (_, i) => first + i);
}

/** The token that a key leads to. @param {HTMLElement} token @param {string} key
 * @returns {Element | undefined} */
export function neighbour(token, key) {
    const around = token.closest('.column') ?? token.parentElement;
    const column = [...(around?.querySelectorAll('[data-index]') ?? [])];
    const row = column.indexOf(token);
    const step = STEPS.get(key);
    if (step) return column[row + step];
    if (key === 'Home') return column[0];
    if (key === 'End') return column[column.length - 1];
    const side = SIDES.get(key);
    if (!side || side === token.dataset.side) return undefined;
    const other = [...(token.closest('.columns')?.querySelectorAll(`[data-side="${side}"]`) ?? [])];
    return other[Math.min(row, other.length - 1)];
}
