/* study - studies over a corpus as promises: several workers share out the steps of a study, their
 * parts are merged into one answer that has the same bits however many workers there were
 * (headlight.h). Each worker has its own copy of the models and the corpus, which stay there
 * between runs. Answers to other thresholds come from the part, without the model, in a worker that
 * keeps parts; another one reads corpora.
 */
import {aborted} from '../base/errors.js';

/**
 * Studies stand in the session of a model, or of an empty one (`open`), where parts are asked. Answers and
 * parts are JSON text.
 * @typedef {ReturnType<typeof import('./engine.js').createEngine>} Engine
 * @import {Loaded} from './engine.js'
 * @import {ModelSource as Source} from '../files/folder.js'
 * @import {Model} from '../worker/worker.js'
 * @typedef {(progress: {done: number, total: number}) => void} OnBytes
 * @typedef {{phase: 'load' | 'run', done: number, total: number}} Progress   bytes of models, or
 *     steps
 * @typedef {'random' | 'random-layers'} Drawn   the same model with random weights: all of them, or
 *                                               the layers over its own embeddings
 * @typedef {Source | Drawn | null} Other   the second model of a study that compares
 * @typedef {{source: Source, other?: Other, corpus: Uint8Array, options: {study: string} &
 *     Record<string, any>,
 *   trains?: boolean, weights?: boolean, onProgress?: (progress: Progress) => void, signal?:
 *   AbortSignal}} Job   trains: steps come in order, on one worker; weights: its answer gives them,
 *       when asked
 * @typedef {{signal: AbortSignal, onBytes: OnBytes}} Watch   onBytes: a model is on its way
 * @typedef {ReturnType<typeof createStudyWorker>} StudyWorker
 * @typedef {{model: Model | null, workers: number, answer: (ask: object) => Promise<any>, close: () => void}} Handle   workers:
 *     that
 *   took part; close: what it holds is given back
 * @typedef {ReturnType<typeof createQueue>} Queue
 */

// draws: the steps of the study draw them anew, so they are nobody's second model afterwards
const RANDOM = /** @type {const} */ ({random: 'all', 'random-layers': 'layers', draws: 'layers'});
// what one chunk of steps should take: progress moves, cancelling is quick
const SLICE_MS = 200;
const ONE_WORKER = 200e6; // bytes of a model of which a page should not hold several

const nothing = () => {};

/** A model in a worker that is loaded anew when another is wanted, or its worker is gone. @param {Engine} engine */
function createKept(engine) {
    /** @type {{of: unknown[], made: Loaded} | null} */
    let kept = null;
    return {
        get: () => kept?.made ?? null,
        /** @param {unknown[]} of compared by identity @param {() => Promise<Loaded>} make */
        async take(of, make) {
            const isSame = kept?.of.every((one, i) => one === of[i]);
            if (kept && isSame && engine.holds(kept.made.model)) return kept.made;
            if (kept) engine.release({model: kept.made.model});
            kept = null;
            kept = {of, made: await make()};
            return kept.made;
        },
    };
}

/** What a worker holds: a model with a corpus, and perhaps a second model. @param {Engine} engine */
function createHolder(engine) {
    const [first, second] = [createKept(engine), createKept(engine)];
    let given = {model: 0, corpus: /** @type {Uint8Array | null} */ (null)};

    /** @param {Source} source @param {Watch} watch */
    const load = (source, {signal, onBytes}) =>
        first.take([source], () => engine.load(source, {signal, onProgress: onBytes}));
    /** @param {Source} source @param {Source | Drawn | 'draws'} other @param {Watch} watch */
    const loadOther = (source, other, {signal, onBytes}) =>
        typeof other === 'string'
            ? second.take([other, source], () =>
                  engine.load(source, {signal, onProgress: onBytes, random: RANDOM[other]}),
              )
            : second.take([other, null], () => engine.load(other, {signal, onProgress: onBytes}));
    /** Models, and the corpus in the session of the first.
     * @param {Pick<Job, 'source' | 'corpus'> & {other?: Other | 'draws'}} what @param {Watch} watch
     * @returns {Promise<{model: number, other: number}>} other: 0 where there is none */
    async function hold({source, other, corpus}, watch) {
        await load(source, watch);
        const beside = other ? await loadOther(source, other, watch) : null;
        const {model} = await load(source, watch); // gone if the other one took a file with everything
        if (given.model !== model || given.corpus !== corpus) {
            given = {model: 0, corpus: null}; // until it is there
            await engine.link.call('corpus', {model, bytes: corpus});
            given = {model, corpus};
        }
        return {model, other: beside?.model ?? 0};
    }
    return {hold, model: () => first.get()?.info ?? null};
}

