/* store - the state of one figure in a notebook, which no address holds, and the theme of the program
 * that shows the notebook, which a figure of theme `auto` follows.
 */
import {createShown} from '../session/shown.js';
import {defaults, update} from '../state/state.js';

/** @import {State} from '../state/state.js'
 * @typedef {ReturnType<typeof createStore>} Store */

/** What only a model that runs can show. */
const OF_MODEL = ['masked', 'replaced', 'off', 'zeroed', 'without', 'swapped', 'text', 'textB'];

/** @param {Partial<State>} initial @param {boolean} runs   false: there is attention, and no model */
export function createStore(initial, runs) {
    const {get, show, subscribe} = createShown(update(defaults, initial));
    return {
        get,
        set(/** @type {Partial<State>} */ patch) {
            const kept = Object.entries(patch).filter(([name]) => runs || !OF_MODEL.includes(name));
            const next = update(get(), Object.fromEntries(kept));
            if (next !== get()) show(next);
        },
        subscribe,
    };
}

/** JupyterLab, Notebook 7 and VS Code say on the body whether they are dark; else the system does. */
function hostTheme() {
    const {jpThemeLight, theme, vscodeThemeKind} = document.body.dataset;
    const said = vscodeThemeKind ?? theme ?? document.documentElement.dataset.theme ?? '';
    if (jpThemeLight) return jpThemeLight === 'false' ? 'dark' : 'light';
    if (/dark/.test(said)) return 'dark';
    if (/light/.test(said)) return 'light';
    return matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
}

/** 'light' or 'dark', by the figure's state and the host. @param {Store} store */
export const createTheme = store => ({
    get: () => (store.get().theme === 'auto' ? hostTheme() : store.get().theme),
    /** @param {() => void} listener */
    subscribe(listener) {
        const watch = new MutationObserver(listener);
        for (const element of [document.body, document.documentElement])
            watch.observe(element, {attributes: true});
        const media = matchMedia('(prefers-color-scheme: dark)');
        media.addEventListener('change', listener);
        const end = store.subscribe(listener);
        return () => {
            watch.disconnect();
            media.removeEventListener('change', listener);
            end();
        };
    },
});
