/* ends - a line below the last step: the words that the model would predict at this token if it ended after
 * this layer (the logit lens, nostalgebraist 2020), or a sentence that it predicts none.
 */
import {h} from 'preact';
import {percent} from '../../draw/scale.js';
import {needName} from '../needs.js';
import {kindOf, lensAt} from '../parts/lens.js';
import {termsIn} from '../parts/mark.js';

/** @import {Lens} from '../../worker/passes.js' */

const WORDS = 3; // that are listed

/** @param {import('../view.js').ViewState} state */
const needOf = ({token}) => lensAt(token >= 0 ? token : 'word', 5);

/** @param {import('../view.js').ViewState} state @param {import('../view.js').Model} model @param {string} id of the
 *     step @returns {import('../needs.js').Need[]} */
export const endNeeds = (state, model, id) =>
    id === 'feed' && kindOf(model) && !model.whole ? [needOf(state)] : [];

/** The most probable words after a layer. @param {Lens} lens @param {number} layer @param {number} layers */
function wordsAfter({pieces, probabilities}, layer, layers) {
    const width = pieces.length / layers;
    return Array.from({length: Math.min(WORDS, width)}, (_, i) => ({
        piece: pieces[layer * width + i],
        share: percent(probabilities[layer * width + i]),
    }));
}

/** @param {import('../../draw/blocks.js').Props} props */
export function Ends({state, data: {t, model, tensors}, scene: {id, token, layer, named}}) {
    if (id !== 'feed') return null;
    if (!kindOf(model)) return h('p', {class: 'hint'}, t.steps.noWords);
    const lens = /** @type {Lens | undefined} */ (tensors.get(needName(needOf(state))));
    if (!lens || lens.at !== token) return null; // it comes later
    const {before, after} = t.steps.ends(named.layer, layer === model.layers - 1);
    return h(
        'p',
        {class: 'ends'},
        termsIn(t, before),
        wordsAfter(lens, layer, model.layers).map(({piece, share}, i) => [
            i > 0 && t.comma,
            h('bdi', {class: 'key'}, piece),
            ` ${share}`,
        ]),
        termsIn(t, after),
    );
}
