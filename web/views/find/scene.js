/* scene - all that the view "find a head" shows, worked out once: the pair or the pattern
 * asked about, the heads by the weight they give it, those that act like the chosen one, and the map of all.
 */
import {isMoved} from '../needs.js';
import {cached} from '../parts/cached.js';
import {headOf} from '../parts/one_head.js';
import {counted, visibleKeys} from '../parts/select.js';
import {askedPattern, mapOf, neighbours, placeTaken, ranking, shownPair} from './numbers.js';

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

export const MEASURES = ['distances', 'map', 'map_fit', 'patterns', 'even'];

const FIELDS = /** @type {const} */ ([
    ...['ask', 'show', 'from', 'to', 'layer', 'heads', 'mapColour', 'oneBased'],
]);
export const findScene = cached(makeScene, FIELDS);
