/* wasm - the only module that sees linear memory: it turns headlight.h into functions on JavaScript values.
 * Nothing here knows of messages, files or the page. Memory may grow in any call, so a view on it is made for each
 * copy and never kept. What headlight.h reports as an error is thrown as a Refusal, "category: sentence"; any other
 * exception (a trap) means that the instance is no longer to be used.
 */

/** HL_VERSION of the header that this file was written for. */
export const VERSION = 3;
export const TEXT = Object.freeze({config: 0, tokenizerConfig: 1, vocab: 2, tokenizer: 3, index: 4});
export const STORE = Object.freeze({f32: 0, q8: 1});
const FINE = 0;
const NAME_FILE = 5;
const PIECE = 1 << 20;  // weights are copied in through a buffer of this many bytes

/** An error that was meant: its message is "category: sentence". */
export class Refusal extends Error {}

/**
 * The exported functions: ints, floats and pointers in and out.
 * @typedef {Record<string, (...args: number[]) => number> & {memory: WebAssembly.Memory}} Exports
 * @typedef {ReturnType<typeof createSession>} Session
 * @typedef {{sizes: number[], attention: Float32Array, columns: Int32Array}} Own   for hl_study_own: L, H, T; [L, H, T, T]; [3, T]
 * @typedef {{check: (value: number) => number, put: (...parts: Uint8Array[]) => number,
 *   buffer: (size: number) => number, string: (pointer: number) => string,
 *   floats: (pointer: number, count: number) => Float32Array,
 *   ints: (pointer: number, count: number) => Int32Array}} Memory   what createSession makes of the instance's memory
 */

/** What a standalone module of Emscripten imports. It has no files and no clock: each answers "not supported". */
function createImports() {
    const notSupported = () => 52;
    return {
        wasi_snapshot_preview1: {
            fd_write: notSupported, fd_seek: notSupported, fd_close: notSupported, fd_read: notSupported,
            proc_exit: (/** @type {number} */ code) => { throw new Error(`exit ${code}`); },
        },
        env: {emscripten_notify_memory_growth: () => {}},
    };
}

/** @param {Float32Array | Int32Array} array */
const bytesOf = ({buffer, byteOffset, byteLength}) => new Uint8Array(buffer, byteOffset, byteLength);

/** @param {unknown} error */
const reason = error => error instanceof Error ? error.message : String(error);

/** @param {string} url */
async function fetchWasm(url) {
    let response;
    try {
        response = await fetch(url);
    } catch (error) {
        throw new Refusal(`engine: ${url} could not be reached (${reason(error)}); check the connection and reload the page`);
    }
    if (!response.ok) {
        throw new Refusal(`engine: the server answered ${response.status} for ${url}; it must lie beside the page (make site)`);
    }
    return response;
}

/** Streams when the server names the right type, else takes the bytes: hosts often call .wasm something else.
 * @param {string | BufferSource} source a URL, or the file's bytes */
async function compile(source) {
    if (typeof WebAssembly === 'undefined') {
        throw new Refusal('engine: this browser has no WebAssembly, or it is off; a browser of 2022 or newer is needed');
    }
    const response = typeof source === 'string' ? await fetchWasm(source) : null;
    try {
        if (!response) return await WebAssembly.compile(/** @type {BufferSource} */ (source));
        if ((response.headers.get('content-type') ?? '').startsWith('application/wasm')) {
            return await WebAssembly.compileStreaming(response);
        }
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (String.fromCharCode(...bytes.subarray(0, 4)) !== '\0asm') {
            throw new Refusal(`engine: ${source} is not WebAssembly; the server sends something else in its place, ` +
                'perhaps a web page');
        }
        return await WebAssembly.compile(bytes);
    } catch (error) {
        if (error instanceof Refusal) throw error;
        throw new Refusal(`engine: this browser cannot use headlight.wasm (${reason(error)}); WebAssembly with SIMD is ` +
            'needed: Chrome 91, Firefox 89, Safari 16.4 or newer');
    }
}

/** Fetches (unless given its bytes), compiles and checks headlight.wasm. @param {string | BufferSource} source */
export async function instantiate(source) {
    const module = await compile(source);
    let exports;
    try {
        exports = /** @type {Exports} */ ((await WebAssembly.instantiate(module, createImports())).exports);
    } catch (error) {
        throw new Refusal(`engine: headlight.wasm could not be started (${reason(error)}); reload the page`);
    }
    exports._initialize?.();
    const version = exports.hl_version?.();
    if (version !== VERSION) {
        throw new Refusal(`engine: headlight.wasm is of version ${version ?? 'unknown'} but this page needs version ${VERSION}; ` +
            'one of them is an old copy: reload the page without the cache (Ctrl+Shift+R)');
    }
    return exports;
}

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
        return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
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
        ...loading(wasm, session, {check, put, string}),
        ...running(wasm, session, {check, put, ints}),
        ...reading(wasm, session, {check, put, buffer, string, floats, ints}),
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
        /** @param {number} store one of STORE */
        loadBegin: store => { check(wasm.hl_load_begin(session, store)); },
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
        describe: () => JSON.parse(string(check(wasm.hl_describe(session)))),
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
        dropped: sentence => wasm.hl_dropped(session, sentence),
        /** @param {number[][]} rows [kind, a, b, c] of headlight.h, for the runs that follow */
        change: rows => {
            const list = Int32Array.from(rows.flatMap(row => [0, 1, 2, 3].map(i => row[i] ?? 0)));
            check(wasm.hl_change(session, put(bytesOf(list)), rows.length));
        },
        /** Keeps the attention of the last run for studies that compare. */
        remember: () => { check(wasm.hl_remember(session)); },
        /** @param {number} keep bits of tensor ids */
        run: keep => { check(wasm.hl_run(session, FINE, keep)); },
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
            const ask = (/** @type {number} */ start, /** @type {number} */ out, /** @type {number} */ room) => check(own
                ? wasm.hl_study_own(session, start, start + bytes - 12, id, argument, out, room)
                : wasm.hl_study(session, id, argument, out, room));
            const size = ask(put(...parts), 0, 0);
            const start = put(...parts, new Uint8Array(4 * size));
            ask(start, start + bytes, size);
            return floats(start + bytes, size);
        },
    };
}
