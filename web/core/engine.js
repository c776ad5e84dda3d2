/* engine - Headlight as promises: the page's only way to the computation, and the only module that posts messages.
 * One worker does one request at a time; requests wait here, so that a cancelled one is never even sent. When the
 * worker dies, or an answer is of category "engine", everything outstanding fails with that sentence and the next
 * request gets a new worker, without a model.
 */
import {BUILD} from './build.js';
import {aborted, CoreError, parseError, reason, throwIfAborted} from './errors.js';
import {openFolder} from './files.js';
import {loadModel} from './load.js';

/**
 * @typedef {import('./worker.js').Model} Model
 * @typedef {import('./worker.js').Pass} Pass
 * @typedef {import('./worker.js').Tensor} Tensor
 * @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>} WorkerLike
 * @typedef {{op: string, args: object, transfer: Transferable[], resolve: (value: any) => void,
 *   reject: (error: any) => void}} Call
 * @typedef {{signal?: AbortSignal, transfer?: Transferable[]}} CallOptions
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
    #makeWorker;
    #startArgs;

    /** @param {() => WorkerLike} makeWorker
     * @param {object} startArgs of the operation "start", the first of every worker */
    constructor(makeWorker, startArgs) {
        this.#makeWorker = makeWorker;
        this.#startArgs = startArgs;
    }

    /** @type {CallFunction} */
    call(op, args, {signal, transfer = []} = {}) {
        return new Promise((resolve, reject) => {
            throwIfAborted(signal);
            const abort = () => {
                this.#waiting = this.#waiting.filter(other => other !== entry);
                reject(aborted());
            };
            const forget = () => signal?.removeEventListener('abort', abort);
            const entry = {
                op, args, transfer,
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
        [this.#worker, this.#current, this.#waiting] = [null, null, []];
        for (const call of calls) call.reject(error);
    }

    #next() {
        if (this.#current || !this.#waiting.length) return;
        if (this.#worker) this.#post(/** @type {Call} */ (this.#waiting.shift()));
        else this.#post({op: 'start', args: this.#startArgs, transfer: [], resolve: () => {}, reject: () => {}});
    }

    /** @param {Call} call */
    #post(call) {
        this.#current = call;
        try {
            this.#worker ??= this.#open();
            this.#worker.postMessage({id: ++this.#id, op: call.op, args: call.args}, call.transfer);
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

    /** @param {{id: number, value?: any, error?: string}} reply */
    #receive({id, value, error}) {
        const call = this.#current;
        if (!call || id !== this.#id) return;
        if (error && (call.op === 'start' || error.startsWith('engine: '))) return this.stop(parseError(error));
        this.#current = null;
        if (error) call.reject(parseError(error));
        else call.resolve(value);
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

/** @typedef {{store: 'q8' | 'f32', random: boolean, slot: number}} Into   random: weights are drawn, not read; slot: 1 is for a
 *   second model, with which surveys compare */

/** @param {Link} link @param {import('./files.js').Folder} folder @param {Into} into
 * @param {AbortSignal} signal @returns {Promise<Model>} */
const loadInto = (link, folder, {slot, ...how}, signal) =>
    loadModel(folder, (op, args, transfer) => link.call(op, {...args, slot}, {signal, transfer}), how);

/** Surveys, studies over a corpus: see headlight.h. Answers and parts are JSON text; a slot from 2 on holds a part to be asked.
 * @param {Link} link */
const surveys = link => ({
    /** @param {Uint8Array} bytes UTF-8 @returns {Promise<void>} */
    corpus: bytes => link.call('corpus', {bytes}),
    /** @param {object} options @param {boolean} compared with the model in slot 1 @param {CallOptions} [call]
     * @returns {Promise<{steps: number, items: number}>} */
    surveyBegin: (options, compared, call) => link.call('surveyBegin', {options, compared}, call),
    /** @param {number} first @param {number} count @param {CallOptions} [call] @returns {Promise<void>} */
    surveyStep: (first, count, call) => link.call('surveyStep', {first, count}, call),
    /** @param {object} ask @param {number} [slot] @returns {Promise<string>} */
    surveyAnswer: (ask, slot = 0) => link.call('surveyAnswer', {ask, slot}),
    /** @param {string} text @param {number} [slot] @returns {Promise<void>} */
    part: (text, slot = 0) => link.call('part', {text, slot}),
    /** @param {number} slot whose memory is given back @returns {Promise<void>} */
    drop: slot => link.call('drop', {slot}),
});

/** What is read of the last finished run. @param {Link} link @param {() => number} run its number */
const readers = (link, run) => ({
    /** @param {string} name @param {number} [layer] @returns {Promise<Tensor>} */
    tensor: (name, layer = 0) => link.call('tensor', {run: run(), name, layer}),
    /** @param {number} position @param {number} k
     * @returns {Promise<{id: number, piece: string, probability: number}[]>} */
    fill: (position, k) => link.call('fill', {run: run(), position, k}),
    /** What hl_study computes of the last run.
     * @param {string} name @param {number} [argument] @returns {Promise<Tensor>} */
    study: (name, argument = 0) => link.call('study', {run: run(), name, argument}),
    /** The same of attention from elsewhere (own.js); needs a loaded model, but no run.
     * @param {{name: string, argument: number} & import('./wasm.js').Own} input @returns {Promise<Tensor>} */
    studyOwn: input => link.call('studyOwn', input),
    /** Keeps the attention of the last run: the studies shift, shifts and earlier compare later runs with it.
     * @returns {Promise<void>} */
    remember: () => link.call('remember', {run: run()}),
});

/** Absolute by the page's base; the worker would take its own. @param {string | URL} [url] */
const absolute = url => url ? new Request(url).url : '';

/** What the operation "start" is told: the wasm's bytes, or its address. @param {string | URL} wasmUrl @param {BufferSource} [wasmBytes]
 * @param {string | URL} [relaxedUrl] @param {Crew} [crew] */
const startArgs = (wasmUrl, wasmBytes, relaxedUrl, crew) => ({build: BUILD, wasm: wasmBytes ?? new Request(wasmUrl).url,
    relaxedUrl: absolute(relaxedUrl),
    ...crew && {crew: {wasmUrl: absolute(crew.wasmUrl), relaxedUrl: absolute(crew.relaxedUrl), memberUrl: absolute(crew.memberUrl)}}});

/** @typedef {{wasmUrl: string | URL, relaxedUrl?: string | URL, memberUrl: string | URL}} Crew */

/** @param {{workerUrl?: string | URL, wasmUrl?: string | URL, relaxedUrl?: string | URL, crew?: Crew, wasmBytes?: BufferSource,
 *           makeWorker?: (url?: string | URL) => WorkerLike,
 *           fileOptions?: Partial<import('./files.js').FolderOptions>}} options
 *  relaxedUrl: of headlight-relaxed.wasm, which is taken in place of the other where it is faster; crew: the files with which
 *  several threads share a pass, where the page is isolated;
 *  wasmBytes: headlight.wasm itself, in place of its address; makeWorker and fileOptions are for surroundings other than a
 *  plain page: a Blob worker, a thread of Node, tests */
export function createEngine({workerUrl, wasmUrl = '', relaxedUrl, crew, wasmBytes, makeWorker = startModuleWorker, fileOptions = {}}) {
    const link = new Link(() => makeWorker(workerUrl), startArgs(wasmUrl, wasmBytes, relaxedUrl, crew));
    let loading = new AbortController();
    let runs = 0;
    let run = 0;  // the number of the last finished run; the worker refuses to answer for another

    return {
        /** Loads a model in place of the present one; a load still under way is cancelled.
         * @param {import('./files.js').ModelSource} source
         * @param {{signal?: AbortSignal, onProgress?: import('./files.js').OnProgress} & Partial<Into>} [options]
         * @returns {Promise<Model>} */
        async load(source, {signal, onProgress = () => {}, store = 'q8', random = false, slot = 0} = {}) {
            loading.abort();
            const own = loading = linkedController(signal);
            throwIfAborted(own.signal);
            const folder = openFolder(source, {...fileOptions, signal: own.signal, onProgress});
            return loadInto(link, folder, {store, random, slot}, own.signal);
        },
        /** @param {{text: string, textB?: string, drop?: string[], changes?: number[][],
         *   words?: {position: number, word: string}[], precision?: 'fine' | 'fast'}} input drop: tensors that need not be kept; changes: rows
         *   [kind, a, b, c] of hl_change in headlight.h; words: to be put in the place of tokens
         * @param {{signal?: AbortSignal}} [options] @returns {Promise<Pass>} */
        async run({text, textB = '', drop = [], changes = [], words = [], precision = 'fine'}, {signal} = {}) {
            const number = ++runs;
            const pass = await link.call('run', {run: number, text, textB, drop, changes, words, precision}, {signal});
            run = number;
            return pass;
        },
        ...readers(link, () => run),
        ...surveys(link),
        close() {
            loading.abort();
            link.stop(new CoreError('state', 'the engine has been closed'));
        },
    };
}
