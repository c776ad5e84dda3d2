/* wasm - the only module that sees linear memory: it turns headlight.h into functions on JavaScript
 * values. Nothing here knows of messages, files or the page. Memory may grow in any call, so a view
 * on it is made for each copy and never kept. What headlight.h reports as an error is thrown as a
 * Refusal, "category: sentence"; any other exception (a trap) means that the instance is no longer
 * to be used.
 */

import {INDEXES} from '../base/build.js';
import {Refusal} from './instantiate.js';

export {startThreads} from './threads.js';
export {canRelax} from './relaxed.js';
export {instantiate, Refusal, VERSION} from './instantiate.js';

/** What takes the small files of a model, a corpus, a part of a study. */
const LOADERS = Object.freeze({
    config: 'hl_load_config',
    generation: 'hl_load_generation',
    tokenizerConfig: 'hl_load_tokenizer_config',
    specialMap: 'hl_load_special_map',
    added: 'hl_load_added',
    merges: 'hl_load_merges',
    vocab: 'hl_load_vocab',
    pieces: 'hl_load_pieces',
    .../** @type {{source: 'hl_load_source_pieces', target: 'hl_load_target_pieces'}} */ (
        INDEXES && {source: 'hl_load_source_pieces', target: 'hl_load_target_pieces'}
    ),
    tokenizer: 'hl_load_tokenizer',
    modules: 'hl_load_modules',
    pooling: 'hl_load_pooling',
    sentence: 'hl_load_sentence',
    prompts: 'hl_load_prompts',
    index: 'hl_load_shards',
    corpus: 'hl_load_corpus',
    part: 'hl_study_merge',
});
const PIECE = 1 << 20; // weights are copied in through a buffer of this many bytes
const TOKEN = 6; // numbers of an hl_token
const MOST_PIECES = 64; // of a word, that are named where it is no single token

/**
 * @typedef {import('./instantiate.js').Exports} Exports
 * @typedef {ReturnType<typeof createCore>} Core
 * @typedef {ReturnType<typeof createPass>} Pass
 * @typedef {ReturnType<typeof createMemory>} Memory
 * @typedef {{pointer: number}} Held   a session, a pass or an index of this instance
 * @typedef {keyof typeof LOADERS} TextKind
 * @typedef {[kind: string, ...numbers: number[]]} Change   a row of hl_change, with the name that
 *     hl_constants gives its kind: ['head', layer, head]
 * @typedef {{sizes: number[], attention: Float32Array, columns: Int32Array, lengths?: Float32Array}} Attention   for
 *     hl_adopt: L, H, T; [L, H, T, T]; [3, T]; [L, H, T]
 * @typedef {{name: string, shape: string[], per_layer: boolean}} TensorInfo
 * @typedef {{name: string, shape: string[], arguments: string[], needs: string[], compares: boolean}} MeasureInfo
 * @typedef {{version: number, stores: Record<string, number>, precisions: Record<string, number>, changes:
 *     Record<string, number>, patterns: string[], tensors: TensorInfo[], measures: MeasureInfo[]}} Constants   of
 *     headlight.h
 */

/** @param {string} text */
export const utf8 = text => new TextEncoder().encode(text);

/** @param {Float32Array | Int32Array} array */
const bytesOf = ({buffer, byteOffset, byteLength}) =>
    new Uint8Array(buffer, byteOffset, byteLength);

/** @param {number[]} list */
export const int32 = list => bytesOf(Int32Array.from(list));

/** @param {Exports} wasm @param {number} pointer to text that ends with a 0 */
function readString(wasm, pointer) {
    const bytes = new Uint8Array(wasm.memory.buffer, pointer >>> 0);
    // a copy: decode takes no shared memory
    return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
}

/** @type {WeakMap<Exports, Constants>} */
const read = new WeakMap();

/** What is NULL for want of memory. @param {number} pointer */
function given(pointer) {
    if (pointer) return pointer >>> 0;
    throw new Refusal(
        'memory: there is not enough memory to start; close other pages and try again',
    );
}

