/* compare - web/model/precision/difference.js and tests/bench/tail.mjs, computed the simple way: all
 * differences in one sorted list.
 */

/** @param {Float32Array[]} exact layers of [H, T, T] @param {Float32Array[]} ours */
export function naiveComparison(exact, ours, H, T) {
    const all = [];
    let [worst, changed] = [null, 0];
    exact.forEach((layer, l) => {
        for (let head = 0; head < H; head++) {
            for (let query = 0; query < T; query++) {
                const at = (head * T + query) * T;
                const [a, b] = [[...layer.subarray(at, at + T)], [...ours[l].subarray(at, at + T)]];
                changed += a.indexOf(Math.max(...a)) !== b.indexOf(Math.max(...b));
                a.forEach((value, key) => {
                    const difference = Math.fround(Math.abs(value - b[key]));
                    all.push(difference);
                    if (!worst || difference > worst.difference)
                        worst = {
                            difference,
                            layer: l,
                            head,
                            query,
                            key,
                            exact: value,
                            ours: b[key],
                        };
                });
            }
        }
    });
    all.sort((x, y) => x - y);
    const {difference: max, ...place} = worst;
    return {
        mean: all.reduce((x, y) => x + y) / all.length,
        p999: all[Math.ceil(0.999 * all.length) - 1],
        max,
        worst: place,
        changed,
    };
}
