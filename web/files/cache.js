/* cache - keeps the files of models in the browser's Cache API, so that a model is downloaded once.
 * A kept file is used only while the server still names the same validator (ETag or Last-Modified)
 * for it, or when the server cannot be reached. Storage is a convenience: where it is missing,
 * forbidden or full, everything works as without it. All sites of one host share the storage, hence
 * the name with a prefix.
 */

const NAME = 'headlight-models-1';
const VALIDATOR = 'x-headlight-validator';
const SIZE = 'x-headlight-size';
const MOST_BEHIND = 16 * 1024 * 1024;

/**
 * @import {Opened} from './fetch.js'
 * @typedef {{response: Response, size: number}} Kept
 */

/** The browser's storage; even to look at it is an error in some frames.
 * @returns {CacheStorage | undefined} */
export function browserStorage() {
    try {
        return globalThis.caches;
    } catch {
        return undefined;
    }
}

/** Passes chunks on while the same bytes go into the cache, which may lag behind by MOST_BEHIND
 * bytes; if the disk refuses, the chunks pass on alone. A stream that does not reach its end leaves
 * nothing behind.
 * @param {Cache} cache @param {string} url @param {Opened} opened
 * @param {(stored: Promise<void>) => void} onStore is told of what goes on after the last chunk
 * @returns {AsyncGenerator<Uint8Array, void, void>} */
async function* copying(cache, url, {chunks, size, validator}, onStore) {
    const {readable, writable} = new TransformStream();
    const writer = writable.getWriter();
    writer.closed.catch(() => {});
    let storing = true;
    let behind = 0;
    const lost = () => {
        storing = false;
    };
    const headers = {[VALIDATOR]: validator, [SIZE]: String(size)};
    const stored = cache.put(url, new Response(readable, {headers})).catch(lost);
    onStore(stored);
    let whole = false;
    try {
        for await (const chunk of chunks) {
            behind += chunk.length;
            const written = storing
                ? writer.write(chunk).then(() => {
                      behind -= chunk.length;
                  }, lost)
                : null;
            if (behind > MOST_BEHIND && storing) await Promise.race([written, stored]);
            yield chunk;
        }
        whole = true;
        writer.close().catch(lost);
    } finally {
        if (!whole) await writer.abort().catch(lost);
    }
}

/** What uses a cache of the storage, and gives nothing when storage fails. @param {CacheStorage | undefined} storage
 * @param {string} name of the cache */
export function usedBy(storage, name) {
    /** @template T @param {(cache: Cache) => Promise<T>} use @returns {Promise<T | undefined>} */
    return async use => {
        try {
            return storage && (await use(await storage.open(name)));
        } catch {
            return undefined;
        }
    };
}

/** @param {CacheStorage | undefined} [storage] */
export function createCache(storage = browserStorage()) {
    const tryUse = usedBy(storage, NAME);

    /** @type {Set<Promise<void>>} */
    const storing = new Set();
    const onStore = (/** @type {Promise<void>} */ stored) => {
        storing.add(stored);
        stored.finally(() => storing.delete(stored));
    };

    return {
        /** Waits until everything that is being kept is. */
        async kept() {
            await Promise.all(storing);
        },
        /** The kept file, if it is of this validator; null takes any.
         * @param {string} url @param {string | null} validator @returns {Promise<Kept | undefined>}
         */
        find: (url, validator) =>
            tryUse(async cache => {
                const response = await cache.match(url);
                if (
                    !response ||
                    (validator !== null && response.headers.get(VALIDATOR) !== validator)
                )
                    return undefined;
                return {response, size: Number(response.headers.get(SIZE) ?? -1)};
            }),
        /** The same file, kept while it is read. A file without a validator is not kept.
         * @param {string} url @param {Opened} opened @returns {Promise<Opened>} */
        async keep(url, opened) {
            const cache = opened.validator ? await tryUse(async cache => cache) : undefined;
            return cache ? {...opened, chunks: copying(cache, url, opened, onStore)} : opened;
        },
        /** @param {string} url */
        forget: url => tryUse(cache => cache.delete(url)),
    };
}
