/* dismiss - closes the topmost layer (layers.js) by Escape, by the back gesture of a phone where the
 * browser tells of it (CloseWatcher), and by a press beside it. Escape reaches the figures, which let
 * their tokens go, only when nothing above them took it. A press beside what lies over the page closes
 * that and is no press on nothing: what is pinned stays, unless a token was pressed. Heard on the window,
 * before everything else. Fetched with the first layer, for <head-light> as a file of its own: it is
 * given the layers, and imports nothing that has a state.
 */
import {innermost} from './spots.js';

const PRESSED = 'a, button, input, select, textarea, label, summary, [data-index]';

/** @param {EventTarget | null} target */
const elementOf = target => (target instanceof Element ? target : document.body);

/** @type {Set<import('./layers.js').Layer>} */
let layers = new Set();

/** Of the same height the one opened last. */
const fromTop = () => [...layers].reverse().sort(({height: a = 0}, {height: b = 0}) => b - a);

/** Closes one. @param {Element} target where the focus is */
function closeTopmost(target) {
    const writing = target.closest('textarea, select') !== null;
    return fromTop().find(({escape}) => escape?.(target, writing));
}

/** @param {KeyboardEvent} event */
function key(event) {
    if (event.key !== 'Escape' || event.isComposing || event.keyCode === 229) return;
    const closed = closeTopmost(elementOf(innermost(event)));
    if (closed) event.stopPropagation();
    // else a dialog would close as well, or the watcher would be told
    if (closed ? !closed.native : watcher) event.preventDefault();
}

/** The back gesture of now, of a browser that tells of it.
 * @type {{destroy: () => void, onclose: (() => void) | null} | null} */
let watcher = null;

function back() {
    watcher = null;
    closeTopmost(elementOf(document.activeElement));
}

/** While a menu or a sheet is open, the back gesture is for it. A <dialog> has this by itself. */
function watch() {
    const {CloseWatcher} = /** @type {any} */ (globalThis);
    if (!fromTop().some(({back}) => back?.())) {
        watcher?.destroy();
        watcher = null;
    } else if (CloseWatcher && !watcher) {
        watcher = new CloseWatcher();
        /** @type {NonNullable<typeof watcher>} */ (watcher).onclose = back;
    }
}

/** Did anything lie over the page when the pointer went down? */
let wasOver = false;
/** The dialog beside which it went down; by the click that closes it, a finger's press is over, and
 * reaches nothing behind. */
let beside = /** @type {HTMLDialogElement | null} */ (null);

/** The dialog whose outside was pressed, which counts as a press on the dialog itself.
 * @param {MouseEvent} event */
function besideOf(event) {
    const dialog = fromTop()
        .map(layer => layer.dialog?.())
        .find(one => one === innermost(event));
    if (!dialog) return null;
    const {left, top, right, bottom} = dialog.getBoundingClientRect();
    const {clientX: x, clientY: y} = event;
    return x < left || x > right || y < top || y > bottom ? dialog : null;
}

/** @param {PointerEvent} event */
function down(event) {
    const target = elementOf(innermost(event));
    wasOver = fromTop().some(({over}) => over?.());
    // a card over the dialog closes by itself
    beside = fromTop().some(({card}) => card) ? null : besideOf(event);
    if (target.closest('dialog')) return; // a menu from which it was opened gets the focus back
    for (const {pressed} of fromTop()) pressed?.(target);
}

/** After those that stand on the document have closed what is theirs. @param {PointerEvent} event */
function downOnPage(event) {
    if (!wasOver) for (const {released} of fromTop()) released?.(elementOf(innermost(event)));
}

/** The click of that press. @param {MouseEvent} event */
function click(event) {
    const target = elementOf(innermost(event));
    const isOnNothing = !target.closest(PRESSED);
    if (wasOver && isOnNothing) event.stopPropagation();
    else if (isOnNothing) for (const {nothing} of fromTop()) nothing?.(target);
    if (beside && besideOf(event) === beside) beside.close();
    wasOver = false;
    beside = null;
}

/** Once a page. @param {typeof import('./layers.js').layers} list @param {Event} [event] what came
 * before this file: a key is heard still */
export function listen(list, event) {
    layers = list;
    addEventListener('keydown', key, true);
    addEventListener('pointerdown', down, true);
    document.addEventListener('pointerdown', downOnPage);
    addEventListener('click', click, true);
    list.changed = watch;
    watch();
    if (event?.type === 'keydown') key(/** @type {KeyboardEvent} */ (event));
}
