/* expected - the words that the model predicts, in the rows of the head view's queries: at a [MASK] always,
 * small below it, with the probability; beside every token where the reader asks for that and there is
 * room. Not in <head-light> before it has a model.
 */
import {remember} from '../../draw/memo.js';
import {percent} from '../../draw/scale.js';
import {wholeScene} from './scene.js';

const ROOMY = 480; // below, the words of all tokens stand in the numbers only
const BESIDE = 84; // px for the word at a query

/** @param {import('./scene.js').WholeScene} whole @param {boolean} fillings @param {import('../view.js').Computed} data
 * @returns {import('./drawing.js').Scene} */
const make = (whole, fillings, {fills = [], pass: {tokens}, model: {special}}) => ({
    ...whole,
    expected({width, file}) {
        const all = fillings && !file && width >= ROOMY;
        return {
            beside: all ? BESIDE : 0,
            wordAt(unit) {
                const word = fills.find(({index}) => index === unit.last)?.words[0];
                const {id} = tokens[unit.last];
                if (!word || unit.index !== unit.last) return;
                if (all) return {piece: word.piece, kind: word.id === id ? 'same' : ''};
                if (whole.maskedIn(unit) || id === special?.mask)
                    return {piece: `${word.piece} ${percent(word.probability)}`, kind: 'under'};
            },
        };
    },
});
const remembered = remember(make, 2); // another text or other words: another whole

/** The scene with what is expected. @param {import('../view.js').ViewState} state @param {import('../view.js').Computed} data */
export const expectedScene = (state, data) =>
    remembered(wholeScene(state, data), state.fillings, data);
