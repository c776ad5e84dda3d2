/* deep - measures for a view that the page's own engine lacks, since the file of a first visit has room for
 * a part of them. A second engine with all of them loads the model again, from the browser's cache, and runs
 * the text; it ends with the view. Fetched with the first such view.
 */
import {Computer} from './compute.js';
import {Loader} from './loader.js';

/**
 * @typedef {import('./session.js').Shown} Shown
 * @typedef {import('../worker/worker.js').Tensor} Tensor
 * @typedef {NonNullable<import('../views/view.js').View['deep']>} Deep
 */

/** @param {import('../app/boot.js').MakeEngine} makeEngine */
function start(makeEngine) {
    const engine = makeEngine({has: ''});
    return {engine, loader: new Loader(engine), computer: new Computer(engine)};
}

/** Adds what a view wants to what is shown of its text.
 * @param {import('../app/boot.js').MakeEngine} makeEngine @param {(patch: Partial<Shown>) => void} show
 * @param {() => Shown} shown */
export function createDeep(makeEngine, show, shown) {
    let own = /** @type {ReturnType<typeof start> | null} */ (null);
    /** @param {Deep | undefined} deep @param {import('../state/state.js').State} state
     * @param {import('../files/folder.js').ModelSource} source @param {AbortSignal} signal */
    return async (deep, state, source, signal) => {
        if (!deep) {
            own?.engine.close();
            own = null;
            return;
        }
        const {pass} = shown();
        const {loader, computer} = (own ??= start(makeEngine));
        const loaded = await loader.load(source, signal, () => computer.forget());
        const needs = deep(state, loaded.info, pass?.tokens ?? []);
        const onComputed = (/** @type {{tensors: Map<string, Tensor>}} */ {tensors}) => {
            if (pass === shown().pass) show({tensors: new Map([...shown().tensors, ...tensors])});
        };
        if (needs.length)
            await computer.compute(loaded, state, needs, {signal, onRun() {}, onComputed});
    };
}
