/* begin_link - the beginning of a view of one link, from a query to a key, that is entered by its tab: the strongest
 * link of the pinned token, else one between two words. Pure.
 */
import {beginInstructive} from './begin_heads.js';
import {given} from '../../draw/marks/arcs.js';
import {headOf} from './one_head.js';
import {activeHeads, clampLayer, fewestHeads, isCausal} from './select.js';

/** The token that a pinned one looks at most, or that looks at it most, in the heads shown.
 * @param {import('../view.js').Attention} attention of the layer @param {readonly number[]} heads
 * @param {string} side of the pinned token @param {number} pinned */
function strongest(attention, heads, side, pinned) {
    const weightOf = (/** @type {number} */ other) => {
        const [query, key] = side === 'query' ? [pinned, other] : [other, pinned];
        return given(attention, heads, [query], [key]);
    };
    const all = Array.from({length: attention.shape[1]}, (_, index) => index);
    return all.reduce((best, index) => (weightOf(index) > weightOf(best) ? index : best));
}

/** A pinned token goes along: it is asked about, with the token of its strongest link in the heads
 * that are shown. Where nobody can look ahead, the first pair of the text is asked about the other way
 * round. @type {NonNullable<import('../view.js').View['begin']>} */
export function beginPinned(state, {model, tokens}) {
    const {picked, side, token, from, to} = state;
    const known = picked.filter(index => index < tokens.length);
    if (!known.length) {
        const isAhead = from < 0 && isCausal(model) && tokens.length > 2;
        return isAhead ? {needs: [], patch: () => ({from: 2, to: 1})} : null;
    }
    const pinned = known.includes(token) ? token : known[0];
    if (to >= 0 && (side === 'query' ? from : to) === pinned) return null;
    const layer = clampLayer(state.layer, model);
    return {
        needs: [{tensor: 'attention', layer}],
        patch(_, tensors) {
            const attention = tensors.get(`attention.${layer}`);
            if (!attention) return {};
            const heads = activeHeads(state.heads, model.heads);
            const other = strongest(attention, heads, side, pinned);
            const [query, key] = side === 'query' ? [pinned, other] : [other, pinned];
            return {ask: '', from: query, to: key};
        },
    };
}

/** The strongest link of one head between two tokens that are not special, and not one token.
 * @param {import('../view.js').Attention} attention of the layer @param {number} head
 * @param {import('../view.js').Token[]} tokens */
function strongestOf({data, shape: [, T]}, head, tokens) {
    const words = tokens.flatMap(({special}, i) => (special ? [] : [i]));
    const links = words.flatMap(from =>
        words
            .filter(to => to !== from)
            .map(to => ({from, to, weight: data[(head * T + from) * T + to]})),
    );
    const first = {from: -1, to: -1, weight: 0};
    const {from, to} = links.reduce((best, one) => (one.weight > best.weight ? one : best), first);
    return from < 0 ? {} : {from, to};
}

/** One head, and its link of the pinned token; where none is pinned and no link asked about, its strongest between
 * words, and where several heads are shown an instructive one.
 * @type {NonNullable<import('../view.js').View['begin']>} */
export function beginLinked(state, {model, tokens, imported}) {
    if (imported) return null;
    if (state.picked.some(index => index < tokens.length)) {
        const heads = fewestHeads(state.heads, model.heads);
        return beginPinned({...state, heads}, {model, tokens, imported});
    }
    if (state.from >= 0) return null;
    const begin = beginInstructive(state) ?? {needs: [], patch: () => ({})};
    let asked = state;
    return {
        needs: begin.needs,
        patch(_, tensors) {
            const patch = begin.patch(model, /** @type {any} */ (tensors));
            asked = {...state, ...patch};
            return patch;
        },
        after(_, tensors) {
            const {layer, head} = headOf(asked, model);
            const attention = tensors.get(`attention.${layer}`);
            return attention ? strongestOf(attention, head, tokens) : {};
        },
    };
}