/** @param {Engine} engine */
function createStudyWorker(engine) {
    const {link} = engine;
    const {hold, model} = createHolder(engine);
    let begun = 0; // the model whose study is asked
    return {
        ...{engine, hold, model},
        /** Models, corpus and a study that has begun.
         * @param {Job} job @param {Watch} watch @returns {Promise<{steps: number, items: number}>}
         */
        async prepare(job, watch) {
            const {options} = job;
            const {model, other} = await hold(
                {...job, other: options.draws ? 'draws' : job.other},
                watch,
            );
            begun = model;
            return link.call('studyBegin', {model, options, other}, {signal: watch.signal});
        },
        /** @param {number} first @param {number} count @param {AbortSignal} signal */
        step: (first, count, signal) =>
            link.call('studyStep', {model: begun, first, count}, {signal}),
        /** @type {(ask: object) => Promise<string>} */
        answer: ask => link.call('studyAnswer', {model: begun, ask}),
        merge: (/** @type {string} */ part) => link.call('part', {model: begun, text: part}),
        close: () => engine.close(),
    };
}

/** Work that waits for what was asked before it. What it has begun elsewhere is not waited for when it ends.
 * @template {{signal?: AbortSignal}} Given @template T @param {(job: Given, signal: AbortSignal) => Promise<T>} work */
export function oneByOne(work) {
    let last = Promise.resolve();
    /** @param {Given} job */
    const start = async job => {
        job.signal?.throwIfAborted();
        const controller = new AbortController();
        const abort = () => controller.abort();
        job.signal?.addEventListener('abort', abort);
        try {
            return await work(job, controller.signal);
        } finally {
            job.signal?.removeEventListener('abort', abort);
            abort();
        }
    };
    return (/** @type {Given} */ job) => {
        const done = last.then(() => start(job));
        last = done.then(nothing, nothing);
        return done;
    };
}

/** Parts kept in one worker without a model, to be asked; the worker may die, the texts are here.
 * @param {() => Engine} makeEngine */
function createKeeper(makeEngine) {
    let engine = /** @type {Engine | null} */ (null);
    return {
        /** @param {string} part */
        keep(part) {
            let handle = 0;
            let closed = false;
            return {
                async answer(/** @type {object} */ ask) {
                    if (closed) throw aborted();
                    engine ??= makeEngine();
                    if (!handle || !engine.holds(handle)) {
                        handle = engine.open();
                        // its answer, below, says what was wrong
                        engine.link.call('part', {model: handle, text: part}).catch(nothing);
                    }
                    const text = await engine.link.call('studyAnswer', {model: handle, ask});
                    // a table is text
                    return /** @type {{csv?: boolean}} */ (ask).csv ? text : JSON.parse(text);
                },
                close() {
                    closed = true;
                    if (handle) engine?.release({model: handle});
                },
            };
        },
        close: () => engine?.close(),
    };
}

/** Reads a corpus without a model: what it is, and its items. @param {() => Engine} makeEngine */
function createReader(makeEngine) {
    let engine = /** @type {Engine | null} */ (null);
    let held = {
        model: 0,
        corpus: /** @type {Uint8Array | null} */ (null),
        options: /** @type {object | null} */ (null),
    };

    /** @param {{corpus: Uint8Array, options: object, ask: object, signal?: AbortSignal}} asked   options: format
     *     and columns */
    const read = async ({corpus, options, ask}) => {
        engine ??= makeEngine();
        const {link} = engine;
        const {model} = held.model && engine.holds(held.model) ? held : {model: engine.open()};
        const there = held.model === model ? held : null;
        held = {model, corpus: null, options: null}; // until all has gone well
        if (there?.corpus !== corpus) await link.call('corpus', {model, bytes: corpus});
        if (there?.corpus !== corpus || there?.options !== options) {
            const about = {...options, study: 'about'};
            await link.call('studyBegin', {model, options: about, other: 0});
        }
        const answered = JSON.parse(await link.call('studyAnswer', {model, ask}));
        held = {model, corpus, options};
        return answered;
    };
    const answer = oneByOne(read);

    return {
        /** @param {Uint8Array} corpus @param {object} options */
        about: (corpus, options) => answer({corpus, options, ask: {}}),
        /** @param {Uint8Array} corpus @param {object} options @param {number} item
         * @returns {Promise<{a: string, b?: string, label?: string, words: any[], mentions:
         *     any[]}>} */
        item: async (corpus, options, item) => (await answer({corpus, options, ask: {item}})).item,
        close: () => engine?.close(),
    };
}

/** The steps that are left, in chunks. */
function createQueue() {
    let [next, total] = [0, -1];
    return {
        begin(/** @type {number} */ steps) {
            if (total < 0) total = steps;
        },
        isEmpty: () => total >= 0 && next >= total,
        /** @param {number} workers that share the rest
         * @param {number} rate steps a millisecond, 0: not known */
        take(workers, rate) {
            const [first, left] = [next, total - next];
            if (left <= 0) return null;
            const share = Math.min(Math.round(rate * SLICE_MS), Math.ceil(left / workers));
            next += Math.max(1, share);
            return {first, count: next - first};
        },
    };
}

/** One worker's share: chunks until none is left. @param {StudyWorker} worker @param {Queue} queue
 * @param {number} workers
 * @param {AbortSignal} signal @param {(count: number) => void} onDone
 * @returns {Promise<number>} steps done */
