/* can_draw - tells whether a precomputed figure has what a tag asks for: its view, and the weights of its
 * layer or the average that it shows.
 */
import {mixNeed} from '../views/head/mix.js';
import {needName} from '../views/needs.js';
import {clampLayer} from '../views/parts/select.js';

/** Whether the weights of this state are in the figure. @param {import('../state/state.js').State} state
 * @param {import('../files/precomputed.js').Precomputed | null} figure
 * @returns {figure is import('../files/precomputed.js').Precomputed} */
export const canDraw = (state, figure) =>
    figure !== null &&
    state.view === 'head' &&
    figure.tensors.has(needName(mixNeed(state, clampLayer(state.layer, figure.model))));
