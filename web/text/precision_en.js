/* precision.en - the English words of the precision panel (web/ui/precision.js).
 * text/precision_zh.js has the same keys; a test compares them. Numbers come in already printed.
 */

export const precisionEn = {
    title: 'How exact these numbers are',
    close: 'Close',
    now: 'What runs now',
    weights: 'Weights',
    stores: {
        q8: 'int8, one scale for each output',
        f32: 'float32, as in the file: nothing is rounded, so there is nothing to choose',
    },
    activations: 'Activations',
    precisions: {fine: 'fine', fast: 'fast'},
    precisionHints: {
        fine: 'up to 14 bits a value, attention in float32; nearer to float32, takes up to half as long again',
        fast: '8 bits a value, a second digit for the few largest of a row, attention on 13 to 16 bits; the default',
    },
    wasm: 'WebAssembly',
    /** @param {boolean} relaxed @param {number} count 0: not known */
    runsOn: (relaxed, count) =>
        `${relaxed ? 'relaxed SIMD' : 'plain SIMD'}${count > 1 ? `, up to ${count} threads` : ''}`,
    pass: 'Last pass',
    /** @param {string} ms @param {number} count */
    took: (ms, count) => `${ms} ms for ${count} ${count === 1 ? 'token' : 'tokens'}`,
    memory: 'Memory',
    /** @param {string} all @param {string} weights */
    uses: (all, weights) => `${all ? `${all}, ` : ''}of it ${weights} weights`,

    /** @param {string} model */
    measured: model => `Measured once, on ${model}`,
    /** @param {number} sentences @param {string} rows */
    measuredOn: (sentences, rows) =>
        `${sentences} sentences of UD English-EWT, ${rows} rows of attention, all layers and heads, one ` +
        'masked word a sentence. These are figures of this model: another one may lie farther off. Source:',
    against: {
        same: 'Against the same int8 weights, the rest in float32',
        f32: 'Against the float32 weights they were rounded from',
    },
    measure: 'Measure',
    mean: 'Mean |Δ attention|',
    p999: '99.9th percentile',
    max: 'Largest',
    changed: 'Rows whose top key is another',
    fillings: 'First filling of [MASK] is another',
    /** @param {string} some @param {string} all @param {string} share */
    ofAll: (some, all, share) => `${some} of ${all} (${share})`,

    here: 'On the text of the page',
    about: 'Computes this text once more in float32, in a worker of its own, and sets each attention weight against the one shown.',
    /** @param {string} size */
    needs: size =>
        `float32 weights need about ${size} of memory, four times as much as int8; it is given back afterwards.`,
    run: 'Recompute in float32 and compare',
    again: 'Compare again',
    cancel: 'Cancel',
    cancelled: 'Cancelled.',
    steps: {
        /** @param {string} amount */
        load: amount => `Loading the weights as float32${amount && `: ${amount}`}`,
        /** @param {string} amount */
        maps: amount => `Comparing layers: ${amount}`,
        /** @param {string} amount */
        words: amount => `Comparing fillings: ${amount}`,
    },
    /** @param {number} done @param {number} total */
    amount: (done, total) => `${done} of ${total}`,
    moved: 'The page has begun to compute something else. Once that is there, compare again.',
    failed: 'This did not work:',
    failedHelp:
        'The page is as it was. If memory is short, close other tabs and programs, or take a smaller model or text, and try again.',
    codes: {
        true:
            'The checkpoint itself is int8: both sides have the same weights, int8 codes times their scales. What differs is the rest: ' +
            'float32 activations and sums instead of rounded ones. Weights from before the rounding are not in the file.',
        false: 'The checkpoint is of floats: this is the pass with its own weights as float32, against int8 weights made of them and rounded activations.',
    },
    /** @param {string} precision @param {number} count @param {string} ms */
    compared: (precision, count, ms) =>
        `Precision ${precision}, ${count} ${count === 1 ? 'token' : 'tokens'}; the pass in float32 took ${ms} ms.`,
    rowsChanged: 'Rows whose top key is another',
    wordsChanged: 'Positions whose first filling is another',
    worst: 'Farthest apart',
    /** @param {{layer: number, head: number, query: string, key: string, ours: string, exact:
     *     string}} place */
    worstAt: ({layer, head, query, key, ours, exact}) =>
        `layer ${layer}, head ${head}: ${query} looks at ${key}, ${ours} here, ${exact} in float32`,
    picture: 'Difference by head',
    tells: {max: 'largest', mean: 'mean'},
    tellsLabel: 'Colour tells the',
    layer: 'layer',
    head: 'head',
    /** @param {number} layer @param {number} head */
    headName: (layer, head) => `layer ${layer}, head ${head}`,
    /** @param {string} max @param {string} mean @param {number} rows */
    headSays: (max, mean, rows) =>
        `largest ${max}, mean ${mean}, ${rows} ${rows === 1 ? 'row' : 'rows'} with another top key`,
    headHint: 'Point at a head for its numbers, press it to see it.',
    wordsTable: 'First fillings that are others',
    at: 'At',
    ours: 'Here',
    exact: 'float32',
    /** @param {number} count */
    more: count => `and ${count} more`,
};
