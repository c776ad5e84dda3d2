/* indexes - the worker's operations on indexes of a corpus (worker/indexes.js) as promises, on an engine's
 * link: the page's first script has none of them.
 */
import {asked} from './engine.js';

/** @typedef {ReturnType<typeof import('./engine.js').createEngine>['link']} Link */

/** Indexes of a corpus: see headlight.h. @param {Link} link */
export const indexes = link => ({
    /** Of the corpus of a model's session (`corpus`).
     * @param {{model: number, options: object}} args @param {import('./engine.js').CallOptions} [call]
     * @returns {Promise<{index: number, items: number}>} */
    async indexBegin(args, call) {
        const index = link.number();
        return {index, items: await link.call('indexBegin', {index, ...args}, call)};
    },
    indexStep: asked(link, 'indexStep'),
    indexSave: asked(link, 'indexSave'),
    indexJoin: asked(link, 'indexJoin'),
    /** @param {{file: Uint8Array}} args @returns {Promise<{index: number, info: any}>} */
    async indexOpen({file}) {
        const index = link.number();
        return {index, info: await link.call('indexOpen', {index, file})};
    },
    indexAsk: asked(link, 'indexAsk'),
    /** From now on the answers of `index` have what `other` finds, beside. */
    indexBeside: asked(link, 'indexBeside'),
    indexClose: asked(link, 'indexClose'),
});
