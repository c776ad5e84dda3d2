/* node - the package `head-light` in Node (18 or newer): the same functions as index.js, on the
 * engine of node_engine.js.
 */
import {openModel} from './api.js';
import {checkSource, checkSurroundings} from './options.js';
import {engineFor, folderOf} from './node_engine.js';

export {HeadlightError} from '../base/errors.js';

/** @type {import('./head-light').load} */
export async function load(source, options = {}) {
    checkSource(source);
    checkSurroundings(options);
    const {wasmUrl, wasmBytes, makeWorker, ...others} = options;
    const engine = await engineFor(/** @type {any} */ ({wasmUrl, wasmBytes, makeWorker}));
    return openModel(engine, await folderOf(source), others);
}
