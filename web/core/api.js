/* api - models and results as objects for programmers (the package `head-light`), on top of an
 * engine. A result can be read at any time: its worker knows its input until the result is garbage,
 * and runs it again, with the same bits, where its tensors are gone. A model whose worker has died
 * is loaded again by the next use. Here the precision has its default.
 */
import {HeadlightError} from './errors.js';
import {checkCount, checkIndex, checkLoad, checkRun} from './options.js';

/**
 * @typedef {import('../head-light').Model} Model
 * @typedef {import('../head-light').Result} Result
 * @typedef {import('../head-light').RunOptions} RunOptions
 * @typedef {ReturnType<typeof import('./engine.js').createEngine>} Engine
 * @typedef {import('./passes.js').Input} Input
 * @typedef {import('./passes.js').Want} Want
 * @typedef {import('./wasm.js').Change} Change
 * @typedef {import('./worker.js').Pass} Pass
 */

const KEEP = ['attention']; // what most results are read for

/** The tokens with the words that were put in their place.
 * @param {import('./worker.js').Token[]} tokens
 * @param {import('./worker.js').Put[]} puts @param {{position: number, word: string}[]} words */
function tokensOf(tokens, puts, words) {
    const changed = [...tokens];
    for (const {position, word} of words) {
        const put = puts.find(made => made.position === position && made.word === word);
        if (!put)
            throw new HeadlightError(
                'text',
                `there is no position ${position}; the text has ${tokens.length} tokens`,
            );
        if (put.id < 0) {
            throw new HeadlightError(
                'text',
                `'${word}' cannot stand in the place of one token: the vocabulary has ` +
                    `${put.pieces.length > 1 ? `it as ${put.pieces.join(' ')}` : 'no such word'}; give a word that is one piece`,
            );
        }
        changed[position] = {...tokens[position], id: put.id, piece: put.pieces[0]};
    }
    return changed;
}

/** The pass of an input, which is run again when its worker is gone. What is released when nobody
 * can read it any more lies in `handle`: it must not point back here. */
class Readable {
    /** @type {{pass: number}} */
    handle = {pass: 0};
    #engine;
    #modelOf;
    #input;
    #keep;

    /** @param {Engine} engine @param {() => Promise<number>} modelOf @param {Input} input
     * @param {string[]} keep */
    constructor(engine, modelOf, input, keep) {
        this.#engine = engine;
        this.#modelOf = modelOf;
        this.#input = input;
        this.#keep = keep;
    }

    /** @param {AbortSignal} [signal] @returns {Promise<Pass>} */
    async run(signal) {
        const model = await this.#modelOf();
        const {pass, facts} = this.#engine.run(
            {model, input: this.#input, keep: this.#keep},
            {signal},
        );
        this.handle.pass = pass;
        return facts;
    }

    /** @param {Want} want @returns {Promise<any>} */
    async read(want) {
        if (!this.#engine.holds(this.handle.pass)) await this.run();
        return this.#engine.read({pass: this.handle.pass, want: [want]}).answers[0];
    }
}

/** @param {Engine} engine
 * @param {() => Promise<number>} modelOf the model's handle, loaded again if its worker is gone
 * @param {import('./worker.js').Model} info
 * @returns {(text: string, textB: string, options: RunOptions) => Promise<Result>} */
function createRunner(engine, modelOf, info) {
    const garbage = new FinalizationRegistry((/** @type {{pass: number}} */ handle) =>
        engine.release(handle),
    );
    return async (
        text,
        textB,
        {headsOff = [], words = [], precision = 'fast', keep = KEEP, signal},
    ) => {
        const changes = headsOff.map(
            ([layer, head]) => /** @type {Change} */ (['head', layer, head]),
        );
        const readable = new Readable(
            engine,
            modelOf,
            {text, textB, words, precision, changes},
            keep,
        );
        const {tokens, puts, texts, dropped, nextSentence, milliseconds} =
            await readable.run(signal);
        garbage.register(readable, readable.handle);
        return {
            tokens: tokensOf(tokens, puts, words),
            texts,
            dropped,
            nextSentence,
            milliseconds,
            attention: async layer => {
                checkIndex('the layer', layer, info.layers);
                return readable.read({tensor: 'attention', layer});
            },
            tensor: async (name, layer = 0) => {
                checkIndex('the layer', layer, info.layers);
                return readable.read({tensor: name, layer});
            },
            measure: (name, argument) => readable.read({measure: name, argument}),
            fill: async (position, k = 5) => {
                checkIndex('the position', position, tokens.length);
                checkCount('the number of predictions', k);
                return (await readable.read({predictions: [position], top: k}))[0].words;
            },
            dispose() {
                engine.release({pass: readable.handle.pass});
                readable.handle.pass = 0;
            },
        };
    };
}

/** @param {Engine} engine closed when the model is, or cannot be loaded
 * @param {import('./files.js').ModelSource} source
 * @param {import('../head-light').CommonOptions} options
 * @returns {Promise<Model>} */
export async function openModel(engine, source, options) {
    let loaded = await Promise.resolve()
        .then(() => checkLoad(options))
        .then(() => engine.load(source, options))
        .catch(error => {
            engine.close();
            throw error;
        });
    let coming = /** @type {Promise<number> | null} */ (null);
    const again = async () => {
        try {
            loaded = await engine.load(source, {store: options.store});
            return loaded.model;
        } finally {
            coming = null;
        }
    };
    const run = createRunner(
        engine,
        async () => (engine.holds(loaded.model) ? loaded.model : (coming ??= again())),
        loaded.info,
    );
    return {
        // of a model that was loaded all is known
        info: /** @type {import('../head-light').ModelInfo} */ (loaded.info),
        async run(text, textB = '', runOptions = {}) {
            if (typeof text !== 'string' || typeof textB !== 'string') {
                throw new TypeError(
                    `run takes one or two texts, not ${typeof text} and ${typeof textB}`,
                );
            }
            checkRun(runOptions, loaded.info);
            return run(text, textB, runOptions);
        },
        close: engine.close,
    };
}
