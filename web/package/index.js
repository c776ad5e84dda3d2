/* index - the package `head-light` for programmers, in the browser: load a model, run a text, read
 * its attention. The types are in head-light.d.ts. worker.js and headlight.wasm lie beside this
 * file and are named so that bundlers find them; where they do not, the options say where they are.
 * In Node, node.js takes the place of this file.
 */
import {openIndex as openFile, openModel} from './api.js';
import {HeadlightError} from '../base/errors.js';
import {createEngine} from '../engine/engine.js';
import {checkFile, checkSource, checkSurroundings, nameOf, sourceOf} from './options.js';

export {HeadlightError};

/** Where Vite's development server has put this script apart from its worker, its error says the
 * remedy. @param {HeadlightError} error */
function explained(error) {
    if (error.category !== 'engine' || !import.meta.url.includes('/.vite/')) return error;
    return new HeadlightError(
        'engine',
        `${error.message}; for vite dev, add optimizeDeps: {exclude: ['head-light']} to vite.config.js`,
    );
}

/** Several threads where the page is isolated and nothing lies elsewhere: the file for several is
 * another one. @param {import('./head-light').EngineOptions} options */
function engineOf({workerUrl, wasmUrl, wasmBytes, makeWorker, threads}) {
    const wasm = wasmBytes
        ? {wasmBytes: /** @type {BufferSource} */ (wasmBytes)}
        : {wasmUrl: wasmUrl ?? new URL('./headlight.wasm', import.meta.url)};
    const own = globalThis.crossOriginIsolated && !(wasmUrl ?? wasmBytes ?? makeWorker);
    return createEngine({
        ...wasm,
        ...(workerUrl && {workerUrl}),
        ...(makeWorker && {makeWorker}),
        ...(own && {
            threads: {
                wasmUrl: new URL('./headlight-threads.wasm', import.meta.url),
                helperUrl: new URL('./helper.js', import.meta.url),
                most: threads,
            },
        }),
    });
}

/** @type {import('./head-light').load} */
export async function load(source, options = {}) {
    checkSource(source);
    checkSurroundings(options);
    const {workerUrl, wasmUrl, wasmBytes, makeWorker, threads, ...others} = options;
    const engine = engineOf({workerUrl, wasmUrl, wasmBytes, makeWorker, threads});
    return openModel(engine, sourceOf(source), others, {name: nameOf(source), keeps: true}).catch(
        error => {
            throw explained(error);
        },
    );
}

/** @type {import('./head-light').openIndex} */
export async function openIndex(file, options = {}) {
    checkSurroundings(options);
    const {beside, ...surroundings} = options;
    for (const one of beside === undefined ? [file] : [file, beside]) checkFile(one);
    const engine = engineOf(surroundings);
    return openFile(engine, file, beside).catch(error => {
        throw explained(error);
    });
}
