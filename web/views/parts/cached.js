/* cached - a scene worked out once for the tensors it is made of: figure, table and text
 * alternative all ask for it, and pointing must not make it anew.
 */

/** @template {{tensors: Map<string, any>}} D, S
 * @param {(state: import('../view.js').ViewState, data: D) => S} make
 * @param {(state: import('../view.js').ViewState) => unknown[]} fieldsOf what of the state it
 *     depends on
 * @returns {(state: import('../view.js').ViewState, data: D) => S} */
export function cached(make, fieldsOf) {
    /** @type {WeakMap<Map<string, any>, {key: string, scene: S}>} */
    const made = new WeakMap();
    return (state, data) => {
        const key = JSON.stringify(fieldsOf(state));
        const known = made.get(data.tensors);
        if (known?.key === key) return known.scene;
        const scene = make(state, data);
        made.set(data.tensors, {key, scene});
        return scene;
    };
}
