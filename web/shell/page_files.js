/* page_files - the page's own files that are fetched when needed: sheets of style, the shipped
 * corpora, and what goes into saved pages. They lie beside the page's script; a page that carries
 * them inside (offline.js) provides them, and has all its style.
 */
import {ownFile} from '../base/build.js';

/** @type {Map<string, string> | null} */
let carried = null;

/** @param {Map<string, string>} texts by name */
export const provideOwnTexts = texts => {
    carried = texts;
};

/** The file that the page carries; null when it lies beside. @param {string} name */
export const carriedText = name => carried?.get(name) ?? null;

/** @param {string} name @returns {Promise<string>} */
export async function ownText(name) {
    const text = carriedText(name);
    if (text !== null) return text;
    const answer = await fetch(ownFile(name, import.meta.url));
    if (!answer.ok) throw new Error(`${name} could not be fetched`);
    return answer.text();
}

/** Adds a sheet that is fetched with what it is for. @param {string} name @returns {Promise<void>}
 */
export const ownSheet = name =>
    carried
        ? Promise.resolve()
        : new Promise(done => {
              const link = Object.assign(document.createElement('link'), {
                  rel: 'stylesheet',
                  href: ownFile(name, import.meta.url).href,
              });
              link.onload = link.onerror = () => done();
              document.head.append(link);
          });
