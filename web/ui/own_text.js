/* own_text - the page's own files that go into what it saves (its style, the script of saved pages). They lie beside the page's
 * script; a page that carries them inside (offline.js) provides them.
 */
import {ownFile} from '../core/build.js';

/** @type {((name: string) => string) | null} */
let inside = null;

/** @param {(name: string) => string} read */
export const provideOwnTexts = read => { inside = read; };

/** @param {string} name @returns {Promise<string>} */
export async function ownText(name) {
    if (inside) return inside(name);
    const answer = await fetch(ownFile(name, import.meta.url));
    if (!answer.ok) throw new Error(`${name} could not be fetched`);
    return answer.text();
}
