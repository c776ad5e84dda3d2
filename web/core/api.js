/* api - models and results as objects for programmers (the package `head-light`), on top of an engine, which knows only the text
 * that it has run last. A result can be read at any time: if another text has been run since, its own is run again, which
 * gives the same bits. So runs and readings happen one after the other.
 */

import {CoreError} from './errors.js';

/**
 * @typedef {import('../head-light').Model} Model
 * @typedef {import('../head-light').Result} Result
 * @typedef {import('../head-light').RunOptions} RunOptions
 * @typedef {ReturnType<typeof import('./engine.js').createEngine>} Engine
 */

const CHANGE_HEAD = 1;  // HL_CHANGE_HEAD of headlight.h

/** The tokens with the words that were put in their place. @param {import('./worker.js').Token[]} tokens
 * @param {import('./worker.js').Put[]} puts @param {{position: number, word: string}[]} words */
function tokensOf(tokens, puts, words) {
    const changed = [...tokens];
    for (const {position, word} of words) {
        const put = puts.find(made => made.position === position && made.word === word);
        if (!put) throw new CoreError('text', `there is no position ${position}; the text has ${tokens.length} tokens`);
        if (put.id < 0) {
            throw new CoreError('text', `'${word}' cannot stand in the place of one token: the vocabulary has ` +
                `${put.pieces.length > 1 ? `it as ${put.pieces.join(' ')}` : 'no such word'}; give a word that is one piece`);
        }
        changed[position] = {...tokens[position], id: put.id, piece: put.pieces[0]};
    }
    return changed;
}

/** @param {Engine} engine @returns {(text: string, textB: string, options: RunOptions) => Promise<Result>} */
function createRunner(engine) {
    /** @type {Promise<unknown>} */
    let last = Promise.resolve();
    /** The input that the engine has run last. @type {object | null} */
    let current = null;
    /** @template T @param {() => Promise<T>} work @returns {Promise<T>} */
    const inTurn = work => {
        const turn = last.then(work);
        last = turn.catch(() => {});
        return turn;
    };

    return (text, textB, {headsOff = [], words = [], precision, signal}) => {
        const input = {text, textB, words, precision, changes: headsOff.map(([layer, head]) => [CHANGE_HEAD, layer, head])};
        const run = async () => {
            current = null;
            const pass = await engine.run(input, {signal});
            current = input;
            return pass;
        };
        /** @template T @param {() => Promise<T>} ask */
        const read = ask => inTurn(async () => {
            if (current !== input) await run();
            return ask();
        });
        return inTurn(run).then(({tokens, puts, texts, dropped, nextSentence, milliseconds}) => ({
            tokens: tokensOf(tokens, puts, words), texts, dropped, nextSentence, milliseconds,
            attention: layer => read(() => engine.tensor('attention', layer)),
            tensor: (name, layer) => read(() => engine.tensor(name, layer)),
            study: (name, argument) => read(() => engine.study(name, argument)),
            fill: (position, k = 5) => read(() => engine.fill(position, k)),
        }));
    };
}

/** @param {Engine} engine closed when the model is, or cannot be loaded
 * @param {import('./files.js').ModelSource} source @param {import('../head-light').CommonOptions} options
 * @returns {Promise<Model>} */
export async function openModel(engine, source, options) {
    const info = await engine.load(source, options).catch(error => {
        engine.close();
        throw error;
    });
    const run = createRunner(engine);
    return {
        info,
        async run(text, textB = '', runOptions = {}) {
            if (typeof text !== 'string' || typeof textB !== 'string') {
                throw new TypeError(`run takes one or two texts, not ${typeof text} and ${typeof textB}`);
            }
            return run(text, textB, runOptions);
        },
        close: engine.close,
    };
}
