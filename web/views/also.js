/* also - answers of a pass with one more change: a need of `deep` (views/view.js) may have `also`, a change on top
 * of the state's, and finds its answer under this name.
 */
import {needName} from './needs.js';

/** @typedef {import('./needs.js').Need & {also?: import('../worker/passes.js').Change}} DeepNeed */

/** @param {DeepNeed} need */
export const deepName = ({also, ...need}) =>
    also ? `with.${also.join('.')}.${needName(need)}` : needName(need);
