/* shown - a value that listeners hear of when it changes: what a session or the page of studies
 * shows. No document here.
 */

/** A step has come to its end. */
export const SETTLED = {
    busy: false,
    problem: null,
    question: null,
    imported: null,
    missing: false,
    precomputed: false,
};

/** Before anything is shown. @type {import('./session.js').Shown} */
export const NOTHING = {
    ...SETTLED,
    ...{model: null, pass: null, tensors: new Map(), fills: [], before: null},
    ...{progress: null, copy: '', picked: false},
};

/** @template {object} T @param {T} shown */
export function createShown(shown) {
    /** @type {Set<() => void>} */
    const listeners = new Set();
    return {
        get: () => shown,
        /** @param {Partial<T>} patch */
        show(patch) {
            shown = Object.freeze({...shown, ...patch});
            for (const listener of [...listeners]) listener();
        },
        /** @param {() => void} listener */
        subscribe(listener) {
            listeners.add(listener);
            return () => {
                listeners.delete(listener);
            };
        },
    };
}
