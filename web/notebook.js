/* notebook - the script of figures in notebooks (the Python package head_light, python/): a module that
 * python/head_light/loader.js starts with the other parts of the bundle and that draws each output's
 * figure, or, as an anywidget, one that Python can read and change.
 */
import {createEngine, workerFromText} from './engine/engine.js';
import {draw, fail} from './notebook/draw.js';

/** @import {Parts} from './notebook/draw.js' */

let parts = /** @type {Parts | null} */ (null);

/** What the bundle has beside this script. @param {{worker: string, style: string, wasm: BufferSource}} given */
export function provide({worker, style, wasm}) {
    const makeWorker = workerFromText(worker);
    const makeEngine = () => createEngine({makeWorker, wasmBytes: wasm});
    let engine = /** @type {ReturnType<typeof makeEngine> | null} */ (null);
    parts = {style, makeEngine, shared: () => (engine ??= makeEngine())};
}

/** @typedef {Awaited<ReturnType<typeof draw>>['store']} Store */

/** What figures side by side take from each other. */
const FOLLOWED = ['view', 'layer', 'heads', 'token', 'picked', 'side'];
/** The figures of one comparison that have been drawn. @type {WeakMap<Element, Store[]>} */
const pairs = new WeakMap();

/** Only what has changed: two layers of one model may be compared. @param {Store} store @param {Store} other */
function follow(store, other) {
    let before = /** @type {Record<string, any>} */ (store.get());
    store.subscribe(() => {
        const now = /** @type {Record<string, any>} */ (store.get());
        const changed = FOLLOWED.filter(name => now[name] !== before[name]);
        before = now;
        other.set(Object.fromEntries(changed.map(name => [name, now[name]])));
    });
}

/** A figure that stands beside another one. @param {Element} output @param {Store} store */
function pairUp(output, store) {
    const pair = output.closest('[data-head-light="pair"]');
    if (!pair) return;
    const others = pairs.get(pair) ?? [];
    pairs.set(pair, [...others, store]);
    for (const other of others) {
        follow(store, other);
        follow(other, store);
    }
}

/** The figure of an output: what it is stands there as JSON, its bytes as base64.
 * @param {HTMLElement} output @param {(base64: string) => Uint8Array<ArrayBuffer>} bytesOf */
export async function show(output, bytesOf) {
    const place = /** @type {HTMLElement} */ (output.querySelector('.head-light-place'));
    const [spec, data] = ['json', 'plain'].map(
        kind => output.querySelector(`script[data-head-light="${kind}"]`)?.textContent ?? '',
    );
    try {
        const drawn = await draw(
            place,
            JSON.parse(spec),
            bytesOf(data.trim()),
            /** @type {Parts} */ (parts),
        );
        pairUp(output, drawn.store);
        return drawn;
    } catch (error) {
        return fail(place, error);
    }
}

/** Fields that Python has as properties of a widget. */
const SHARED = ['view', 'layer', 'heads', 'token', 'side', 'theme'];

/** What Python sets; a token that it names is pinned. @param {Store} store @param {Record<string, any>} values */
function obey(store, values) {
    const {token} = values;
    const moved = token !== undefined && token !== store.get().token;
    store.set({...values, ...(moved && {picked: token < 0 ? [] : [token]})});
}

/** As an anywidget. @param {{model: any, el: HTMLElement}} widget @returns {Promise<() => void>} */
export async function render({model, el}) {
    const {buffer, byteOffset, byteLength} = model.get('_data');
    const bytes = new Uint8Array(buffer, byteOffset, byteLength);
    const spec = JSON.parse(model.get('_spec'));
    const drawn = await draw(el, spec, bytes, /** @type {Parts} */ (parts));
    const {store} = drawn;
    // set from Python before this was drawn
    obey(store, Object.fromEntries(SHARED.map(name => [name, model.get(name)])));
    const told = SHARED.map(name => {
        const take = () => obey(store, {[name]: model.get(name)});
        model.on(`change:${name}`, take);
        return () => model.off(`change:${name}`, take);
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
