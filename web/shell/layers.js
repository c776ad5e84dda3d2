/* layers - the list of all that is open over the page, or can be let go on it: each part of the page says
 * while it is there how it is closed, and dismiss.js, fetched with the first, closes the topmost. From the
 * top: a card, a dialog, a menu, a list, help where it is a sheet, a text that is not shown yet, a lesson,
 * and the tokens of a figure; of the same height the one opened last.
 */

/**
 * @typedef {object} Layer
 * @property {number} [height]   0: of a figure
 * @property {(target: Element, writing: boolean) => boolean | void} [escape]   closes it, and says
 *     whether there was anything to close; writing: the focus is in a box or a list of choices
 * @property {boolean} [native]   the browser closes it by Escape: a <dialog>
 * @property {(target: Element) => void} [pressed]   the pointer goes down, anywhere
 * @property {(target: Element) => void} [released]   it goes down where nothing lies over the page
 * @property {(target: Element) => void} [nothing]   a press on nothing that can be pressed
 * @property {() => boolean} [over]   whether it lies over the page: a press beside it is for it alone
 * @property {() => HTMLDialogElement | null} [dialog]   that a press beside it closes
 * @property {boolean} [card]   keeps a dialog below it open
 * @property {() => boolean} [back]   whether the back gesture of a phone is for it
 * @property {() => void} [cover]   lets go what has the place of help
 */

export const HEIGHT = {
    figure: 0,
    lesson: 1,
    text: 2,
    help: 3,
    list: 4,
    menu: 5,
    dialog: 6,
    card: 7,
};

/** In the order in which they were opened; changed: what dismiss.js does then. */
export const layers = Object.assign(/** @type {Set<Layer>} */ (new Set()), {changed() {}});

/** @type {Promise<unknown> | null} */
let coming = null;

/** @param {Event} [event] that was waited for */
const load = event => {
    coming ??= import('./dismiss.js').then(
        ({listen}) => listen(layers, event),
        () => (coming = null), // the network was gone: with the next one
    );
};

/** A figure has nothing to close before a press, and in others' pages it fetches nothing before one.
 * @param {Layer} layer */
export function openLayer(layer) {
    if (layer.height) load();
    addEventListener('keydown', load, true);
    addEventListener('pointerdown', load, true);
    layers.add(layer);
    layers.changed();
}

/** @param {Layer} layer */
export function closeLayer(layer) {
    layers.delete(layer);
    layers.changed();
}
