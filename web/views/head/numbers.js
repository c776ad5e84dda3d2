/* numbers - arithmetic behind the head view's panel, table and text alternative: the strongest
 * partners of the chosen tokens. Means are over the heads that are on; several tokens are summed.
 * What is drawn of it: panel.js, rows.js.
 */
import {shared} from '../../draw/marks/strips.js';
import {remember} from '../../draw/memo.js';

/**
 * @typedef {import('./scene.js').Selection} Selection
 * @typedef {import('./scene.js').Chosen} Chosen
 * @typedef {{head: number, weight: number}} Part
 * @typedef {{index: number, mean: number, parts: Part[]}} Partner
 * @typedef {{query: import('../../draw/marks/strips.js').Value, key:
 *     import('../../draw/marks/strips.js').Value}} Summary
 */

/** The partners of the chosen tokens, strongest first, and each head's own.
 * @param {Selection} scene @param {Chosen} chosen */
export function partners({attention, heads, rows, cols}, chosen) {
    const [begin, end] = chosen.side === 'query' ? cols : rows;
    const weightOf = shared(attention, chosen);
    /** @type {Partner[]} */
    const others = [];
    for (let index = begin; index < end; index++) {
        const parts = heads.map(head => ({head, weight: weightOf(head, index)}));
        others.push({
            index,
            parts,
            mean: parts.reduce((sum, part) => sum + part.weight, 0) / heads.length,
        });
    }
    const perHead = !others.length
        ? []
        : heads.map((head, slot) => {
              const best = others.reduce((a, b) =>
                  b.parts[slot].weight > a.parts[slot].weight ? b : a,
              );
              const sum = others.reduce((total, other) => total + other.parts[slot].weight, 0);
              return {head, index: best.index, weight: best.parts[slot].weight, sum};
          });
    others.sort((a, b) => b.mean - a.mean || a.index - b.index);
    return {
        others,
        perHead,
        sum: perHead.reduce((total, head) => total + head.sum, 0) / heads.length,
    };
}

/** One row a query: its strongest keys, and the head with the largest single weight.
 * @param {Selection} scene */
export function tableRows(scene, keys = 3) {
    return Array.from({length: scene.rows[1] - scene.rows[0]}, (_, row) => {
        const query = scene.rows[0] + row;
        const {others, perHead} = partners(scene, {side: 'query', indexes: [query]});
        const best = perHead.length
            ? perHead.reduce((a, b) => (b.weight > a.weight ? b : a))
            : null;
        return {query, keys: others.slice(0, keys).map(({index, mean}) => ({index, mean})), best};
    });
}

/** The strongest single link. */
const strongestOf = remember(
    (
        /** @type {Selection['attention']} */ attention,
        /** @type {readonly number[]} */ heads,
        /** @type {number[]} */ rows,
        /** @type {number[]} */ cols,
    ) => {
        const T = attention.shape[1];
        let best = {head: heads[0], query: rows[0], key: cols[0], weight: -1};
        for (const head of heads) {
            for (let query = rows[0]; query < rows[1]; query++) {
                for (let key = cols[0]; key < cols[1]; key++) {
                    const weight = attention.data[(head * T + query) * T + key];
                    if (weight > best.weight) best = {head, query, key, weight};
                }
            }
        }
        return best;
    },
);

/** The strongest single link shown. @param {Selection} scene */
export const strongest = ({attention, heads, rows, cols}) =>
    strongestOf(attention, heads, rows, cols);

/** For each head and token the mean over what is shown opposite (exBERT's head boxes). */
const summaryOf = remember(
    (
        /** @type {Selection['attention']} */ {data, shape},
        /** @type {readonly number[]} */ heads,
        /** @type {number[]} */ rows,
        /** @type {number[]} */ cols,
    ) => {
        const T = shape[1];
        const given = new Float64Array(shape[0] * T);
        const received = new Float64Array(shape[0] * T);
        for (const head of heads) {
            for (let query = rows[0]; query < rows[1]; query++) {
                for (let key = cols[0]; key < cols[1]; key++) {
                    const weight = data[(head * T + query) * T + key];
                    given[head * T + query] += weight;
                    received[head * T + key] += weight;
                }
            }
        }
        /** @type {Summary} */
        const means = {
            query: (head, query) => given[head * T + query] / (cols[1] - cols[0]),
            key: (head, key) => received[head * T + key] / (rows[1] - rows[0]),
        };
        return means;
    },
);

/** Of the whole attention, also where only the strongest is drawn. @param {Selection} scene */
export const summary = ({whole, heads, rows, cols}) => summaryOf(whole, heads, rows, cols);
