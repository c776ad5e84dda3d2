/* source - the sources of <head-light>: the precomputed figure inside it or at its `src`.
 */
import {reason} from '../base/errors.js';
import {decodeFigure} from '../files/precomputed.js';

/** Once all of the page is there, and with it what stands inside the element. */
const parsed = () =>
    document.readyState !== 'loading'
        ? null
        : new Promise(done => {
              document.addEventListener('DOMContentLoaded', done, {once: true});
          });

/** Browsers do not tell a page which it was. @param {URL | string} url @param {unknown} error */
export const unreadable = (url, error) =>
    new Error(
        `${url} cannot be read from this page (${reason(error)}): its server must be reachable and let other ` +
            'sites read it (CORS: Access-Control-Allow-Origin: *)',
    );

/** @param {URL} url @param {AbortSignal} [signal] */
export async function textAt(url, signal) {
    const answer = await fetch(url, {signal}).catch(error => {
        signal?.throwIfAborted();
        throw unreadable(url, error);
    });
    if (!answer.ok) throw new Error(`${url}: the server answered ${answer.status}`);
    return answer.text();
}

/** @param {string} address @param {AbortSignal} [signal] */
function figureAt(address, signal) {
    const url = new URL(address, document.baseURI);
    if (!/^https?:$/.test(url.protocol))
        throw new Error(`src must be an address of http or https, not ${url.protocol}`);
    return textAt(url, signal);
}

/** null when there is none, or it is a lesson. @param {Element} element @param {AbortSignal} [signal] */
export async function readFigure(element, signal) {
    await parsed();
    const source = element.getAttribute('src');
    const text =
        source !== null
            ? await figureAt(source, signal)
            : element.querySelector(':scope > script[type="application/json"]')?.textContent;
    return text && !(/** @type {any} */ (element).lesson) ? decodeFigure(text) : null;
}