/** The constants of headlight.h. @param {Exports} wasm @returns {Constants} */
export function constants(wasm) {
    const known = read.get(wasm) ?? JSON.parse(readString(wasm, given(wasm.hl_constants())));
    read.set(wasm, known);
    return known;
}

/** The number of a name among constants. @param {Record<string, number>} names @param {string} name
 * @param {string} what */
function numberOf(names, name, what) {
    if (Object.hasOwn(names, name)) return names[name];
    throw new Refusal(
        `state: there is no ${what} '${name}'; it is one of: ${Object.keys(names).join(', ')}`,
    );
}

/** UTF-16 index of each code point, and of the end: headlight.h counts code points.
 * @param {string} text */
export function utf16Offsets(text) {
    const offsets = [0];
    for (const codePoint of text) offsets.push(offsets[offsets.length - 1] + codePoint.length);
    return offsets;
}

/** Of functions for which 0 and NULL mean an error. @param {() => string} why as headlight.h says it */
const checked = why => (/** @type {number} */ value) => {
    if (value) return value;
    throw new Refusal(
        why() || 'state: headlight.wasm refused without saying why; please report this',
    );
};

/** Values from and to the instance's memory, by the buffer of a session. Pointers above 2 GB arrive as negative
 * numbers, hence >>>. @param {Exports} wasm @param {number} session */
export function createMemory(wasm, session) {
    const floats = (/** @type {number} */ pointer, /** @type {number} */ count) =>
        new Float32Array(wasm.memory.buffer, pointer >>> 0, count).slice();
    const ints = (/** @type {number} */ pointer, /** @type {number} */ count) =>
        new Int32Array(wasm.memory.buffer, pointer >>> 0, count).slice();
    const string = (/** @type {number} */ pointer) => readString(wasm, pointer);
    const check = checked(() => string(wasm.hl_error(session)));
    const done = (/** @type {number} */ value) => void check(value);
    /** Of functions that give -1 for an error. @param {number} count */
    const counted = count => check(count + 1) - 1;
    const buffer = (/** @type {number} */ size) => check(wasm.hl_buffer(session, size)) >>> 0;
    /** Copies byte arrays in, one after the other. @param {Uint8Array[]} parts */
    const put = (...parts) => {
        const start = buffer(parts.reduce((size, part) => size + part.length, 1));
        let at = start;
        for (const part of parts) {
            new Uint8Array(wasm.memory.buffer).set(part, at);
            at += part.length;
        }
        return start;
    };
    /** What is asked for its size first. @param {(out: number, size: number) => number} ask its size, with 0, 0 */
    const sized = ask => {
        const size = check(ask(0, 0));
        const out = buffer(4 * size);
        return floats(out, check(ask(out, size)));
    };
    /** A copy of bytes. @param {number} start @param {number} size @returns {Uint8Array<ArrayBuffer>} */
    const bytes = (start, size) => new Uint8Array(wasm.memory.buffer, start, size).slice();
    /** Copies a name in. @param {string} name */
    const named = name => put(utf8(`${name}\0`));
    /** Copies an object in, as JSON. @param {object} value @returns {[pointer: number, size: number]} */
    const json = value => {
        const text = utf8(JSON.stringify(value));
        return [put(text), text.length];
    };
    return {check, done, counted, put, named, json, buffer, sized, bytes, string, floats, ints};
}

/** Rows of hl_token. @param {Memory} memory @param {number} pointer NULL: an error, if there are any
 * @param {number} count
 * @returns {{id: number, type: number, from: number, to: number, sentence: number, word: number}[]} */
export function tokenRows({check, ints}, pointer, count) {
    const rows = count ? ints(check(pointer), count * TOKEN) : [];
    return Array.from({length: count}, (_, i) => {
        const [id, type, from, to, sentence, word] = rows.slice(i * TOKEN, (i + 1) * TOKEN);
        return {id, type, from, to, sentence, word};
    });
}

/** A core: one session of headlight.h as an object, with a function for each hl_ function that JavaScript uses.
 * @param {Exports} wasm */
