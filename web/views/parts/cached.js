/* cached - a scene worked out once for the tensors it is made of: figure, table and text
 * alternative all ask for it, and pointing must not make it anew.
 */

/** @import {ViewState} from '../view.js' */

/** @template {{tensors: Map<string, any>}} D, S @param {(state: ViewState, data: D) => S} make
 * @param {readonly (keyof ViewState)[]} fields what of the state it depends on
 * @returns {(state: ViewState, data: D) => S} */
export function cached(make, fields) {
    /** @type {WeakMap<Map<string, any>, {key: string, scene: S}>} */
    const made = new WeakMap();
    return (state, data) => {
        const key = JSON.stringify(fields.map(name => state[name]));
        const known = made.get(data.tensors);
        if (known?.key === key) return known.scene;
        const scene = make(state, data);
        made.set(data.tensors, {key, scene});
        return scene;
    };
}
