/* over_corpus - below the figure the way from one text to many: what the head that is shown does over the
 * texts of a corpus. Fetched after the first picture.
 */
import {h} from 'preact';
import {headName} from '../draw/head_name.js';
import {activeHeads, clampLayer, counted} from '../views/select.js';

/** @typedef {import('./app.js').Shared} Shared */

const ONE_HEAD = ['neuron', 'steps', 'heatmap', 'find']; // views that show one

/** From one text to many: the study of roles with the head that is shown, or of all heads' patterns.
 * @param {Pick<Shared, 'state' | 'set'> & {words:
 *     import('./remarks.js').Words, model: import('../views/view.js').Model}} props */
export function OverCorpus({words, state, set, model}) {
    const layer = clampLayer(state.layer, model);
    const heads = activeHeads(state.heads, model.heads);
    const one = heads.length === 1 || ONE_HEAD.includes(state.view);
    const count = counted(state);
    const patch = one ? {study: 'roles', opened: `${layer}.${heads[0]}`} : {study: 'patterns'};
    return h(
        'p',
        {class: 'over-corpus'},
        h(
            'button',
            {type: 'button', class: 'plain', onClick: () => set({desk: 'corpus', ...patch})},
            words.overCorpus(one ? headName(count(layer), count(heads[0])) : ''),
        ),
    );
}
