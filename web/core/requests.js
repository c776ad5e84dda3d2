/* requests - what engine.js asks of its worker besides loading and running, each as a function: the operations of worker.js by name.
 * Which worker, and when, is the engine's affair.
 */

/**
 * @typedef {import('./worker.js').Tensor} Tensor
 * @typedef {import('./engine.js').CallOptions} CallOptions
 * @typedef {{call: import('./engine.js').CallFunction}} Caller
 */

/** Studies over a corpus: see headlight.h. Answers and parts are JSON text; a slot from 2 on holds a part to be asked.
 * @param {Caller} link */
export const studies = link => ({
    /** @param {Uint8Array} bytes UTF-8 @returns {Promise<void>} */
    corpus: bytes => link.call('corpus', {bytes}),
    /** @param {object} options @param {boolean} compared with the model in slot 1 @param {CallOptions} [call]
     * @returns {Promise<{steps: number, items: number}>} */
    studyBegin: (options, compared, call) => link.call('studyBegin', {options, compared}, call),
    /** @param {number} first @param {number} count @param {CallOptions} [call] @returns {Promise<void>} */
    studyStep: (first, count, call) => link.call('studyStep', {first, count}, call),
    /** @param {object} ask @param {number} [slot] @returns {Promise<string>} */
    studyAnswer: (ask, slot = 0) => link.call('studyAnswer', {ask, slot}),
    /** @param {string} text @param {number} [slot] @returns {Promise<void>} */
    part: (text, slot = 0) => link.call('part', {text, slot}),
    /** @param {number} slot whose memory is given back @returns {Promise<void>} */
    drop: slot => link.call('drop', {slot}),
});

/** What is read of the last finished run. @param {Caller} link @param {() => number} run its number */
export const readers = (link, run) => ({
    /** @param {string} name @param {number} [layer] @returns {Promise<Tensor>} */
    tensor: (name, layer = 0) => link.call('tensor', {run: run(), name, layer}),
    /** @param {number} position @param {number} k
     * @returns {Promise<{id: number, piece: string, probability: number}[]>} */
    fill: (position, k) => link.call('fill', {run: run(), position, k}),
    /** What hl_measure computes of the last run.
     * @param {string} name @param {number} [argument] @returns {Promise<Tensor>} */
    study: (name, argument = 0) => link.call('study', {run: run(), name, argument}),
    /** The same of attention from elsewhere (own.js); needs a loaded model, but no run.
     * @param {{name: string, argument: number} & import('./wasm.js').Attention} input @returns {Promise<Tensor>} */
    studyOwn: input => link.call('studyOwn', input),
    /** Keeps the attention of the last run: the studies shift, shifts and earlier compare later runs with it.
     * @returns {Promise<void>} */
    remember: () => link.call('remember', {run: run()}),
});
