/* difference - the attention that the head view, the heat map or the model view's opened head shows, of
 * two models on one text: second minus first, [T, T]. Where several heads are on, their means are
 * compared; the heat map and the model view show one. It is drawn by the map of the view "what changes",
 * which wants an attention before and one after. Where the two are not of the same tokens or shape there
 * is no difference, and a sentence says why. Pure.
 */
import {viewHas} from '../index.js';
import {headOf} from '../parts/one_head.js';
import {activeHeads, clampLayer} from '../parts/select.js';
import {openedPlace, openedState} from '../model/numbers.js';
import {meanOf, mixNeed, mixOf} from './mix.js';
import {shownName} from './scene.js';
import {needName} from '../needs.js';

/**
 * @import {Computed, ViewState, Texts} from '../view.js'
 * @typedef {import('../../words/languages.js').Words['dialogs']['beside']} Words
 */

/** Why there is no difference; '' where there is one. @param {Computed} one @param {Computed} two
 * @param {string[]} names of the models @param {Words} words */
export function whyNot(one, two, names, words) {
    const [a, b] = [one.pass.tokens, two.pass.tokens];
    const sizes = [one.model, two.model].map(({layers, heads}) => ({layers, heads}));
    if (sizes[0].layers !== sizes[1].layers || sizes[0].heads !== sizes[1].heads)
        return words.otherShape(names, sizes);
    if (a.length !== b.length) return words.otherCount(a.length, b.length);
    const at = a.findIndex(({piece}, i) => piece !== b[i].piece); // ids are those of two vocabularies
    return at < 0 ? '' : words.otherTokens(at, a[at].piece, b[at].piece);
}

/** What is shown of a model, as one [T, T]. @param {ViewState} state @param {Computed} data */
function shownAttention(state, data) {
    const layer = clampLayer(state.layer, data.model);
    const mix = mixOf(state.mix);
    const tensor = data.tensors.get(needName(mixNeed(state, layer)));
    if (!tensor) throw new Error('the attention has not been computed; ask isReady() first');
    const on = activeHeads(state.heads, data.model.heads);
    const taken = mix.take(tensor, layer, on);
    return state.mix === 'heads' ? meanOf(taken, on) : taken;
}

/** What is shown, as a mix of heads that are on. @param {ViewState} state @param {Computed} data
 * @returns {ViewState} */
function asHeads(state, {model}) {
    const opened = state.view === 'model' && openedPlace(state.opened, model);
    if (opened) return openedState(state, opened);
    return viewHas(state.view, 'oneHead')
        ? {...state, mix: 'heads', heads: [headOf(state, model).head]}
        : state;
}

/** The state and data that the map of differences draws. @param {ViewState} shown
 * @param {Computed} one @param {Computed} two @param {string[]} names @param {Texts} t
 * @param {Words} words */
export function differenceOf(shown, one, two, names, t, words) {
    const state = asHeads(shown, one);
    const layer = clampLayer(state.layer, one.model);
    const several = activeHeads(state.heads, one.model.heads).length > 1;
    const what = shownName(
        state.mix === 'heads' && several ? {...state, mix: 'mean'} : state,
        one,
        t,
    );
    const title = words.difference(what, names);
    return {
        state: {...state, heads: [0], off: []},
        data: {
            tensors: new Map([
                [`attention.${layer}`, shownAttention(state, two)],
                [`measure.earlier.${layer}`, shownAttention(state, one)],
            ]),
            t: {...t, change: {...t.change, mapTitle: () => title, mapSame: words.same}},
        },
    };
}
