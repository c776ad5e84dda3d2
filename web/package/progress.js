/* progress - the progress of a load, all files together as onProgress has it, and under the statuses of
 * transformers.js for progress_callback.
 *
 *     initiate          a file is read
 *     download          it comes from a server, not from the disk or the browser's storage
 *     progress          bytes of this file
 *     progress_total    bytes of all files, once their size is known
 *     done              the file has been read
 *     ready             the model can be used
 */

/** @typedef {{name: string, also: (told: any) => void}} Told   name: of the model */

const percent = (/** @type {number} */ loaded, /** @type {number} */ total) =>
    total > 0 ? Math.min(100, (100 * loaded) / total) : 0;

/** @param {Told} told */
function createTeller({name, also}) {
    /** @type {Record<string, {loaded: number, total: number}>} */
    const files = {};
    const begin = (/** @type {string} */ file, /** @type {boolean | undefined} */ here) => {
        also({status: 'initiate', name, file});
        if (!here) also({status: 'download', name, file});
    };
    /** @param {{file: string, done: number, total: number}} all
     * @param {import('../files/folder.js').OfFile} one */
    return ({file, done, total}, {loaded, size, here, ended}) => {
        if (!files[file]) begin(file, here);
        const of = {loaded, total: ended ? loaded : Math.max(0, size)};
        files[file] = of;
        also({status: 'progress', name, file, progress: percent(of.loaded, of.total), ...of});
        if (total) {
            const parts = structuredClone(files);
            const progress = percent(done, total);
            also({status: 'progress_total', name, progress, loaded: done, total, files: parts});
        }
        if (ended) also({status: 'done', name, file});
    };
}

/** @param {import('./head-light').CommonOptions} options @param {string} name of the model
 * @returns {{options: any, ready: () => void}} options: as engine.load takes them */
export function watched({progress_callback: also, onProgress, ...options}, name) {
    const tell = also && createTeller({name, also});
    return {
        options: {
            ...options,
            /** @param {any} told */
            onProgress({one, ...progress}) {
                onProgress?.(progress);
                if (one) tell?.(progress, one);
            },
        },
        ready: () => also?.({status: 'ready', model: name}),
    };
}
