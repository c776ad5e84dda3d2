/* begin - what a visit does first, before the page's other scripts are there: the state, the engine's worker, and the model that
 * the state asks for on its way. The rest of the page (start.js) goes on from here.
 */
import {createStore} from '../core/store.js';
import {Loader} from './loader.js';

/**
 * @typedef {import('./app.js').Menu} Menu
 * @typedef {(options?: {threads?: boolean}) => import('./app.js').Engine} MakeEngine   threads: several may share a pass
 * @typedef {Awaited<ReturnType<typeof begin>>} Begun
 */

/** '' is the first model of the menu; a name that is not in the menu is looked for beside the others. The same object for
 * the same model, so that a change can be seen by comparing. @param {Menu} menu @param {string} fallback */
function sources(menu, fallback) {
    /** @type {Map<string, import('../core/files.js').ModelSource>} */
    const made = new Map();
    return (/** @type {string} */ model) => {
        const id = model || menu[0]?.id || fallback;
        const source = made.get(id) ?? menu.find(entry => entry.id === id) ?? {url: `models/${id}/`};
        made.set(id, source);
        return source;
    };
}

/** @param {{makeEngine: MakeEngine, menu: Menu | Promise<Menu>, fallback: string}} parts   fallback: the
 *   model when the menu is empty */
export async function begin({makeEngine, menu: coming, fallback}) {
    const store = createStore();
    const engine = makeEngine({threads: true});
    engine.begin();
    const loader = new Loader(engine);
    const menu = await coming;
    const sourceOf = sources(menu, fallback);
    loader.begin(sourceOf(store.get().model));
    return {store, engine, loader, menu, sourceOf, makeEngine, fallback};
}
