/* notebook - the script of figures in notebooks (the Python package head_light, python/): a module that
 * python/head_light/loader.js starts with the other parts of the bundle and that draws each output's
 * figure, or, as an anywidget, one that Python can read and change.
 */
import {createEngine, workerFromText} from './engine/engine.js';
import {draw, fail} from './notebook/draw.js';

/** @typedef {import('./notebook/draw.js').Parts} Parts */

let parts = /** @type {Parts | null} */ (null);

/** What the bundle has beside this script. @param {{worker: string, style: string, wasm: BufferSource}} given */
export function provide({worker, style, wasm}) {
    const makeWorker = workerFromText(worker);
    const makeEngine = () => createEngine({makeWorker, wasmBytes: wasm});
    let engine = /** @type {ReturnType<typeof makeEngine> | null} */ (null);
    parts = {style, makeEngine, shared: () => (engine ??= makeEngine())};
}

/** @param {string} text @returns {Uint8Array<ArrayBuffer>} */
function fromBase64(text) {
    const quick = /** @type {any} */ (Uint8Array).fromBase64; // browsers of 2025 and newer
    return quick
        ? quick.call(Uint8Array, text)
        : Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
}

/** The figure of an output: what it is stands there as JSON, its bytes as base64.
 * @param {HTMLElement} output */
export async function show(output) {
    const place = /** @type {HTMLElement} */ (output.querySelector('.head-light-place'));
    const [spec, data] = ['json', 'plain'].map(
        kind => output.querySelector(`script[data-head-light="${kind}"]`)?.textContent ?? '',
    );
    try {
        return await draw(
            place,
            JSON.parse(spec),
            fromBase64(data.trim()),
            /** @type {Parts} */ (parts),
        );
    } catch (error) {
        return fail(place, error);
    }
}

/** Fields that Python has as properties of a widget. */
const SHARED = ['view', 'layer', 'heads', 'token', 'theme'];

/** As an anywidget. @param {{model: any, el: HTMLElement}} widget @returns {Promise<() => void>} */
export async function render({model, el}) {
    const {buffer, byteOffset, byteLength} = model.get('_data');
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const spec = JSON.parse(model.get('_spec'));
    const drawn = await draw(el, spec, bytes, /** @type {Parts} */ (parts));
    const {store} = drawn;
    // set from Python before this was drawn
    store.set(Object.fromEntries(SHARED.map(name => [name, model.get(name)])));
    const told = SHARED.map(name => {
        const follow = () => store.set({[name]: model.get(name)});
        model.on(`change:${name}`, follow);
        return () => model.off(`change:${name}`, follow);
    });
    const end = store.subscribe(() => {
        const state = /** @type {Record<string, any>} */ (store.get());
        for (const name of SHARED) model.set(name, state[name]);
        model.save_changes();
    });
    return () => {
        for (const off of [...told, end]) off();
        drawn.close();
    };
}
