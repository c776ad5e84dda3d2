/* tail - counts of the bench beside those of web/model/precision/difference.js: the value below which all but
 * a thousandth of the differences lie, and rows whose new top key had clearly less, so that it was no tie.
 */

// low bits of a float32 that bins do not tell apart: they are 1/512 wide
const SKIPPED = 14;
const BINS = (0x3f800000 >>> SKIPPED) + 1; // up to 1
const SHARE = 0.999;
const TIE = 0.002;

export function createTail() {
    const bins = new Uint32Array(BINS);
    let clearly = 0;
    return {
        /** For createComparison. @param {Float32Array} differences @param {number} lead of the exact top key */
        each(differences, lead) {
            for (const bits of new Uint32Array(differences.buffer)) bins[bits >>> SKIPPED]++;
            if (lead > TIE) clearly++;
        },
        /** p999: the upper edge of its bin, at most the largest.
         * @param {{count: number, max: number}} comparison */
        result({count, max}) {
            let seen = 0;
            const bin = bins.findIndex(n => (seen += n) >= SHARE * count);
            const edge = new Float32Array(new Uint32Array([(bin + 1) << SKIPPED]).buffer)[0];
            return {p999: Math.min(edge, max), clearly};
        },
    };
}
