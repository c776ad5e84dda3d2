/* made_decides - answers made up for the view "What decides", where a test needs numbers that no small model gives.
 * All that the view asks for is answered by the test.
 */
import {defaults, update} from '../../../web/state/state.js';
import {deepName, missingOf} from '../../../web/views/asked.js';
import {decidesView} from '../../../web/views/decides/view.js';

/** A scene of a model that is made up: `model` and `pass` as far as they are asked for, `say` answers every need.
 * All that is missing is asked for, as the page does. */
export function madeUp({state, model, pass, tensors = [], say}) {
    const at = update(defaults, {view: 'decides', text: 'a', ...state});
    const data = {
        model: {layers: 1, heads: 2, special: {mask: 9}, predicts: [], ...model},
        pass: {texts: ['a', ''], prediction: null, ...pass},
        tensors: new Map(tensors),
    };
    const asked = [];
    for (let needs; (needs = missingOf(decidesView.deep, at, data)).length;) {
        data.tensors = new Map(data.tensors); // another one is another scene
        for (const need of needs) data.tensors.set(deepName(need), say(need));
        asked.push(...needs);
    }
    return {state: at, data, asked, scene: decidesView.scene(at, data)};
}
/** An effect as a row of hl_change; a removed token has no such row: ['removed', position]. */
export const changeOf = ({kind, layer, head, position}, mask) =>
    ({
        token: ['token', position, mask],
        removed: ['removed', position],
        head: ['head', layer, head],
        mlp: ['mlp', layer],
        patch_token: ['patch_token', layer, position],
        patch_head: ['patch_head', layer, head],
    })[kind];

/** As answers write numbers. */
export const sixDigits = value => Number(value.toPrecision(6));

export const token = (id, special = false) => ({id, special, piece: `w${id}`});
export const masked = {predicts: ['masked_words'], mlm: true};
export const guess = (index, id) => [{index, words: [{id, piece: `w${id}`, probability: 0.5}]}];
