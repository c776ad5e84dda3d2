/* store - holds the state, tells its subscribers, and keeps the address bar in step; the only
 * module that touches `location` and `history`. Writes are gathered: browsers refuse more than
 * about 100 in 30 seconds. A change of a field with `step` makes a new history entry, and so does a
 * text, which is in the state once it is shown.
 *
 * What comes later than it was asked for (a lesson's step, a search, a view's first numbers) says
 * when that was: what has been chosen since stays, and what comes of itself is no step.
 */
import {defaults, FIELDS, formatHash, parseHash, refusedModel, update, VERSION} from './state.js';

/**
 * @import {State} from './state.js'
 * @typedef {Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>}
 *     Browser
 */

const WRITE_MS = 400;

/** Each that is shown is a step, also where several come at once. */
const TEXTS = /** @type {const} */ (['text', 'textB', 'patch']);
/** @type {(a: State, b: State) => boolean} */
const isText = (a, b) => TEXTS.some(name => a[name] !== b[name]);

/** @param {State} a @param {State} b */
const isStep = (a, b) =>
    isText(a, b) ||
    FIELDS.some(({step, name}) => {
        const key = /** @type {keyof State} */ (name);
        return step && a[key] !== b[key];
    });

const HEADS = ['layer', 'heads'];
const PINNED = ['token', 'picked', 'side'];

/** Which fields have been chosen, and when, by performance.now(). */
function createChoices() {
    /** @type {Record<string, number>} */
    const at = {};
    let moved = -1; // the way back chooses all
    return {
        moved() {
            moved = performance.now();
        },
        /** A patch without what has been chosen since it was asked for. Layer and heads are chosen together, and
         * tokens are of their text.
         * @param {State} state @param {Partial<State>} patch @param {number} asked @returns {Partial<State>} */
        late({text, textB}, patch, asked) {
            const since = (/** @type {string} */ name) => Math.max(moved, at[name] ?? -1) > asked;
            const isNew =
                !since('text') &&
                String([patch.text ?? text, patch.textB ?? textB]) !== String([text, textB]);
            const ofText = since('text') || (!isNew && PINNED.some(since));
            const stays = (/** @type {string} */ name) =>
                PINNED.includes(name)
                    ? ofText
                    : HEADS.includes(name)
                      ? HEADS.some(since)
                      : since(name === 'textB' ? 'text' : name);
            return Object.fromEntries(Object.entries(patch).filter(([name]) => !stays(name)));
        },
        /** What is set of a patch, which is a choice unless it comes of itself.
         * @param {State} state @param {Partial<State>} patch @param {number | undefined} asked @param {boolean} chosen */
        take(state, patch, asked, chosen) {
            const fits = asked === undefined ? patch : this.late(state, patch, asked);
            for (const name of chosen ? Object.keys(fits) : []) at[name] = performance.now();
            return fits;
        },
    };
}

/** What the address bar asks for. @param {Browser} browser
 * @param {readonly string[]} [only] the models of a page that has no others, see parseHash */
function createReader({location}, only) {
    let first = '';
    /** @type {Partial<State>} */
    let begin = {};
    const isLink = () => location.hash.length > 1;
    /** @param {State} state @param {State} [before] of no model: a folder of the reader's, whose links name none */
    const named = (state, before) =>
        update(state, {
            ...(isLink() ? {} : begin),
            model: state.model || (before?.model === '' && isLink() ? '' : first),
        });
    return {
        named,
        /** The menu is there: what names no model means this one from now on, and what visits begin
         * with is known. @param {string} id @param {Partial<State>} patch */
        setFirst(id, patch) {
            first = id;
            begin = patch;
        },
        /** Without a hash it is a visit and not a link: it gets the defaults of today, and begins
         * with the heads that the site proposes.
         * @param {State} [before] keeps what is not in links */
        read: before =>
            named(parseHash(isLink() ? location.hash : `v=${VERSION}`, before, only), before),
        /** Whether the address names anything. */
        linked: isLink,
        /** What is named as the model and cannot be one, else ''. */
        refused: () => refusedModel(location.hash),
        link: (/** @type {State} */ state) =>
            location.href.replace(/#.*$/s, '') + formatHash(state),
    };
}

/** The address bar as a place where a state is written, at most once in WRITE_MS.
 * @param {Browser} browser @param {State} written what the present history entry says */
function createAddress(browser, written) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let next = written;
    let said = formatHash(written);

    function write() {
        clearTimeout(timer);
        timer = undefined;
        const hash = formatHash(next);
        const method = isStep(next, written) ? 'pushState' : 'replaceState';
        written = next;
        if (hash === said) return;
        said = hash;
        const {pathname, search} = browser.location;
        try {
            browser.history[method](null, '', pathname + search + hash);
        } catch {
            // Frames without an origin of their own have no history to write; the state holds all
            // the same.
        }
    }

    return {
        /** What was due before a step belongs to the entry that is left. A text is written at once.
         * @param {State} state @param {Partial<State>} [own] what has come of itself, and is no step */
        write(state, own) {
            const before = next;
            if (own) written = update(written, own);
            const each = !own && isText(state, before);
            if (timer && (each || (isStep(state, before) && !isStep(before, written)))) write();
            next = state;
            timer ??= setTimeout(write, each ? 0 : WRITE_MS);
        },
        /** The entry has changed from outside: what was still due is dropped. @param {State} state
         */
        moved(state) {
            clearTimeout(timer);
            timer = undefined;
            written = next = state;
            said = formatHash(state);
        },
    };
}

