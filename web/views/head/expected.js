/* expected - predictions for a token, in the rows of the head view's queries. A masked-language
 * model: the word that it predicts, at a [MASK] always, small below it, with the probability;
 * beside every token where the reader asks for that and there is room. A token classifier: the
 * label of each word with its probability, beside it, below it where there is no room. Not in
 * <head-light> before it has a model.
 */
import {remember} from '../../draw/memo.js';
import {percent} from '../../draw/scale.js';
import {isMoved} from '../needs.js';
import {wordLabels} from './labels.js';
import {wholeScene} from './scene.js';

const ROOMY = 480; // below, the words of all tokens stand in the numbers only
const BESIDE = 84; // px for the word at a query
const LABELLED = 112; // px for a label with its probability

/** @param {import('./scene.js').WholeScene} whole @param {boolean} fillings @param {import('../view.js').Computed} data
 * @param {boolean} moved */
function make(whole, fillings, {fills = [], pass, model: {special}}, moved) {
    const labels = wordLabels(pass);
    const labelled = labels.length > 0;
    return {
        ...whole,
        isMoved: moved,
        fills: labelled ? labels : whole.fills,
        /** @type {NonNullable<import('./drawing.js').Scene['expected']>} */
        expected({width, file}) {
            const all = (fillings || labelled) && !file && width >= ROOMY;
            return {
                beside: all ? (labelled ? LABELLED : BESIDE) : 0,
                wordAt(unit) {
                    const [list, at] = labelled ? [labels, unit.index] : [fills, unit.last];
                    const word = list.find(({index}) => index === at)?.words[0];
                    if (!word || (!labelled && unit.index !== at)) return;
                    const numbered = `${word.piece} ${percent(word.probability)}`;
                    if (labelled) return {piece: numbered, kind: all ? 'label' : 'under'};
                    const {id} = pass.tokens[at];
                    if (all) return {piece: word.piece, kind: word.id === id ? 'same' : ''};
                    if (whole.maskedIn(unit) || id === special?.mask)
                        return {piece: numbered, kind: 'under'};
                },
            };
        },
    };
}
const remembered = remember(make, 2); // another text or other words: another whole

/** The scene with what is expected. @param {import('../view.js').ViewState} state @param {import('../view.js').Computed} data */
export const expectedScene = (state, data) =>
    remembered(wholeScene(state, data), state.fillings, data, isMoved(state));
