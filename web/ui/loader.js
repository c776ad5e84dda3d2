/* loader - the model that the engine holds, and the one that is being loaded. Steps of the session
 * that want the same model wait for it together, so that another press does not begin the download
 * anew. A model whose worker has died is loaded again. No document here.
 */

/**
 * @typedef {import('../core/engine.js').Loaded} Loaded
 * @typedef {import('../core/files.js').ModelSource} Source
 * @typedef {(patch: Partial<import('./session.js').Shown>) => void} Show
 */

export class Loader {
    /** @type {{source: Source, loaded: Loaded} | null} */
    #held = null;
    /** Until someone has been told how it ended.
     * @type {{source: Source, loaded: Promise<Loaded>, controller: AbortController} | null} */
    #coming = null;
    /** @type {Partial<import('./session.js').Shown>} */
    #progress = {};
    /** @type {Show} */
    #listener = () => {};
    #engine;

    /** @param {Pick<import('./app.js').TextEngine, 'load' | 'release' | 'holds'> &
     *     Partial<Pick<import('./app.js').Engine, 'keep'>>} engine */
    constructor(engine) {
        this.#engine = engine;
    }

    /** What is known of the model that the engine holds. */
    get info() {
        return this.#held?.loaded.info ?? null;
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
        this.#coming = {source, controller, loaded: this.#fetch(source, controller.signal)};
        this.#coming.loaded.catch(() => {}); // who asks for it is told
    }

    /** @param {Source} source
     * @param {AbortSignal} signal of a step; the load goes on for the next one
     * @param {() => void} onOther called when it is another one, or anew @returns {Promise<Loaded>}
     */
    async load(source, signal, onOther) {
        if (this.#held?.source === source && this.#engine.holds(this.#held.loaded.model))
            return this.#held.loaded;
        if (this.#coming?.source !== source) {
            onOther();
            this.begin(source);
        }
        const coming = this.#coming;
        try {
            const loaded = await coming?.loaded;
            signal.throwIfAborted();
            return /** @type {Loaded} */ (loaded);
        } finally {
            if (this.#coming === coming) this.#coming = null;
        }
    }

    /** @param {Source} source @param {AbortSignal} signal */
    async #fetch(source, signal) {
        this.#show({progress: {file: '', done: 0, total: 0}});
        const loaded = await this.#engine.load(source, {
            signal,
            onProgress: progress => {
                if (!signal.aborted) this.#show({progress});
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
