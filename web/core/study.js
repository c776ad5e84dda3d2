/* study - studies over a corpus as promises: a pool of workers that share out the steps of a study, their parts merged into one
 * answer that has the same bits however many workers there were (headlight.h). Answers to other thresholds come from the
 * part, without the model: results stay while the workers go on to the next study.
 */
import {throwIfAborted} from './errors.js';
import {createLane} from './lanes.js';
import {createKeeper, createReader, oneByOne} from './study_kept.js';

/**
 * @typedef {import('./lanes.js').Engine} Engine
 * @typedef {import('./lanes.js').Source} Source
 * @typedef {import('./lanes.js').Model} Model
 * @typedef {{phase: 'load' | 'run', done: number, total: number}} Progress   bytes of models, or steps
 * @typedef {{source: Source, other?: Source | import('./lanes.js').Drawn | null, corpus: Uint8Array, options: {study: string} & Record<string, any>,
 *   trains?: boolean, onProgress?: (progress: Progress) => void, signal?: AbortSignal}} Job   trains: steps come in order, on one worker
 * @typedef {{model: Model | null, workers: number, answer: (ask: object) => Promise<any>, close: () => void}} Handle   workers: that
 *   took part; close: what it holds is given back
 * @typedef {{take: (lanes: number, rate: number) => {first: number, count: number} | null, begin: (steps: number) => void,
 *   isEmpty: () => boolean}} Queue
 */

const SLICE_MS = 200;        // what one chunk of steps should take: progress moves, cancelling is quick
export const ONE_WORKER = 200e6;    // bytes of a model of which a page should not hold several

/** The steps that are left, in chunks. @returns {Queue} */
function createQueue() {
    let next = 0;
    let total = -1;
    return {
        begin(steps) { if (total < 0) total = steps; },
        isEmpty: () => total >= 0 && next >= total,
        /** @param {number} lanes that share the rest @param {number} rate steps a millisecond, 0: not known */
        take(lanes, rate) {
            const left = total - next;
            if (left <= 0) return null;
            const count = Math.max(1, Math.min(Math.round(rate * SLICE_MS), Math.ceil(left / lanes)));
            const first = next;
            next += count;
            return {first, count};
        },
    };
}

/** @param {AbortSignal} [signal] */
function linked(signal) {
    throwIfAborted(signal);
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal?.addEventListener('abort', abort);
    return {signal: controller.signal, abort, unlink: () => signal?.removeEventListener('abort', abort)};
}

/** One worker's share: chunks until none is left. @param {import('./lanes.js').Lane} lane @param {Queue} queue @param {number} lanes
 * @param {AbortSignal} signal @param {(count: number) => void} onDone @returns {Promise<number>} steps done */
async function runShare(lane, queue, lanes, signal, onDone) {
    let [done, rate] = [0, 0];
    for (;;) {
        throwIfAborted(signal);
        const chunk = queue.take(lanes, rate);
        if (!chunk) return done;
        const start = performance.now();
        await lane.step(chunk.first, chunk.count, signal);
        rate = chunk.count / Math.max(1, performance.now() - start);
        done += chunk.count;
        onDone(chunk.count);
    }
}

/** The lanes that a job may use: made when first needed. @param {() => Engine} makeEngine @param {number} workers */
function createPool(makeEngine, workers) {
    /** @type {import('./lanes.js').Lane[]} */
    const lanes = [];
    return {
        /** @param {number} i */
        lane: i => lanes[i] ??= createLane(makeEngine()),
        /** @param {Job} job */
        count: ({source, trains}) => {
            const bytes = 'files' in source && source.files?.[0] instanceof File
                ? /** @type {File[]} */ (source.files).reduce((sum, {size}) => sum + size, 0)
                : /** @type {{bytes?: number}} */ (source).bytes ?? 0;
            return trains || bytes > ONE_WORKER ? 1 : workers;
        },
        close: () => { for (const lane of lanes) lane.close(); },
    };
}

/** Shares a job out. Models are loaded one after the other: the second copy comes from the browser's cache.
 * @param {ReturnType<typeof createPool>} pool @param {Job} job @param {AbortSignal} signal */
async function shareOut(pool, job, signal) {
    const {onProgress = () => {}, other = null} = job;
    const queue = createQueue();
    const count = pool.count(job);
    let [done, total] = [0, 0];
    let before = Promise.resolve();
    const shares = Array.from({length: count}, async (_, i) => {
        const turn = before;
        /** @type {() => void} */
        let loaded = () => {};
        before = new Promise(resolve => { loaded = resolve; });
        try {
            await turn;
            const lane = pool.lane(i);
            if (queue.isEmpty() || (i > 0 && (pool.lane(0).model()?.weight_bytes ?? 0) > ONE_WORKER)) return null;
            const onBytes = (/** @type {{done: number, total: number}} */ bytes) => {
                if (i === 0 && !signal.aborted) onProgress({phase: 'load', ...bytes});
            };
            const {steps} = await lane.prepare({...job, other}, {signal, onBytes});
            total = steps;
            queue.begin(steps);
            if (i === 0) onProgress({phase: 'run', done, total});
            loaded();
            const own = await runShare(lane, queue, count, signal, chunk => {
                done += chunk;
                onProgress({phase: 'run', done, total});
            });
            return i === 0 || own ? lane : null;
        } finally {
            loaded();
        }
    });
    return (await Promise.all(shares)).filter(lane => lane !== null);
}

/** @param {{makeEngine: () => Engine, workers?: number}} options workers: at most so many */
export function createStudies({makeEngine, workers = Math.min(globalThis.navigator?.hardwareConcurrency ?? 2, 4)}) {
    const pool = createPool(makeEngine, workers);
    const keeper = createKeeper(makeEngine);
    const reader = createReader(makeEngine);
    const queued = oneByOne();

    /** @param {Job} job @returns {Promise<Handle>} */
    async function start(job) {
        const {signal, abort, unlink} = linked(job.signal);
        try {
            const [first, ...others] = await shareOut(pool, job, signal);
            const done = {model: first.model(), workers: 1 + others.length};
            if (job.trains) return {...done, ...await trained(first)};
            for (const lane of others) await first.merge(await lane.answer({part: true}));
            return {...done, ...keeper.keep(await first.answer({part: true}))};
        } finally {
            unlink();
            abort();   // what other workers still do is not waited for
        }
    }

    return {
        workers,
        /** Runs a study over a corpus. @param {Job} job */
        run: job => queued(() => start(job)),
        /** The attention of single texts, all layers. @param {{source: Source, texts: {text: string, textB?: string}[],
         *   onProgress?: (progress: Progress) => void, signal?: AbortSignal}} job */
        read: ({source, texts, onProgress = () => {}, signal = new AbortController().signal}) => queued(() => {
            throwIfAborted(signal);
            return pool.lane(0).read(source, texts, {signal, onBytes: bytes => onProgress({phase: 'load', ...bytes})});
        }),
        about: reader.about,
        item: reader.item,
        close() {
            pool.close();
            keeper.close();
            reader.close();
        },
    };
}

/** A study that trains has no part: its answer, and the same with the weights, are all there is to ask.
 * @param {import('./lanes.js').Lane} lane */
async function trained(lane) {
    const [plain, whole] = [JSON.parse(await lane.answer({})), JSON.parse(await lane.answer({weights: true}))];
    return {answer: async (/** @type {{weights?: boolean}} */ ask) => ask.weights ? whole : plain, close: () => {}};
}
