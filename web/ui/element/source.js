/* source - what <head-light> is given to show: the precomputed figure inside it or at its `src`, and the size of its model.
 */
import {decodeFigure} from '../../core/precomputed.js';

/** Once all of the page is there, and with it what stands inside the element. */
const parsed = () => document.readyState !== 'loading' ? null
    : new Promise(done => { document.addEventListener('DOMContentLoaded', done, {once: true}); });

/** @param {string} address @param {AbortSignal} [signal] */
async function fetchText(address, signal) {
    const url = new URL(address, document.baseURI);
    if (!/^https?:$/.test(url.protocol)) throw new Error(`src must be an address of http or https, not ${url.protocol}`);
    const answer = await fetch(url, {signal});
    if (!answer.ok) throw new Error(`${url}: the server answered ${answer.status}`);
    return answer.text();
}

/** null when there is none. @param {Element} element @param {AbortSignal} [signal] */
export async function readFigure(element, signal) {
    await parsed();
    const source = element.getAttribute('src');
    const text = source !== null ? await fetchText(source, signal)
        : element.querySelector(':scope > script[type="application/json"]')?.textContent;
    return text ? decodeFigure(text) : null;
}

/** Of the model with this id in the site's menu, 0 when not known. @param {URL} base @param {string} model */
export async function bytesOf(base, model) {
    try {
        /** @type {import('../app.js').SiteMenu} */
        const menu = await (await fetch(new URL('models/index.json', base))).json();
        return (model ? menu.find(({id}) => id === model) : menu[0])?.bytes ?? 0;
    } catch {
        return 0;
    }
}
