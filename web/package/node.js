/* node - the package `head-light` in Node (18 or newer): the same functions as index.js, on the
 * engine of node_engine.js.
 */
import {openIndex as openFile, openModel} from './api.js';
import {checkFile, checkSource, checkSurroundings, nameOf} from './options.js';
import {engineFor, folderOf} from './node_engine.js';

export {HeadlightError} from '../base/errors.js';

/** @type {import('./head-light').load} */
export async function load(source, options = {}) {
    checkSource(source);
    checkSurroundings(options);
    const {wasmUrl, wasmBytes, makeWorker, threads, ...others} = options;
    const engine = await engineFor(/** @type {any} */ ({wasmUrl, wasmBytes, makeWorker, threads}));
    return openModel(engine, await folderOf(source), others, {name: nameOf(source)});
}

/** @type {import('./head-light').openIndex} */
export async function openIndex(file, options = {}) {
    checkSurroundings(options);
    const {beside, ...surroundings} = options;
    for (const one of beside === undefined ? [file] : [file, beside]) checkFile(one);
    const engine = await engineFor(/** @type {any} */ (surroundings));
    return openFile(engine, file, beside);
}
