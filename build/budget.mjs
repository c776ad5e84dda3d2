/* budget - judges a part of the site that is larger than its budget (build/site.mjs has them). Another compiler's files
 * may be larger by a little, which should keep nobody from building: only CI refuses that.
 */

export const SLACK = 1.01; // of a budget, outside of CI

/** @param {number} share the largest, of its budget @param {boolean} isCI
 * @returns {{said: string, refused: boolean}} said: '' where it fits */
export function judged(share, isCI) {
    if (share <= 1) return {said: '', refused: false};
    const refused = isCI || share > SLACK;
    const said =
        'the site is larger than its budget; make it smaller, or raise the limit in build/site.mjs with a reason';
    return {
        said: refused ? said : `${said} (a warning here, up to 1 %; with CI=true an error)`,
        refused,
    };
}
