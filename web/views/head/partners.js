/* partners - arithmetic behind the head view's panel: the strongest partners of the chosen tokens. Means
 * are over the heads that are on; several tokens are summed. What is drawn of it: panel.js.
 */
import {given, span} from '../../draw/marks/arcs.js';

/**
 * @import {Selection, Chosen} from './scene.js'
 * @typedef {{head: number, weight: number}} Part
 * @typedef {{index: number, mean: number, parts: Part[]}} Partner
 */

/** What the chosen tokens share with others opposite, summed; of several heads the mean.
 * @param {Selection} scene @param {Chosen} chosen
 * @returns {(heads: readonly number[], others: readonly number[]) => number} */
const sharedIn =
    ({attention}, {side, indexes}) =>
    (heads, others) => {
        const [queries, keys] = side === 'query' ? [indexes, others] : [others, indexes];
        return given(attention, heads, queries, keys) * queries.length;
    };

/** All tokens opposite the chosen ones, as they stand. @param {Selection} scene @param {Chosen} chosen */
function opposite(scene, chosen) {
    const {heads, rows, cols} = scene;
    const weightOf = sharedIn(scene, chosen);
    return span(chosen.side === 'query' ? cols : rows).map(index => ({
        index,
        mean: weightOf(heads, [index]),
        parts: heads.map(head => ({head, weight: weightOf([head], [index])})),
    }));
}

/** The partners of the chosen tokens, strongest first.
 * @param {Selection} scene @param {Chosen} chosen @returns {Partner[]} */
export const ranked = (scene, chosen) =>
    opposite(scene, chosen).sort((a, b) => b.mean - a.mean || a.index - b.index);

/** The same, and each head's own. @param {Selection} scene @param {Chosen} chosen */
export function partners(scene, chosen) {
    const others = opposite(scene, chosen);
    const all = others.map(({index}) => index);
    const weightOf = sharedIn(scene, chosen);
    const perHead = (others.length ? scene.heads : []).map((head, slot) => {
        const {index, parts} = others.reduce((a, b) =>
            b.parts[slot].weight > a.parts[slot].weight ? b : a,
        );
        return {head, index, weight: parts[slot].weight, sum: weightOf([head], all)};
    });
    return {others: ranked(scene, chosen), perHead, sum: weightOf(scene.heads, all)};
}
