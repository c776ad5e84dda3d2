/* api - models and results as objects for programmers (the package `head-light`), on top of an
 * engine. A result can be read at any time: its worker knows its input until the result is garbage
 * or disposed of, and runs it again, with the same bits, where its tensors are gone. A model whose
 * worker has died is loaded again by the next use. Here the precision has its default, names are
 * turned into camelCase, and typed options into rows and arguments of headlight.h. What may be
 * asked: options.js; the types: head-light.d.ts.
 */
import {HeadlightError, stateError} from '../base/errors.js';
import {
    checkContinue,
    checkLens,
    checkList,
    checkLoad,
    checkIndexing,
    checkIntervene,
    checkMeasure,
    checkPredict,
    checkReading,
    checkQuestion,
    checkRun,
    checkSimilarity,
    checkTensor,
    checkText,
    checkTokenize,
} from './options.js';
import {buildIndex, openIndexes} from '../engine/indexes.js';
import {infoOf, stackOf, targetOf, tensorWant} from './kinds.js';
import {createInterventions} from '../session/interventions.js';
import {similarityOf, splitOf} from '../engine/similarity.js';
import {watched} from './progress.js';
import {tensorOf} from './tensor.js';

/**
 * @import {Model, ModelInfo, Result, RunOptions, Token} from './head-light'
 * @typedef {ReturnType<typeof import('../engine/engine.js').createEngine>} Engine
 * @import {Fill, Input, Want} from '../worker/passes.js'
 * @import {Change} from '../worker/wasm.js'
 * @import {Pass} from '../worker/worker.js'
 * @typedef {{info: ModelInfo, handle: () => Promise<number>}} Opened   handle: of the model, loaded
 *     again if its worker is gone
 */

const KEEP = ['attention']; // what most results are read for
const KEEP_TWO = [...KEEP, 'cross_attention'];
// older browsers and Node 18.0 have no such symbol; what is compiled for them asks for this one
const ASYNC_DISPOSE = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose');

/** A disposal under both names. @param {() => void} end */
const disposal = end => {
    const dispose = async () => end();
    return /** @type {{dispose: () => Promise<void>, [Symbol.asyncDispose]: () => Promise<void>}} */ ({
        dispose,
        [ASYNC_DISPOSE]: dispose,
    });
};

/** The keys of what headlight.h says, in the spelling of JavaScript: head_width -> headWidth.
 * @param {any} value @returns {any} */
function camel(value) {
    if (Array.isArray(value)) return value.map(camel);
    if (typeof value !== 'object' || value === null) return value;
    const rows = Object.entries(value).map(([key, of]) => [
        key.replace(/_([a-z])/g, (_, letter) => letter.toUpperCase()),
        camel(of),
    ]);
    return Object.fromEntries(rows);
}

/** @param {import('../worker/worker.js').Token} token @returns {Token} */
const tokenOf = ({piece, ...rest}) => ({token: piece, ...rest});

/** @param {import('../worker/two.js').Row} row @returns {import('./head-light').TargetToken} */
const rowOf = ({read, ...said}) => ({...tokenOf(said), read: {id: read.id, token: read.piece}});

/** The tokens with what was put in their place.
 * @param {Pass} facts @param {RunOptions} options */
function tokensOf({tokens, puts}, {replace = [], swap = []}) {
    const seen = tokens.map(tokenOf);
    for (const {position, with: other} of swap)
        if (Math.max(position, other) >= tokens.length)
            throw stateError(
                `positions ${position} and ${other} cannot be swapped: the text has ${tokens.length} tokens`,
            );
    for (const {position, token} of replace) {
        const put = puts.find(made => made.position === position && made.word === token);
        if (!put)
            throw new HeadlightError(
                'text',
                `there is no position ${position}; the text has ${tokens.length} tokens`,
            );
        if (put.id < 0) {
            throw new HeadlightError(
                'text',
                `'${token}' cannot take the place of one token: the vocabulary has ` +
                    `${put.pieces.length > 1 ? `it as ${put.pieces.join(' ')}` : 'no such token'}; give a single token`,
            );
        }
        seen[position] = {...seen[position], id: put.id, token: put.pieces[0]};
    }
    return seen;
}

/** What changes inside the model, as rows of hl_change. @param {RunOptions} options
 * @returns {Change[]} */
