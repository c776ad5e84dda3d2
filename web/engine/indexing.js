/* indexing - indexes of a corpus as promises: several workers build parts of one (headlight.h), which are
 * joined; the whole lies in the first worker, which answers questions to it. Its file stays here too, to be
 * saved, and to be opened again where that worker has died. What is built so far can be asked while the rest
 * is built; a whole one that the browser has kept is not built again. The workers take headlight-full.wasm.
 */
import {aborted} from '../base/errors.js';
import {buildIndex, openIndexes} from './indexes.js';
import {createPool, inTurn, oneByOne, usualWorkers} from './study.js';

/**
 * @import {Job, StudyWorker} from './study.js'
 * @typedef {Pick<Job, 'source' | 'other' | 'corpus' | 'onProgress' | 'signal'> & {items: number, tokens: number,
 *     options: Record<string, any>, keeps?: boolean, onPart?: (handle: IndexHandle) => void}} IndexJob   items: how many
 *     of the corpus; tokens: about how many it has; options: as of hl_index_begin; keeps: it may stay in the
 *     browser; onPart: is given what is built so far
 * @typedef {{next: () => number, parts: number, files: Uint8Array<ArrayBuffer>[][], onItems: (count: number) => void,
 *     signal: AbortSignal, whole: Opened | null, onPart: (worker: StudyWorker) =>
 *     Promise<void>}} Building   files: of the model, and of the one beside, by part; whole: had been kept
 * @import {KeptIndexes} from '../files/kept_indexes.js'
 * @typedef {{kept?: KeptIndexes, soon?: number}} Where   soon: ms until parts are shown
 * @typedef {Awaited<ReturnType<typeof opened>>} Opened
 * @typedef {Opened & {model: import('../worker/worker.js').Model | null, workers: number, kept:
 *     boolean}} IndexHandle   workers: that took part; kept: it had been
 */

const PARTS = 8; // a worker, at most: they end at about the same time
const LEAST = 4; // items of a part
const CHUNK = 8; // items between two looks at the mail
const VECTORS = 64e6; // bytes that vectors of all layers may take, else there are those of the last
const MOST_ROWS = 100000; // of a table
const SOON_MS = 3000; // what is complete by then is not shown in parts, each of which takes a worker's time

/** The layers that get vectors. @param {{layers: number, hidden: number, heads: number, head_width: number}} model
 * @param {number} tokens */
function layersOf({layers, hidden, heads, head_width: width}, tokens) {
    const all = tokens * layers * (hidden + heads * width);
    return all <= VECTORS ? Array.from({length: layers}, (_, i) => i) : [layers - 1];
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
            building.files[i][part] = await buildIndex(worker.engine, model, how, {
                ...building,
                portion: CHUNK,
            });
        await building.onPart(worker);
    }
    return took;
}

/** All that an index follows from, by the file of any of its parts. @param {Uint8Array<ArrayBuffer>} file
 * @param {IndexJob} job */
function keyOf(file, {items, options}) {
    const size = Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
    const header = JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + size)));
    const {tokens, sentences, text_bytes, first_item, end_item, ...of} = header.__metadata__;
    return JSON.stringify([items, options.columns, of]);
}

/** The whole index, with the one beside, where they are kept. @param {StudyWorker} worker
 * @param {string[]} keys @param {KeptIndexes} kept */
async function wholeOf(worker, keys, kept) {
    const files = [];
    for (const key of keys) {
        const file = await kept.find(key);
        if (!file) return null;
        files.push(file);
    }
    try {
        return await opened(worker, files);
    } catch {
        for (const key of keys) await kept.forget(key); // damaged
        return null;
    }
}

/** Of parts that have been built in any order: how many from the first on. @param {unknown[]} parts */
const leading = parts => [...parts, undefined].findIndex(part => part === undefined);

/** One index of the parts of each model. @param {StudyWorker} worker @param {Uint8Array<ArrayBuffer>[][]} parts */
async function joined(worker, parts) {
    const files = [];
    for (const one of parts) files.push(await worker.engine.link.call('indexJoin', {files: one}));
    return opened(worker, files);
}

/** Follows the parts as they come: the first one says what the index is of, and so whether it has been kept;
 * what there is without a gap is offered whenever it has doubled. @param {Building} building @param {IndexJob} job
 * @param {Where} where */
function follow(building, job, {kept, soon = SOON_MS}) {
    const began = performance.now();
    let [looked, offered] = [!job.keeps, 0];
    return async (/** @type {StudyWorker} */ worker) => {
        const {files, parts} = building;
        const done = Math.min(...files.map(leading));
        if (done && !looked && kept) {
            looked = true;
            const keys = files.map(([first]) => keyOf(first, job));
            building.whole = await wholeOf(worker, keys, kept);
        }
        const isMore = done > 0 && done >= 2 * offered && done < parts;
        if (building.whole || !job.onPart || !isMore || performance.now() - began < soon) return;
        offered = done;
        const handle = await joined(
            worker,
            files.map(list => list.slice(0, done)),
        );
        if (!building.signal.aborted)
            job.onPart({...handle, model: worker.model(), workers: 0, kept: false});
    };
}