export function createCore(wasm) {
    const session = given(wasm.hl_open());
    const memory = createMemory(wasm, session);
    return {
        pointer: session,
        ...loading(wasm, session, memory),
        ...loaded(wasm, session, memory),
        ...running(wasm, session, memory),
        ...studying(wasm, session, memory),
        .../** @type {ReturnType<typeof intervening>} */ (
            INDEXES && intervening(wasm, session, memory)
        ),
    };
}

/** @param {Exports} wasm @param {number} session
 * @param {Memory} memory */
function loading(wasm, session, {check, done, put, named, string}) {
    const store = (/** @type {string} */ name) => numberOf(constants(wasm).stores, name, 'store');
    return {
        /** @param {TextKind} kind @param {Uint8Array} bytes
         * @returns {number} for the index, the number of weight files */
        loadText: (kind, bytes) => {
            // the file with everything is asked then
            if (!wasm[LOADERS[kind]])
                throw new Refusal(`config: this file has no ${LOADERS[kind]}`);
            return check(wasm[LOADERS[kind]](session, put(bytes), bytes.length));
        },
        /** @param {number} file */
        fileName: file => string(check(wasm.hl_file(session, file))),
        /** @param {string} name of a store */
        loadBegin: name => done(wasm.hl_load_begin(session, store(name))),
        /** Of weights that saveBytes gave, beside the config that they came with. */
        loadSaved: () => done(wasm.hl_load_saved(session)),
        /** Random weights in the shape of the config, in the place of files.
         * @param {string} name of a store @param {number} [seed] */
        loadRandom: (name, seed = 1) => done(wasm.hl_load_random(session, store(name), seed)),
        /** Draws the weights of the layers of a loaded model anew. @param {number} [seed] */
        randomiseLayers: (seed = 1) => done(wasm.hl_randomise_layers(session, seed)),
        /** @param {number} file @param {number} size in bytes, -1 when not known */
        loadFile: (file, size) => done(wasm.hl_load_file(session, file, size)),
        /** @param {Uint8Array} bytes any number of them */
        loadBytes: bytes => {
            for (let at = 0; at < bytes.length; at += PIECE) {
                const piece = bytes.subarray(at, at + PIECE);
                check(wasm.hl_load_bytes(session, put(piece), piece.length));
            }
        },
        /** Of the file just begun. @param {string} sha256 */
        loadCheck: sha256 => done(wasm.hl_load_check(session, named(sha256))),
        loadEnd: () => done(wasm.hl_load_end(session)),
    };
}

/** A loaded model: its weights as one file, its description, its words. @param {Exports} wasm @param {number} session
 * @param {Memory} memory */
function loaded(wasm, session, {check, buffer, bytes, string}) {
    return {
        /** Begins to write the weights as one file. @returns {number} its bytes */
        saveBegin: () => check(Math.max(0, wasm.hl_save_begin(session, 0, 0))),
        /** Its next bytes, none at the end. @returns {Uint8Array<ArrayBuffer>} */
        saveBytes: () => {
            const start = buffer(PIECE);
            const size = wasm.hl_save_bytes(session, start, PIECE);
            if (!size && string(wasm.hl_error(session))) check(0);
            return bytes(start, size);
        },
        close: () => void wasm.hl_close(session),
        /** Bytes, of all sessions of the instance; it never shrinks. */
        memory: () => wasm.memory.buffer.byteLength,
        /** What hl_describe says, and of the constants what the model has. */
        describe: () => {
            const {tensors, ...model} = JSON.parse(string(check(wasm.hl_describe(session))));
            const {second} = model;
            const {patterns, measures, tensors: all} = constants(wasm);
            const of = (/** @type {string[]} */ names) =>
                all.filter(({name}) => names.includes(name));
            if (INDEXES && second) second.tensors = of(second.tensors ?? []);
            return {...model, tensors: of(tensors), patterns, measures};
        },
        constants: () => constants(wasm),
        /** A vocabulary entry as people read it. @param {number} id */
        tokenText: id => {
            // a vocabulary may have fewer entries than the model has rows
            const text = wasm.hl_token_shown(session, id);
            return text ? string(text) : `id ${id}`;
        },
    };
}

