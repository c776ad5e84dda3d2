/* difference - the difference of two computations of the same attention: the precision of the page
 * against floats. Maps are added layer by layer, text by text. The page's precision panel and
 * tests/bench/fidelity.mjs both count here, so that their numbers mean the same. In JavaScript, not
 * in C with the other statistics: the two passes come from two engines, each with its own memory,
 * and joining them there would take another copy of all maps beside float32 weights.
 */

/**
 * @typedef {{layer: number, head: number, query: number, key: number, exact: number, ours: number}}
 *     Worst
 * @typedef {{mean: number, max: number, count: number, rows: number, changed: number, worst: Worst |
 *     null}} Comparison   of the absolute differences; changed: rows whose top key is another
 */

/** @param {(differences: Float32Array, lead: number) => void} [each] is told the differences of every
 *     row, and by how much its top key leads, in the exact one, over that of the other */
export function createComparison(each) {
    let [total, count, max, rows, changed] = [0, 0, -1, 0, 0];
    /** @type {Worst | null} */
    let worst = null;

    /** The row from `at` on. @param {Float32Array} exact @param {Float32Array} ours @param {number} at
     * @param {Float32Array} row room for T differences @returns {number} the key farthest apart */
    function addRow(exact, ours, at, row) {
        let [top, ourTop, far] = [0, 0, 0];
        for (let j = 0; j < row.length; j++) {
            row[j] = Math.abs(exact[at + j] - ours[at + j]);
            total += row[j];
            if (row[j] > row[far]) far = j;
            if (exact[at + j] > exact[at + top]) top = j;
            if (ours[at + j] > ours[at + ourTop]) ourTop = j;
        }
        count += row.length;
        rows++;
        if (top !== ourTop) changed++;
        each?.(row, exact[at + top] - exact[at + ourTop]);
        return far;
    }

    return {
        /** @param {number} layer @param {Float32Array} exact [H, T, T] @param {Float32Array} ours
         * @param {number[]} shape theirs */
        add(layer, exact, ours, [H, T]) {
            const row = new Float32Array(T);
            for (let at = 0; at < H * T * T; at += T) {
                const key = addRow(exact, ours, at, row);
                if (row[key] <= max) continue;
                max = row[key];
                const [head, query] = [Math.floor(at / (T * T)), (at / T) % T];
                worst = {layer, head, query, key, exact: exact[at + key], ours: ours[at + key]};
            }
        },
        /** @returns {Comparison} */
        result: () => ({mean: total / count, max, count, rows, changed, worst}),
    };
}
