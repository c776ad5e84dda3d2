/* wasm - the only module that sees linear memory: it turns headlight.h into functions on JavaScript values.
 * Nothing here knows of messages, files or the page. Memory may grow in any call, so a view on it is made for each
 * copy and never kept. What headlight.h reports as an error is thrown as a Refusal, "category: sentence"; any other
 * exception (a trap) means that the instance is no longer to be used.
 */

import {Refusal} from './instantiate.js';

export {startCrew} from './crew.js';
export {canRelax} from './relaxed.js';
export {instantiate, Refusal, VERSION} from './instantiate.js';

export const TEXT = Object.freeze({config: 0, tokenizerConfig: 1, vocab: 2, tokenizer: 3, index: 4, corpus: 5, part: 6});
const [DROPPED, THREADS, RANDOM, RANDOM_LAYERS] = [16, 19, 256, 512];  // HL_SIZE_DROPPED_A, HL_SIZE_THREADS, HL_RANDOM ...
export const STORE = Object.freeze({f32: 0, q8: 1});
export const PRECISION = Object.freeze({fine: 0, fast: 1});
const NAME_FILE = 5;
const PIECE = 1 << 20;  // weights are copied in through a buffer of this many bytes

/**
 * @typedef {import('./instantiate.js').Exports} Exports
 * @typedef {ReturnType<typeof createSession>} Session
 * @typedef {{sizes: number[], attention: Float32Array, columns: Int32Array}} Own   for hl_measure: L, H, T; [L, H, T, T]; [3, T]
 * @typedef {{check: (value: number) => number, put: (...parts: Uint8Array[]) => number,
 *   buffer: (size: number) => number, string: (pointer: number) => string,
 *   floats: (pointer: number, count: number) => Float32Array,
 *   ints: (pointer: number, count: number) => Int32Array}} Memory   what createSession makes of the instance's memory
 */

/** @param {Float32Array | Int32Array} array */
const bytesOf = ({buffer, byteOffset, byteLength}) => new Uint8Array(buffer, byteOffset, byteLength);

/** UTF-16 index of each code point, and of the end: headlight.h counts code points. @param {string} text */
export function utf16Offsets(text) {
    const offsets = [0];
    for (const codePoint of text) offsets.push(offsets[offsets.length - 1] + codePoint.length);
    return offsets;
}

/** One session as an object with a function for each hl_ function that JavaScript uses.
 * @param {Exports} wasm */
export function createSession(wasm) {
    const session = wasm.hl_open() >>> 0;
    if (!session) throw new Refusal('memory: there is not enough memory to start; close other pages and try again');

    /** Pointers above 2 GB arrive as negative numbers, hence >>> here and below. @type {Memory['floats']} */
    const floats = (pointer, count) => new Float32Array(wasm.memory.buffer, pointer >>> 0, count).slice();
    /** @type {Memory['ints']} */
    const ints = (pointer, count) => new Int32Array(wasm.memory.buffer, pointer >>> 0, count).slice();
    /** @param {number} pointer */
    const string = pointer => {
        const bytes = new Uint8Array(wasm.memory.buffer, pointer >>> 0);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));   // a copy: decode takes no shared memory
    };
    /** 0 and NULL mean an error. @param {number} value */
    const check = value => {
        if (value) return value;
        throw new Refusal(string(wasm.hl_error(session)) ||
            'state: headlight.wasm refused without saying why; please report this');
    };
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

    return {
        pointer: session,
        ...loading(wasm, session, {check, put, string}),
        ...running(wasm, session, {check, put, ints}),
        ...reading(wasm, session, {check, put, buffer, string, floats, ints}),
        ...studying(wasm, session, {check, put, string}),
    };
}

/** @param {Exports} wasm @param {number} session
 * @param {Pick<Memory, 'check' | 'put' | 'string'>} memory */
function loading(wasm, session, {check, put, string}) {
    return {
        /** @param {number} kind one of TEXT @param {Uint8Array} bytes
         * @returns {number} for the index, the number of weight files */
        loadText: (kind, bytes) => check(wasm.hl_load_text(session, kind, put(bytes), bytes.length)),
        /** @param {number} file */
        shardName: file => string(check(wasm.hl_name(session, NAME_FILE, file))),
        /** @param {number} store one of STORE @param {boolean} [randomLayers] the layers' weights are drawn once all have been read */
        loadBegin: (store, randomLayers = false) => { check(wasm.hl_load_begin(session, store | (randomLayers ? RANDOM_LAYERS : 0))); },
        /** Random weights in the shape of the config, in the place of files. @param {number} store one of STORE */
        loadRandom: store => {
            check(wasm.hl_load_begin(session, store | RANDOM));
            check(wasm.hl_load_end(session));
        },
        /** @param {number} file @param {number} size in bytes, -1 when not known */
        loadFile: (file, size) => { check(wasm.hl_load_file(session, file, size)); },
        /** @param {Uint8Array} bytes any number of them */
        loadBytes: bytes => {
            for (let at = 0; at < bytes.length; at += PIECE) {
                const piece = bytes.subarray(at, at + PIECE);
                check(wasm.hl_load_bytes(session, put(piece), piece.length));
            }
        },
        loadEnd: () => { check(wasm.hl_load_end(session)); },
        close: () => { wasm.hl_close(session); },
        /** Bytes, of all sessions of the instance; it never shrinks. */
        memory: () => wasm.memory.buffer.byteLength,
        describe: () => JSON.parse(string(check(wasm.hl_describe(session, 0)))),
        /** @param {number} id */
        piece: id => {
            const piece = wasm.hl_piece(session, id);  // a vocabulary may have fewer pieces than the model has rows
            return piece ? string(piece) : `id ${id}`;
        },
    };
}

