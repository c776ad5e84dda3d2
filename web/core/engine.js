/* engine - Headlight as promises: the page's only way to the computation, and the only module that posts messages.
 * One worker does one request at a time (a load may start with it); requests wait here, so that a cancelled one is never even sent. When the
 * worker dies, or an answer is of category "engine", everything outstanding fails with that sentence and the next
 * request gets a new worker, without a model.
 */
import {BUILD} from './build.js';
import {aborted, CoreError, parseError, reason, throwIfAborted} from './errors.js';
import {readers, studies} from './requests.js';

/**
 * @typedef {import('./worker.js').Model} Model
 * @typedef {import('./worker.js').Pass} Pass
 * @typedef {import('./worker.js').Tensor} Tensor
 * @typedef {import('./files.js').ModelSource} ModelSource
 * @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>} WorkerLike
 * @typedef {{op: string, args: object, transfer: Transferable[], resolve: (value: any) => void,
 *   reject: (error: any) => void, onProgress: OnProgress}} Call
 * @typedef {import('./files.js').OnProgress} OnProgress
 * @typedef {{signal?: AbortSignal, transfer?: Transferable[], onProgress?: OnProgress}} CallOptions
 * @typedef {(op: string, args: object, options?: CallOptions) => Promise<any>} CallFunction
 */

/** The worker and the queue before it. */
class Link {
    /** @type {WorkerLike | null} */
    #worker = null;
    /** @type {Call | null} */
    #current = null;
    /** @type {Call[]} */
    #waiting = [];
    #id = 0;
    /** The id of the worker's "start", 0 once that is answered. */
    #starting = 0;
    #makeWorker;
    #startArgs;

    /** @param {() => WorkerLike} makeWorker
     * @param {object} startArgs of the operation "start", the first of every worker */
    constructor(makeWorker, startArgs) {
        this.#makeWorker = makeWorker;
        this.#startArgs = startArgs;
    }