function createListeners() {
    /** @type {Set<(state: State) => void>} */
    const listeners = new Set();
    return {
        tell: (/** @type {State} */ state) => {
            for (const listener of [...listeners]) listener(state);
        },
        /** @param {(state: State) => void} listener called after every change
         * @returns {() => void} ends it */
        subscribe(listener) {
            listeners.add(listener);
            return () => {
                listeners.delete(listener);
            };
        },
        clear: () => listeners.clear(),
    };
}

/** @param {{initial?: Partial<State>, browser?: Browser, only?: readonly string[]}} [options]
 *  initial: the store of a figure in someone's page: it starts from these values and leaves the
 *  address alone */
export function createStore({initial, browser = globalThis.window, only} = {}) {
    const reader = initial === undefined ? createReader(browser, only) : null;
    let state = reader?.read() ?? update(defaults, initial ?? {});
    const address = reader && createAddress(browser, state);
    const {tell, subscribe, clear} = createListeners();

    const choices = createChoices();
    const onPopState = () => {
        state = reader?.read(state) ?? state;
        choices.moved();
        address?.moved(state);
        tell(state);
    };
    if (address) browser.addEventListener('popstate', onPopState);

    return {
        get: () => state,
        /** @param {Partial<State>} patch @param {number} [asked] of what comes later than it was asked for: when that
         *     was, by performance.now() @param {boolean} [step] it may be a step all the same */
        set(patch, asked, step = asked === undefined) {
            const fits = choices.take(state, patch, asked, step);
            const next = update(state, fits);
            if (next === state) return;
            state = next;
            address?.write(state, step ? undefined : fits);
            tell(state);
        },
        /** The first model of the menu: a state that names none is of it, and is written with its
         * name; and what a visit without a link begins with. Before anything has been changed.
         * @param {string} id @param {Partial<State>} [begin] */
        setFirst(id, begin = {}) {
            reader?.setFirst(id, begin);
            state = reader?.named(state) ?? state;
            address?.moved(state);
        },
        refused: () => reader?.refused() ?? '',
        /** The page began with a link, and not with its bare address. */
        linked: reader?.linked() ?? true,
        subscribe,
        /** The address that opens the page as it is now; '' for a figure. */
        link: () => reader?.link(state) ?? '',
        reload: () => browser.location.reload(),
        close() {
            address?.moved(state);
            if (address) browser.removeEventListener('popstate', onPopState);
            clear();
        },
    };
}

const MOST_FIGURE = 4e6; // characters of a figure in an address

/** What the address of embed.html says: the state, its theme, and a precomputed figure
 * (precomputed.js) as base64url.
 * @param {Pick<Browser, 'location'>} browser */
export function readEmbed({location: {hash}} = globalThis.window) {
    const figure =
        hash.length < MOST_FIGURE ? (/(?:^#|&)figure=([^&]*)/.exec(hash)?.[1] ?? '') : '';
    const rest = hash.replace(/(^#|&)figure=[^&]*/, '$1');
    const theme = /[#&]theme=(light|dark)(?:&|$)/.exec(rest)?.[1] ?? 'auto';
    return {figure, state: update(parseHash(rest), /** @type {Partial<State>} */ ({theme}))};
}
