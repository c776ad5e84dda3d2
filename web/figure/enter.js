/* enter - the first state of a view entered by its tab (`begin` of views/view.js): first on the
 * text that is shown, then on its first numbers. When the reader leaves, what the view had set goes
 * back to what it was, unless the reader has changed it. All of it is put into the state, so that
 * links name it; opening a link to a view does none of this. A text that was typed and not shown is
 * shown first: the view that was asked for is of what stands in the box, and the link then names
 * it. Fetched when it is first needed.
 */
import {loadView} from '../views/index.js';
import {typed} from '../text/draft.js';

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../session/session.js').Session} Session
 * @typedef {(patch: Partial<State>) => void} Set
 */

/** Fields that say what is computed and which head is shown. */
const WHAT = /** @type {const} */ ([
    ...['view', 'model', 'text', 'textB', 'layer', 'heads'],
    ...['masked', 'replaced', 'off', 'zeroed', 'without', 'swapped'],
]);

/** @param {Record<string, any>} state @param {readonly string[]} names */
const said = (state, names) => JSON.stringify(names.map(name => state[name]));

/** Where the view begins; null where the reader is, also where that cannot be told.
 * @param {string} id @param {State} state @param {Session} session */
async function beginning(id, state, session) {
    try {
        const {model, pass, precomputed, imported} = session.get();
        if (!model || !pass || precomputed) return null;
        const begin = (await loadView(id)).begin?.(state, {
            model,
            tokens: pass.tokens,
            imported: imported !== null,
        });
        if (!begin) return null;
        const tensors = begin.needs.length ? await session.collect(begin.needs) : new Map();
        return {...begin, patch: begin.patch(model, tensors)};
    } catch {
        return null;
    }
}

/** Once the text is computed as it is now asked for: what follows, unless the reader has gone on.
 * @param {{session: Session, now: () => State, set: Set}} parts @param {string} asked of WHAT
 * @param {NonNullable<import('../views/view.js').Begin['after']>} after */
function follow({session, now, set}, asked, after) {
    const {pass: before} = session.get();
    const stop = session.subscribe(() => {
        const {model, pass, tensors} = session.get();
        if (!model || pass === before) return;
        stop();
        if (asked === said(now(), WHAT)) set(after(model, tensors));
    });
}

/** Shows what is typed, and waits until it is computed or cannot be. Without a model there is nothing
 * to wait for. @param {Session} session */
async function showTyped(session) {
    const {pass, model, precomputed} = session.get();
    if (!typed.isNew || !typed.draft.text.trim()) return;
    typed.send();
    if (!model || precomputed) return;
    await new Promise(done => {
        const stop = session.subscribe(() => {
            const now = session.get();
            if (now.pass === pass && !now.problem) return;
            stop();
            done(null);
        });
    });
}

/** @param {{session: Session, now: () => State, set: Set}} parts */
export function createEntrance(parts) {
    const {session, now, set} = parts;
    /** What the view that is shown has lent: its fields as lent, and as they were.
     * @type {{as: string, before: Partial<State>} | null} */
    let lent = null;

    /** @param {State} state @returns {State} */
    const givenBack = state =>
        lent && lent.as === said(state, Object.keys(lent.before))
            ? {...state, ...lent.before}
            : state;

    /** @param {string} view @param {() => boolean} isLatest no other tab has been pressed since */
    return async function enter(view, isLatest) {
        await showTyped(session);
        const state = now();
        const from = givenBack(state);
        const begin = await beginning(view, from, session);
        if (!isLatest()) return;
        if (now() !== state) return set({view});
        const next = {...from, ...begin?.patch, view};
        const lends = begin?.lends ?? [];
        lent = lends.length
            ? {
                  as: said(next, lends),
                  before: Object.fromEntries(lends.map(name => [name, from[name]])),
              }
            : null;
        if (begin?.after) follow(parts, said(next, WHAT), begin.after);
        set(next);
    };
}
