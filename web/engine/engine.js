/* engine - Headlight as promises: the page's only way to the computation, and the only module that
 * posts messages. Models and passes are handles, numbers that are given here, so that a pass can be
 * read before it is there; what they hold lies in the worker:
 *   load(source, options)                  -> {model, info}              onSome: what can run of it
 *       while the rest is on its way
 *   run({model, input, keep, want})        -> {pass, facts, answers}     keep: held for later
 *       readings; want: sent now (passes.js)
 *   read({pass, want})                     -> {answers}, one after the other in the order of want
 *   tokenize({model, text, textB})         -> tokens
 *   adopt({layers, heads, tokens, ...})    -> {pass}                     attention from elsewhere
 *   release({pass}), release({model})
 * A cancelled request is given up in the worker too, between two of its answers at the latest. When
 * the worker dies, or an answer is of category "engine", all that is under way fails with that
 * sentence, and so does, from then on, whatever names one of its handles (holds() tells): who owns
 * it loads the model and runs the input again. The next request that names none gets a new worker.
 * Of a worker that is ended from outside (by the browser, for memory) there is no event: while it
 * lives it holds a Web Lock, which the page gets when it does not; and its first word has a limit.
 * Where a thread that helped the worker has ended, the next worker has one thread. Of both the error is
 * marked `ended`: the same may be asked again.
 */
import {BUILD} from '../base/build.js';
import {trusted} from '../base/trusted.js';
import {aborted, HeadlightError, parseError, reason, stateError} from '../base/errors.js';

/** @template {keyof Operations} Op @typedef {Parameters<Operations[Op]> extends [infer First, ...any] ? First : object} Args */

/**
 * @import {Model, Pass} from '../worker/worker.js'
 * @import {Input, Want} from '../worker/passes.js'
 * @import {ModelSource, OnProgress} from '../files/folder.js'
 * @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>}
 *     WorkerLike
 * @typedef {{signal?: AbortSignal, transfer?: Transferable[], onProgress?: OnProgress, onFacts?:
 *     (facts: any) => void,
 *   onSome?: (info: Model) => void, onAnswer?: (part: number, answer: any) => void}} CallOptions
 * @typedef {CallOptions & {resolve: (value: any) => void, reject: (error: any) => void}} Call
 * @typedef {import('../worker/worker.js').Operations} Operations   what the worker does, by the name of a request
 * @typedef {<Op extends keyof Operations>(op: Op, args: Args<Op>, options?: CallOptions) =>
 *     Promise<Awaited<ReturnType<Operations[Op]>>>} CallFunction
 * @typedef {{model: number, info: Model}} Loaded
 * @typedef {{answers: Promise<any>[], done: Promise<void>}} Reading   done: all of them
 * @typedef {Reading & {pass: number, facts: Promise<Pass>}} Run
 */

const nothing = () => {};
const FIRST_WORD_MS = 60000; // until a worker's script has been fetched and runs

/** The worker and what is under way in it. */
class Link {
    /** @type {WorkerLike | null} */
    #worker = null;
    /** @type {Map<number, Call>} */
    #calls = new Map();
    #id = 0;
    /** The id of the worker's "start", 0 once that is answered. */
    #starting = 0;
    #handles = 0;
    /** Handles up to this one were of workers that are gone. */
    #lost = 0;
    #closed = false;
    #makeWorker;
    #startArgs;
    /** What these were, until another worker has started in its place. @type {[() => WorkerLike, object] | null} */
    #former = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    #firstWord;
    /** The name of the lock that the worker holds. */
    #life = '';

    /** @param {() => WorkerLike} makeWorker
     * @param {{threads?: object}} startArgs of the operation "start", the first of every worker */
    constructor(makeWorker, startArgs) {
        this.#makeWorker = makeWorker;
        this.#startArgs = startArgs;
    }

    /** A new handle. */
    number() {
        return ++this.#handles;
    }

    /** @param {number | undefined} handle */
    holds(handle) {
        return handle !== undefined && handle > this.#lost;
    }

