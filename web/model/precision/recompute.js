/* recompute - the text of the page once more in float32, and how far the page's own pass lies from
 * it. A second engine does it in a worker of its own, which ends when the numbers are there or the
 * reader cancels: memory of WebAssembly never shrinks, and float32 weights take four times as much.
 * Whatever the page computes meanwhile ends it too: its maps would be of another pass.
 */
import {createComparison} from './difference.js';
import {precisionOf} from '../../views/needs.js';
import {inputOf} from '../../session/compute.js';

/**
 * @import {Pass} from '../../worker/worker.js'
 * @import {Fill} from '../../worker/passes.js'
 * @typedef {{index: number, ours: string, exact: string}} Change   the most probable word at a
 *     position, on both sides
 * @typedef {{pass: Pass, comparison: import('./difference.js').Comparison, codes: boolean, precision:
 *     'fine' | 'fast', milliseconds: number, words: number | null, changes: Change[]}} Result
 *   codes: the checkpoint is int8, and float32 has the same weights; words: positions whose fillings
 *   were compared, null: the model has none
 * @typedef {{phase: 'load' | 'maps' | 'words', done: number, total: number}} Step   bytes, layers,
 *     positions
 * @typedef {{session: import('../../session/session.js').Session, makeEngine: () =>
 *     import('../../base/shared.js').Engine,
 *   state: import('../../state/state.js').State, signal: AbortSignal, onStep: (step: Step) => void}}
 *   Job
 * @typedef {Job & {engine: import('../../base/shared.js').Engine, model: import('../../worker/worker.js').Model,
 *     pass: Pass, exact: number}} Running   exact: the pass in float32
 */

const AT_ONCE = 8; // questions for fillings that wait in the workers when the reader cancels

/** The page has begun to compute something else. */
export class Moved extends Error {}

/** The same of both sides: float32's, and the page's. @param {Running} running
 * @param {import('../../worker/passes.js').Want} want @returns {Promise<any[]>} */
async function readBoth({session, engine, exact, signal}, want) {
    const [other, [ours]] = await Promise.all([
        engine.read({pass: exact, want: [want]}).answers[0],
        session.read([want], {signal}),
    ]);
    signal.throwIfAborted();
    return [other, ours];
}

/** Reads both sides layer by layer, so that no more than two layers are here at once.
 * @param {Running} running */
async function compareMaps(running) {
    const {layers} = running.model;
    const comparison = createComparison();
    for (let layer = 0; layer < layers; layer++) {
        running.onStep({phase: 'maps', done: layer, total: layers});
        const [exact, ours] = await readBoth(running, {tensor: 'attention', layer});
        comparison.add(layer, exact.data, ours.data, ours.shape);
    }
    return comparison.result();
}

/** The most probable word at every token of the text; null when the model predicts none.
 * @param {Running} running */
async function compareWords(running) {
    const {model, pass} = running;
    if (!model.mlm) return {words: null, changes: []};
    const places = pass.tokens.flatMap(({sentence}, index) => (sentence < 0 ? [] : [index]));
    /** @type {Change[]} */
    const changes = [];
    for (let at = 0; at < places.length; at += AT_ONCE) {
        running.onStep({phase: 'words', done: at, total: places.length});
        const want = {predictions: places.slice(at, at + AT_ONCE), top: 1};
        const [exact, ours] = await readBoth(running, want);
        exact.forEach((/** @type {Fill} */ {index, words: [word]}, /** @type {number} */ i) => {
            const [our] = /** @type {Fill[]} */ (ours)[i].words;
            if (word.id !== our.id) changes.push({index, ours: our.piece, exact: word.piece});
        });
    }
    return {words: places.length, changes};
}

/** @param {Omit<Running, 'exact'>} job @returns {Promise<Result>} */
async function compare(job) {
    const {session, engine, state, model, pass, signal, onStep} = job;
    // the panel has said how much it is, and the reader has pressed
    const source = {...session.source(), most: Infinity};
    const loaded = await engine.load(source, {
        store: 'f32',
        signal,
        onProgress: ({done, total}) => {
            if (!signal.aborted) onStep({phase: 'load', done, total});
        },
    });
    onStep({phase: 'maps', done: 0, total: model.layers});
    const run = engine.run(
        {model: loaded.model, input: inputOf(state, model), keep: ['attention']},
        {signal},
    );
    const {milliseconds} = await run.facts;
    const running = {...job, exact: run.pass};
    return {
        pass,
        comparison: await compareMaps(running),
        codes: loaded.info.codes ?? false,
        precision: precisionOf(state, model),
        milliseconds,
        ...(await compareWords(running)),
    };
}

/** @param {Job} job @returns {Promise<Result>} rejects with Moved, an AbortError, or what went wrong
 */
export async function recompute(job) {
    const {session, makeEngine, signal} = job;
    const {model, pass, busy} = session.get();
    if (!model || !pass || busy) throw new Moved();
    const engine = makeEngine();
    const moved = new AbortController();
    const leave = session.subscribe(() => {
        const now = session.get();
        if (now.pass !== pass || now.busy) moved.abort();
    });
    const ended = AbortSignal.any([signal, moved.signal]);
    ended.addEventListener('abort', () => engine.close()); // also in the middle of a pass
    try {
        return await compare({...job, engine, model, pass, signal: ended});
    } catch (error) {
        signal?.throwIfAborted();
        throw moved.signal.aborted ? new Moved() : error;
    } finally {
        leave();
        engine.close();
    }
}