const changesOf = ({
    ablate = [],
    ablateMlps = [],
    swap = [],
    positions = true,
    types = true,
    patch,
}) => [
    ...ablate.map(
        ({layer, head, neuron}) =>
            /** @type {Change} */ (
                neuron === undefined ? ['head', layer, head] : ['neuron', layer, head, neuron]
            ),
    ),
    ...ablateMlps.map(layer => /** @type {Change} */ (['mlp', layer])),
    ...swap.map(({position, with: other}) => /** @type {Change} */ (['swap', position, other])),
    ...(patch?.tokens ?? []).map(
        ({layer, position}) => /** @type {Change} */ (['patch_token', layer, position]),
    ),
    ...(patch?.heads ?? []).map(
        ({layer, head}) => /** @type {Change} */ (['patch_head', layer, head]),
    ),
    ...(positions ? [] : [/** @type {Change} */ (['no_positions'])]),
    ...(types ? [] : [/** @type {Change} */ (['no_types'])]),
];

/** @param {NonNullable<RunOptions['patch']>} patch */
const sourceOf = ({text, pair = '', from}) => ({text, textB: pair, from});

/** @param {string} text @param {RunOptions} options @returns {Input} */
const inputOf = (text, options) => ({
    text,
    textB: options.pair ?? '',
    words: (options.replace ?? []).map(({position, token}) => ({position, word: token})),
    precision: options.precision ?? 'usual',
    changes: changesOf(options),
    appended: options.appended ?? [],
    ...(options.patch && {source: sourceOf(options.patch)}),
    target: targetOf(options),
});

/** A measure with its arguments as a row of numbers.
 * @param {import('./head-light').MeasureRequest} request @param {ModelInfo} info
 * @param {number} count of tokens @returns {Want} */
function measureWant(request, info, count) {
    const {name, size = 0, layer = 0, head = 0, query = 0, key = 0, word = 0} = request;
    const {against = -1, hide = []} = request;
    const {arguments: names, compares} = checkMeasure(request, info, count);
    /** @type {Record<string, number>} */
    const numbers = {size, layer, head, query, key, word, against};
    numbers.without_special = Number(hide.includes('specials'));
    numbers.without_first = Number(hide.includes('first'));
    return {
        measure: name,
        args: names.map(one => numbers[one]),
        ...(compares && {against: /** @type {'plain'} */ ('plain')}),
    };
}

/** Once more where the worker has ended. @template T @param {() => Promise<T>} ask @returns {Promise<T>} */
const twice = ask =>
    ask().catch(error => {
        if (error.ended) return ask();
        throw error;
    });

/** The pass of an input, which is run again when its worker is gone. What is released when nobody
 * can read it any more lies in `handle`: it must not point back here. */
class Readable {
    /** @type {{pass: number}} */
    handle = {pass: 0};
    #engine;
    #opened;
    #input;
    #keep;

    /** @param {Engine} engine @param {Opened} opened @param {Input} input @param {string[]} keep */
    constructor(engine, opened, input, keep) {
        this.#engine = engine;
        this.#opened = opened;
        this.#input = input;
        this.#keep = keep;
    }

    /** @param {AbortSignal} [signal] @returns {Promise<Pass>} */
    run(signal) {
        return twice(() => this.#run(signal));
    }

    /** @param {AbortSignal} [signal] @returns {Promise<Pass>} */
    async #run(signal) {
        const model = await this.#opened.handle();
        const {pass, facts} = this.#engine.run(
            {model, input: this.#input, keep: this.#keep},
            {signal},
        );
        this.handle.pass = pass;
        return facts;
    }

