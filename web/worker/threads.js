/* threads - lets several threads share a forward pass: headlight-threads.wasm on a memory that
 * workers of this worker (helper.js) have in common. Only where the page is cross-origin isolated,
 * and in Node, whose threads package/node_worker.js makes.
 * Helpers come when they are ready and are not waited for; if anything fails there are none, and
 * the caller goes on with one thread as everywhere else.
 */
import {begin, compile} from './instantiate.js';

/** @typedef {{wasmUrl: string | BufferSource, relaxedUrl: string | BufferSource, helperUrl: string,
 *     most?: number}} ThreadUrls   relaxedUrl '': there is none; most: threads, the worker's included
 * @typedef {(url: string) => Worker} MakeHelper */

const PAGES = 256; // 64 KiB each: what the file itself asks for
// 4 GB; what a phone does not set aside may still do with less
const LIMITS = [65536, 32768, 16384];
const MOST = 4; // threads; TEAM_MOST of the C side is 8

/** Helpers live as long as this worker. @type {Worker[]} */
const helpers = [];

/** @returns {WebAssembly.Memory | null} */
function sharedMemory() {
    for (const maximum of LIMITS) {
        try {
            return new WebAssembly.Memory({initial: PAGES, maximum, shared: true});
        } catch {
            // too much: less
        }
    }
    return null;
}

/** @type {MakeHelper} */
const moduleWorker = url => new Worker(url, {type: 'module'});

/** @param {() => Worker} make
 * @param {{module: WebAssembly.Module, memory: WebAssembly.Memory}} start */
function addHelper(make, start) {
    try {
        const worker = make();
        // it has not joined: nobody waits for it
        worker.onerror = event => event.preventDefault();
        worker.postMessage(start);
        helpers.push(worker);
    } catch {
        // one less
    }
}

/** @param {ThreadUrls | undefined} urls @param {boolean} relaxed @param {MakeHelper} [makeHelper] Node's
 * @returns {Promise<import('./instantiate.js').Exports | null>} */
export async function startThreads(urls, relaxed, makeHelper) {
    const {hardwareConcurrency: most = 1} = globalThis.navigator ?? {};
    const threads = urls?.most ?? Math.min(MOST, most);
    if (!urls || !(makeHelper ?? globalThis.crossOriginIsolated) || threads < 2) return null;
    const memory = sharedMemory();
    if (!memory) return null;
    try {
        const module = await compile(relaxed ? urls.relaxedUrl : urls.wasmUrl);
        const exports = await begin(module, memory);
        for (let helper = 1; helper < threads; helper++)
            addHelper(() => (makeHelper ?? moduleWorker)(urls.helperUrl), {module, memory});
        return exports;
    } catch {
        return null; // headlight.wasm may do, or say what is wrong
    }
}
