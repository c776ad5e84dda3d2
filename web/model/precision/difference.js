/* compare - the difference of two computations of the same attention: the precision of the page
 * against floats. Maps are added layer by layer, text by text. The page's precision panel and
 * tests/bench/fidelity.mjs both count here, so that their numbers mean the same. In JavaScript, not
 * in C with the other statistics: the two passes come from two engines, each with its own memory,
 * and joining them there would take another copy of all maps beside float32 weights.
 */

// low bits of a float32 that bins do not tell apart: they are 1/512 wide
const SKIPPED = 14;
const BINS = (0x3f800000 >>> SKIPPED) + 1; // up to 1
const SHARE = 0.999;
const TIE = 0.002;

/**
 * @typedef {{layer: number, head: number, query: number, key: number, exact: number, ours: number}}
 *     Worst
 * @typedef {{mean: number, max: number, changed: number}} HeadCompared   changed: rows whose top key
 *     is another;
 *   clearly: another that has over 0.002 less in the exact one, so that it was no tie
 * @typedef {{total: number, count: number, max: number, rows: number, changed: number, clearly: number}} Sums   of
 *     a head
 * @typedef {{mean: number, p999: number, max: number, count: number, rows: number, changed: number,
 *     clearly: number, worst: Worst | null,
 *   heads: HeadCompared[]}} Comparison   of the absolute differences; heads: layer · H + head
 */

/** The value below which all but a thousandth lie: the upper edge of its bin.
 * @param {Uint32Array} bins @param {number} count
 * @param {number} max */
function mostly(bins, count, max) {
    let seen = 0;
    const bin = bins.findIndex(n => (seen += n) >= SHARE * count);
    const edge = new Float32Array(new Uint32Array([(bin + 1) << SKIPPED]).buffer)[0];
    return Math.min(edge, max);
}

/** One row of a head, added to `sums`. @param {Float32Array} exact @param {Float32Array} ours
 * @param {number} at
 * @param {{row: Float32Array, bits: Uint32Array, bins: Uint32Array}} room row and bits: the same T
 *     differences
 * @param {Sums} sums @returns {number} the key that is farthest apart */
function addRow(exact, ours, at, {row, bits, bins}, sums) {
    let [total, top, ourTop, far] = [0, 0, 0, 0];
    for (let j = 0; j < row.length; j++) {
        const a = exact[at + j];
        const b = ours[at + j];
        row[j] = Math.abs(a - b);
        total += row[j];
        bins[bits[j] >>> SKIPPED]++;
        if (row[j] > row[far]) far = j;
        if (a > exact[at + top]) top = j;
        if (b > ours[at + ourTop]) ourTop = j;
    }
    sums.total += total;
    sums.count += row.length;
    sums.rows++;
    sums.max = Math.max(sums.max, row[far]);
    if (top !== ourTop) sums.changed++;
    if (exact[at + top] - exact[at + ourTop] > TIE) sums.clearly++;
    return far;
}

/** @returns {Sums} */
const noSums = () => ({total: 0, count: 0, max: 0, rows: 0, changed: 0, clearly: 0});

/** Over all heads. @param {Sums[]} heads @param {Uint32Array} bins @param {Worst | null} worst
 * @returns {Comparison} */
function summed(heads, bins, worst) {
    const sum = (/** @type {Exclude<keyof Sums, 'max'>} */ name) =>
        heads.reduce((all, head) => all + head[name], 0);
    const count = sum('count');
    const most = heads.reduce((all, head) => Math.max(all, head.max), -1);
    return {
        mean: sum('total') / count,
        p999: mostly(bins, count, most),
        max: most,
        count,
        rows: sum('rows'),
        changed: sum('changed'),
        clearly: sum('clearly'),
        worst,
        heads: heads.map(({total, count: own, max, changed}) => ({
            mean: total / own,
            max,
            changed,
        })),
    };
}

export function createComparison() {
    const bins = new Uint32Array(BINS);
    /** @type {Sums[]} */
    const heads = [];
    let most = -1;
    /** @type {Worst | null} */
    let worst = null;

    return {
        /** @param {number} layer @param {Float32Array} exact [H, T, T] @param {Float32Array} ours
         * @param {number[]} shape theirs */
        add(layer, exact, ours, [H, T]) {
            const row = new Float32Array(T);
            const room = {row, bits: new Uint32Array(row.buffer), bins};
            for (let head = 0; head < H; head++) {
                const sums = (heads[layer * H + head] ??= noSums());
                for (let query = 0; query < T; query++) {
                    const at = (head * T + query) * T;
                    const key = addRow(exact, ours, at, room, sums);
                    if (row[key] <= most) continue;
                    most = row[key];
                    worst = {layer, head, query, key, exact: exact[at + key], ours: ours[at + key]};
                }
            }
        },
        result: () => summed(heads, bins, worst),
    };
}
