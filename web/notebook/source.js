/* source - attention that a notebook has sent, as what a figure shows in the form of session/session.js.
 */
import {loadView} from '../views/index.js';
import {openAttention} from '../session/attention.js';
import {createShown, NOTHING} from '../session/shown.js';

/**
 * @import {Model} from '../worker/worker.js'
 * @typedef {import('../session/attention.js').Engine} Engine
 * @typedef {{get: () => import('../state/state.js').State, subscribe: (listener: () => void) => () => void}} Store
 */

/** What a figure of a file shows, in the form of session/session.js: it follows the state, and what is on
 * the page stays until its successor is there.
 * @param {File} file @param {Engine} engine @param {Store} store */
export async function openSource(file, engine, store) {
    const source = await openAttention(file, engine, false); // Python has looked at the weights
    const {get, show, subscribe} = createShown(NOTHING);
    let latest = 0;
    const step = async () => {
        const now = ++latest;
        const state = store.get();
        try {
            const view = await loadView(state.view);
            const needsOf = (/** @type {Model} */ model) => view.needs(state, model);
            const computed = await source.compute(state, needsOf);
            if (now !== latest) return;
            show({...computed, problem: null});
            const later = view.later?.(state, computed.model) ?? [];
            if (!later.length) return;
            const all = await source.compute(state, model => [...needsOf(model), ...later]);
            if (now === latest) show({...all, missing: computed.missing});
        } catch (error) {
            if (now === latest) show({problem: /** @type {Error} */ (error)});
        }
    };
    const end = store.subscribe(step);
    return {
        ...{get, subscribe, step, layers: source.layers, views: source.views},
        dismiss: () => show({problem: null}),
        close() {
            end();
            source.close();
        },
    };
}