    /** @type {CallFunction} */
    call(op, args, {signal, transfer = [], onProgress = () => {}} = {}) {
        return new Promise((resolve, reject) => {
            throwIfAborted(signal);
            const abort = () => {
                this.#waiting = this.#waiting.filter(other => other !== entry);
                if (op === 'load' && this.#current === entry) this.#worker?.postMessage({id: this.#id, op: 'cancel'});
                reject(aborted());
            };
            const forget = () => signal?.removeEventListener('abort', abort);
            const entry = {
                op, args, transfer, onProgress,
                resolve: (/** @type {any} */ value) => { forget(); resolve(value); },
                reject: (/** @type {any} */ error) => { forget(); reject(error); },
            };
            signal?.addEventListener('abort', abort);
            this.#waiting.push(entry);
            this.#next();
        });
    }

    /** Ends the worker and fails all that was asked of it. @param {CoreError} error */
    stop(error) {
        this.#worker?.terminate();
        const calls = this.#current ? [this.#current, ...this.#waiting] : this.#waiting;
        [this.#worker, this.#current, this.#waiting, this.#starting] = [null, null, [], 0];
        for (const call of calls) call.reject(error);
    }

    /** Makes the worker before it is asked anything: it takes its time to start and to compile the wasm. */
    begin() {
        if (!this.#worker) this.#begin();
    }

    #next() {
        if (this.#current || !this.#waiting.length) return;
        if (!this.#worker) this.#begin();
        const [call] = this.#waiting;
        if (!call || (this.#starting && call.op !== 'load')) return;
        this.#waiting.shift();
        this.#current = call;
        this.#send(call);
    }

    #begin() {
        this.#starting = this.#id + 1;
        this.#send({op: 'start', args: this.#startArgs, transfer: []});
    }

    /** @param {Pick<Call, 'op' | 'args' | 'transfer'>} call */
    #send({op, args, transfer}) {
        try {
            this.#worker ??= this.#open();
            this.#worker.postMessage({id: ++this.#id, op, args}, transfer);
        } catch (error) {
            this.stop(new CoreError('engine', `the worker cannot be used (${reason(error)}); reload the page`));
        }
    }

    /** A worker that is heard only as long as it is the present one. */
    #open() {
        const made = this.#makeWorker();
        const fail = (/** @type {Event} */ event) => { if (this.#worker === made) this.stop(died(event)); };
        made.onmessage = event => { if (this.#worker === made) this.#receive(event.data); };
        made.onerror = fail;
        made.onmessageerror = fail;
        return made;
    }

    /** @param {{id: number, value?: any, error?: string, progress?: Parameters<OnProgress>[0]}} reply */
    #receive({id, value, error, progress}) {
        const call = this.#current;
        const starts = id === this.#starting;
        if (!starts && (!call || id !== this.#id)) return;
        if (progress) return call?.onProgress(progress);
        if (error && (starts || error.startsWith('engine: '))) return this.stop(parseError(error));
        if (starts) this.#starting = 0;
        else this.#current = null;
        if (!starts && error) call?.reject(parseError(error));
        else if (!starts) call?.resolve(value);
        this.#next();
    }
}

/** @param {Event} event */
function died(event) {
    const {message} = /** @type {Partial<ErrorEvent>} */ (event);
    const said = message ? ` (${message})` : '';
    return new CoreError('engine', `the worker could not be started or has stopped${said}; load the model again, ` +
        'and if that fails, reload the page');
}

/** The script of a module worker from another site, a CDN say, which browsers refuse: one of this site that imports it.
 * @param {string | URL} url */
const importing = url => URL.createObjectURL(new Blob([`import ${JSON.stringify(new Request(url).url)}`], {type: 'text/javascript'}));

/** @param {string | URL} [url] none: worker.js beside this script, named so that bundlers find it
 * @returns {WorkerLike} */
function startModuleWorker(url) {
    try {
        return url ? new Worker(url, {type: 'module'}) : new Worker(new URL('./worker.js', import.meta.url), {type: 'module'});
    } catch (error) {
        if (!(error instanceof DOMException && error.name === 'SecurityError')) throw error;
        return new Worker(importing(url ?? new URL('./worker.js', import.meta.url)), {type: 'module'});
    }
}

/** A worker from its script itself, which must be a classic one: Chromium makes no module worker of a Blob in a page that was
 * opened from disk. @param {string} script @returns {() => WorkerLike} */
export function workerFromText(script) {
    const url = URL.createObjectURL(new Blob([script], {type: 'text/javascript'}));
    return () => new Worker(url);
}

/** A signal that aborts with the given one or when `abort` of the result is called. @param {AbortSignal} [signal] */
function linkedController(signal) {
    const controller = new AbortController();
    if (signal?.aborted) controller.abort();
    signal?.addEventListener('abort', () => controller.abort(), {once: true, signal: controller.signal});
    return controller;
}

/** @typedef {{store: 'q8' | 'f32', random: import('./load.js').Random, slot: number}} Into   slot: 1 is for a
 *   second model, with which studies compare
 * @typedef {{signal: AbortSignal, onProgress: OnProgress}} Watch
 * @typedef {(source: {files: File[]}, into: Into, watch: Watch, call: CallFunction) => Promise<Model>} Bring */

/** The same as the worker understands it: an address does not depend on the page's base, files come with their paths.
 * @param {ModelSource} source @returns {ModelSource} */
function sendable(source) {
    if (!('url' in source)) return {...source, paths: source.files.map(file => file.webkitRelativePath || file.name)};
    try {
        return {...source, url: new Request(source.url).url};
    } catch {
        return source;   // the worker says what is wrong with it
    }
}

/** Absolute by the page's base; the worker would take its own. @param {string | URL} [url] */
const absolute = url => url ? new Request(url).url : '';

/** What the operation "start" is told: the wasm's bytes, or its address. @param {string | URL} wasmUrl @param {BufferSource} [wasmBytes]
 * @param {string | URL} [relaxedUrl] @param {Crew} [crew] */
const startArgs = (wasmUrl, wasmBytes, relaxedUrl, crew) => ({build: BUILD, wasm: wasmBytes ?? new Request(wasmUrl).url,
    relaxedUrl: absolute(relaxedUrl),
    ...crew && {crew: {wasmUrl: absolute(crew.wasmUrl), relaxedUrl: absolute(crew.relaxedUrl), memberUrl: absolute(crew.memberUrl)}}});

/** @typedef {{wasmUrl: string | URL, relaxedUrl?: string | URL, memberUrl: string | URL}} Crew */

/** @param {{workerUrl?: string | URL, wasmUrl?: string | URL, relaxedUrl?: string | URL, crew?: Crew, wasmBytes?: BufferSource,
 *           makeWorker?: (url?: string | URL) => WorkerLike, bring?: Bring}} options
 *  relaxedUrl: of headlight-relaxed.wasm, which is taken in place of the other where it is faster; crew: the files with which
 *  several threads share a pass, where the page is isolated;
 *  wasmBytes: headlight.wasm itself, in place of its address; makeWorker is for surroundings other than a plain page: a Blob
 *  worker, a thread of Node, tests; bring: loads files that cannot be posted */
export function createEngine({workerUrl, wasmUrl = '', relaxedUrl, crew, wasmBytes, makeWorker = startModuleWorker, bring}) {
    const link = new Link(() => makeWorker(workerUrl), startArgs(wasmUrl, wasmBytes, relaxedUrl, crew));
    let loading = new AbortController();
    let [runs, run] = [0, 0];  // begun; the number of the last finished one: the worker refuses to answer for another

    return {
        begin: () => link.begin(),
        /** Loads a model in place of the present one; a load still under way is cancelled.
         * @param {ModelSource} source
         * @param {{signal?: AbortSignal, onProgress?: import('./files.js').OnProgress} & Partial<Into>} [options]
         * @returns {Promise<Model>} */
        async load(source, {signal, onProgress = () => {}, store = 'q8', random = '', slot = 0} = {}) {
            loading.abort();
            const own = loading = linkedController(signal);
            throwIfAborted(own.signal);
            const [watch, into] = [{signal: own.signal, onProgress}, {store, random, slot}];
            if (bring && !('url' in source)) return bring(source, into, watch, (op, args, options) => link.call(op, args, options));
            return link.call('load', {source: sendable(source), ...into}, watch);
        },
        /** @param {{text: string, textB?: string, drop?: string[], changes?: number[][],
         *   words?: {position: number, word: string}[], precision?: 'fine' | 'fast'}} input drop: tensors that need not be kept; changes: rows
         *   [kind, a, b, c] of hl_change in headlight.h; words: to be put in the place of tokens
         * @param {{signal?: AbortSignal}} [options] @returns {Promise<Pass>} */
        async run({text, textB = '', drop = [], changes = [], words = [], precision = 'fast'}, {signal} = {}) {
            const number = ++runs;
            const pass = await link.call('run', {run: number, text, textB, drop, changes, words, precision}, {signal});
            run = number;
            return pass;
        },
        ...readers(link, () => run),
        ...studies(link),
        close() {
            loading.abort();
            link.stop(new CoreError('state', 'the engine has been closed'));
        },
    };
}
