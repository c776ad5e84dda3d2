/* worker_load - a whole model folder goes into a session of this worker: files are fetched here, so that their bytes pass from the
 * network into the wasm's memory without a detour through the page. What load.js throws becomes a Refusal.
 */
import {parseError} from './errors.js';
import {STORED} from './fetch.js';
import {openFolder} from './files.js';
import {loadModel} from './load.js';
import {Refusal} from './wasm.js';

/**
 * @typedef {import('./files.js').ModelSource} ModelSource
 * @typedef {{source: ModelSource, store: 'q8' | 'f32', random?: import('./load.js').Random, slot?: number}} Wanted
 * @typedef {{signal: AbortSignal, report: import('./files.js').OnProgress}} Watch
 */

const REPORT_MS = 50;   // progress is told at most so often

/** @param {import('./files.js').OnProgress} report @returns {import('./files.js').OnProgress} */
function seldom(report) {
    let last = -Infinity;
    return progress => {
        const now = performance.now();
        if (now - last < REPORT_MS && progress.done !== progress.total) return;
        last = now;
        report(progress);
    };
}

/** @param {unknown} error */
function refused(error) {
    const {category, message, name} = /** @type {{category?: string, message: string, name: string}} */ (error);
    if (category) return new Refusal(`${category}: ${message}`);
    return name === 'AbortError' ? new Refusal(`state: ${message}`) : error;
}

/** @param {Wanted} wanted @param {(op: string, args: object) => Promise<any>} call an operation of this worker @param {Watch} watch
 * @returns {Promise<import('./worker.js').Model>} */
export async function loadFolder({source, slot, ...how}, call, {signal, report}) {
    const send = async (/** @type {string} */ op, /** @type {object} */ args) => {
        try {
            return await call(op, {...args, slot});
        } catch (error) {
            throw error instanceof Refusal ? parseError(error.message) : error;
        }
    };
    const load = () => loadModel(openFolder(source, {signal, onProgress: seldom(report)}), send, how);
    try {
        // A page that is left while it keeps a copy may leave a part of one (Firefox); it has been dropped, and the server has the whole.
        return await load().catch(error => `${error?.message}`.includes(STORED) ? load() : Promise.reject(error));
    } catch (error) {
        throw refused(error);
    }
}
