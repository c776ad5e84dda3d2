/* one_head - the one head and the one token that the neuron and steps views show: pure rules on the
 * page's state. The link may name what the model or the text does not have; it falls back.
 */
import {activeHeads, clampLayer} from './select.js';

/** @import {Token} from '../view.js' */

/** @param {{layer: number, heads: readonly number[]}} state
 * @param {{layers: number, heads: number}} model */
export const headOf = ({layer, heads}, model) => ({
    layer: clampLayer(layer, model),
    head: activeHeads(heads, model.heads)[0],
});

/** The token picked, or without one the first that is not special. @param {number} token
 * @param {readonly Token[]} tokens */
export const tokenOf = (token, tokens) =>
    token >= 0 && token < tokens.length
        ? token
        : Math.max(
              0,
              tokens.findIndex(({special}) => !special),
          );

/** The numbers of the neurons of this head that are zero. @param {readonly string[]} zeroed
 * @param {{layer: number, head: number}} at @param {number} width d */
export const zeroedIn = (zeroed, {layer, head}, width) =>
    zeroed
        .map(place => place.split('.').map(Number))
        .filter(([l, h, neuron]) => l === layer && h === head && neuron < width)
        .map(([, , neuron]) => neuron);

/** Sets a neuron of the head to zero, or gives it back. @param {readonly string[]} zeroed
 * @param {{layer: number, head: number}} at @param {number} neuron */
export function toggleNeuron(zeroed, {layer, head}, neuron) {
    const place = `${layer}.${head}.${neuron}`;
    return zeroed.includes(place) ? zeroed.filter(other => other !== place) : [...zeroed, place];
}
