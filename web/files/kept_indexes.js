/* kept_indexes - keeps the last indexes of corpora in the browser's Cache API, so that a second visit
 * need not build them. An index is kept under all that it follows from: the model's and the corpus'
 * hashes, items, layers, release. Storage is a convenience: where it is missing, forbidden or full,
 * everything works as without it.
 */
import {browserStorage, usedBy} from './cache.js';

const NAME = 'headlight-indexes-1';
const MOST = 4;
const LARGEST = 256e6; // bytes

/** @typedef {ReturnType<typeof createKeptIndexes>} KeptIndexes */

/** @param {string} key */
const addressOf = key => `/headlight-index/${encodeURIComponent(key)}`;

/** @param {CacheStorage | undefined} [storage] */
export function createKeptIndexes(storage = browserStorage()) {
    const tryUse = usedBy(storage, NAME);
    return {
        /** @param {string} key @returns {Promise<Uint8Array<ArrayBuffer> | undefined>} */
        find: key =>
            tryUse(async cache => {
                const response = await cache.match(addressOf(key));
                return response && new Uint8Array(await response.arrayBuffer());
            }),
        /** Drops the oldest beyond MOST. @param {string} key @param {Uint8Array<ArrayBuffer>} file */
        keep: (key, file) =>
            tryUse(async cache => {
                if (file.length > LARGEST) return;
                await cache.put(addressOf(key), new Response(file));
                const kept = await cache.keys();
                for (const old of kept.slice(0, -MOST)) await cache.delete(old);
            }),
        /** @param {string} key */
        forget: key => tryUse(cache => cache.delete(addressOf(key))),
    };
}