    /** All in one message. @param {Want[]} want @param {{signal?: AbortSignal}} [options]
     * @returns {Promise<any[]>} */
    async read(want, {signal} = {}) {
        return twice(async () => {
            if (!this.#engine.holds(this.handle.pass)) await this.#run(signal);
            return Promise.all(this.#engine.read({pass: this.handle.pass, want}, {signal}).answers);
        });
    }

    dispose() {
        this.#engine.release(this.handle);
        this.handle.pass = 0;
    }
}

/** @param {import('../worker/passes.js').Guess} guess */
const predictionOf = ({id, piece, probability}) => ({id, token: piece, probability});

/** As the worker has it, a row a layer. @param {import('../worker/passes.js').Lens} lens
 * @param {number} layers @returns {import('./head-light').Lens} */
function lensOf({ids, pieces, probabilities, tops, words, ranks, shares}, layers) {
    const k = ids.length / layers;
    return {
        words: words.map((token, n) => ({id: tops[n], token})),
        layers: Array.from({length: layers}, (_, layer) => ({
            predictions: Array.from({length: k}, (_, n) => ({
                id: ids[layer * k + n],
                token: pieces[layer * k + n],
                probability: probabilities[layer * k + n],
            })),
            ranks: words.map((_, n) => ranks[layer * layers + n]),
            probabilities: words.map((_, n) => shares[layer * layers + n]),
        })),
    };
}

/** @param {Readable} readable @param {ModelInfo} info @param {number} count of tokens @param {Want} stack @returns {Result['lens']} */
const lensFrom =
    (readable, info, count, stack) =>
    async (
        /** @type {any} */ position,
        /** @type {{top?: number, signal?: any}} */ options = {},
    ) => {
        checkLens(position, options, count);
        const want = {lens: position, top: options.top ?? 5, ...stack};
        const [found] = await readable.read([want], options);
        const of = (/** @type {any} */ one) => lensOf(one, info.layers);
        return Array.isArray(found) ? found.map(of) : /** @type {any} */ (of(found));
    };

/** What a result can be asked. @param {Readable} readable @param {ModelInfo} info
 * @param {number} count of tokens @param {number} [rows] of the target
 * @returns {Pick<Result, 'attention' | 'tensor' | 'tensors' | 'measure' | 'measures' | 'predict' | 'lens'>} */
function readings(readable, info, count, rows = 0) {
    /** @type {Result['tensors']} */
    const tensors = async (requests, options = {}) => {
        checkReading('tensors', requests, options);
        const want = requests.map(({name, layer, kind, ...more}) => {
            checkTensor({name, layer, ...more}, infoOf(info, kind));
            return {...tensorWant(name, kind), layer};
        });
        return (await readable.read(want, options)).map(tensorOf);
    };
    /** @type {Result['measures']} */
    const measures = async (requests, options = {}) => {
        checkReading('measures', requests, options);
        const want = requests.map(({kind, ...request}) => {
            const of = infoOf(info, kind);
            const stack = stackOf(kind);
            return {...measureWant(request, of, kind ? rows : count), ...stack};
        });
        return (await readable.read(want, options)).map(tensorOf);
    };
    /** @type {Result['tensor']} */
    const tensor = async (name, layer, kind) => (await tensors([{name, layer, kind}]))[0];
    // what a model of two stacks says, its decoder says
    const said = rows ? {stack: /** @type {const} */ ('decoder')} : {};
    return {
        tensor,
        tensors,
        measures,
        attention: (layer, kind) => tensor('attention', layer, kind),
        measure: async (name, options = {}) => (await measures([{...options, name}]))[0],
        predict: async (positions = 'masks', options = {}) => {
            checkPredict(positions, options, rows || count);
            const want = {predictions: positions, top: options.top ?? 5, ...said};
            const [fills] = await readable.read([want], options);
            return /** @type {Fill[]} */ (fills).map(({index, words}) => ({
                position: index,
                predictions: words.map(predictionOf),
            }));
        },
        lens: lensFrom(readable, rows ? infoOf(info, 'decoder') : info, rows || count, said),
    };
}

/** @param {Engine} engine @param {Opened} opened
 * @returns {(text: string, options: RunOptions) => Promise<Result>} */
function createRunner(engine, opened) {
    const garbage = new FinalizationRegistry((/** @type {{pass: number}} */ handle) =>
        engine.release(handle),
    );
    return async (text, options) => {
        const keep = options.keep ?? (opened.info.second ? KEEP_TWO : KEEP);
        const readable = new Readable(engine, opened, inputOf(text, options), keep);
        const facts = await readable.run(options.signal);
        garbage.register(readable, readable.handle);
        const {texts, dropped, nextSentence, prediction, milliseconds, threads = 1} = facts;
        const tokens = tokensOf(facts, options);
        const target = facts.target?.map(rowOf) ?? null;
        return {
            tokens,
            target,
            texts,
            dropped,
            prediction: prediction ?? null,
            nextSentence: nextSentence && {follows: nextSentence[0], random: nextSentence[1]},
            milliseconds,
            threads,
            ...readings(readable, opened.info, tokens.length, target?.length),
            ...disposal(() => readable.dispose()),
        };
    };
}

/** Writes on, the most probable token each time; the run of all but the last of them is the result.
 * @param {ReturnType<typeof createRunner>} run @param {Opened} opened
 * @returns {Model['continue']} */
const createWriter =
    (run, {info}) =>
    async (text, options = {}) => {
        checkText('continue', text);
        const {tokens = 20, onToken, ...rest} = checkContinue(options, info);
        const appended = [...(rest.appended ?? [])];
        const written = [];
        for (;;) {
            const result = await run(text, {...rest, appended});
            const last = result.tokens.length - 1;
            if (written.length >= tokens || last + 1 >= info.positions) return {written, result};
            const [{predictions}] = await result.predict([last], {top: 1, signal: rest.signal});
            written.push(predictions[0]);
            onToken?.(predictions[0]);
            if (info.ends.includes(predictions[0].id)) return {written, result};
            appended.push(predictions[0].id);
            await result.dispose();
        }
    };

/** A model that is loaded again where its worker is gone. @param {Engine} engine
 * @param {import('../engine/engine.js').Loaded} loaded @param {() => Promise<import('../engine/engine.js').Loaded>} load
 * @param {() => boolean} isDisposed @returns {Opened} */
function openAgain(engine, loaded, load, isDisposed) {
    let coming = /** @type {Promise<number> | null} */ (null);
    const again = async () => {
        try {
            loaded = await load();
            return loaded.model;
        } finally {
            coming = null;
        }
    };
    return {
        info: camel(loaded.info),
        async handle() {
            if (isDisposed()) throw stateError('this model has been disposed of; load it again');
            return engine.holds(loaded.model) ? loaded.model : (coming ??= again());
        },
    };
}

/** What needs no result. @param {Engine} engine @param {Opened} opened
 * @returns {Pick<Model, 'tokenize' | 'similarity' | 'split' | 'intervene'>} */
const beside = (engine, opened) => ({
    ...intervening(engine, opened),
    tokenize: /** @type {Model['tokenize']} */ (
        async (/** @type {any} */ text, /** @type {any} */ options = {}) => {
            const list = checkList(text, options);
            for (const [one, of] of list ?? [[text, options]]) {
                checkText('tokenize', one);
                checkTokenize(of);
            }
            const of = async (
                /** @type {string} */ one,
                /** @type {any} */ {pair = '', signal},
            ) => {
                const model = await opened.handle();
                const tokens = await engine.tokenize({model, text: one, textB: pair}, {signal});
                return tokens.map(tokenOf);
            };
            return list ? Promise.all(list.map(one => of(...one))) : of(text, options);
        }
    ),
    async similarity(a, b, options = {}) {
        for (const text of [a, b]) checkText('similarity', text);
        checkSimilarity(options, opened.info);
        const {precision = 'usual', signal} = options;
        const model = await opened.handle();
        return similarityOf(
            {engine, model, kind: opened.info.similarity},
            [a, b],
            precision,
            signal,
        );
    },
    async split(a, b, options = {}) {
        for (const text of [a, b]) checkText('split', text);
        checkSimilarity(options, opened.info, 'split');
        const {precision = 'usual', signal} = options;
        const model = await opened.handle();
        return tensorOf(await splitOf({engine, model}, [a, b], precision, signal));
    },
});

/** @param {Engine} engine @param {Opened} opened @returns {Pick<Model, 'intervene'>} */
function intervening(engine, opened) {
    const ask = createInterventions(engine.link);
    return {
        intervene: /** @type {any} */ (
            async (
                /** @type {any} */ question,
                /** @type {any} */ text,
                /** @type {any} */ options = {},
            ) => {
                checkIntervene(question, text, options);
                const {csv = false, signal, onProgress} = options;
                const asked = {question: {...question, text}, settings: {csv}, signal, onProgress};
                const answer = await ask(await opened.handle(), asked);
                return csv ? answer : camel(JSON.parse(answer));
            }
        ),
    };
}

const ITEMS = 16; // of a corpus that are run in one message

/** An index as an object. @param {Engine} engine @param {import('../engine/indexes.js').Held} held
 * @param {Uint8Array} file @returns {import('./head-light').CorpusIndex} */
const indexOf = ({link, release}, {index, info}, file) => ({
    info: camel(info),
    save: async () => file.slice(),
    search: /** @type {any} */ (
        async (/** @type {any} */ question, {signal} = /** @type {any} */ ({})) => {
            checkQuestion(question);
            const answer = await link.call('indexAsk', {index, question}, {signal});
            return question.csv ? answer : camel(JSON.parse(answer));
        }
    ),
    ...disposal(() => release({model: index})),
});

/** Opens a file that `save` gave, and the one beside it. @param {Engine} engine @param {Uint8Array} file
 * @param {Uint8Array} [beside] @returns {Promise<import('./head-light').CorpusIndex>} */
export async function openIndex(engine, file, beside) {
    const end = () => engine.close();
    try {
        const [own] = await openIndexes(engine, beside ? [file, beside] : [file]);
        return {...indexOf(engine, own, file), ...disposal(end)};
    } catch (error) {
        end();
        throw error;
    }
}

/** @param {Engine} engine @param {Opened} opened @returns {Pick<Model, 'index'>} */
const indexing = (engine, opened) => ({
    async index(corpus, options = {}) {
        checkIndexing(corpus, options, opened.info);
        const {signal, onProgress, ...how} = options;
        const bytes = typeof corpus === 'string' ? new TextEncoder().encode(corpus) : corpus;
        const model = await opened.handle();
        await engine.link.call('corpus', {model, bytes});
        let done = 0;
        const onItems = (/** @type {number} */ count, /** @type {number} */ total) =>
            onProgress?.({done: (done += count), total});
        const file = await buildIndex(engine, model, how, {portion: ITEMS, signal, onItems});
        const [own] = await openIndexes(engine, [file]);
        return indexOf(engine, own, file);
    },
});

/** What came from the hub is kept in the browser's storage, beside all else. @param {Engine} engine
 * @param {import('../engine/engine.js').Loaded} loaded @param {string[]} warnings */
const keep = (engine, {model}, warnings) =>
    engine.keep({model}).catch(error => warnings.push(error.message));

/** @param {Engine} engine @param {import('../files/folder.js').ModelSource} source
 * @param {import('./head-light').CommonOptions} options @param {string} name */
async function begin(engine, source, options, name) {
    try {
        checkLoad(options);
        const watch = watched(options, name);
        const loaded = await engine.load(source, watch.options);
        watch.ready();
        return loaded;
    } catch (error) {
        engine.close();
        throw error;
    }
}

/** One text, or several one after the other. @param {ReturnType<typeof createRunner>} run
 * @param {Opened} opened */
const running = (run, opened) =>
    /** @type {Model['run']} */ (
        async (/** @type {any} */ text, /** @type {any} */ options = {}) => {
            const list = checkList(text, options);
            for (const [one, of] of list ?? [[text, options]]) {
                checkText('run', one);
                checkRun(of, opened.info);
            }
            if (!list) return run(text, options);
            const results = [];
            for (const [one, of] of list) results.push(await run(one, of));
            return results;
        }
    );

/** @param {Engine} engine closed when the model is disposed of, or cannot be loaded
 * @param {import('../files/folder.js').ModelSource} source
 * @param {import('./head-light').CommonOptions} options
 * @param {{name: string, keeps?: boolean}} how   name: as the program names it; keeps: in the browser
 * @returns {Promise<Model>} */
export async function openModel(engine, source, options, {name, keeps}) {
    let disposed = false;
    const loaded = await begin(engine, source, options, name);
    const opened = openAgain(
        engine,
        loaded,
        () => engine.load(source, {store: options.store, random: options.random}),
        () => disposed,
    );
    const {store = 'q8', random} = options;
    if (keeps && loaded.info.from?.place === 'hub' && store === 'q8' && !random)
        keep(engine, loaded, opened.info.warnings);
    const run = createRunner(engine, opened);
    return {
        info: opened.info,
        run: running(run, opened),
        continue: createWriter(run, opened),
        ...beside(engine, opened),
        ...indexing(engine, opened),
        ...disposal(() => {
            disposed = true;
            engine.close();
        }),
    };
}
