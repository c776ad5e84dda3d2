/* loader - the model that the engine holds, and the one that is being loaded. Steps of the session
 * that want the same model wait for it together, so that another press does not begin the download
 * anew. A model whose worker has died is loaded again. No document here.
 */

/**
 * @import {Loaded} from '../engine/engine.js'
 * @import {ModelSource as Source} from '../files/folder.js'
 * @typedef {(patch: Partial<import('./session.js').Shown>) => void} Show
 */

export class Loader {
    /** @type {{source: Source, loaded: Loaded} | null} */
    #held = null;
    /** Until someone has been told how it ended; some: as far as it is there, told: who is to hear
     * of more.
     * @typedef {{source: Source, loaded: Promise<Loaded>, controller: AbortController,
     *     some: Loaded | null, told: Set<(some: Loaded) => void>}} Coming */
    /** @type {Coming | null} */
    #coming = null;
    /** @type {Partial<import('./session.js').Shown>} */
    #progress = {};
    /** @type {Show} */
    #listener = () => {};
    #engine;

    /** @param {Pick<import('../base/shared.js').TextEngine, 'load' | 'release' | 'holds'> &
     *     Partial<Pick<import('../base/shared.js').Engine, 'keep'>>} engine */
    constructor(engine) {
        this.#engine = engine;
    }

    /** What is known of the model that the engine holds. */
    get info() {
        return this.#held?.loaded.info ?? null;
    }

    /** Its handle, 0 for none. */
    get model() {
        return this.#held?.loaded.model ?? 0;
    }

    /** Who shows the progress, from where it is now. @param {Show} show */
    follow(show) {
        this.#listener = show;
        show(this.#progress);
    }

    /** Ends a load that is under way. */
    stop() {
        this.#coming?.controller.abort();
        this.#coming = null;
    }

    /** Begins a load that `load` will ask for; the model before goes first, for its memory.
     * @param {Source} source */
    begin(source) {
        this.stop();
        if (this.#held) this.#engine.release({model: this.#held.loaded.model});
        this.#held = null;
        const controller = new AbortController();
        /** @type {Set<(some: Loaded) => void>} */
        const told = new Set();
        const coming = {source, controller, told, some: /** @type {Loaded | null} */ (null)};
        const onSome = (/** @type {Loaded} */ some) => {
            coming.some = some;
            for (const tell of told) tell(some);
        };
        const loaded = this.#fetch(source, controller.signal, onSome);
        this.#coming = Object.assign(coming, {loaded});
        loaded.catch(() => {}); // who asks for it is told
    }

    /** @param {Source} source
     * @param {AbortSignal} signal of a step; the load goes on for the next one
     * @param {() => void} onOther called when it is another one, or anew
     * @param {(some: Loaded) => void} [onSome] called with the layers that are there, when there are
     *     more; the model itself comes after them @returns {Promise<Loaded>} */
    async load(source, signal, onOther, onSome = () => {}) {
        if (this.#held?.source === source && this.#engine.holds(this.#held.loaded.model))
            return this.#held.loaded;
        if (this.#coming?.source !== source) {
            onOther();
            this.begin(source);
        }
        const coming = /** @type {Coming} */ (this.#coming);
        coming.told.add(onSome);
        if (coming.some) onSome(coming.some);
        try {
            const loaded = await coming.loaded;
            signal.throwIfAborted();
            return loaded;
        } finally {
            coming.told.delete(onSome);
            if (this.#coming === coming) this.#coming = null;
        }
    }

    /** @param {Source} source @param {AbortSignal} signal @param {(some: Loaded) => void} onSome */
    async #fetch(source, signal, onSome) {
        let now = {file: '', done: 0, total: 0};
        let there = {};
        const tell = () => {
            if (!signal.aborted) this.#show({progress: {...now, ...there}});
        };
        tell();
        const loaded = await this.#engine.load(source, {
            signal,
            onProgress(progress) {
                now = progress;
                tell();
            },
            onSome(some) {
                const {layers, whole} = some.info;
                there = {layers, whole};
                tell();
                if (!signal.aborted) onSome(some);
            },
        });
        signal.throwIfAborted();
        [this.#held, this.#coming] = [{source, loaded}, null];
        this.#show({progress: null, copy: ''});
        this.#keep(loaded);
        return loaded;
    }

    /** What came from the hub is kept for the next visit, beside all else.
     * @param {Loaded} loaded */
    async #keep({model, info}) {
        if (info?.from?.place !== 'hub' || !this.#engine.keep) return;
        const show = (/** @type {string} */ copy) => {
            if (this.#held?.loaded.model === model) this.#show({copy});
        };
        show('keeping');
        await this.#engine.keep({model}).then(
            () => show('kept'),
            error => show(error.message),
        );
    }

    /** @param {Partial<import('./session.js').Shown>} progress */
    #show(progress) {
        this.#progress = progress;
        this.#listener(progress);
    }
}
