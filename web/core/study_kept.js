/* study_kept - two workers without a model: one keeps the parts of finished studies, to be asked with other thresholds, the other
 * reads a corpus: what it is, and its items. Part of study.js.
 */
import {aborted} from './errors.js';

/** @typedef {import('./lanes.js').Engine} Engine */

const FIRST_SLOT = 2;   // of parts that are kept to be asked

/** Work that waits for what was asked before it. */
export function oneByOne() {
    let last = Promise.resolve();
    /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    return work => {
        const own = last.then(work);
        last = own.then(() => {}, () => {});
        return own;
    };
}

/** Parts kept in one worker without a model, to be asked; the worker may die, the texts are here.
 * @param {() => Engine} makeEngine */
export function createKeeper(makeEngine) {
    let engine = /** @type {Engine | null} */ (null);
    /** @type {Map<number, string>} */
    const parts = new Map();
    /** @type {Set<number>} */
    const there = new Set();
    let slots = FIRST_SLOT;
    /** @param {number} slot @param {object} ask */
    async function answer(slot, ask) {
        const part = parts.get(slot);
        if (part === undefined) throw aborted();   // closed meanwhile
        engine ??= makeEngine();
        try {
            if (!there.has(slot)) {
                there.add(slot);
                await engine.part(part, slot);
            }
            return JSON.parse(await engine.studyAnswer(ask, slot));
        } catch (error) {
            if (/** @type {{category?: string}} */ (error).category === 'engine') there.clear();
            throw error;
        }
    }

    return {
        /** @param {string} part */
        keep(part) {
            const slot = slots++;
            parts.set(slot, part);
            return {
                answer: (/** @type {object} */ ask) => answer(slot, ask),
                close() {
                    parts.delete(slot);
                    if (there.delete(slot)) engine?.drop(slot).catch(() => {});
                },
            };
        },
        close: () => engine?.close(),
    };
}

/** Reads a corpus without a model: what it is, and its items. @param {() => Engine} makeEngine */
export function createReader(makeEngine) {
    let engine = /** @type {Engine | null} */ (null);
    let held = /** @type {{corpus: Uint8Array, options: object} | null} */ (null);
    const queued = oneByOne();

    /** @param {Uint8Array} corpus @param {object} options format and columns @param {object} ask */
    async function answer(corpus, options, ask) {
        engine ??= makeEngine();
        try {
            if (held?.corpus !== corpus) {
                held = null;
                await engine.corpus(corpus);
            }
            if (held?.options !== options) {
                held = null;
                await engine.studyBegin({...options, study: 'about'}, false);
            }
            held = {corpus, options};
            return JSON.parse(await engine.studyAnswer(ask));
        } catch (error) {
            held = null;
            throw error;
        }
    }

    /** @type {typeof answer} */
    const ask = (...args) => queued(() => answer(...args));

    return {
        /** @param {Uint8Array} corpus @param {object} options */
        about: (corpus, options) => ask(corpus, options, {}),
        /** @param {Uint8Array} corpus @param {object} options @param {number} item
         * @returns {Promise<{a: string, b?: string, label?: string, words: any[], mentions: any[]}>} */
        item: async (corpus, options, item) => (await ask(corpus, options, {item})).item,
        close: () => engine?.close(),
    };
}
