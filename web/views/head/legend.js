/* legend - the legend of the head view, for files (save/sheet.js): a colour a head, the weight of a
 * line by its ink, whose lines are shown, what the cells outside say.
 */
import {alphaOf, decimal, fullInk, widthOf} from '../../draw/scale.js';
import {notesOf} from './caption.js';
import {chosenOf, colours, focusLinks, restLinks} from './scene.js';

/** @typedef {import('./scene.js').WholeScene & {isMoved?: boolean}} Scene */

const SHARES = [1, 1 / 2, 1 / 4]; // of the weight whose line is full

/** @param {Scene} scene @param {import('../view.js').Texts} t */
const headItems = ({mix, heads, count, layer, name}, t) =>
    mix === 'heads'
        ? heads.map(head => ({head, name: `L${count(layer)}·H${count(head)}`}))
        : [{head: 0, name: name(t)}];

/** A line of its own begins with a capital. @param {string} note */
const capital = note => note.charAt(0).toUpperCase() + note.slice(1);

/** @param {Scene} scene @param {import('../view.js').Drawn} look @param {import('../view.js').Texts} t
 * @param {{state: import('../view.js').ViewState, data: import('../view.js').Computed, words:
 *     import('../view.js').FileWords}} seen @returns {import('../view.js').Legend} */
export function legend(scene, {theme}, t, {state, data, words}) {
    const colourOf = colours(scene, theme);
    const chosen = chosenOf(scene, null, state);
    const {weight} = chosen ? focusLinks(scene, chosen) : restLinks(scene);
    const keys = scene.cols[1] - scene.cols[0];
    const full = fullInk(
        weight.reduce((most, one) => Math.max(most, one), 0),
        keys,
    );
    const colour = colourOf(scene.heads[0] ?? 0);
    const piecesOf = (/** @type {import('./scene.js').Chosen} */ {indexes}) =>
        indexes.map(index => scene.tokens[index].piece).join(' ');
    return {
        rows: [
            {
                label: '',
                items: headItems(scene, t).map(({head, name}) => ({
                    ...{mark: /** @type {const} */ ('box'), colour: colourOf(head), name},
                })),
            },
            {
                label: scene.isMoved ? t.moved : t.weight,
                items: SHARES.map(share => ({
                    ...{mark: /** @type {const} */ ('line'), colour, opacity: alphaOf(share)},
                    ...{width: widthOf(alphaOf(share)), name: decimal(full * share)},
                })),
            },
        ],
        notes: [
            words.lines,
            chosen ? words.only(chosen.side, piecesOf(chosen)) : words.cells,
            ...notesOf(state, data, t).map(note => capital(String(note))),
        ],
    };
}
