/* crew - lets several threads share a forward pass: headlight-threads.wasm on a memory that workers
 * of this worker (member.js) have in common. Only where the page is cross-origin isolated. Members
 * come when they are ready and are not waited for; if anything fails there is no crew, and the
 * caller goes on with one thread as everywhere else.
 */
import {begin, compile} from './instantiate.js';

/** @typedef {{wasmUrl: string, relaxedUrl: string, memberUrl: string}} CrewUrls   relaxedUrl '':
 *     there is none */

const PAGES = 256; // 64 KiB each: what the file itself asks for
// 4 GB; what a phone does not set aside may still do with less
const LIMITS = [65536, 32768, 16384];
const MOST = 4; // threads; TEAM_MOST of the C side is 8

/** Members live as long as this worker. @type {Worker[]} */
const members = [];

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

/** @param {string} url @param {{module: WebAssembly.Module, memory: WebAssembly.Memory}} start */
function addMember(url, start) {
    try {
        const worker = new Worker(url, {type: 'module'});
        // it has not joined: nobody waits for it
        worker.onerror = event => event.preventDefault();
        worker.postMessage(start);
        members.push(worker);
    } catch {
        // one less
    }
}

/** @param {CrewUrls | undefined} urls @param {boolean} relaxed
 * @param {number} [threads] @returns {Promise<import('./instantiate.js').Exports | null>} */
export async function startCrew(
    urls,
    relaxed,
    threads = Math.min(MOST, globalThis.navigator?.hardwareConcurrency ?? 1),
) {
    if (!urls || !globalThis.crossOriginIsolated || threads < 2) return null;
    const memory = sharedMemory();
    if (!memory) return null;
    try {
        const module = await compile(relaxed ? urls.relaxedUrl : urls.wasmUrl);
        const exports = await begin(module, memory);
        for (let member = 1; member < threads; member++)
            addMember(urls.memberUrl, {module, memory});
        return exports;
    } catch {
        return null; // headlight.wasm may do, or say what is wrong
    }
}
