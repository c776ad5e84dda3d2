/* ids - a session of a .wasm file with functions that tests call and the page does not: ids as they are, and a text
 * with a token taken out.
 */
import {createCore as createPlain, createMemory, int32} from '../../../web/worker/wasm.js';

/** @param {import('../../../web/worker/wasm.js').Exports} wasm */
export function createCore(wasm) {
    const core = createPlain(wasm);
    const {counted, put} = createMemory(wasm, core.pointer);
    return {
        ...core,
        /** @param {number[]} ids @param {number[] | null} types @returns {number} T */
        useIds: (ids, types) => {
            const start = put(int32(ids), int32(types ?? []));
            return counted(
                wasm.hl_use_ids(
                    core.pointer,
                    start,
                    types ? start + 4 * ids.length : 0,
                    ids.length,
                ),
            );
        },
        /** Takes a token out. @param {number} token @returns {number} T */
        remove: token => counted(wasm.hl_remove(core.pointer, token)),
    };
}
