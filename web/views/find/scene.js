/* scene - all that the view "find a head" shows, worked out once: the pair or the pattern
 * asked about, the heads by the weight they give it, those that act like the chosen one, and the map of all.
 */
import {remember} from '../../draw/memo.js';
import {isMoved, needName} from '../needs.js';
import {headOf} from '../parts/one_head.js';
import {counted, visibleKeys} from '../parts/select.js';
import {
    askedNeed,
    askedPattern,
    mapOf,
    neighbours,
    placeTaken,
    ranking,
    shownPair,
} from './numbers.js';

/**
 * @import {ViewState, Computed, Texts} from '../view.js'
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, data) {
    const {layers, heads} = data.model;
    const {tokens} = data.pass;
    const chosen = headOf(state, data.model); // whose like are looked for
    const count = counted(state);
    return {
        ...{tokens, layers, chosen, chosenIndex: chosen.layer * heads + chosen.head},
        ask: askedPattern(state),
        isMoved: isMoved(state),
        ...shownPair(state, tokens.length),
        ...mapOf(data),
        ranked: ranking(state, data),
        taken: placeTaken(state, data),
        /** Whether every query sees every token, in all layers. */
        seesAll: Array.from({length: layers}, (_, layer) => visibleKeys(data.model, layer)).every(
            visible => !visible,
        ),
        /** All other heads, the nearest first. */
        alike: neighbours(data, chosen, layers * heads),
        colourBy: state.mapColour,
        layerName: (/** @type {number} */ layer, /** @type {Texts} */ t) =>
            t.layerName(count(layer)),
        /** Sentences about a head take its numbers as the reader counts. @template R
         * @param {{layer: number, head: number}} place
         * @param {(layer: number, head: number) => R} say */
        of: ({layer, head}, say) => say(count(layer), count(head)),
    };
}

const KEYS = /** @type {const} */ ([
    ...['ask', 'show', 'from', 'to', 'layer', 'heads', 'mapColour', 'oneBased'],
]);
export const MEASURES = ['distances', 'map', 'map_fit', 'patterns', 'even'];
const remembered = remember(
    /** @param {any[]} keys */
    (...keys) => makeScene(.../** @type {[ViewState, Computed]} */ (keys.slice(-2))),
    KEYS.length + MEASURES.length + 4,
);

/** Another one when what is shown is another. @param {ViewState} state @param {Computed} data
 * @returns {Scene} */
export function findScene(state, data) {
    const {tensors, model, pass} = data;
    const asked = askedNeed(state).map(need => tensors.get(needName(need)));
    return remembered(
        ...KEYS.map(name => state[name]),
        ...MEASURES.map(name => tensors.get(`measure.${name}`)),
        ...[asked[0], asked[1], model, pass, state, data],
    );
}
