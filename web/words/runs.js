/* runs - a rising list of numbers, abbreviated: 0–3, 5, 6. For the texts of all languages.
 */

/** @param {readonly number[]} numbers @param {string} comma */
export function runs(numbers, comma) {
    /** @type {[number, number][]} */
    const found = [];
    for (const n of numbers) {
        const last = found[found.length - 1];
        if (last && n === last[1] + 1) last[1] = n;
        else found.push([n, n]);
    }
    return found
        .map(([a, b]) => (a === b ? `${a}` : b === a + 1 ? `${a}${comma}${b}` : `${a}–${b}`))
        .join(comma);
}
