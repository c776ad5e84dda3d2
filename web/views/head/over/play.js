/* play - the overlay of the lines on the page: the line under the pointer; above them the button
 * that shows the layers one after the other and comes back, the lines move from each to the next
 * (motion.js); what the reader has marked (marked.js); what a long text has (long.js).
 */
import {h} from 'preact';
import {PlayLayers} from '../../parts/player.js';
import {Probe} from './line_pointed_at.js';
import {Long} from './long.js';
import {Marked} from './marked.js';
import {mixOf} from '../mix.js';

/** @param {any} props */
export const OverLines = props => [
    h(Probe, {key: 'probe', ...props}),
    h(Marked, {key: 'marked', ...props}),
    mixOf(props.scene.mix).usesLayer &&
        h(PlayLayers, {key: 'play', at: props.scene.layer, ...props}),
    h(Long, {key: 'long', ...props}),
];
