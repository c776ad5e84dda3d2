/* instantiate - fetches, compiles and starts headlight.wasm, and checks that it belongs to this
 * page. What its functions mean: wasm.js. Failures are Refusals, "engine: sentence". The files for
 * several threads have no memory of their own: threads.js gives them one.
 */

/** HL_VERSION of the header that worker/wasm.js was written for. */
export const VERSION = 16;

/** An error that was meant: its message is "category: sentence". */
export class Refusal extends Error {}

/**
 * The exported functions: ints, floats and pointers in and out.
 * @typedef {Record<string, (...args: number[]) => number> & {memory: WebAssembly.Memory}} Exports
 */

/** What a standalone module of Emscripten imports. It has no files, no clock and no end.
 * @param {WebAssembly.Memory} [memory] */
const createImports = memory => ({
    env: {emscripten_notify_memory_growth: () => {}, ...(memory && {memory})},
});

/** @param {unknown} error */
const reason = error => (error instanceof Error ? error.message : String(error));

/** A module of one function, i8x16.popcnt(i8x16.splat(0)): valid where there is SIMD. */
const SIMD = new Uint8Array([
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253,
    15, 253, 98, 11,
]);

/** A content security policy without 'wasm-unsafe-eval' forbids every module, also a good one. */
function isForbidden() {
    try {
        return WebAssembly.validate(SIMD) && !new WebAssembly.Module(SIMD);
    } catch {
        return true;
    }
}

/** @param {string} url */
async function fetchWasm(url) {
    let response;
    try {
        response = await fetch(url);
    } catch (error) {
        throw new Refusal(
            `engine: ${url} could not be reached (${reason(error)}); check the connection and reload the page`,
        );
    }
    if (!response.ok) {
        throw new Refusal(
            `engine: the server answered ${response.status} for ${url}; it must lie beside the page (make site)`,
        );
    }
    return response;
}

/** Why it cannot be compiled. @param {unknown} error @param {boolean} isFetched */
function refusalOf(error, isFetched) {
    if (isForbidden())
        return new Refusal(
            "engine: this page's content security policy does not allow WebAssembly; its server must " +
                "send script-src 'self' 'wasm-unsafe-eval' (and the hash of the script in the page)",
        );
    if (WebAssembly.validate(SIMD))
        return new Refusal(
            `engine: headlight.wasm is damaged or came incomplete (${reason(error)}); ` +
                (isFetched
                    ? 'reload the page, and if that fails, its server sends it cut off or changed'
                    : 'give the bytes of the file that came with this version'),
        );
    return new Refusal(
        `engine: this browser cannot use headlight.wasm (${reason(error)}); WebAssembly with SIMD is ` +
            'needed: Chrome 91, Firefox 89, Safari 16.4 or newer',
    );
}

/** Streams when the server names the right type, else takes the bytes: hosts often call .wasm
 * something else.
 * @param {string | BufferSource} source a URL, or the file's bytes */
export async function compile(source) {
    const lacking =
        typeof WebAssembly === 'undefined'
            ? 'WebAssembly, or it is off'
            : ![].at && 'Array.prototype.at';
    if (lacking)
        throw new Refusal(
            `engine: this browser has no ${lacking}; a browser of 2022 or newer is needed`,
        );
    const response = typeof source === 'string' ? await fetchWasm(source) : null;
    try {
        if (!response) return await WebAssembly.compile(/** @type {BufferSource} */ (source));
        if ((response.headers.get('content-type') ?? '').startsWith('application/wasm')) {
            return await WebAssembly.compileStreaming(response);
        }
        const bytes = new Uint8Array(await response.arrayBuffer());
        if (String.fromCharCode(...bytes.subarray(0, 4)) !== '\0asm') {
            throw new Refusal(
                `engine: ${source} is not WebAssembly; the server sends something else in its place, ` +
                    'perhaps a web page',
            );
        }
        return await WebAssembly.compile(bytes);
    } catch (error) {
        if (error instanceof Refusal) throw error;
        throw refusalOf(error, Boolean(response));
    }
}

/** In another thread: one more instance, on the memory of the first.
 * @param {WebAssembly.Module} module @param {WebAssembly.Memory} [memory]
 * @returns {Promise<Exports>} */
export async function instance(module, memory) {
    const {exports} = await WebAssembly.instantiate(module, createImports(memory));
    return /** @type {Exports} */ (memory ? {...exports, memory} : exports);
}

/** Starts and checks it. @param {WebAssembly.Module} module
 * @param {WebAssembly.Memory} [memory] for a file without its own */
export async function begin(module, memory) {
    let exports;
    try {
        exports = await instance(module, memory);
    } catch (error) {
        throw new Refusal(
            `engine: headlight.wasm could not be started (${reason(error)}); reload the page`,
        );
    }
    exports._initialize?.();
    const version = exports.hl_version?.();
    if (version !== VERSION) {
        throw new Refusal(
            `engine: headlight.wasm is of version ${version ?? 'unknown'} but this page needs version ${VERSION}; ` +
                'one of them is an old copy: take both from one package, or reload the page without the cache (Ctrl+Shift+R)',
        );
    }
    return exports;
}

/** Fetches (unless given its bytes), compiles, starts and checks headlight.wasm.
 * @param {string | BufferSource} source */
export const instantiate = async source => begin(await compile(source));
