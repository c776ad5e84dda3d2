/* indexing - indexes of a corpus as promises: several workers build parts of one (headlight.h), which are
 * joined; the whole lies in the first worker, which answers questions to it. Its file stays here too, to be
 * saved, and to be opened again where that worker has died. The workers take headlight-search.wasm.
 */
import {aborted, throwIfAborted} from '../base/errors.js';
import {indexes} from './indexes.js';
import {createPool, inTurn, isLarge, linked, oneByOne, usualWorkers} from './study.js';

/**
 * @typedef {import('./study.js').Job} Job
 * @typedef {import('./study.js').StudyWorker} StudyWorker
 * @typedef {Pick<Job, 'source' | 'other' | 'corpus' | 'onProgress' | 'signal'> & {items: number, tokens: number,
 *     options: Record<string, any>}} IndexJob   items: how many of the corpus; tokens: about how many it has; options: as of hl_index_begin
 * @typedef {{next: () => number, parts: number, files: Uint8Array[][], onItems: (count: number) => void,
 *     signal: AbortSignal}} Building   files: of the model, and of the one beside, by part
 * @typedef {Awaited<ReturnType<ReturnType<typeof createIndexing>['run']>>} IndexHandle
 */

const PARTS = 8; // a worker, at most: they end at about the same time
const LEAST = 4; // items of a part
const CHUNK = 8; // items between two looks at the mail
const VECTORS = 64e6; // bytes that vectors of all layers may take, else there are those of the last
const MOST_ROWS = 100000; // of a table

/** The layers that get vectors. @param {{layers: number, hidden: number, heads: number, head_width: number}} model
 * @param {number} tokens */
function layersOf({layers, hidden, heads, head_width: width}, tokens) {
    const all = tokens * layers * (hidden + heads * width);
    return all <= VECTORS ? Array.from({length: layers}, (_, i) => i) : [layers - 1];
}

/** One part of an index. @param {StudyWorker} worker @param {number} model @param {object} options
 * @param {Building} building */
async function buildPart({engine}, model, options, {onItems, signal}) {
    const of = indexes(engine.link);
    const {index, items} = await of.indexBegin({model, options}, {signal});
    try {
        for (let first = 0; first < items; first += CHUNK) {
            throwIfAborted(signal);
            const count = Math.min(CHUNK, items - first);
            await of.indexStep({index, first, count}, {signal});
            onItems(count);
        }
        return await of.indexSave({index});
    } finally {
        of.indexClose({index}).catch(() => {});
    }
}

/** One worker's share: parts until none is left. @param {StudyWorker} worker @param {IndexJob} job
 * @param {number[]} models @param {Building} building */
async function buildShare(worker, {options, tokens}, models, building) {
    const info = /** @type {import('../worker/worker.js').Model} */ (worker.model());
    const layers = options.layers ?? layersOf(info, tokens);
    let took = false;
    for (let part = building.next(); part < building.parts; part = building.next()) {
        took = true;
        const how = {...options, layers, shard: [part, building.parts]};
        for (const [i, model] of models.entries())
            building.files[i][part] = await buildPart(worker, model, how, building);
    }
    return took;
}

/** All parts, by several workers. @param {ReturnType<typeof createPool>} pool @param {IndexJob} job
 * @param {AbortSignal} signal */
async function build(pool, job, signal) {
    const {source, other = null, corpus, items, onProgress = () => {}} = job;
    const count = pool.count({...job, options: {study: ''}});
    const parts = Math.max(1, Math.min(count * PARTS, Math.floor(items / LEAST)));
    const total = items * (other ? 2 : 1);
    let [done, part] = [0, 0];
    const tell = (/** @type {import('./study.js').Progress} */ progress) =>
        signal.aborted || onProgress(progress);
    /** @type {Building} */
    const building = {
        ...{parts, signal, files: other ? [[], []] : [[]]},
        next: () => part++,
        onItems(more) {
            tell({phase: 'run', done: (done += more), total});
        },
    };
    const shares = await inTurn(count, async (i, loaded) => {
        if (part >= parts || (i > 0 && isLarge(pool))) return false;
        const worker = pool.worker(i);
        const onBytes = (/** @type {{done: number, total: number}} */ bytes) => {
            if (i === 0) tell({phase: 'load', ...bytes});
        };
        const {model, other: beside} = await worker.hold(
            {source, other, corpus},
            {signal, onBytes},
        );
        if (beside) await worker.engine.corpus({model: beside, bytes: corpus});
        if (i === 0) tell({phase: 'run', done, total});
        loaded();
        return buildShare(worker, job, beside ? [model, beside] : [model], building);
    });
    return {files: building.files, workers: shares.filter(Boolean).length};
}

