/* loader - the model that the engine holds, and the one that is on its way: steps of the session that want the same one wait
 * for it together, so that a press meanwhile does not begin the download anew. No document here.
 */

/**
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/files.js').ModelSource} Source
 * @typedef {(patch: Partial<import('./session.js').Shown>) => void} Show
 */

export class Loader {
    /** @type {{source: Source, model: Model} | null} */
    #held = null;
    /** @type {{source: Source, model: Promise<Model>, controller: AbortController} | null} */
    #coming = null;
    #engine;
    #show;

    /** @param {import('./app.js').TextEngine} engine @param {Show} show */
    constructor(engine, show) {
        this.#engine = engine;
        this.#show = show;
    }

    get model() {
        return this.#held?.model ?? null;
    }

    forget() {
        this.#held = null;
    }

    /** Ends a load that is under way. */
    stop() {
        this.#coming?.controller.abort();
        this.#coming = null;
    }

    /** @param {Source} source @param {AbortSignal} signal of a step; the load goes on for the next one
     * @param {() => void} onOther called when it is another one */
    async load(source, signal, onOther) {
        if (this.#held?.source === source) return this.#held.model;
        if (this.#coming?.source !== source) {
            this.stop();
            this.#held = null;
            onOther();
            const controller = new AbortController();
            this.#coming = {source, controller, model: this.#bring(source, controller)};
        }
        const model = await this.#coming.model;
        signal.throwIfAborted();
        return model;
    }

    /** @param {Source} source @param {AbortController} controller */
    async #bring(source, controller) {
        const {signal} = controller;
        this.#show({progress: {file: '', done: 0, total: 0}});
        try {
            const model = await this.#engine.load(source, {signal,
                onProgress: progress => { if (!signal.aborted) this.#show({progress}); }});
            signal.throwIfAborted();
            this.#held = {source, model};
            this.#show({progress: null});
            return model;
        } finally {
            if (this.#coming?.controller === controller) this.#coming = null;
        }
    }
}
