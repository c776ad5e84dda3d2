/* play - the button above the layers that shows them one after the other; the lines move from each to
 * the next (views/head/motion.js). Fetched after the first picture.
 */
import {h} from 'preact';
import {Player} from '../views/player.js';
import {clampLayer} from '../views/select.js';

const PLAYED = ['head', 'heatmap'];
const MS = 1200; // that a layer stays: 220 of them the lines move

/** @param {import('./app.js').Shared & {drawable: import('./figure.js').Drawable}} props */
export function PlayLayers({t, state, set, drawable}) {
    const {view, data} = drawable;
    const {model} = data;
    if (view.id !== state.view || !PLAYED.includes(view.id) || model.layers < 2) return null;
    if (view.idle?.(state).includes('layer')) return null;
    const at = clampLayer(state.layer, model);
    return h(Player, {
        at,
        last: model.layers - 1,
        ms: MS,
        ready: clampLayer(drawable.state.layer, model) === at,
        go: layer => set({layer}),
        words: t.play,
        title: t.play.layers,
    });
}
