/* index - the package `head-light` for programmers, in the browser: load a model, run a text, read
 * its attention. The types are in head-light.d.ts. worker.js and headlight.wasm lie beside this
 * file and are named so that bundlers find them; where they do not, the options say where they are.
 * In Node, node.js takes the place of this file.
 */
import {openModel} from './api.js';
import {createEngine} from '../engine/engine.js';
import {checkSource, checkSurroundings} from './options.js';

export {HeadlightError} from '../base/errors.js';

/** @type {import('./head-light').load} */
export async function load(source, options = {}) {
    checkSource(source);
    checkSurroundings(options);
    const {workerUrl, wasmUrl, wasmBytes, makeWorker, ...others} = options;
    const wasm = wasmBytes
        ? {wasmBytes: /** @type {BufferSource} */ (wasmBytes)}
        : {wasmUrl: wasmUrl ?? new URL('./headlight.wasm', import.meta.url)};
    const engine = createEngine({
        ...wasm,
        ...(workerUrl && {workerUrl}),
        ...(makeWorker && {makeWorker}),
    });
    const folder =
        typeof source === 'string' || source instanceof URL
            ? {url: String(source)}
            : Array.isArray(source)
              ? {files: source}
              : source;
    return openModel(engine, folder, others);
}
