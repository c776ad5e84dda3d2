/* overlay - replaces some words by others, at any depth: the wording for touch (touch.js of a
 * language) over the wording for a mouse. Fetched with the former.
 */

/** @param {any} base what is not there yet stays away @param {any} other @returns {any} */
export function overlay(base, other) {
    if (!base || typeof other !== 'object') return base && other;
    const laid = Array.isArray(base) ? [...base] : {...base};
    for (const key of Object.keys(other)) laid[key] = overlay(base[key], other[key]);
    return laid;
}
