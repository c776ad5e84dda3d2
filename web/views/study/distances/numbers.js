/* numbers - the numbers of the distances view, from the study's answer: clusters, their members,
 * the order of the heat map, Clark's kinds. Pure.
 */
import {setting} from '../study.js';

/**
 * @typedef {{layers: number, heads: number, mean: number[][], map: number[][], fit: number[],
 *     clusters: number[], medoids: number[],
 *   silhouette: number | null, kinds: string[], entropy_limit: number, even_entropy: number}} Answer   of
 *       the study distances; mean
 *   [N, N] divergences in nats, N = layers·heads
 * @typedef {{index: number, medoid: number, members: number[], inside: number, kinds: string[]}} Cluster   members
 *     by distance from the
 *   medoid, which is the first; inside: their mean divergence from it
 */

/** The kinds of Clark et al. 2019, in the order of src/study/kinds/distances.c. */
export const KINDS = ['next', 'previous', 'entropy', 'cls', 'sep', 'punctuation'];
export const COLOURINGS = ['cluster', 'kind', 'layer'];

/** @param {import('../../../state/state.js').State} state */
export function colouringOf(state) {
    const wished = setting(state, 'by', COLOURINGS[0]);
    return COLOURINGS.includes(wished) ? wished : COLOURINGS[0];
}

/** @param {Answer} answer @returns {Cluster[]} the largest first */
export function clustersOf({clusters, medoids, mean, kinds}) {
    return medoids
        .map((medoid, index) => {
            const members = [...clusters.keys()]
                .filter(i => clusters[i] === index)
                .sort((a, b) => mean[medoid][a] - mean[medoid][b] || a - b);
            const others = members.filter(i => i !== medoid);
            return {
                index,
                medoid,
                members: [medoid, ...others],
                kinds: [...new Set(members.map(i => kinds[i]).filter(Boolean))],
                inside: others.length
                    ? others.reduce((sum, i) => sum + mean[medoid][i], 0) / others.length
                    : 0,
            };
        })
        .sort((a, b) => b.members.length - a.members.length || a.index - b.index);
}

/** Heads cluster by cluster, within each by layer: the order of the heat map, where each cluster
 * begins, and its number as the page says it.
 * @param {Answer} answer */
export function orderOf(answer) {
    const clusters = clustersOf(answer);
    const groups = clusters.map(({members}) => [...members].sort((a, b) => a - b));
    const begins = groups.map((_, i) =>
        groups.slice(0, i).reduce((sum, group) => sum + group.length, 0),
    );
    return {order: groups.flat(), begins, numbers: clusters.map(({index}) => index + 1)};
}

/** The two heads that are least, and most, alike. @param {number[][]} mean */
export function extremes(mean) {
    let [near, far] = [
        {a: 0, b: 0, value: Infinity},
        {a: 0, b: 0, value: -Infinity},
    ];
    for (let a = 0; a < mean.length; a++) {
        for (let b = a + 1; b < mean.length; b++) {
            if (mean[a][b] < near.value) near = {a, b, value: mean[a][b]};
            if (mean[a][b] > far.value) far = {a, b, value: mean[a][b]};
        }
    }
    return {near, far};
}

/** The others by distance from a head. @param {number[][]} mean @param {number} head
 * @param {number} count */
export const neighboursOf = (mean, head, count) =>
    mean
        .map((_, i) => i)
        .filter(i => i !== head)
        .sort((a, b) => mean[head][a] - mean[head][b] || a - b)
        .slice(0, count);
