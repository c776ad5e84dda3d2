/* sources - finds the model that a state names: in the menu, beside the others, on the hub, at an
 * address. What is not of the menu is not simply downloaded: an address of another site is not even
 * asked for a file, and of weights no more than MOST is taken, until the reader has agreed. The
 * consent stands in the source, so that all that load it obey it. No document here.
 */
import {placeOf} from '../base/model_names.js';

/** @import {ModelSource as Source} from '../files/folder.js' */

export const MOST = 50e6; // bytes that are downloaded without asking

/** Of the name of a model. '' is the first of the menu; an id that is not in the menu is looked for
 * beside the others. The same object for the same model, so that a change can be seen by comparing.
 * @param {import('../base/shared.js').Menu} menu @param {string} fallback when the menu is empty
 * @param {{whole?: (url: string) => string, asks?: boolean}} [options] whole: makes an address of the
 *     site whole; asks: the reader, see above
 * @returns {(model: string) => Source} */
export function createSources(menu, fallback, {whole = url => url, asks = true} = {}) {
    /** @type {Map<string, Source>} */
    const made = new Map();
    /** @param {string} id @returns {Source} */
    const find = id => {
        const entry = menu.find(one => one.id === id);
        if (entry && !('url' in entry)) return entry;
        const place = placeOf(id);
        if (!place || entry) return {...entry, url: whole(entry?.url ?? `models/${id}/`)};
        if (!asks) return place;
        const foreign = 'url' in place && new URL(place.url).origin !== globalThis.origin;
        return {...place, most: MOST, foreign};
    };
    return model => {
        const id = model || menu[0]?.id || fallback;
        const source = made.get(id) ?? find(id);
        made.set(id, source);
        return source;
    };
}