/** @param {Exports} wasm @param {number} session
 * @param {Pick<Memory, 'check' | 'put' | 'ints'>} memory */
function running(wasm, session, {check, put, ints}) {
    return {
        /** @param {string} textA @param {string | null} textB @returns {number} T */
        tokenize: (textA, textB) => {
            const [a, b] = [textA, textB ?? ''].map(text => new TextEncoder().encode(text));
            const start = put(a, b);
            const sizeB = textB === null ? -1 : b.length;
            return check(wasm.hl_tokenize(session, start, a.length, start + a.length, sizeB));
        },
        /** @param {number[]} ids @param {number[] | null} types @returns {number} T */
        setIds: (ids, types) => {
            const start = put(...[ids, types ?? []].map(list => bytesOf(Int32Array.from(list))));
            return check(wasm.hl_set_ids(session, start, types ? start + 4 * ids.length : 0, ids.length));
        },
        /** @param {number} count T @returns {Int32Array} [T, 6]: id, type, from, to, sentence, word */
        tokens: count => ints(check(wasm.hl_tokens(session)), count * 6),
        /** @param {number} sentence 0 or 1 */
        dropped: sentence => wasm.hl_size(session, DROPPED + sentence),
        /** How many share a run now. */
        threads: () => wasm.hl_size(session, THREADS),
        /** @param {number[][]} rows [kind, a, b, c] of headlight.h, for the runs that follow */
        change: rows => {
            const list = Int32Array.from(rows.flatMap(row => [0, 1, 2, 3].map(i => row[i] ?? 0)));
            check(wasm.hl_change(session, put(bytesOf(list)), rows.length));
        },
        /** Keeps the attention of the last run for studies that compare. */
        remember: () => { check(wasm.hl_remember(session)); },
        /** @param {number} keep bits of tensor ids @param {keyof typeof PRECISION} [precision] */
        run: (keep, precision = 'fine') => { check(wasm.hl_run(session, PRECISION[precision], keep)); },
    };
}

/** @param {Exports} wasm @param {number} session
 * @param {Memory} memory */
function reading(wasm, session, {check, put, buffer, floats, ints}) {
    return {
        /** @param {number} id @returns {number[]} the sizes of one layer of this tensor */
        shape: id => {
            const out = buffer(16);
            const rank = check(wasm.hl_shape(session, id, out));
            return [...ints(out + 4, rank)];
        },
        /** @param {number} id @param {number} layer @param {number} count of floats */
        tensor: (id, layer, count) => floats(check(wasm.hl_tensor(session, id, layer)), count),
        /** @param {number} position @param {number} k */
        fill: (position, k) => {
            const out = buffer(8 * k);
            const found = check(wasm.hl_fill(session, position, k, out, out + 4 * k));
            return {ids: ints(out, found), probabilities: floats(out + 4 * k, found)};
        },
        nextSentence: () => {
            const out = buffer(8);
            check(wasm.hl_next_sentence(session, out));
            return [...floats(out, 2)];
        },
        /** Of the last run, or of attention from elsewhere.
         * @param {number} id @param {number} argument @param {Own} [own] */
        study: (id, argument, own) => {
            const parts = own ? [own.attention, own.columns, Int32Array.from(own.sizes)].map(bytesOf) : [];
            const bytes = parts.reduce((sum, part) => sum + part.length, 0);
            const ask = (/** @type {number} */ start, /** @type {number} */ out, /** @type {number} */ room) => check(
                wasm.hl_measure(session, own ? start : 0, own ? start + bytes - 12 : 0, id, argument, out, room));
            const size = ask(put(...parts), 0, 0);
            const start = put(...parts, new Uint8Array(4 * size));
            ask(start, start + bytes, size);
            return floats(start + bytes, size);
        },
    };
}

/** Studies over a corpus, which comes by loadText(TEXT.corpus, ...). @param {Exports} wasm @param {number} session
 * @param {Pick<Memory, 'check' | 'put' | 'string'>} memory */
function studying(wasm, session, {check, put, string}) {
    const bytes = (/** @type {object} */ value) => new TextEncoder().encode(JSON.stringify(value));
    return {
        /** @param {object} options with study: its name @param {{pointer: number} | null} other a session of this instance */
        studyBegin: (options, other = null) => {
            const given = bytes(options);
            check(wasm.hl_study_begin(session, other?.pointer ?? 0, put(given), given.length));
        },
        /** @param {number} first @param {number} count */
        studyStep: (first, count) => { check(wasm.hl_study_step(session, first, count)); },
        /** The answer as JSON text. @param {object} [ask] @returns {string} */
        studyAnswer: (ask = {}) => {
            const given = bytes(ask);
            return string(check(wasm.hl_study_answer(session, put(given), given.length)));
        },
    };
}
