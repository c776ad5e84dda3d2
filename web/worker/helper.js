/* helper - the script of a thread that helps another one (threads.js) with its forward passes: it
 * gets a module and its memory, and computes what the C side (src/base/team.h) hands out until the
 * worker that made it ends.
 */
import {instance} from './instantiate.js';

/** @param {{module: WebAssembly.Module, memory: WebAssembly.Memory}} start */
export async function help({module, memory}) {
    const wasm = await instance(module, memory);
    try {
        wasm.hl_thread_join();
    } catch {
        wasm.hl_thread_lost(); // a trap: who waits for this thread must not wait for ever
    }
}

if ('WorkerGlobalScope' in globalThis)
    globalThis.onmessage = (/** @type {MessageEvent} */ {data}) => help(data);
