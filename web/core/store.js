/* store - holds the state, tells who asked, and keeps the address bar in step; the only module that touches
 * `location` and `history`. Writes are gathered: browsers refuse more than about 100 in 30 seconds, and a typed
 * letter is no step for the back button. A change of a field with `step` makes a new history entry.
 */
import {defaults, FIELDS, formatHash, parseHash, update} from './state.js';

/** @typedef {import('./state.js').State} State */

const WRITE_MS = 400;

/** @param {State} a @param {State} b */
const isStep = (a, b) => FIELDS.some(({step, name}) => {
    const key = /** @type {keyof State} */ (name);
    return step && a[key] !== b[key];
});

/** @param {{initial?: Partial<State>, browser?: Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>}} [options]
 *  initial: the store of a figure in someone's page: it starts from these values and leaves the address alone */
export function createStore({initial, browser = globalThis.window} = {}) {
    const useUrl = initial === undefined;
    let state = useUrl ? parseHash(browser.location.hash) : update(defaults, initial);
    let written = state;  // what the present history entry says
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    /** @type {Set<(state: State) => void>} */
    const listeners = new Set();

    const notify = () => { for (const listener of [...listeners]) listener(state); };

    function write() {
        timer = undefined;
        const hash = formatHash(state);
        if (hash === formatHash(written)) return;
        const method = isStep(state, written) ? 'pushState' : 'replaceState';
        written = state;
        const {pathname, search} = browser.location;
        try {
            browser.history[method](null, '', pathname + search + hash);
        } catch {
            // Frames without an origin of their own have no history to write; the state holds all the same.
        }
    }

    function onPopState() {
        clearTimeout(timer);
        timer = undefined;
        written = state = parseHash(browser.location.hash, state);
        notify();
    }

    if (useUrl) browser.addEventListener('popstate', onPopState);

    return {
        get: () => state,
        /** @param {Partial<State>} patch */
        set(patch) {
            const next = update(state, patch);
            if (next === state) return;
            state = next;
            if (useUrl) timer ??= setTimeout(write, WRITE_MS);
            notify();
        },
        /** @param {(state: State) => void} listener called after every change @returns {() => void} ends it */
        subscribe(listener) {
            listeners.add(listener);
            return () => { listeners.delete(listener); };
        },
        /** The address that shows the present state, also before it is in the address bar. */
        link: () => new URL(formatHash(state) || '#', browser.location.href).href,
        close() {
            clearTimeout(timer);
            if (useUrl) browser.removeEventListener('popstate', onPopState);
            listeners.clear();
        },
    };
}