/** @param {Exports} wasm @param {number} session @param {Memory} memory */
function running(wasm, session, memory) {
    const {counted, put, ints} = memory;
    return {
        /** @param {string} textA @param {string | null} textB @returns {number} T */
        tokenize: (textA, textB, embeds = false) => {
            const [a, b] = [textA, textB ?? ''].map(utf8);
            const start = put(a, b);
            const sizeB = textB === null ? -1 : b.length;
            const limit = embeds ? -1 : 0;
            return counted(
                wasm.hl_tokenize(session, start, a.length, start + a.length, sizeB, limit),
            );
        },
        /** The rows of hl_tokens. */
        tokens: () => tokenRows(memory, wasm.hl_tokens(session), wasm.hl_token_count(session)),
        /** @param {number} sentence 0 or 1 */
        dropped: sentence => wasm.hl_dropped(session, sentence),
        /** How many layers can run now: while weights come, those that are whole. */
        layers: () => wasm.hl_layers_ready(session),
        /** How many threads share a run now. */
        threads: () => wasm.hl_threads(),
        /** Puts ids after the tokens. @param {number[]} ids @returns {number} T */
        append: ids => counted(wasm.hl_append(session, put(int32(ids)), ids.length)),
        /** The entry for a word, or, where there is none, the tokens that it is cut into: none or
         * several. @param {string} word @returns {number[]} */
        findWord: word => {
            const text = utf8(word);
            const start = put(new Uint8Array(4 * MOST_PIECES), text);
            const behind = start + 4 * MOST_PIECES;
            const found = counted(
                wasm.hl_find_word(session, behind, text.length, start, MOST_PIECES),
            );
            return [...ints(start, Math.min(found, MOST_PIECES))];
        },
        ...passing(wasm, session, memory),
    };
}

/** @param {Exports} wasm @param {number} session @param {Memory} memory */
function passing(wasm, session, memory) {
    const {check, put, named} = memory;
    return {
        /** For the runs that follow. @param {Change[]} rows */
        change: rows => {
            const number = (/** @type {string} */ kind) =>
                numberOf(constants(wasm).changes, kind, 'change');
            const list = rows.flatMap(([kind, a = 0, b = 0, c = 0]) => [number(kind), a, b, c]);
            check(wasm.hl_change(session, put(int32(list)), rows.length));
        },
        /** keep: names of tensors, ['*'] for all; over: a living pass whose place it takes. At most
         * two passes of a session live.
         * @param {{precision: string, keep: string[], over?: Pass | null}} how @returns {Pass} */
        run: ({precision, keep, over = null}) => {
            const names = named(keep.join(' '));
            const number = numberOf(constants(wasm).precisions, precision, 'precision');
            const pass = check(wasm.hl_run(session, number, names, over?.pointer ?? 0));
            return createPass(wasm, pass, memory);
        },
        /** Attention from elsewhere as a pass, which answers measures only. @param {Attention} given
         * @returns {Pass} */
        adopt: ({sizes, attention, columns, lengths}) => {
            const all = lengths ? [attention, columns, lengths] : [attention, columns];
            const start = put(...all.map(bytesOf));
            const after = start + attention.byteLength;
            const more = lengths && after + columns.byteLength;
            const pass = check(wasm.hl_adopt(session, ...sizes, start, after, more ?? 0));
            return createPass(wasm, pass, memory);
        },
    };
}

/** What the heads of a model say of a pass: words at masks, classes, spans. @param {Exports} wasm
 * @param {number} pointer @param {Memory} memory */
