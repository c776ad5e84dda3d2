/* similarity - the similarity of texts by a sentence-transformers model: the cosine of their
 * embeddings, or what its folder names (Reimers and Gurevych 2019). The engine pools, after
 * the folder's prompt and up to its limit. Each text has a pass of its own, of the model as it is.
 * For the page (figure/similarity.js) and the package (api.js); the number is that of hl_similarity.
 * Pure but for the engine that is given.
 */

import {alike} from '../base/alike.js';

/** @typedef {ReturnType<typeof import('./engine.js').createEngine>} Engine
 * @typedef {import('../worker/worker.js').Model['similarity']} Kind */

const EMBEDDING = [{tensor: 'sentence_embedding'}];

/** The embeddings of texts. One text after the other, each in the place of the one before: what else is
 * held stays. @param {{engine: Pick<Engine, 'run' | 'release'>, model: number}} on
 * @param {string[]} texts @param {import('../worker/passes.js').Input['precision']} precision
 * @param {AbortSignal} [signal] @returns {Promise<Float32Array[]>} */
export async function embeddingsOf({engine, model}, texts, precision, signal) {
    /** @type {number[]} */
    const passes = [];
    const vectors = [];
    try {
        for (const text of texts) {
            const input = {text, textB: '', precision, changes: [], words: [], embeds: true};
            const run = engine.run({model, input, want: EMBEDDING, over: passes.at(-1)}, {signal});
            passes.push(run.pass);
            vectors.push((await run.answers[0]).data);
        }
    } finally {
        for (const pass of passes) engine.release({pass});
    }
    return vectors;
}

/** @param {{engine: Pick<Engine, 'run' | 'release'>, model: number, kind?: Kind}} on
 * @param {string[]} texts two @param {import('../worker/passes.js').Input['precision']} precision
 * @param {AbortSignal} [signal] @returns {Promise<number>} */
export async function similarityOf({kind, ...on}, texts, precision, signal) {
    const [x, y] = await embeddingsOf(on, texts, precision, signal);
    return alike(x, y, kind);
}

/** Of each with each, row by row. @param {Float32Array[]} vectors @param {Kind} [kind] */
export const matrixOf = (vectors, kind) =>
    Float32Array.from(vectors.flatMap(x => vectors.map(y => alike(x, y, kind))));

/** What each pair of their tokens adds to it (hl_split). @param {{engine: Pick<Engine, 'run' | 'read' |
 *     'release'>, model: number}} on @param {string[]} texts two
 * @param {import('../worker/passes.js').Input['precision']} precision @param {AbortSignal} [signal]
 * @returns {Promise<{data: Float32Array, shape: number[], tokens: string[][]}>} */
export async function splitOf({engine, model}, texts, precision, signal) {
    const runs = texts.map(text => {
        const input = {text, textB: '', precision, changes: [], words: [], embeds: true};
        return engine.run({model, input, want: []}, {signal});
    });
    try {
        const facts = await Promise.all(runs.map(run => run.facts));
        const want = [{split: runs[1].pass}];
        const {answers} = engine.read({pass: runs[0].pass, want}, {signal});
        const tokens = facts.map(one => one.tokens.map(({piece}) => piece));
        return {...(await answers[0]), tokens};
    } finally {
        for (const {pass} of runs) engine.release({pass});
    }
}
