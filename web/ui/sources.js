/* sources - where the models lie that a state names: in the menu, beside the others, on the hub, at
 * an address. No document here.
 */
import {addressOf} from '../core/model_names.js';

/** @typedef {import('../core/files.js').ModelSource} Source */

/** Of the name of a model. '' is the first of the menu; an id that is not in the menu is looked for
 * beside the others. The same object for the same model, so that a change can be seen by comparing.
 * @param {import('./app.js').Menu} menu @param {string} fallback when the menu is empty
 * @param {(url: string) => string} [whole] makes an address of the site whole
 * @returns {(model: string) => Source} */
export function createSources(menu, fallback, whole = url => url) {
    /** @type {Map<string, Source>} */
    const made = new Map();
    /** @param {string} id @returns {Source} */
    const find = id => {
        const entry = menu.find(one => one.id === id);
        if (entry && !('url' in entry)) return entry;
        const address = addressOf(id);
        return address && !entry
            ? {url: address}
            : {...entry, url: whole(entry?.url ?? `models/${id}/`)};
    };
    return model => {
        const id = model || menu[0]?.id || fallback;
        const source = made.get(id) ?? find(id);
        made.set(id, source);
        return source;
    };
}
