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

/** What a server calls a script, '' where that is right or cannot be known. @param {string} url */
async function wrongType(url) {
    const answer = await fetch(url).catch(() => null);
    const type = answer?.ok ? (answer.headers.get('content-type') ?? 'nothing') : '';
    return /(java|ecma)script/.test(type) ? '' : type;
}

/** Where the worker's script is, '' where a bundler has moved it. @param {string | URL | undefined} given */
const workerOf = given =>
    given || /\/index\.js(\?|$)/.test(import.meta.url)
        ? String(given ?? import.meta.url.replace(/index\.js(\?.*)?$/, 'worker.js'))
        : '';

/** Why the worker could not be started, as far as that can be found out: Vite's development server has put this
 * script apart from it; a server does not call it a script. @param {HeadlightError} error
 * @param {string | URL | undefined} workerUrl */
async function explained(error, workerUrl) {
    if (error.category !== 'engine') return error;
    if (import.meta.url.includes('/.vite/'))
        return new HeadlightError(
            'engine',
            `${error.message}; for vite dev, add optimizeDeps: {exclude: ['head-light']} to vite.config.js`,
        );
    const url = /could not be started/.test(error.message) ? workerOf(workerUrl) : '';
    const type = url && (await wrongType(url));
    if (!type) return error;
    return new HeadlightError(
        'engine',
        `${url} is sent as ${type}, and browsers take modules as text/javascript only; set that type for .js on the server`,
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
        ...(!(wasmUrl ?? wasmBytes) && {
            two: () => ({
                ...(workerUrl && {workerUrl}),
                wasmUrl: new URL('./headlight-two.wasm', import.meta.url),
            }),
        }),
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
    const how = {name: nameOf(source), keeps: true};
    return openModel(engine, sourceOf(source), others, how).catch(async error => {
        throw await explained(error, workerUrl);
    });
}

/** @type {import('./head-light').openIndex} */
export async function openIndex(file, options = {}) {
    checkSurroundings(options);
    const {beside, ...surroundings} = options;
    for (const one of beside === undefined ? [file] : [file, beside]) checkFile(one);
    const engine = engineOf(surroundings);
    return openFile(engine, file, beside).catch(async error => {
        throw await explained(error, options.workerUrl);
    });
}
