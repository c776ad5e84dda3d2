/* lanes - the workers that run studies: each an engine with its own copy of the model and the corpus, which stay there between
 * runs. Not here: how the work is shared out and its results (study.js).
 */

/**
 * @typedef {ReturnType<typeof import('./engine.js').createEngine>} Engine
 * @typedef {import('./files.js').ModelSource} Source
 * @typedef {import('./worker.js').Model} Model
 * @typedef {(progress: {done: number, total: number}) => void} OnBytes
 * @typedef {'random' | 'random-layers'} Drawn   the same model with random weights: all of them, or the layers over its own embeddings
 * @typedef {{source: Source, other: Source | Drawn | null, corpus: Uint8Array, options: object}} Job   other: the second model of
 *   a study that compares
 * @typedef {{signal: AbortSignal, onBytes: OnBytes}} Watch   onBytes: a model is on its way
 * @typedef {ReturnType<typeof createLane>} Lane
 */

const OTHER = 1;   // the slot of the second model

/** What a lane holds, and how it comes to hold what is asked for. @param {Engine} engine */
function createHeld(engine) {
    /** @type {{source: Source | null, other: Job['other'], randomOf: Source | null, corpus: Uint8Array | null, model: Model | null}} */
    let held = {source: null, other: null, randomOf: null, corpus: null, model: null};
    return {
        model: () => held.model,
        forget() { held = {source: null, other: null, randomOf: null, corpus: null, model: null}; },
        /** @param {Source} source @param {Watch} watch */
        async load(source, {signal, onBytes}) {
            if (held.source === source && held.model) return held.model;
            held.source = held.corpus = null;   // a new model drops the corpus
            const model = await engine.load(source, {signal, onProgress: onBytes});
            Object.assign(held, {source, model});
            return model;
        },
        /** @param {Job} job @param {Watch} watch */
        async loadOther({source, other}, {signal, onBytes}) {
            const random = other === 'random' ? 'all' : other === 'random-layers' ? 'layers' : '';
            if (!other || (held.other === other && (!random || held.randomOf === source))) return;
            held.other = null;
            await engine.load(typeof other === 'string' ? source : other, {signal, onProgress: onBytes, random, slot: OTHER});
            Object.assign(held, {other, randomOf: source});
        },
        /** @param {Uint8Array} corpus */
        async give(corpus) {
            if (held.corpus === corpus) return;
            held.corpus = null;
            await engine.corpus(corpus);
            held.corpus = corpus;
        },
    };
}

/** Errors pass through; a lane whose worker is gone holds nothing any more. @param {() => void} forget */
const createGuard = forget => async (/** @type {() => Promise<any>} */ work) => {
    try {
        return await work();
    } catch (error) {
        if (/** @type {{category?: string}} */ (error).category === 'engine') forget();
        throw error;
    }
};

/** @param {Engine} engine */
export function createLane(engine) {
    const held = createHeld(engine);

    const guard = createGuard(held.forget);
    return {
        model: held.model,
        /** Models, corpus and a study that has begun.
         * @param {Job} job @param {Watch} watch @returns {Promise<{steps: number, items: number, model: Model}>} */
        prepare: (job, watch) => guard(async () => {
            const model = await held.load(job.source, watch);
            await held.loadOther(job, watch);
            await held.give(job.corpus);
            return {model, ...await engine.studyBegin(job.options, job.other !== null, {signal: watch.signal})};
        }),
        /** @param {number} first @param {number} count @param {AbortSignal} signal */
        step: (first, count, signal) => guard(() => engine.studyStep(first, count, {signal})),
        /** @type {(ask: object) => Promise<string>} */
        answer: ask => guard(() => engine.studyAnswer(ask)),
        merge: (/** @type {string} */ part) => guard(() => engine.part(part)),
        /** The attention of single texts, all layers.
         * @param {Source} source @param {{text: string, textB?: string}[]} texts @param {Watch} watch */
        read: (source, texts, watch) => guard(async () => {
            const model = await held.load(source, watch);
            const passes = [];
            for (const text of texts) {
                const pass = await engine.run({...text, precision: 'fine'}, {signal: watch.signal});   // as studies are
                passes.push({pass, attention: await Promise.all(Array.from({length: model.layers},
                    (_, layer) => engine.tensor('attention', layer))), measures: await engine.study('measures'), even: await engine.study('even')});
            }
            return {model, passes};
        }),
        close: () => engine.close(),
    };
}
