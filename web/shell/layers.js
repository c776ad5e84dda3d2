/* layers - the list of all that is open over the page, or can be let go on it: each part of the page says
 * while it is there how it is closed, and dismiss.js, fetched with the first, closes the topmost. From the
 * top: a card, a dialog, a menu, a list, help where it is a sheet, a text that is not shown yet, a lesson,
 * and the tokens of a figure; of the same height the one opened last.
 */
import {useLayoutEffect, useRef} from 'preact/hooks';

/**
 * @typedef {object} Layer
 * @property {number} height
 * @property {(target: Element, writing: boolean) => boolean | void} [escape]   closes it, and says
 *     whether there was anything to close; writing: the focus is in a box or a list of choices
 * @property {boolean} [native]   the browser closes it by Escape: a <dialog>
 * @property {(target: Element) => void} [pressed]   the pointer goes down, anywhere
 * @property {(event: PointerEvent) => void} [released]   it goes down where nothing lies over the page
 * @property {(target: Element) => void} [nothing]   a press on nothing that can be pressed
 * @property {() => boolean} [over]   whether it lies over the page: a press beside it is for it alone
 * @property {() => HTMLDialogElement | null} [dialog]   that a press beside it closes
 * @property {boolean} [back]   the back gesture of a phone is for it
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

/** The topmost last. @type {Layer[]} */
export const layers = [];

/** What dismiss.js does when they change. */
export const follow = {changed() {}};

let listens = false;

/** @param {Layer} layer @returns {() => void} takes it away */
export function openLayer(layer) {
    if (!listens) {
        listens = true;
        const again = () => {
            listens = false; // the network was gone: with the next one
        };
        import('./dismiss.js').then(({listen}) => listen(), again);
    }
    layers.push(layer);
    layers.sort((a, b) => a.height - b.height);
    follow.changed();
    return () => {
        layers.splice(layers.indexOf(layer), 1);
        follow.changed();
    };
}

/** While `on`, a part of the page is a layer. @param {boolean} on @param {Layer} layer */
export function useLayer(on, layer) {
    const own = Object.assign(useRef(/** @type {Layer} */ ({height: 0})).current, layer);
    useLayoutEffect(() => (on ? openLayer(own) : undefined), [on]);
}

/** A layer as a part of what a component draws. @param {Layer} props */
export function LayerHere(props) {
    useLayer(true, props);
    return null;
}
