/* indexes - builds and opens indexes of a corpus (headlight.h) on an engine's link, by the worker's operations
 * (worker/indexes.js). An index is released like a model. The page's first script has none of it.
 */

/** @typedef {Pick<ReturnType<typeof import('./engine.js').createEngine>, 'link' | 'release'>} Engine
 * @typedef {{index: number, info: any}} Held */

/** Of the corpus of a model's session (`corpus`), a portion of items at a time. @param {Engine} engine
 * @param {number} model @param {object} options of hl_index_begin
 * @param {{portion: number, signal?: AbortSignal, onItems: (count: number, total: number) => void}} how
 * @returns {Promise<Uint8Array<ArrayBuffer>>} its file */
export async function buildIndex({link, release}, model, options, {portion, signal, onItems}) {
    const index = link.number();
    try {
        const total = await link.call('indexBegin', {index, model, options}, {signal});
        for (let first = 0; first < total; first += portion) {
            const count = Math.min(portion, total - first);
            await link.call('indexStep', {index, first, count}, {signal});
            onItems(count, total);
        }
        return await link.call('indexSave', {index});
    } finally {
        release({model: index});
    }
}

/** An index from its file, and the one beside. @param {Engine} engine @param {Uint8Array[]} files
 * @returns {Promise<Held[]>} */
export async function openIndexes({link}, files) {
    const held = [];
    for (const file of files) {
        const index = link.number();
        held.push({index, info: await link.call('indexOpen', {index, file})});
    }
    const [own, beside] = held;
    if (beside) await link.call('indexBeside', {index: own.index, other: beside.index});
    return held;
}