function answersOf(wasm, pointer, {check, buffer, sized, floats, ints}) {
    return {
        /** @param {number} position @param {number} k */
        predictions: (position, k) => {
            const out = buffer(8 * k);
            const found = check(wasm.hl_predict(pointer, position, k, out, out + 4 * k));
            return {ids: ints(out, found), probabilities: floats(out + 4 * k, found)};
        },
        /** The logit lens: after each layer the k most probable entries, and rank and probability of
         * those that come first after some layer. @param {number} position @param {number} k
         * @param {number} layers */
        lens: (position, k, layers) => {
            const [row, square] = [4 * layers * k, 4 * layers * layers];
            const ids = buffer(2 * row + 4 * layers + 2 * square);
            const tops = ids + 2 * row;
            const ranks = tops + 4 * layers;
            const found = check(
                wasm.hl_lens(pointer, position, k, ids, ids + row, tops, ranks, ranks + square),
            );
            return {
                ids: ints(ids, layers * k),
                probabilities: floats(ids + row, layers * k),
                tops: ints(tops, found),
                ranks: ints(ranks, layers * layers),
                shares: floats(ranks + square, layers * layers),
            };
        },
        nextSentence: () => {
            const out = buffer(8);
            check(wasm.hl_next_sentence(pointer, out));
            return [...floats(out, 2)];
        },
        classify: () => sized((out, size) => wasm.hl_classify(pointer, out, size)),
        /** The k best spans of tokens. @param {number} k */
        answers: k => {
            const out = buffer(12 * k);
            const found = check(wasm.hl_answers(pointer, k, out, out + 8 * k));
            return {spans: ints(out, 2 * found), probabilities: floats(out + 8 * k, found)};
        },
    };
}

/** @param {Exports} wasm @param {number} pointer @param {Memory} memory */
function measuring(wasm, pointer, {check, put, floats}) {
    /** @param {string} name @param {number[]} args as hl_constants names them
     * @param {Held | null} [before] for measures that compare @returns {Float32Array} */
    return (name, args = [], before = null) => {
        const asked = [int32(args), utf8(`${name}\0`)];
        const [other, count] = [before?.pointer ?? 0, args.length];
        const ask = (/** @type {[row: number, out: number, room: number]} */ ...[row, out, room]) =>
            check(wasm.hl_measure(pointer, other, row + 4 * count, row, count, out, room));
        const size = ask(put(...asked), 0, 0);
        const out = put(new Uint8Array(4 * size), ...asked);
        ask(out + 4 * size, out, size);
        return floats(out, size);
    };
}

/** A living pass; layer is 0 for a tensor that is not per layer. @param {Exports} wasm
 * @param {number} pointer @param {Memory} memory */
export function createPass(wasm, pointer, memory) {
    const {check, put, named, sized, floats, ints} = memory;
    /** @param {string} name @param {number} bytes before it */
    const withName = (name, bytes) => put(new Uint8Array(bytes), utf8(`${name}\0`));
    const shape = (/** @type {string} */ name) => {
        const out = withName(name, 16);
        return [...ints(out + 4, check(wasm.hl_shape(pointer, out + 16, out)))];
    };
    return {
        pointer,
        shape,
        tensor: (/** @type {string} */ name, /** @type {number} */ layer) => {
            const sizes = shape(name);
            const size = sizes.reduce((product, n) => product * n, 1);
            return {
                data: floats(check(wasm.hl_tensor(pointer, named(name), layer)), size),
                shape: sizes,
            };
        },
        ...answersOf(wasm, pointer, memory),
        measure: measuring(wasm, pointer, memory),
        /** What pairs of tokens add to the similarity of two texts, [T, T of the other].
         * @param {Held} other */
        split: other => sized((out, size) => wasm.hl_split(pointer, other.pointer, out, size)),
        /** Frees it; it answers nothing any more. */
        release: () => void wasm.hl_release(pointer),
    };
}

