/* overlay - words with others in the place of some, at any depth: what a finger is told (touch.js of a
 * language) over what a mouse is told. Fetched with the former.
 */

/** @param {any} base what is not there yet stays away @param {any} other @returns {any} */
export function overlay(base, other) {
    if (!base || typeof other !== 'object') return base && other;
    const laid = Array.isArray(base) ? [...base] : {...base};
    for (const key of Object.keys(other)) laid[key] = overlay(base[key], other[key]);
    return laid;
}
