/* scene - all that the view "what changes" shows, worked out once: what stands at each position now,
 * how much each head has moved, and the signed difference of the chosen one.
 */
import {remember} from '../../draw/memo.js';
import {clampLayer, counted} from '../parts/select.js';
import {chosenHead, isChanged, mapOf, shifts, spots, THUMB} from './numbers.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {ReturnType<typeof makeDifference>} Difference
 * @typedef {ReturnType<typeof makeScene>} Scene
 */

/** The signed difference of one head. @param {ViewState} state @param {Computed} data */
function makeDifference(state, data) {
    const {model} = data;
    const chosen = chosenHead(state, model);
    const count = counted(state);
    const list = spots(state, data);
    return {
        chosen,
        spots: list,
        /** What stands at each position now. */
        names: list.map(({piece, now}) => now ?? piece),
        map: mapOf(data, chosen),
        isOff: state.off.includes(`${chosen.layer}.${chosen.head}`),
        /** Sentences about a head take its numbers as the reader counts. @template R
         * @param {{layer: number, head: number}} place
         * @param {(layer: number, head: number) => R} say */
        of: ({layer, head}, say) => say(count(layer), count(head)),
        count,
    };
}

/** @param {ViewState} state @param {Computed} data */
function makeScene(state, data) {
    const difference = makeDifference(state, data);
    return {
        ...difference,
        ...{shifts: shifts(data), off: state.off},
        /** What the model says, before and after. */
        output: {pass: data.pass, fills: data.fills, before: data.before, model: data.model},
        isChanged: isChanged(state, difference.spots.length),
        /** How much of what is changed. */
        changed: {
            words: difference.spots.filter(({now}) => now !== null).length,
            off: state.off.length,
            zeroed: state.zeroed.length,
            swapped: state.swapped.length > 0,
            without: state.without,
        },
    };
}

const FIELDS = /** @type {const} */ ([
    ...['layer', 'heads', 'masked', 'replaced', 'off', 'zeroed', 'oneBased', 'swapped', 'without'],
]);

/** Another one when what is shown is another: fields of the state, and what has been computed.
 * @template S @param {(state: ViewState, data: Computed) => S} make
 * @param {string[]} measures of the differences between all heads
 * @returns {(state: ViewState, data: Computed) => S} */
function sceneOf(make, measures) {
    const made = remember(
        /** @param {any[]} keys */
        (...keys) => make(.../** @type {[ViewState, Computed]} */ (keys.slice(-2))),
        FIELDS.length + measures.length + 5,
    );
    return (state, data) => {
        const {tensors, model, pass, before} = data;
        const layer = clampLayer(state.layer, model);
        const names = [...measures, `earlier.${layer}`].map(name => `measure.${name}`);
        return made(
            ...FIELDS.map(name => state[/** @type {keyof ViewState} */ (name)]),
            ...[...names, `attention.${layer}`].map(name => tensors.get(name)),
            ...[before, model, pass, state, data],
        );
    };
}

export const differenceScene = sceneOf(makeDifference, []);
export const changeScene = sceneOf(makeScene, ['shift', `shifts.${THUMB}`]);
