/* build - names the build that a bundle comes from, so that the page and its worker can tell when
 * they come from different builds. The scripts of build/ put a hash of all sources in place of
 * HEADLIGHT_BUILD; in the source tree it is 'source'.
 */

export const BUILD = typeof HEADLIGHT_BUILD === 'string' ? HEADLIGHT_BUILD : 'source';

/** Are there files for relaxed SIMD beside the others (headlight-relaxed.wasm …)? */
export const RELAXED = typeof HEADLIGHT_RELAXED === 'boolean' && HEADLIGHT_RELAXED;

/** Does it make and ask indexes of a corpus, and has it what only programs ask for (progress of each file, headers
 * of requests)? The site's own page does not, and its .wasm files cannot. */
export const INDEXES = typeof HEADLIGHT_INDEXES !== 'boolean' || HEADLIGHT_INDEXES;

/** The address of one of the build's own files, one no cache confuses with that of another build.
 * @param {string} name @param {string | URL} base */
export function ownFile(name, base) {
    const url = new URL(name, base);
    if (BUILD !== 'source') url.searchParams.set('v', BUILD);
    return url;
}
