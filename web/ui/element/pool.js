/* pool - one engine for each model on a page, shared by all figures that run it. An engine holds one text; a figure that reads
 * after another one has run finds its own text run again first, which gives the same bits. Each figure gets a client that looks
 * like an engine of its own (ui/session.js uses it so). The engine is closed when its last client has been gone for a while.
 */
import {aborted, throwIfAborted} from '../../core/errors.js';

/**
 * @typedef {import('../app.js').Engine} Engine
 * @typedef {import('../../core/worker.js').Model} Model
 * @typedef {Parameters<Engine['run']>[0]} Input
 * @typedef {import('../../core/files.js').ModelSource} Source
 * @typedef {{signal?: AbortSignal, onProgress?: import('../../core/files.js').OnProgress}} LoadOptions
 */

const KEEP_MS = 20000;

class Shared {
    /** @type {Set<Client>} */
    clients = new Set();
    /** @type {Set<import('../../core/files.js').OnProgress>} */
    #listeners = new Set();
    /** @type {Promise<Model> | null} */
    #model = null;
    #stop = new AbortController();
    #last = /** @type {Promise<unknown>} */ (Promise.resolve());
    /** The inputs, as JSON, that the engine holds: the text run last, and the one that runs are compared with. */
    #held = {run: '', remembered: ''};
    #pass = /** @type {import('../../core/worker.js').Pass | null} */ (null);

    /** @param {Engine} engine @param {Source} source */
    constructor(engine, source) {
        this.engine = engine;
        this.source = source;
    }

    /** One at a time, in the order of asking. @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    exclusive(work) {
        const done = this.#last.then(work);
        this.#last = done.catch(() => {});
        return done;
    }

    /** The model, loaded by whoever asks first. @returns {Promise<Model>} */
    model() {
        if (!this.#model) {
            this.#stop = new AbortController();
            this.#held = {run: '', remembered: ''};
            const loading = this.engine.load(this.source, {signal: this.#stop.signal,
                onProgress: progress => { for (const listener of this.#listeners) listener(progress); }});
            this.#model = loading;
            loading.catch(() => this.lost());
        }
        return this.#model;
    }

    /** @param {string} input @param {AbortSignal} [signal] */
    async run(input, signal) {
        if (this.#held.run !== input || !this.#pass) {
            this.#held.run = '';
            this.#pass = await this.engine.run(JSON.parse(input), {signal});
            this.#held.run = input;
        }
        return this.#pass;
    }

    /** @param {string} input */
    async remember(input) {
        if (this.#held.remembered === input) return;
        await this.run(input);
        await this.engine.remember();
        this.#held.remembered = input;
    }

    /** The worker has died, or loading has failed: the next one who asks loads again. */
    lost() { this.#model = null; }

    /** Waits for the model and hears of its progress. To stop waiting does not stop the loading: others may wait too.
     * @param {LoadOptions} options @returns {Promise<Model>} */
    async wait({signal, onProgress = () => {}}) {
        throwIfAborted(signal);
        this.#listeners.add(onProgress);
        try {
            return await new Promise((resolve, reject) => {
                signal?.addEventListener('abort', () => reject(aborted()), {once: true});
                this.model().then(resolve, reject);
            });
        } finally {
            this.#listeners.delete(onProgress);
        }
    }

    close() {
        this.#stop.abort();
        this.engine.close();
    }
}

/** @type {Map<string, Shared>} */
const pool = new Map();

/** @param {string} key @param {Shared} shared */
function retire(key, shared) {
    if (shared.clients.size) return;
    shared.close();
    if (pool.get(key) === shared) pool.delete(key);
}

/** One figure's part in the pool: which engine it uses, and what it believes that engine to hold. */
class Client {
    #shared = /** @type {Shared | null} */ (null);
    #key = '';
    #run = '';
    #remembered = '';

    /** @param {Source} source @param {() => Engine} makeEngine */
    join(source, makeEngine) {
        const key = JSON.stringify(source);
        const next = pool.get(key) ?? new Shared(makeEngine(), source);
        if (this.#shared !== next) this.leave();
        pool.set(key, next);
        next.clients.add(this);
        [this.#shared, this.#key] = [next, key];
        return next;
    }

    leave() {
        const [left, key] = [this.#shared, this.#key];
        [this.#shared, this.#run, this.#remembered] = [null, '', ''];
        if (!left) return;
        left.clients.delete(this);
        setTimeout(() => retire(key, left), KEEP_MS);
    }

    /** Does something with the engine, alone; when the engine has broken, the model must be loaded again.
     * @template T @param {(shared: Shared) => Promise<T>} work @returns {Promise<T>} */
    async use(work) {
        const shared = this.#shared;
        if (!shared) throw new Error('no model is loaded; load one first');
        return shared.exclusive(async () => {
            await shared.model();
            try {
                return await work(shared);
            } catch (error) {
                if (/** @type {any} */ (error).category === 'engine') shared.lost();
                throw error;
            }
        });
    }

    /** @param {Input} input @param {AbortSignal} [signal] */
    run(input, signal) {
        return this.use(async shared => {
            throwIfAborted(signal);
            this.#run = JSON.stringify(input);
            return shared.run(this.#run, signal);
        });
    }

    /** What was computed of this client's own text. @template T @param {(engine: Engine) => Promise<T>} work */
    read(work) {
        return this.use(async shared => {
            if (this.#remembered) await shared.remember(this.#remembered);
            if (this.#run) await shared.run(this.#run);
            return work(shared.engine);
        });
    }

    remember() {
        return this.use(async shared => {
            this.#remembered = this.#run;
            await shared.remember(this.#run);
        });
    }
}

/** @param {() => Engine} makeEngine @returns {import('../app.js').TextEngine} */
export function createClient(makeEngine) {
    const client = new Client();
    return {
        load: async (source, options = {}) => client.join(source, makeEngine).wait(options),
        run: (input, {signal} = {}) => client.run(input, signal),
        tensor: (name, layer) => client.read(engine => engine.tensor(name, layer)),
        fill: (position, k) => client.read(engine => engine.fill(position, k)),
        study: (name, argument) => client.read(engine => engine.study(name, argument)),
        studyOwn: input => client.use(({engine}) => engine.studyOwn(input)),
        remember: () => client.remember(),
        close: () => client.leave(),
    };
}