/** Interventions on one text, and patches: see headlight.h. @param {Exports} wasm @param {number} session @param {Memory} memory */
const intervening = (wasm, session, {check, done, put, json, string, ints}) => ({
    /** @param {object} question @returns {number} its steps */
    interveneBegin: question => {
        check(wasm.hl_intervention_begin(session, ...json(question)));
        const start = put(new Uint8Array(8));
        check(wasm.hl_intervention_state(session, start));
        return ints(start, 1)[0];
    },
    /** @param {number} first @param {number} count */
    interveneStep: (first, count) => done(wasm.hl_intervention_step(session, first, count)),
    /** JSON text, or a table. @param {object} settings */
    interveneAnswer: settings =>
        string(check(wasm.hl_intervention_answer(session, ...json(settings)))),
    interveneEnd: () => wasm.hl_intervention_end(session),
    /** What patches take from: the pass, which is released; from: for each token of the text to come, the
     * one that is taken, -1: none; null: its own. @param {Held} pass @param {number[] | null} from */
    patchFrom: (pass, from) => {
        const at = from ? put(int32(from)) : 0;
        check(wasm.hl_source(session, pass.pointer, at, from?.length ?? 0));
    },
});

/** Studies over a corpus, which comes by loadText('corpus', ...). @param {Exports} wasm @param {number} session
 * @param {Memory} memory */
const studying = (wasm, session, {check, done, put, json, string, ints}) => ({
    /** @param {object} options with study: its name @param {Held | null} other a session of this instance
     * @returns {{steps: number, items: number}} */
    studyBegin: (options, other = null) => {
        check(wasm.hl_study_begin(session, other?.pointer ?? 0, ...json(options)));
        const start = put(new Uint8Array(16));
        check(wasm.hl_study_state(session, start));
        const [steps, items] = ints(start, 2);
        return {steps, items};
    },
    /** @param {number} first @param {number} count */
    studyStep: (first, count) => done(wasm.hl_study_step(session, first, count)),
    /** The answer as JSON text. @param {object} [ask] */
    studyAnswer: (ask = {}) => string(check(wasm.hl_study_answer(session, ...json(ask)))),
});

/** An index of a corpus, which belongs to no session; it is built with one, and saved, or opened and
 * asked. @param {Exports} wasm the file with everything @param {number} session for its buffer */
export function createIndex(wasm, session) {
    const memory = createMemory(wasm, session);
    const index = wasm.hl_index_new() >>> 0;
    const check = checked(
        () =>
            (index && memory.string(wasm.hl_index_error(index))) ||
            'memory: there is not enough memory for an index',
    );
    const done = (/** @type {number} */ value) => void check(value);
    check(index);
    return {
        pointer: index,
        ...indexing(wasm, index, {...memory, check, done}),
        close: () => void wasm.hl_index_free(index),
    };
}

/** @param {Exports} wasm @param {number} index @param {Memory} memory */
const indexing = (wasm, index, {check, done, json, buffer, bytes, string}) => ({
    /** @param {Held} session of the model and the corpus @param {object} options @returns {number} items */
    begin: (session, options) =>
        check(wasm.hl_index_begin(index, session.pointer, ...json(options))),
    /** @param {number} first @param {number} count */
    step: (first, count) => done(wasm.hl_index_step(index, first, count)),
    /** @param {Held} part another index, which stays */
    add: part => done(wasm.hl_index_add(index, part.pointer)),
    /** The file. @returns {Uint8Array<ArrayBuffer>} */
    save: () => {
        const out = new Uint8Array(check(Math.max(0, wasm.hl_index_save_begin(index))));
        const start = buffer(PIECE);
        for (let at = 0, size = 0; at < out.length; at += size) {
            size = check(Math.max(0, wasm.hl_index_save_bytes(index, start, PIECE)));
            out.set(bytes(start, size), at);
        }
        return out;
    },
    /** @param {Uint8Array} file copied @returns {any} what it is of */
    open: file => {
        const start = check(wasm.hl_index_room(index, file.length)) >>> 0;
        new Uint8Array(wasm.memory.buffer).set(file, start);
        check(wasm.hl_index_open(index, start, file.length));
        return JSON.parse(string(check(wasm.hl_index_about(index))));
    },
    /** @param {Held} other another open index, which stays */
    beside: other => done(wasm.hl_index_beside(index, other.pointer)),
    /** @param {object} question @returns {string} JSON, or a table */
    ask: question => string(check(wasm.hl_index_ask(index, ...json(question)))),
});