async function runShare(worker, queue, workers, signal, onDone) {
    let [done, rate] = [0, 0];
    for (;;) {
        signal?.throwIfAborted();
        const chunk = queue.take(workers, rate);
        if (!chunk) return done;
        const start = performance.now();
        await worker.step(chunk.first, chunk.count, signal);
        rate = chunk.count / Math.max(1, performance.now() - start);
        done += chunk.count;
        onDone(chunk.count);
    }
}

/** The workers that a job may use: made when first needed. @param {() => Engine} makeEngine
 * @param {number} workers */
export function createPool(makeEngine, workers) {
    /** @type {StudyWorker[]} */
    const made = [];
    return {
        /** @param {number} i */
        worker: i => (made[i] ??= createStudyWorker(makeEngine())),
        /** @param {Job} job */
        count: ({source, trains}) => {
            const bytes =
                'files' in source && source.files?.[0] instanceof File
                    ? /** @type {File[]} */ (source.files).reduce((sum, {size}) => sum + size, 0)
                    : (/** @type {{bytes?: number}} */ (source).bytes ?? 0);
            return trains || bytes > ONE_WORKER ? 1 : workers;
        },
        close: () => {
            for (const worker of made) worker.close();
        },
    };
}

/** What several workers do at once; one is enough of a large model. Models are loaded one after the other, since the
 * second copy comes from the browser's cache: each calls `begin` when the next may, and its steps begin. @template T
 * @param {ReturnType<typeof createPool>} pool @param {number} count @param {Pick<Job, 'onProgress'>} job
 * @param {AbortSignal} signal @param {(i: number, worker: StudyWorker, watch: Watch,
 *     begin: (steps: {done: number, total: number}) => void) => Promise<T>} work @returns {Promise<(T | null)[]>} */
export function inTurn(pool, count, {onProgress = nothing}, signal, work) {
    let before = Promise.resolve();
    return Promise.all(
        Array.from({length: count}, async (_, i) => {
            /** @param {'load' | 'run'} phase @param {{done: number, total: number}} progress of the first one */
            const tell = (phase, progress) =>
                i > 0 || signal.aborted || onProgress({phase, ...progress});
            const onBytes = (/** @type {{done: number, total: number}} */ bytes) =>
                void tell('load', bytes);
            const turn = before;
            let loaded = nothing;
            before = new Promise(resolve => void (loaded = resolve));
            try {
                await turn;
                const bytes = pool.worker(0).model()?.weight_bytes ?? 0;
                if (i > 0 && bytes > ONE_WORKER) return null;
                return await work(i, pool.worker(i), {signal, onBytes}, steps => {
                    tell('run', steps);
                    loaded();
                });
            } finally {
                loaded();
            }
        }),
    );
}

/** Shares a job out. @param {ReturnType<typeof createPool>} pool @param {Job} job @param {AbortSignal} signal */
async function shareOut(pool, job, signal) {
    const {onProgress = nothing, other = null} = job;
    const queue = createQueue();
    const count = pool.count(job);
    let [done, total] = [0, 0];
    const shares = await inTurn(pool, count, job, signal, async (i, worker, watch, begin) => {
        if (queue.isEmpty()) return null;
        const {steps} = await worker.prepare({...job, other}, watch);
        total = steps;
        queue.begin(steps);
        begin({done, total});
        const mine = await runShare(worker, queue, count, signal, chunk => {
            done += chunk;
            onProgress({phase: 'run', done, total});
        });
        return i === 0 || mine ? worker : null;
    });
    return shares.filter(worker => worker !== null);
}

/** At most so many workers take part, unless another number is wished. */
export const usualWorkers = () => Math.min(globalThis.navigator?.hardwareConcurrency ?? 2, 4);

/** @param {{makeEngine: () => Engine, workers?: number}} options workers: at most so many */
export function createStudies({makeEngine, workers = usualWorkers()}) {
    const pool = createPool(makeEngine, workers);
    const keeper = createKeeper(makeEngine);
    const reader = createReader(makeEngine);

    /** @param {Job} job @param {AbortSignal} signal @returns {Promise<Handle>} */
    async function start(job, signal) {
        const [first, ...others] = await shareOut(pool, job, signal);
        const done = {model: first.model(), workers: 1 + others.length};
        if (job.trains) return {...done, ...(await trained(first, job))};
        for (const worker of others) await first.merge(await worker.answer({part: true}));
        return {...done, ...keeper.keep(await first.answer({part: true}))};
    }

    return {
        workers,
        /** Runs a study over a corpus. */
        run: oneByOne(start),
        about: reader.about,
        item: reader.item,
        close() {
            pool.close();
            keeper.close();
            reader.close();
        },
    };
}

/** A study that trains has no part: its answer, the same with the weights where it gives them, and
 * its table are all there is to ask.
 * @param {StudyWorker} worker @param {Job} job */
async function trained(worker, {weights}) {
    const [plain, whole, csv] = [
        JSON.parse(await worker.answer({})),
        weights ? JSON.parse(await worker.answer({weights: true})) : null,
        await worker.answer({csv: true}),
    ];
    return {
        answer: async (/** @type {{weights?: boolean, csv?: boolean}} */ ask) =>
            ask.csv ? csv : ask.weights ? whole : plain,
        close: nothing,
    };
}