/** A question as the index takes it: of a table all rows. @param {any} question */
const tabled = ({csv, ...question}) => ({
    ...question,
    csv: csv === true ? 'rows' : csv,
    ...(csv !== 'bars' && {rows: MOST_ROWS, bars: 'none'}),
});

/** Of the answer to what a head does: the numbers of all heads, beside which its own are seen.
 * @param {ReturnType<typeof indexes>} of */
function allHeads(of) {
    let [kept, heads] = ['', /** @type {any[]} */ ([])];
    /** @param {number} index @param {any} question */
    return async (index, {ask, layer, head}) => {
        if (ask !== 'head') return {};
        const key = `${index} ${layer}.${head}`;
        if (kept !== key) {
            const text = await of.indexAsk({index, question: {ask: 'heads', layer, head}});
            [kept, heads] = [key, JSON.parse(text).rows];
        }
        return {heads};
    };
}

/** An index that can be asked, from its files: its own, and the one beside. @param {StudyWorker} worker
 * @param {Uint8Array<ArrayBuffer>[]} files */
function opened({engine}, files) {
    const of = indexes(engine.link);
    /** @type {{index: number, info: any}[]} */
    let held = [];
    let closed = false;
    const headsOf = allHeads(of);
    async function open() {
        if (closed) throw aborted();
        if (held.length && held.every(({index}) => engine.holds(index))) return held[0];
        held = [];
        for (const file of files) held.push(await of.indexOpen({file}));
        const [own, beside] = held;
        if (beside) await of.indexBeside({index: own.index, other: beside.index});
        return own;
    }
    return {
        open,
        /** A question that is refused has an answer, too: why. @param {any} question csv: true, 'rows' or 'bars' is
         *     text */
        async answer(question) {
            const {index, info} = await open();
            const about = {...info, bytes: files[0].length};
            if (question.csv) return of.indexAsk({index, question: tabled(question)});
            try {
                const answer = JSON.parse(await of.indexAsk({index, question}));
                return {...answer, about, ...(await headsOf(index, question))};
            } catch (error) {
                const {category, message} = /** @type {any} */ (error);
                if (category !== 'state') throw error;
                return {...{question, about, refused: message}, rows: [], bars: [], matches: 0};
            }
        },
        file: () => files[0],
        close() {
            closed = true;
            for (const {index} of held) of.indexClose({index}).catch(() => {});
        },
    };
}

/** @param {{makeEngine: () => import('./study.js').Engine, workers?: number}} options */
export function createIndexing({makeEngine, workers = usualWorkers()}) {
    const pool = createPool(makeEngine, workers);
    const queued = oneByOne();

    /** @param {IndexJob} job */
    async function start(job) {
        const {signal, abort, unlink} = linked(job.signal);
        try {
            const built = await build(pool, job, signal);
            const worker = pool.worker(0);
            const of = indexes(worker.engine.link);
            const files = [];
            for (const parts of built.files) files.push(await of.indexJoin({files: parts}));
            const handle = opened(worker, files);
            await handle.open();
            return {model: worker.model(), workers: built.workers, ...handle};
        } finally {
            unlink();
            abort(); // what other workers still do is not waited for
        }
    }

    return {
        /** Builds an index of a corpus. @param {IndexJob} job */
        run: job => queued(() => start(job)),
        close: () => pool.close(),
    };
}
