/* partners - arithmetic behind the head view's panel: the strongest partners of the chosen tokens. Means
 * are over the heads that are on; several tokens are summed. What is drawn of it: panel.js.
 */
import {span} from '../../draw/marks/arcs.js';
import {shared} from '../../draw/marks/strips.js';

/**
 * @typedef {import('./scene.js').Selection} Selection
 * @typedef {import('./scene.js').Chosen} Chosen
 * @typedef {{head: number, weight: number}} Part
 * @typedef {{index: number, mean: number, parts: Part[]}} Partner
 */

/** All tokens opposite the chosen ones, as they stand. @param {Selection} scene @param {Chosen} chosen */
function opposite({attention, heads, rows, cols}, chosen) {
    const weightOf = shared(attention, chosen);
    return span(chosen.side === 'query' ? cols : rows).map(index => {
        const parts = heads.map(head => ({head, weight: weightOf(head, index)}));
        const mean = parts.reduce((sum, part) => sum + part.weight, 0) / heads.length;
        return {index, mean, parts};
    });
}

/** The partners of the chosen tokens, strongest first.
 * @param {Selection} scene @param {Chosen} chosen @returns {Partner[]} */
export const ranked = (scene, chosen) =>
    opposite(scene, chosen).sort((a, b) => b.mean - a.mean || a.index - b.index);

/** The same, and each head's own. @param {Selection} scene @param {Chosen} chosen */
export function partners(scene, chosen) {
    const others = opposite(scene, chosen);
    const perHead = !others.length
        ? []
        : scene.heads.map((head, slot) => {
              const best = others.reduce((a, b) =>
                  b.parts[slot].weight > a.parts[slot].weight ? b : a,
              );
              const sum = others.reduce((total, other) => total + other.parts[slot].weight, 0);
              return {head, index: best.index, weight: best.parts[slot].weight, sum};
          });
    return {
        others: ranked(scene, chosen),
        perHead,
        sum: perHead.reduce((total, head) => total + head.sum, 0) / scene.heads.length,
    };
}
