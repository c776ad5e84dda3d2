/* numbers - arithmetic behind the head view's cells, table and text alternative; of a chosen token:
 * partners.js. Means are over the heads that are on. What is drawn of it: drawing.js, rows.js.
 */
import {given, span} from '../../draw/marks/arcs.js';
import {remember} from '../../draw/memo.js';
import {restLinks} from './scene.js';

/**
 * @import {Selection} from './scene.js'
 * @typedef {{query: import('../../draw/marks/strips.js').Value, key:
 *     import('../../draw/marks/strips.js').Value}} Summary
 */

/** One row a query: its strongest keys, and the head with the largest single weight. As partners() has
 * them, without a list of all keys for each of what may be thousands.
 * @param {Selection} scene */
export function tableRows({attention, heads, rows, cols: [begin, end]}, keys = 3) {
    const {data, shape} = attention;
    return span(rows).map(query => {
        let best = /** @type {{head: number, index: number, weight: number} | null} */ (null);
        for (const head of heads) {
            const at = (head * shape[1] + query) * shape[1];
            for (let index = begin; index < end; index++) {
                const weight = data[at + index];
                if (!best || weight > best.weight) best = {head, index, weight};
            }
        }
        /** @type {{index: number, mean: number}[]} the largest, of those that are alike the first */
        const found = [];
        for (let index = begin; heads.length && index < end; index++) {
            const mean = given(attention, heads, [query], [index]);
            let place = found.length;
            while (place && mean > found[place - 1].mean) place--;
            if (place === keys) continue;
            found.splice(place, 0, {index, mean});
            found.splice(keys);
        }
        return {query, keys: found, best};
    });
}

/** The strongest single link shown, of several alike the first: it is among those at rest.
 * @param {Selection} scene */
export function strongest(scene) {
    const {head, query, key, weight} = restLinks(scene);
    const i = weight.reduce((best, one, at) => (one > weight[best] ? at : best), 0);
    return {head: head[i], query: query[i], key: key[i], weight: weight[i] ?? -1};
}

/** For each head and token the mean over what is shown opposite (exBERT's head boxes). */
const summaryOf = remember(
    (
        /** @type {Selection['attention']} */ whole,
        /** @type {number[]} */ rows,
        /** @type {number[]} */ cols,
    ) => {
        const [queries, keys] = [rows, cols].map(span);
        /** @type {Summary} */
        const means = {
            query: (head, query) => given(whole, [head], [query], keys) / keys.length,
            key: (head, key) => given(whole, [head], queries, [key]),
        };
        return means;
    },
);

/** Of the whole attention, also where only the strongest is drawn. @param {Selection} scene */
export const summary = ({whole, rows, cols}) => summaryOf(whole, rows, cols);
