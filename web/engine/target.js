/* target - the predictions of a decoder's rows, as words with their probabilities.
 */

/**
 * @import {Fill} from '../worker/passes.js'
 * @typedef {ReturnType<typeof import('./engine.js').createEngine>} Engine
 */

/** Of the token that each row is to say. @param {Pick<Engine, 'read'>} engine @param {number} pass @param {import('../worker/two.js').Row[]} rows
 * @param {AbortSignal} [signal] @returns {Promise<Fill[]>} */
export async function saidOf(engine, pass, rows, signal) {
    const want = rows.map(({id}, row) => ({
        ...{measure: 'log_probability', args: [row, id], stack: /** @type {const} */ ('decoder')},
    }));
    const found = await Promise.all(engine.read({pass, want}, {signal}).answers);
    return rows.map(({id, piece}, index) => ({
        index,
        words: [{id, piece, probability: Math.exp(found[index].data[0])}],
    }));
}
