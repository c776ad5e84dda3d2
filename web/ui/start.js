/* start - puts the whole page together from its engines and a menu: the state, what is computed, and the tree in the document.
 * Where engines, menu and models come from is the entry's affair: a site (main.js), or the page itself (offline.js).
 */
import {h, render} from 'preact';
import {createStore} from '../core/store.js';
import {codeFor, loadWords} from '../text/languages.js';
import {App} from './app.js';
import {createSession} from './session.js';

/** @typedef {import('./app.js').Menu} Menu */

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

/** @typedef {(options?: {threads?: boolean}) => import('./app.js').Engine} MakeEngine   threads: several may share a pass */

/** @param {{makeEngine: MakeEngine, menu: Menu | Promise<Menu>, fallback: string,
 *   installer?: import('../core/install.js').Installer,
 *   first?: (state: import('../core/state.js').State, model: string) => Partial<import('./session.js').Shown>}} parts   fallback: the model when the menu is empty;
 *   first: what is shown before anything is computed, of a state and the id of its model */
export async function start({makeEngine, menu: coming, fallback, installer, first = () => ({})}) {
    const store = createStore();
    const [menu, words] = await Promise.all([coming, loadWords(codeFor([store.get().lang, ...navigator.languages]))]);
    const sourceOf = sources(menu, fallback);
    const session = createSession({engine: makeEngine({threads: true}), store, sourceOf,
        first: first(store.get(), store.get().model || menu[0]?.id || fallback)});
    store.subscribe(session.step);
    render(h(App, {store, session, menu, words, makeEngine, sourceOf, installer}), /** @type {Element} */ (document.getElementById('app')));
    session.step();
    return session;
}
