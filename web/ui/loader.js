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
    /** Until someone has been told how it ended. @type {{source: Source, model: Promise<Model>, controller: AbortController} | null} */
    #coming = null;
    /** @type {Partial<import('./session.js').Shown>} */
    #progress = {};
    /** @type {Show} */
    #listener = () => {};
    #engine;

    /** @param {import('./app.js').TextEngine} engine */
    constructor(engine) {
        this.#engine = engine;
    }

    get model() {
        return this.#held?.model ?? null;
    }

    /** Who shows the progress, from where it is now. @param {Show} show */
    follow(show) {
        this.#listener = show;
        show(this.#progress);
    }

    forget() {
        this.#held = null;
    }

    /** Ends a load that is under way. */
    stop() {
        this.#coming?.controller.abort();
        this.#coming = null;
    }

    /** Begins a load that `load` will ask for. @param {Source} source */
    begin(source) {
        this.stop();
        this.#held = null;
        const controller = new AbortController();
        this.#coming = {source, controller, model: this.#bring(source, controller.signal)};
        this.#coming.model.catch(() => {});   // who asks for it is told
    }

    /** @param {Source} source @param {AbortSignal} signal of a step; the load goes on for the next one
     * @param {() => void} onOther called when it is another one */
    async load(source, signal, onOther) {
        if (this.#held?.source === source) return this.#held.model;
        if (this.#coming?.source !== source) {
            onOther();
            this.begin(source);
        }
        const coming = this.#coming;
        try {
            const model = await coming?.model;
            signal.throwIfAborted();
            return /** @type {Model} */ (model);
        } finally {
            if (this.#coming === coming) this.#coming = null;
        }
    }

    /** @param {Source} source @param {AbortSignal} signal */
    async #bring(source, signal) {
        this.#show({progress: {file: '', done: 0, total: 0}});
        const model = await this.#engine.load(source, {signal,
            onProgress: progress => { if (!signal.aborted) this.#show({progress}); }});
        signal.throwIfAborted();
        [this.#held, this.#coming] = [{source, model}, null];
        this.#show({progress: null});
        return model;
    }

    /** @param {Partial<import('./session.js').Shown>} progress */
    #show(progress) {
        this.#progress = progress;
        this.#listener(progress);
    }
}
