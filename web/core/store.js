/* store - holds the state, tells who asked, and keeps the address bar in step; the only module that touches
 * `location` and `history`. Writes are gathered: browsers refuse more than about 100 in 30 seconds, and a typed
 * letter is no step for the back button. A change of a field with `step` makes a new history entry.
 */
import {defaults, FIELDS, formatHash, parseHash, update} from './state.js';

/**
 * @typedef {import('./state.js').State} State
 * @typedef {Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>} Browser
 */

const WRITE_MS = 400;

/** @param {State} a @param {State} b */
const isStep = (a, b) => FIELDS.some(({step, name}) => {
    const key = /** @type {keyof State} */ (name);
    return step && a[key] !== b[key];
});

/** The address bar as a place where a state is written, at most once in WRITE_MS.
 * @param {Browser} browser @param {State} written what the present history entry says */
function createAddress(browser, written) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let next = written;

    function write() {
        timer = undefined;
        const hash = formatHash(next);
        if (hash === formatHash(written)) return;
        const method = isStep(next, written) ? 'pushState' : 'replaceState';
        written = next;
        const {pathname, search} = browser.location;
        try {
            browser.history[method](null, '', pathname + search + hash);
        } catch {
            // Frames without an origin of their own have no history to write; the state holds all the same.
        }
    }

    return {
        /** @param {State} state */
        write(state) {
            next = state;
            timer ??= setTimeout(write, WRITE_MS);
        },
        /** The entry has changed from outside: what was still due is dropped. @param {State} state */
        moved(state) {
            clearTimeout(timer);
            timer = undefined;
            written = next = state;
        },
    };
}

/** @param {{initial?: Partial<State>, browser?: Browser}} [options]
 *  initial: the store of a figure in someone's page: it starts from these values and leaves the address alone */
export function createStore({initial, browser = globalThis.window} = {}) {
    const useUrl = initial === undefined;
    let state = useUrl ? parseHash(browser.location.hash) : update(defaults, initial);
    const address = useUrl ? createAddress(browser, state) : null;
    /** @type {Set<(state: State) => void>} */
    const listeners = new Set();

    const notify = () => { for (const listener of [...listeners]) listener(state); };
    const onPopState = () => {
        state = parseHash(browser.location.hash, state);
        address?.moved(state);
        notify();
    };
    if (useUrl) browser.addEventListener('popstate', onPopState);

    return {
        get: () => state,
        /** @param {Partial<State>} patch */
        set(patch) {
            const next = update(state, patch);
            if (next === state) return;
            state = next;
            address?.write(state);
            notify();
        },
        /** @param {(state: State) => void} listener called after every change @returns {() => void} ends it */
        subscribe(listener) {
            listeners.add(listener);
            return () => { listeners.delete(listener); };
        },
        /** The address that opens the page as it is now; '' for a figure. */
        link: () => useUrl ? browser.location.href.replace(/#.*$/s, '') + formatHash(state) : '',
        reload: () => browser.location.reload(),
        close() {
            address?.moved(state);
            if (useUrl) browser.removeEventListener('popstate', onPopState);
            listeners.clear();
        },
    };
}

const MOST_FIGURE = 4e6;   // characters of a figure in an address

/** What the address of embed.html says: the state, its theme, and a precomputed figure (precomputed.js) as base64url.
 * @param {Pick<Browser, 'location'>} browser */
export function readEmbed({location: {hash}} = globalThis.window) {
    const figure = hash.length < MOST_FIGURE ? /(?:^#|&)figure=([^&]*)/.exec(hash)?.[1] ?? '' : '';
    const rest = hash.replace(/(^#|&)figure=[^&]*/, '$1');
    const theme = /[#&]theme=(light|dark)(?:&|$)/.exec(rest)?.[1] ?? 'auto';
    return {figure, state: update(parseHash(rest), /** @type {Partial<State>} */ ({theme}))};
}
