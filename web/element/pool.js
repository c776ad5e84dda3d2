/* pool - one engine for each model on a page, shared by all figures that run it. Each figure gets a
 * client that looks like an engine of its own (session/session.js uses it so); its passes are handles,
 * so figures do not disturb each other. The engine is closed when its last client has been gone for
 * a while.
 */
import {aborted} from '../base/errors.js';

/**
 * @import {Engine, TextEngine} from '../base/shared.js'
 * @import {Loaded} from '../engine/engine.js'
 * @import {ModelSource as Source} from '../files/folder.js'
 * @typedef {{signal?: AbortSignal, onProgress?: import('../files/folder.js').OnProgress}}
 *     LoadOptions
 */

const KEEP_MS = 20000;

/** An engine and its model. */
class Shared {
    /** @type {Set<object>} */
    clients = new Set();
    /** @type {Set<import('../files/folder.js').OnProgress>} */
    #listeners = new Set();
    /** @type {Promise<Loaded> | null} */
    #coming = null;
    #loaded = /** @type {Loaded | null} */ (null);

    /** @param {Engine} engine @param {Source} source */
    constructor(engine, source) {
        this.engine = engine;
        this.source = source;
    }

    /** The model, loaded by whoever asks first, and again where its worker is gone.
     * @returns {Promise<Loaded>} */
    async #model() {
        if (this.#loaded && this.engine.holds(this.#loaded.model)) return this.#loaded;
        this.#coming ??= this.engine
            .load(this.source, {
                onProgress: progress => {
                    for (const listener of this.#listeners) listener(progress);
                },
            })
            .finally(() => {
                this.#coming = null;
            });
        return (this.#loaded = await this.#coming);
    }

    /** Waits for the model and hears of its progress. To stop waiting does not stop the loading:
     * others may wait too.
     * @param {LoadOptions} options @returns {Promise<Loaded>} */
    async wait({signal, onProgress = () => {}}) {
        signal?.throwIfAborted();
        this.#listeners.add(onProgress);
        try {
            return await new Promise((resolve, reject) => {
                signal?.addEventListener('abort', () => reject(aborted()), {once: true});
                this.#model().then(resolve, reject);
            });
        } finally {
            this.#listeners.delete(onProgress);
        }
    }
}

/** @type {Map<string, Shared>} */
const pool = new Map();

/** @param {string} key @param {Shared} shared */
function retire(key, shared) {
    if (shared.clients.size) return;
    shared.engine.close();
    if (pool.get(key) === shared) pool.delete(key);
}

/** @param {() => Engine} makeEngine @returns {TextEngine} */
export function createClient(makeEngine) {
    const client = {};
    /** @type {{shared: Shared, key: string} | null} */
    let joined = null;
    const leave = () => {
        const left = joined;
        joined = null;
        if (!left?.shared.clients.delete(client)) return;
        setTimeout(() => retire(left.key, left.shared), KEEP_MS);
    };
    /** @param {Source} source */
    const join = source => {
        const key = JSON.stringify(source);
        const shared = pool.get(key) ?? new Shared(makeEngine(), source);
        if (joined?.shared !== shared) leave();
        pool.set(key, shared);
        shared.clients.add(client);
        joined = {shared, key};
        return shared;
    };
    const engine = () => {
        if (!joined) throw new Error('no model is loaded; load one first');
        return joined.shared.engine;
    };
    return {
        load: async (source, options = {}) => join(source).wait(options),
        run: (request, options) => engine().run(request, options),
        read: (request, options) => engine().read(request, options),
        adopt: async input => engine().adopt(input),
        /** Not of a model, which others may use. @type {TextEngine['release']} */
        release: ({pass}) => {
            if (pass) joined?.shared.engine.release({pass});
        },
        holds: handle => joined?.shared.engine.holds(handle) ?? false,
        close: leave,
    };
}
