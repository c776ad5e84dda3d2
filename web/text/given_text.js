/* given_text - a press that enters a text box selects a text that the reader did not type (the first one,
 * an example's, a lesson's, a link's), so that typing replaces it. Typed in this visit, or among the earlier
 * texts (history.js) and no example: it is the reader's, and the press only sets the caret, as the second
 * press does in any text. The keyboard's focus is the browser's. On a phone a draft that is left is shown. Fetched after the first picture; it listens from then on.
 */
import {defaults} from '../state/state.js';
import examples from '../lessons/data/examples.json';
import {readHistory} from './history.js';
import {typed as unsent} from './draft.js';

/** @typedef {'text' | 'textB'} Name */

const offered = new Set([defaults, ...examples].flatMap(({text, textB}) => [text, textB]));
const typed = /** @type {Set<string>} */ (new Set());
let latest = ''; // typed in the box that has the focus

/** @param {string} value @param {Name} name */
const isOwn = (value, name) =>
    typed.has(value) ||
    (!offered.has(value) &&
        readHistory().some(([text, textB]) => value === (name === 'text' ? text : textB)));

/** The text box that a press will give the focus, if it does. @param {EventTarget | null} target
 * @returns {HTMLTextAreaElement | null} */
const boxAt = target =>
    target instanceof Element ? (target.closest('.line')?.querySelector('textarea') ?? null) : null;

/** The caret where the finger was: a tap on selected text leaves it selected in some browsers.
 * @param {HTMLTextAreaElement} box @param {PointerEvent} press */
function setCaret(box, {clientX, clientY}) {
    const place = document.caretPositionFromPoint?.(clientX, clientY);
    const at = place?.offsetNode === box ? place.offset : box.value.length;
    box.setSelectionRange(at, at);
}

/** @param {HTMLTextAreaElement} box */
const allSelected = ({selectionStart, selectionEnd, value}) =>
    selectionStart === 0 && selectionEnd === value.length;

/** On a phone the two lines shut when they are left: a draft would be above the picture of another
 * text, so it is shown. @param {Element} box @param {EventTarget | null} next gets the focus */
function showLeft(box, next) {
    const stays = box.closest('form')?.contains(/** @type {Node | null} */ (next));
    const shuts = matchMedia('(max-width: 759px)').matches && !stays && document.hasFocus();
    if (shuts && unsent.isNew && unsent.draft.text.trim()) unsent.send();
}

/** On a phone a form that shuts moves all below it. From the press that takes its focus away until the click of that
 * press it stays open (style.css), so that what was pressed is still there. */
function holdOpen() {
    let isPressed = false;
    const shut = () => document.querySelector('.texts.held')?.classList.remove('held');
    document.addEventListener('mousedown', () => (isPressed = true), true);
    const released = () => {
        isPressed = false;
        setTimeout(shut); // after the click
    };
    document.addEventListener('mouseup', released, true);
    document.addEventListener('focusout', ({target}) => {
        if (isPressed) boxAt(target)?.form?.classList.add('held');
    });
}

function listen() {
    let entered = /** @type {HTMLTextAreaElement | null} */ (null);
    let selected = /** @type {HTMLTextAreaElement | null} */ (null);
    document.addEventListener('pointerdown', ({target}) => {
        const box = boxAt(target);
        entered = box && box !== document.activeElement ? box : null;
        if (box) box.enterKeyHint = 'go'; // what a phone's keyboard writes on its Enter
    });
    // not of the box: on a phone it grows and moves when it has the focus
    document.addEventListener('click', event => {
        const press = /** @type {PointerEvent} */ (event);
        const box = boxAt(document.activeElement);
        if (!box) return; // a label's press comes before its box's
        if (box === entered && box.selectionStart === box.selectionEnd) {
            if (!isOwn(box.value, /** @type {Name} */ (box.id))) box.select();
            selected = box;
        } else {
            const again = box === selected && press.pointerType === 'touch' && allSelected(box);
            if (again) setCaret(box, press);
            selected = null;
        }
        entered = null;
    });
    document.addEventListener('input', ({target}) => {
        if (boxAt(target)) latest = /** @type {HTMLTextAreaElement} */ (target).value;
    });
    document.addEventListener('focusout', ({target, relatedTarget}) => {
        if (!boxAt(target)) return;
        if (latest) typed.add(latest);
        latest = '';
        showLeft(/** @type {Element} */ (target), relatedTarget);
    });
}

holdOpen();
listen();
