/* engine - Headlight as promises: the page's only way to the computation, and the only module that posts messages.
 * One worker does one request at a time; requests wait here, so that a cancelled one is never even sent. When the
 * worker dies, or an answer is of category "engine", everything outstanding fails with that sentence and the next
 * request gets a new worker, without a model.
 */
import {aborted, CoreError, parseError, reason, throwIfAborted} from './errors.js';
import {openFolder} from './files.js';
import {loadModel} from './load.js';

/**
 * @typedef {import('./worker.js').Model} Model
 * @typedef {import('./worker.js').Pass} Pass
 * @typedef {import('./worker.js').Tensor} Tensor
 * @typedef {Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror' | 'onmessageerror'>} WorkerLike
 * @typedef {{op: string, args: object, transfer: Transferable[], resolve: (value: any) => void, reject: (error: any) => void}} Call
 * @typedef {{signal?: AbortSignal, transfer?: Transferable[]}} CallOptions
 * @typedef {(op: string, args: object, options?: CallOptions) => Promise<any>} CallFunction
 */

/** The worker and the queue before it.
 * @param {() => WorkerLike} makeWorker @param {object} startArgs of the operation "start", the first of every worker */
function createLink(makeWorker, startArgs) {
    /** @type {WorkerLike | null} */
    let worker = null;
    /** @type {Call | null} */
    let current = null;
    /** @type {Call[]} */
    let waiting = [];
    let id = 0;

    /** Ends the worker and fails all that was asked of it. @param {CoreError} error */
    function stop(error) {
        worker?.terminate();
        const calls = current ? [current, ...waiting] : waiting;
        [worker, current, waiting] = [null, null, []];
        for (const call of calls) call.reject(error);
    }

    /** @param {{id: number, value?: any, error?: string}} reply */
    function receive(reply) {
        if (!current || reply.id !== id) return;
        const call = current;
        if (reply.error && (call.op === 'start' || reply.error.startsWith('engine: '))) return stop(parseError(reply.error));
        current = null;
        if (reply.error) call.reject(parseError(reply.error));
        else call.resolve(reply.value);
        next();
    }

    function open() {
        const made = makeWorker();
        made.onmessage = event => { if (worker === made) receive(event.data); };
        const fail = (/** @type {Event} */ event) => { if (worker === made) stop(died(event)); };
        made.onerror = fail;
        made.onmessageerror = fail;
        return made;
    }

    /** @param {Call} call */
    function post(call) {
        current = call;
        try {
            worker ??= open();
            worker.postMessage({id: ++id, op: call.op, args: call.args}, call.transfer);
        } catch (error) {
            stop(new CoreError('engine', `the worker cannot be used (${reason(error)}); reload the page`));
        }
    }

    function next() {
        if (current || !waiting.length) return;
        if (worker) return post(/** @type {Call} */ (waiting.shift()));
        post({op: 'start', args: startArgs, transfer: [], resolve: () => {}, reject: () => {}});
    }

    /** @type {CallFunction} */
    function call(op, args, {signal, transfer = []} = {}) {
        return new Promise((resolve, reject) => {
            throwIfAborted(signal);
            const abort = () => {
                waiting = waiting.filter(other => other !== entry);
                reject(aborted());
            };
            const forget = () => signal?.removeEventListener('abort', abort);
            const entry = {
                op, args, transfer,
                resolve: (/** @type {any} */ value) => { forget(); resolve(value); },
                reject: (/** @type {any} */ error) => { forget(); reject(error); },
            };
            signal?.addEventListener('abort', abort);
            waiting.push(entry);
            next();
        });
    }

    return {call, stop};
}

/** @param {Event} event */
function died(event) {
    const {message} = /** @type {Partial<ErrorEvent>} */ (event);
    const said = message ? ` (${message})` : '';
    return new CoreError('engine', `the worker could not be started or has stopped${said}; load the model again, ` +
        'and if that fails, reload the page');
}

/** @param {string | URL} url @returns {WorkerLike} */
const startModuleWorker = url => new Worker(url, {type: 'module'});

/** A signal that aborts with the given one or when `abort` of the result is called. @param {AbortSignal} [signal] */
function linkedController(signal) {
    const controller = new AbortController();
    if (signal?.aborted) controller.abort();
    signal?.addEventListener('abort', () => controller.abort(), {once: true, signal: controller.signal});
    return controller;
}

/** @param {{workerUrl: string | URL, wasmUrl: string | URL, makeWorker?: (url: string | URL) => WorkerLike,
 *           fileOptions?: Partial<import('./files.js').FolderOptions>}} options
 *  makeWorker and fileOptions are for surroundings other than a plain page: a Blob worker, tests */
export function createEngine({workerUrl, wasmUrl, makeWorker = startModuleWorker, fileOptions = {}}) {
    // Request makes an address absolute by the page's base; the worker would take its own.
    const {call, stop} = createLink(() => makeWorker(workerUrl), {wasmUrl: new Request(wasmUrl).url});
    let loading = new AbortController();
    let runs = 0;
    let run = 0;  // the number of the last finished run; the worker refuses to answer for another

    return {
        /** Loads a model in place of the present one; a load still under way is cancelled.
         * @param {import('./files.js').ModelSource} source
         * @param {{signal?: AbortSignal, onProgress?: import('./files.js').OnProgress, store?: 'q8' | 'f32'}} [options]
         * @returns {Promise<Model>} */
        async load(source, {signal, onProgress = () => {}, store = 'q8'} = {}) {
            loading.abort();
            const own = loading = linkedController(signal);
            throwIfAborted(own.signal);
            const folder = openFolder(source, {...fileOptions, signal: own.signal, onProgress});
            return loadModel(folder, (op, args, transfer) => call(op, args, {signal: own.signal, transfer}), store);
        },
        /** @param {{text: string, textB?: string, drop?: string[], changes?: number[][]}} input drop: tensors that need not
         *   be kept; changes: rows [kind, a, b, c] of hl_change in headlight.h
         * @param {{signal?: AbortSignal}} [options] @returns {Promise<Pass>} */
        async run({text, textB = '', drop = [], changes = []}, {signal} = {}) {
            const number = ++runs;
            const pass = await call('run', {run: number, text, textB, drop, changes}, {signal});
            run = number;
            return pass;
        },
        /** Of the last finished run, as the two below. @param {string} name @param {number} [layer] @returns {Promise<Tensor>} */
        tensor: (name, layer = 0) => call('tensor', {run, name, layer}),
        /** @param {number} position @param {number} k
         * @returns {Promise<{id: number, piece: string, probability: number}[]>} */
        fill: (position, k) => call('fill', {run, position, k}),
        /** What hl_study computes of the last run. @param {string} name @param {number} [argument] @returns {Promise<Tensor>} */
        study: (name, argument = 0) => call('study', {run, name, argument}),
        close() {
            loading.abort();
            stop(new CoreError('state', 'the engine has been closed'));
        },
    };
}
