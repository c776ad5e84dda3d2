/* topmost - Escape closes one thing, the topmost: what a card or the glossary says, a dialog, a menu, a
 * list below the text box; only when nothing is open does it reach the figure and let a pinned token
 * go. A press beside a menu or a card, or in a dialog, closes that and is no press on nothing: what is
 * pinned stays, unless a token was pressed. A menu that opens below the window's edge is brought into
 * the window. Heard before everything else, on the window. A native <dialog> closes by itself; a card
 * closes itself (cards/cards.js). Fetched with the first menu.
 */
import {innermost} from './spots.js';

const MENU = 'details.menu[open]';
const OVER = `dialog[open], ${MENU}, .head-card`;
const LIST = '.more-offers [aria-expanded="true"]';
const PRESSED = 'a, button, input, select, textarea, label, summary, [data-index]';

/** @template {HTMLElement} E @param {string} selector @returns {E[]} */
const all = selector => /** @type {E[]} */ ([...document.querySelectorAll(selector)]);

/** Closes the innermost menu. @param {HTMLDetailsElement[]} menus */
function closeLast(menus) {
    const last = menus[menus.length - 1];
    last.open = false;
    last.querySelector('summary')?.focus();
}

/** @param {KeyboardEvent} event */
function key(event) {
    if (event.key !== 'Escape') return;
    if (all('.head-card, .term-tip').length) return event.preventDefault(); // which would close a dialog
    const menus = /** @type {HTMLDetailsElement[]} */ (all(MENU));
    const lists = all(LIST);
    const writes = /** @type {Element} */ (event.target).closest?.('textarea, select');
    if (all('dialog[open]').length) event.stopPropagation();
    else if (menus.length) {
        event.stopPropagation();
        closeLast(menus);
    } else if (lists.length && !writes) {
        event.stopPropagation();
        lists[0].click();
        lists[0].focus();
    }
}

/** Was something open when the pointer went down? */
let wasOpen = false;

/** @param {Event} event */
function down(event) {
    const target = /** @type {Node} */ (innermost(event));
    wasOpen = all(OVER).length > 0;
    for (const menu of /** @type {HTMLDetailsElement[]} */ (all(MENU)))
        if (!menu.contains(target)) menu.open = false;
}

/** After those that stand on the document have closed what is theirs, before the figure hears of it.
 * @param {Event} event */
function downHeard(event) {
    if (wasOpen) event.stopPropagation();
}

/** The click of that press. @param {Event} event */
function click(event) {
    const target = innermost(event);
    if (wasOpen && !(target instanceof Element && target.closest(PRESSED))) event.stopPropagation();
    wasOpen = false;
}

/** @param {Event} event */
function toggled({target}) {
    const menu = /** @type {Element} */ (target);
    if (menu.matches(MENU)) menu.querySelector('.sheet')?.scrollIntoView({block: 'nearest'});
}

let listens = false;

/** Once a page. */
export function closeTopmost() {
    if (listens) return;
    listens = true;
    addEventListener('keydown', key, true);
    addEventListener('pointerdown', down, true);
    document.body.addEventListener('pointerdown', downHeard);
    addEventListener('click', click, true);
    addEventListener('toggle', toggled, true);
}
