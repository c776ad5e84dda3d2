/* indexes - the worker's operations on indexes of a corpus (worker/indexes.js) as promises, on an engine's
 * link: the page's first script has none of them.
 */

/** @typedef {Pick<ReturnType<typeof import('./engine.js').createEngine>['link'], 'number' | 'call'>} Link */

/** Indexes of a corpus: see headlight.h. @param {Link} link */
export const indexes = link => ({
    /** Of the corpus of a model's session (`corpus`).
     * @param {{model: number, options: object}} args @param {import('./engine.js').CallOptions} [call]
     * @returns {Promise<{index: number, items: number}>} */
    async indexBegin(args, call) {
        const index = link.number();
        return {index, items: await link.call('indexBegin', {index, ...args}, call)};
    },
    /** @param {{index: number, first: number, count: number}} args @param {import('./engine.js').CallOptions} [call]
     * @returns {Promise<void>} */
    indexStep: (args, call) => link.call('indexStep', args, call),
    /** Its file. @param {{index: number}} args @returns {Promise<Uint8Array<ArrayBuffer>>} */
    indexSave: args => link.call('indexSave', args),
    /** The file of parts. @param {{files: Uint8Array[]}} args
     * @returns {Promise<Uint8Array<ArrayBuffer>>} */
    indexJoin: args => link.call('indexJoin', args),
    /** @param {{file: Uint8Array}} args @returns {Promise<{index: number, info: any}>} */
    async indexOpen({file}) {
        const index = link.number();
        return {index, info: await link.call('indexOpen', {index, file})};
    },
    /** @param {{index: number, question: object}} args @param {import('./engine.js').CallOptions} [call]
     * @returns {Promise<string>} */
    indexAsk: (args, call) => link.call('indexAsk', args, call),
    /** From now on the answers of `index` have what `other` finds, beside. @param {{index: number, other: number}} args
     * @returns {Promise<void>} */
    indexBeside: args => link.call('indexBeside', args),
    /** @param {{index: number}} args @returns {Promise<void>} */
    indexClose: args => link.call('indexClose', args),
});
