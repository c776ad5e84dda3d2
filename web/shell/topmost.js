/* topmost - Escape closes one thing, the topmost: what a card or the glossary says, a dialog, a menu, a
 * list below the text box, help where it is a sheet; only when nothing is open does it reach the figure
 * and let a pinned token go. The back gesture of a phone does the same where the browser tells of it
 * (CloseWatcher). A press beside a menu, a card, a dialog or that sheet, or in a dialog, closes that and is no press on nothing: what is
 * pinned stays, unless a token was pressed. Help that is asked for while a token's numbers have its place takes it. A menu that opens below the window's edge is brought into
 * the window. Heard before everything else, on the window. Escape closes a native <dialog> by itself; a card
 * closes itself (cards/cards.js). Fetched with the first menu.
 */
import {innermost} from './spots.js';

const MENU = 'details.menu[open]';
const OVER = `dialog[open], ${MENU}, .head-card`;
const LIST = '.more-offers [aria-expanded="true"]';
const CARD = '.head-card, .term-tip';
const PRESSED = 'a, button, input, select, textarea, label, summary, [data-index]';

/** @template {HTMLElement} E @param {string} selector @returns {E[]} */
const all = selector => /** @type {E[]} */ ([...document.querySelectorAll(selector)]);

/** Closes the innermost menu. @param {HTMLDetailsElement[]} menus */
function closeLast(menus) {
    const last = menus[menus.length - 1];
    last.open = false;
    last.querySelector('summary')?.focus();
}

/** The button that shuts help where that is a sheet over the page (on a phone; style.css), null where it
 * is not, or where the numbers of a token have taken its place. */
function helpSheet() {
    const [sheet] = all('.how:not(.hint)');
    return sheet?.getClientRects().length && getComputedStyle(sheet).position === 'fixed'
        ? /** @type {HTMLElement} */ (document.querySelector('.help'))
        : null;
}

/** @param {HTMLElement} button */
function press(button) {
    button.click();
    button.focus();
}

/** @param {KeyboardEvent} event */
function key(event) {
    if (event.key !== 'Escape') return;
    soon();
    if (all(CARD).length) return event.preventDefault(); // which would close a dialog
    if (watcher && !all('dialog[open]').length) event.preventDefault(); // it would be told as well
    const menus = /** @type {HTMLDetailsElement[]} */ (all(MENU));
    const lists = all(LIST);
    const help = helpSheet();
    const writes = /** @type {Element} */ (event.target).closest?.('textarea, select');
    if (all('dialog[open]').length) event.stopPropagation();
    else if (menus.length) {
        event.stopPropagation();
        closeLast(menus);
    } else if (lists.length && !writes) {
        event.stopPropagation();
        press(lists[0]);
    } else if (help && !writes) {
        event.stopPropagation();
        press(help);
    }
}

/** The back gesture of now, of a browser that tells of it.
 * @type {{destroy: () => void, onclose: (() => void) | null} | null} */
let watcher = null;

/** The back gesture is heard as Escape. */
function back() {
    watcher = null;
    const options = {key: 'Escape', bubbles: true, composed: true};
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', options));
}

/** While a menu or a sheet is open, the back gesture is for it. A <dialog> has this by itself. */
function watch() {
    const {CloseWatcher} = /** @type {any} */ (globalThis);
    const isSheet = all('.panel').some(panel => getComputedStyle(panel).position === 'fixed');
    if (!CloseWatcher || !(isSheet || all(MENU).length || helpSheet())) {
        watcher?.destroy();
        watcher = null;
    } else if (!watcher) {
        watcher = new CloseWatcher();
        /** @type {NonNullable<typeof watcher>} */ (watcher).onclose = back;
    }
}

/** When what a press has opened is there. */
const soon = () => requestAnimationFrame(() => requestAnimationFrame(watch));

/** Was something open when the pointer went down? */
let wasOpen = false;
/** The dialog beside which it went down; by the click that closes it, a finger's press is over, and
 * reaches nothing behind. */
let beside = /** @type {HTMLDialogElement | null} */ (null);

/** Is a press on what lies behind a dialog, which counts as one on the dialog itself?
 * @param {MouseEvent} event */
function isBeside(event) {
    const dialog = innermost(event);
    if (!(dialog instanceof HTMLDialogElement) || all(CARD).length) return null;
    const {left, top, right, bottom} = dialog.getBoundingClientRect();
    const {clientX: x, clientY: y} = event;
    return x < left || x > right || y < top || y > bottom ? dialog : null;
}

/** @param {PointerEvent} event */
function down(event) {
    const target = /** @type {Element} */ (innermost(event));
    wasOpen = all(OVER).length > 0;
    beside = isBeside(event);
    if (target.closest?.('dialog')) return; // a menu from which it was opened gets the focus back
    for (const menu of /** @type {HTMLDetailsElement[]} */ (all(MENU)))
        if (!menu.contains(target)) menu.open = false;
}

/** After those that stand on the document have closed what is theirs, before the figure hears of it.
 * @param {Event} event */
function downHeard(event) {
    if (wasOpen) event.stopPropagation();
}

/** "?" while the numbers of a token stand where help would: they go, and help is seen.
 * @param {EventTarget | null} target @param {Event} event */
function helpForNumbers(target, event) {
    const help = target instanceof Element && target.closest('.help');
    const numbers = all('.panel .close').find(button => button.getClientRects().length);
    if (!help || !numbers) return;
    numbers.click();
    if (help.getAttribute('aria-expanded') === 'true') event.stopPropagation(); // it was open behind them
}

/** The click of that press. @param {MouseEvent} event */
function click(event) {
    const target = innermost(event);
    helpForNumbers(target, event);
    const isOnNothing = !(target instanceof Element && target.closest(PRESSED));
    if (wasOpen && isOnNothing) event.stopPropagation();
    else if (isOnNothing && !(target instanceof Element && target.closest('.how')))
        helpSheet()?.click();
    if (beside && isBeside(event) === beside) beside.close();
    wasOpen = false;
    beside = null;
    soon();
}

/** @param {Event} event */
function toggled({target}) {
    const menu = /** @type {Element} */ (target);
    soon();
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
