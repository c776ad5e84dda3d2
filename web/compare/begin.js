/* begin - the first state of two figures side by side: the page's own fields, and those in which
 * the second one differs. Of the menu at the figure (choose.js) and of the lessons' button
 * (lessons/all_and_one.js). Pure.
 */
import {tokenOf} from '../views/parts/one_head.js';
import {activeHeads, clampLayer} from '../views/parts/select.js';
import {writtenPatch} from './second.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {{state: State, data: Pick<import('../views/view.js').Computed, 'model' | 'pass'>}} Seen
 * @typedef {Exclude<import('./second.js').Kind, 'model' | 'without'>} Kind
 */

/** @type {Record<Kind, (seen: Seen) => [Partial<State>, Partial<State>]>} */
const BEGIN = {
    head({state: {layer, heads}, data: {model}}) {
        const [one, two = (one + 1) % model.heads] = activeHeads(heads, model.heads);
        return [
            {heads: [one], mix: 'heads'},
            {layer: clampLayer(layer, model), heads: [two]},
        ];
    },
    text: ({state: {text, textB}}) => [{}, {text, textB}],
    token({state: {picked, side, token}, data: {pass}}) {
        const one = tokenOf(token, pass.tokens);
        return [
            {picked: [], token: -1},
            picked.length ? {picked, side, token} : {picked: [one], side: 'query', token: one},
        ];
    },
    view({state: {view, heads}, data: {model}}) {
        const [one] = activeHeads(heads, model.heads);
        return [{heads: [one], mix: 'heads'}, {view: view === 'head' ? 'neuron' : 'head'}];
    },
};

/** @param {Kind} kind @param {Seen} seen @returns {Partial<State>} */
export function beginBeside(kind, seen) {
    const [page, own] = BEGIN[kind](seen);
    return {...page, compareWith: '', beside: writtenPatch(own)};
}
