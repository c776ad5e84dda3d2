/* worker_sessions - the sessions of one wasm instance in the worker: one that runs texts, and a second model's beside it.
 */
import {createSession, Refusal} from './wasm.js';

/** The sessions of one wasm instance, opened when first asked for: 0 is the one that runs texts. */
export function createSessions() {
    let wasm = /** @type {import('./wasm.js').Exports | null} */ (null);
    /** @type {Map<number, import('./wasm.js').Session>} */
    const opened = new Map();
    return {
        /** @param {import('./wasm.js').Exports} exports */
        start(exports) { wasm = exports; },
        session: (slot = 0) => {
            if (!wasm) throw new Refusal('state: the engine has not been started');
            const found = opened.get(slot) ?? createSession(wasm);
            opened.set(slot, found);
            return found;
        },
        /** @param {number} slot */
        drop(slot) {
            opened.get(slot)?.close();
            opened.delete(slot);
        },
    };
}