/** All parts, by several workers. @param {ReturnType<typeof createPool>} pool @param {IndexJob} job
 * @param {AbortSignal} signal @param {Where} where */
async function build(pool, job, signal, where) {
    const {source, other = null, corpus, items, onProgress = () => {}} = job;
    const count = pool.count({...job, options: {study: ''}});
    const parts = Math.max(1, Math.min(count * PARTS, Math.floor(items / LEAST)));
    const total = items * (other ? 2 : 1);
    let [done, part] = [0, 0];
    /** @type {Building} */
    const building = {
        ...{parts, signal, files: other ? [[], []] : [[]], whole: null},
        next: () => (building.whole ? parts : part++),
        onItems(more) {
            done += more;
            if (!signal.aborted) onProgress({phase: 'run', done, total});
        },
        onPart: worker => watch(worker),
    };
    const watch = follow(building, job, where);
    const shares = await inTurn(pool, count, job, signal, async (_, worker, watch, begin) => {
        if (part >= parts) return false;
        const {model, other: beside} = await worker.hold({source, other, corpus}, watch);
        if (beside) await worker.engine.link.call('corpus', {model: beside, bytes: corpus});
        begin({done, total});
        return buildShare(worker, job, beside ? [model, beside] : [model], building);
    });
    return {...building, workers: shares.filter(Boolean).length};
}

/** A question as the index takes it: of a table all rows. @param {any} question */
const tabled = ({csv, ...question}) => ({
    ...question,
    csv: csv === true ? 'rows' : csv,
    ...(csv !== 'bars' && {rows: MOST_ROWS, bars: 'none'}),
});

/** Of the answer to what a head does: the numbers of all heads, beside which its own are seen.
 * @param {StudyWorker['engine']['link']} link */
function allHeads(link) {
    let [kept, heads] = ['', /** @type {any[]} */ ([])];
    /** @param {number} index @param {any} question */
    return async (index, {ask, layer, head}) => {
        if (ask !== 'head') return {};
        const key = `${index} ${layer}.${head}`;
        if (kept !== key) {
            const text = await link.call('indexAsk', {
                ...{index, question: {ask: 'heads', layer, head}},
            });
            [kept, heads] = [key, JSON.parse(text).rows];
        }
        return {heads};
    };
}

/** An index that can be asked, from its files: its own, and the one beside. @param {StudyWorker} worker
 * @param {Uint8Array<ArrayBuffer>[]} files */
async function opened({engine}, files) {
    const {link} = engine;
    /** @type {import('./indexes.js').Held[]} */
    let held = [];
    let closed = false;
    const headsOf = allHeads(link);
    async function open() {
        if (closed) throw aborted();
        if (!held.length || !held.every(({index}) => engine.holds(index)))
            held = await openIndexes(engine, files);
        return held[0];
    }
    await open();
    return {
        /** A question that is refused has an answer, too: why. @param {any} question csv: true, 'rows' or 'bars' is
         *     text */
        async answer(question) {
            const {index, info} = await open();
            const about = {...info, bytes: files[0].length};
            if (question.csv) return link.call('indexAsk', {index, question: tabled(question)});
            try {
                const answer = JSON.parse(await link.call('indexAsk', {index, question}));
                return {...answer, about, ...(await headsOf(index, question))};
            } catch (error) {
                const {category, message} = /** @type {any} */ (error);
                if (category !== 'state') throw error;
                return {...{question, about, refused: message}, rows: [], bars: [], matches: 0};
            }
        },
        file: () => files[0],
        files: () => files,
        close() {
            closed = true;
            for (const {index} of held) engine.release({model: index});
        },
    };
}

/** @param {{makeEngine: () => import('./study.js').Engine, workers?: number} & Where} options */
export function createIndexing({makeEngine, workers = usualWorkers(), kept, soon}) {
    const pool = createPool(makeEngine, workers);

    /** @param {IndexJob} job @param {AbortSignal} signal */
    async function start(job, signal) {
        const built = await build(pool, job, signal, {kept, soon});
        const worker = pool.worker(0);
        const {whole, files, workers: count} = built;
        const handle = whole ?? (await joined(worker, files));
        if (job.keeps && kept && !whole)
            for (const file of handle.files()) await kept.keep(keyOf(file, job), file);
        return {model: worker.model(), workers: count, kept: whole !== null, ...handle};
    }

    return {
        /** Builds an index of a corpus. */
        run: oneByOne(start),
        close: () => pool.close(),
    };
}
