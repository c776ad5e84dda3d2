/* play - the overlay of the lines on the page: the line under the pointer; above them the button
 * that shows the layers one after the other and comes back, the lines move from each to the next
 * (motion.js); what the reader has marked (marked.js); what a long text has (long.js).
 */
import {h} from 'preact';
import {Player} from '../../parts/player.js';
import {Probe} from './line_pointed_at.js';
import {Long} from './long.js';
import {Marked} from './marked.js';
import {mixOf} from '../mix.js';

const MS = 1200; // that a layer stays: 220 of them the lines move

/** @param {any} props */
function PlayLayers({scene, data: {model, t}, on}) {
    if (model.layers < 2 || !mixOf(scene.mix).usesLayer) return null;
    return h(Player, {
        ...{at: scene.layer, last: model.layers - 1, ms: MS, ready: true, round: true},
        go: layer => on.set({layer}),
        word: t.play,
    });
}

/** @param {any} props */
export const OverLines = props => [
    h(Probe, {key: 'probe', ...props}),
    h(Marked, {key: 'marked', ...props}),
    h(PlayLayers, {key: 'play', ...props}),
    h(Long, {key: 'long', ...props}),
];
