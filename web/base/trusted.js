/* trusted - addresses of scripts where a page requires trusted types for them
 * (`require-trusted-types-for 'script'`): they come from a policy named `headlight`, if the page allows
 * one. Only addresses go through it that this code has made or was given by the site's scripts.
 */

/** @type {{createScriptURL: (url: string) => any} | null | undefined} */
let policy;

/** @param {string | URL} url
 * @returns {string} what `new Worker` takes */
export function trusted(url) {
    try {
        policy ??=
            /** @type {any} */ (globalThis).trustedTypes?.createPolicy('headlight', {
                createScriptURL: (/** @type {string} */ text) => text,
            }) ?? null;
    } catch {
        // the page allows no such policy: what needs one fails
        policy = null;
    }
    return policy ? policy.createScriptURL(String(url)) : String(url);
}
