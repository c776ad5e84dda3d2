/* enter - the first state of a view entered by its tab (`begin` of views/view.js): first on the
 * text that is shown, then on its first numbers. When the reader leaves, what the view had set goes
 * back to what it was, unless the reader has changed it: the masked word, and the head. All of it is put into the state, so that
 * links name it; opening a link to a view does none of this. A text that was typed and not shown is
 * shown first: the view that was asked for is of what stands in the box, and the link then names
 * it. Fetched when it is first needed.
 */
import {loadView} from '../views/index.js';
import {typed} from '../text/draft.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Session} from '../session/session.js'
 * @import {Set} from '../base/shared.js'
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
 * @param {{session: Session, now: () => State, put: (patch: Partial<State>) => void}} parts @param {string} asked of WHAT
 * @param {NonNullable<import('../views/view.js').Begin['after']>} after */
function follow({session, now, put}, asked, after) {
    const {pass: before} = session.get();
    const stop = session.subscribe(() => {
        const {model, pass, tensors} = session.get();
        if (!model || pass === before) return;
        stop();
        if (asked === said(now(), WHAT)) put(after(model, tensors));
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
export function createEntrance({session, now, set}) {
    /** What the view that is shown has lent, each time: its fields as lent, and as they were.
     * @type {{as: string, before: Partial<State>}[]} */
    let lent = [];

    /** @param {State} state @param {Partial<State>} patch @param {(keyof State)[]} names */
    const lend = (state, patch, names) =>
        lent.push({
            as: said({...state, ...patch}, names),
            before: Object.fromEntries(names.map(name => [name, state[name]])),
        });
    /** @param {State} state @returns {Partial<State>} */
    const givenBack = state =>
        Object.assign(
            {},
            ...lent
                .filter(({as, before}) => as === said(state, Object.keys(before)))
                .map(({before}) => before),
        );

    /** @param {string} view @param {() => boolean} isLatest no other tab has been pressed since
     * @param {number} asked when it was pressed: what has been chosen since stays */
    return async function enter(view, isLatest, asked) {
        await showTyped(session);
        const state = now();
        const back = givenBack(state);
        const from = {...state, ...back};
        const begin = await beginning(view, from, session);
        if (!isLatest()) return;
        if (now() !== state) return set({...givenBack(now()), view}, asked, true);
        const patch = {...back, ...begin?.patch, view};
        lent = [];
        if (begin?.lends) lend(from, patch, begin.lends);
        const put = (/** @type {Partial<State>} */ after) => {
            lend(now(), after, /** @type {(keyof State)[]} */ (Object.keys(after)));
            set(after, asked);
        };
        if (begin?.after) follow({session, now, put}, said({...from, ...patch}, WHAT), begin.after);
        set(patch, asked, true);
    };
}