    /** @type {CallFunction} */
    call(op, args, {signal, transfer = [], ...listeners} = {}) {
        return new Promise((resolve, reject) => {
            signal?.throwIfAborted();
            this.#check(args);
            const unusable = this.begin();
            if (unusable) throw unusable;
            const id = ++this.#id;
            const abort = () => {
                this.#calls.delete(id);
                this.#post({op: 'cancel', of: id}, []);
                reject(aborted());
            };
            signal?.addEventListener('abort', abort, {once: true});
            const ended =
                (/** @type {(what: any) => void} */ tell) => (/** @type {any} */ what) => {
                    signal?.removeEventListener('abort', abort);
                    tell(what);
                };
            this.#calls.set(id, {...listeners, resolve: ended(resolve), reject: ended(reject)});
            this.#post({id, op, args}, transfer);
        });
    }

    /** Ends the worker and fails all that is under way. @param {Error} error */
    stop(error) {
        this.#worker?.terminate();
        clearTimeout(this.#firstWord);
        const calls = [...this.#calls.values()];
        if (this.#starting && this.#former) [this.#makeWorker, this.#startArgs] = this.#former;
        [this.#worker, this.#starting, this.#lost, this.#former] = [null, 0, this.#handles, null];
        this.#calls.clear();
        for (const call of calls) call.reject(error);
    }

    /** Another worker is the next one; what is under way in this one is given up. If it cannot be started, the next is as
     * this one is. @param {() => WorkerLike} makeWorker @param {{threads?: object}} startArgs
     * @returns {boolean} false: it has been */
    exchange(makeWorker, startArgs) {
        if (this.#startArgs === startArgs) return false;
        this.stop(aborted());
        this.#former = [this.#makeWorker, this.#startArgs];
        [this.#makeWorker, this.#startArgs] = [makeWorker, startArgs];
        return true;
    }

    close() {
        this.#closed = true;
        this.stop(stateError('the engine has been closed'));
    }

    /** Makes the worker before it is asked anything: it takes its time to start and to compile the
     * wasm.
     * @returns {HeadlightError | null} why there is none */
    begin() {
        if (this.#worker) return null;
        try {
            this.#worker = this.#open();
            this.#starting = ++this.#id;
            this.#life = `headlight-${Math.random()}`;
            const args = {...this.#startArgs, life: this.#life};
            this.#worker.postMessage({id: this.#starting, op: 'start', args});
            return null;
        } catch (error) {
            return this.#unusable(error);
        }
    }

    /** Refuses what cannot be answered.
     * @param {any} args */
    #check({model, pass, other}) {
        if (this.#closed) throw stateError('the engine has been closed');
        if ([model, pass, other].every(handle => !handle || this.holds(handle))) return;
        throw new HeadlightError(
            'engine',
            'the worker that held this model has stopped; load the model again',
        );
    }

    /** @param {object} message @param {Transferable[]} transfer */
    #post(message, transfer) {
        try {
            this.#worker?.postMessage(message, transfer);
        } catch (error) {
            this.#unusable(error);
        }
    }

    /** @param {unknown} error */
    #unusable(error) {
        const said = new HeadlightError(
            'engine',
            `the worker cannot be used (${reason(error)}); reload the page`,
        );
        this.stop(said);
        return said;
    }

    /** A worker that is heard only as long as it is the present one. */
    #open() {
        const made = this.#makeWorker();
        const fail = (/** @type {Event} */ event) => {
            if (this.#worker === made) this.stop(died(event));
        };
        made.onmessage = event => {
            if (this.#worker === made) this.#receive(event.data);
        };
        made.onerror = fail;
        made.onmessageerror = fail;
        this.#firstWord = setTimeout(() => this.#ended(made), FIRST_WORD_MS);
        /** @type {any} */ (this.#firstWord).unref?.(); // in Node it keeps no program from ending
        return made;
    }

    /** Without an event of its own. @param {WorkerLike | null} worker */
    #ended(worker) {
        if (this.#worker === worker) this.stop(Object.assign(died({}), {ended: true}));
    }

    /** The worker holds its lock: it is free when the worker has ended. */
    #watch() {
        const worker = this.#worker;
        const {locks} = globalThis.navigator;
        locks.request(this.#life, () => this.#ended(worker)).catch(nothing);
    }

    /** @param {{id: number, value?: any, error?: string, about?: import('../base/errors.js').About,
     *     progress?: Parameters<OnProgress>[0], locked?: boolean, ended?: boolean,
     *     facts?: object, some?: Model, part?: number, answer?: any}} reply */
    #receive({id, value, error, about, progress, facts, some, part, answer, locked, ended}) {
        clearTimeout(this.#firstWord);
        if (locked) this.#watch();
        if (locked !== undefined) return;
        const call = this.#calls.get(id);
        const starts = id === this.#starting;
        if (ended) delete this.#startArgs.threads;
        if (error && (starts || error.startsWith('engine: ')))
            return this.stop(Object.assign(parseError(error), {ended}));
        if (starts) [this.#starting, this.#former] = [0, null];
        if (!call) return;
        if (progress) return call.onProgress?.(progress);
        if (facts) return call.onFacts?.(facts);
        if (some) return call.onSome?.(some);
        if (part !== undefined) return call.onAnswer?.(part, answer);
        this.#calls.delete(id);
        if (error) call.reject(parseError(error, about));
        else call.resolve(value);
    }
}

/** @param {Partial<ErrorEvent>} event */
function died({message}) {
    const said = message ? ` (${message})` : '';
    return new HeadlightError(
        'engine',
        `the worker could not be started or has stopped${said}; load the model again, ` +
            'and if that fails, reload the page',
    );
}

/** The address of a script that is written here. @param {string} script */
const addressOf = script => URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));

/** worker.js beside this script, written once and so that bundlers find it. @template Made
 * @param {new (url: URL, how: {type: 'module'}) => Made} Worker */
const beside = Worker => new Worker(new URL('./worker.js', import.meta.url), {type: 'module'});

/** @param {string | URL} [url] none: worker.js beside this script
 * @returns {WorkerLike} */
function startModuleWorker(url) {
    const module = /** @type {const} */ ({type: 'module'});
    // a Request takes any second argument, and says the address
    const address = () => url ?? beside(/** @type {any} */ (Request)).url;
    try {
        return url ? new Worker(trusted(url), module) : beside(Worker);
    } catch (error) {
        // no address but a trusted one
        if (error instanceof TypeError && !url) return new Worker(trusted(address()), module);
        if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
        // a module worker from another site, a CDN say, which browsers refuse: one of this site imports it
        const script = `import ${JSON.stringify(new Request(address()).url)}`;
        return new Worker(trusted(addressOf(script)), module);
    }
}

/** A worker from its script itself, which must be a classic one: Chromium makes no module worker of
 * a Blob in a page that was opened from disk. @param {string} script @returns {() => WorkerLike} */
export function workerFromText(script) {
    const url = addressOf(script);
    return () => new Worker(trusted(url));
}

/** @typedef {{store: 'q8' | 'f32', random: import('../files/load.js').Random}} How
 * @typedef {{signal?: AbortSignal, onProgress: OnProgress}} Watch
 * @typedef {(source: {files: File[]}, into: How & {model: number}, watch: Watch, call:
 *     CallFunction) => Promise<Model>} LoadInPage */

/** The same as the worker understands it: an address does not depend on the page's base, files come
 * with their paths.
 * @param {ModelSource} source @returns {ModelSource} */
function sendable(source) {
    if ('hub' in source) return source;
    if (!('url' in source))
        return {...source, paths: source.files.map(file => file.webkitRelativePath || file.name)};
    try {
        return {...source, url: new Request(source.url).url};
    } catch {
        return source; // the worker says what is wrong with it
    }
}

/** Absolute by the page's base; the worker would take its own. @param {string | URL} [url] */
const absolute = url => (url ? new Request(url).url : '');

/** @param {Threads} threads */
const threadUrls = ({wasmUrl, relaxedUrl, helperUrl, most}) => ({
    wasmUrl: wasmUrl instanceof Uint8Array ? wasmUrl : absolute(wasmUrl),
    relaxedUrl: absolute(relaxedUrl),
    helperUrl: absolute(helperUrl),
    most,
});

/** What the operation "start" is told: the wasm's bytes, or its address. @param {Files} files */
const startArgs = ({wasmUrl = '', wasmBytes, relaxedUrl, threads}) => ({
    build: BUILD,
    wasm: wasmBytes ?? new Request(wasmUrl).url,
    relaxedUrl: absolute(relaxedUrl),
    ...(threads && {threads: threadUrls(threads)}),
});

/** @typedef {{wasmUrl: string | URL | Uint8Array<ArrayBuffer>, relaxedUrl?: string | URL, helperUrl: string | URL,
 *     most?: number}} Threads   wasmUrl: the file's bytes in Node; most: threads, 4 unless told */

/** A promise and its ends; failing without a listener is no news. */
function createPromise() {
    /** @type {(value: any) => void} */
    let resolve = nothing;
    /** @type {(error: any) => void} */
    let reject = nothing;
    const promise = new Promise((...ends) => {
        [resolve, reject] = ends;
    });
    promise.catch(nothing);
    return {promise, resolve, reject};
}

/** A request that is answered in parts. @param {Link} link @param {'run' | 'read'} op @param {Args<'run'> | Args<'read'>} args
 * @param {AbortSignal} [signal] @returns {Reading & {facts: Promise<Pass>}} */
function ask(link, op, args, signal) {
    const [facts, ...answers] = Array.from({length: 1 + args.want.length}, createPromise);
    const done = link.call(op, args, {
        signal,
        onFacts: found => facts.resolve({...found, pass: args.pass}),
        onAnswer: (part, answer) => answers[part].resolve(answer),
    });
    done.catch(error => {
        for (const {reject} of [facts, ...answers]) reject(error);
    });
    return {facts: facts.promise, answers: answers.map(({promise}) => promise), done};
}

/** An operation of the worker as a function of its arguments. @template {keyof Operations} Op @param {Link} link @param {Op} op
 * @returns {(args: Args<Op>, call?: CallOptions) => Promise<Awaited<ReturnType<Operations[Op]>>>} */
const asked = (link, op) => (args, call) => link.call(op, args, call);

/** @param {Link} link */
const passes = link => ({
    /** Runs a text. @param {{model: number, input: Input, keep?: string[], want?: Want[], over?: number}} request   keep: tensors
     *     held for later readings; want: answered now; over: a pass whose tensors may be given up for this one's
     * @param {{signal?: AbortSignal}} [options] @returns {Run} */
    run({model, input, keep = [], want = [], over}, {signal} = {}) {
        const pass = link.number();
        return {pass, ...ask(link, 'run', {model, pass, input, keep, want, over}, signal)};
    },
    /** @param {{pass: number, want: Want[]}} request @param {{signal?: AbortSignal}} [options] @returns {Reading} */
    read({pass, want}, {signal} = {}) {
        const {answers, done} = ask(link, 'read', {pass, want}, signal);
        return {answers, done};
    },
    /** The tokens that a run would have; textB '' is none. */
    tokenize: asked(link, 'tokenize'),
    /** Attention from elsewhere as a pass, which has measures only. Its buffer is handed over.
     * @param {{layers: number, heads: number, tokens: number, attention: Float32Array<ArrayBuffer>, columns:
     *     Int32Array, lengths?: Float32Array}} input   attention: [L, H, T, T]; columns: [3, T]; lengths: [L, H, T], see headlight.h
     * @returns {Promise<{pass: number}>} */
    async adopt(input) {
        const pass = link.number();
        await link.call('adopt', {pass, ...input}, {transfer: [input.attention.buffer]});
        return {pass};
    },
    /** What can be measured where no model says it. */
    constants: () => link.call('constants', {}),
    /** What lies in the worker for a handle goes; it is not waited for.
     * @param {{pass?: number, model?: number}} handle */
    release({pass, model}) {
        const handle = pass ?? model;
        if (link.holds(handle)) link.call('release', {pass, model}).catch(nothing);
    },
    holds: (/** @type {number | undefined} */ handle) => link.holds(handle),
});

/** @param {Link} link @param {LoadInPage} [loadInPage] */
function loadingOf(link, loadInPage) {
    /** Loads a model, beside those that are there.
     * @param {ModelSource} source
     * @param {{signal?: AbortSignal, onProgress?: import('../files/folder.js').OnProgress, onSome?: (some:
     *     Loaded) => void} & Partial<How>} [options]   onSome: the model as far as it is there, of
     *         `layers` layers, which will be `whole`
     * @returns {Promise<Loaded>} */
    return async (source, options = {}) => {
        const {signal, onProgress = nothing, onSome, store = 'q8'} = options;
        const {random = source.random ?? ''} = options;
        const model = link.number();
        const how = {model, store, random};
        if (!loadInPage || 'url' in source || 'hub' in source) {
            const args = {source: sendable(source), ...how, ...(onSome && {some: true})};
            const tell = (/** @type {Model} */ info) => onSome?.({model, info});
            const info = await link.call('load', args, {signal, onProgress, onSome: tell});
            return {model, info};
        }
        link.begin();
        /** @type {CallFunction} */
        const call = (...asked) => link.call(...asked);
        const info = await loadInPage(source, how, {signal, onProgress}, call).catch(error => {
            link.call('release', {model}).catch(nothing);
            throw error;
        });
        return {model, info};
    };
}

/** Families of two stacks, which the file with everything refuses by these names; it is asked unless the menu says so. */
const TWO = /"(m?t5|bart|marian)"/;

/** @typedef {{workerUrl?: string | URL, wasmUrl?: string | URL, relaxedUrl?: string | URL, threads?: Threads, wasmBytes?: BufferSource}} Files
 *
 * @param {Files & {makeWorker?: (url?: string | URL) => WorkerLike, loadInPage?: LoadInPage, full?: Files, two?: () => Files |
 *     Promise<Files>}} options
 *  relaxedUrl: of headlight-relaxed.wasm, which is taken in place of the other where it is faster;
 *  threads: the files with which several threads share a pass, where the page is isolated; wasmBytes:
 *  headlight.wasm itself, in place of its address; makeWorker is for surroundings other than a
 *  plain page: a Blob worker, a thread of Node, tests; loadInPage: loads files that cannot be
 *  posted; full: the files with everything, where these have not; two: those that have models of two stacks, too */
export function createEngine({
    wasmBytes,
    makeWorker = startModuleWorker,
    loadInPage,
    full,
    two,
    ...files
}) {
    const partsOf = (/** @type {Files} */ own) =>
        /** @type {const} */ ([() => makeWorker(own.workerUrl), startArgs({wasmBytes, ...own})]);
    const link = new Link(...partsOf(files));
    let everything = full && partsOf(full);
    /** From now on it has everything; what it held is to be loaded and run again (holds). False: it has had it already. */
    const fill = () => Boolean(everything && link.exchange(...everything));
    const begin = loadingOf(link, loadInPage);
    /** @type {typeof begin} */
    const load = (...given) =>
        begin(...given).catch(async error => {
            // what the others leave out (build/flavours.mk)
            if (error.category !== 'config') throw error;
            if (two && ('two' in given[0] || TWO.test(error.message)))
                [everything, two] = [partsOf(await two()), undefined];
            if (fill()) return load(...given);
            throw error;
        });
    return {
        begin: () => link.begin(),
        load,
        /** Keeps a model of the hub in the browser's storage, so that its next load needs no network. */
        keep: asked(link, 'keep'),
        ...passes(link),
        /** A session without a model, for a study. @returns {number} released like a model */
        open: () => link.number(),
        fill,
        link, // of operations that are fetched later (study.js, indexes.js)
        close: () => link.close(),
    };
}
