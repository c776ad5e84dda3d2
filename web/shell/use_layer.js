/* use_layer - a layer (layers.js) that a component opens while it is drawn: as a hook, and as a part of what
 * it draws.
 */
import {useLayoutEffect, useRef} from 'preact/hooks';
import {closeLayer, openLayer} from './layers.js';

/** @typedef {import('./layers.js').Layer} Layer */

export {HEIGHT} from './layers.js';

/** While `on`, a part of the page is a layer. @param {boolean} on @param {Layer} layer */
export function useLayer(on, layer) {
    const own = Object.assign(useRef(/** @type {Layer} */ ({})).current, layer);
    useLayoutEffect(() => {
        if (!on) return;
        openLayer(own);
        return () => closeLayer(own);
    }, [on]);
}

/** A layer as a part of what a component draws. @param {Layer} props */
export function LayerHere(props) {
    useLayer(true, props);
    return null;
}
