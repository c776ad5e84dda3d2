/* needs - what a view asks to have computed, how each thing is called, and the changes inside the model that the state
 * asks for. Pure; ui/session.js has it computed, ui/app.js waits until it is there.
 */

/**
 * @typedef {{tensor: string, layer?: number, study?: undefined, argument?: undefined, before?: boolean,
 *   compared?: boolean}} TensorNeed
 * @typedef {{study: string, argument?: number, tensor?: undefined, layer?: undefined, before?: boolean,
 *   compared?: boolean}} StudyNeed
 * @typedef {TensorNeed | StudyNeed} Need   before: of the text as typed and the model as it is, without the changes;
 *   compared: the pass is set against that one, by a study or with its predictions (data.before)
 * @typedef {import('../core/state.js').State} State
 */

/** HL_CHANGE_... of headlight.h */
const CHANGE = {token: 0, head: 1, neuron: 2};

/** The name under which a view finds it in data.tensors: 'attention.3', 'embeddings', 'study.rollout',
 * 'study.heatmaps.64', 'before.attention.3'. @param {Need} need */
export function needName({tensor, layer, study, argument, before}) {
    const parts = tensor === undefined ? ['study', study, argument] : [tensor, layer];
    return [before ? 'before' : undefined, ...parts].filter(part => part !== undefined).join('.');
}

/** What the guided tour needs beside the view (tour.js). @param {Pick<State, 'tour'>} state @returns {Need[]} */
export const tourNeeds = ({tour}) => tour < 0 ? [] : [{study: 'measures'}, {study: 'even'}];

/** Whether everything is there that the view needs for this state.
 * @param {{needs: (state: any, model: any) => Need[]}} view @param {any} state
 * @param {{model: any, tensors: Map<string, any>}} data */
export const isReady = (view, state, data) =>
    view.needs(state, data.model).every(need => data.tensors.has(needName(need)));

/** Rows of hl_change: masked tokens, heads that are off, neurons that are zero. What the model does not have is left out.
 * @param {Pick<State, 'masked' | 'off' | 'zeroed'>} state
 * @param {{layers: number, heads: number, head_width: number, special: {mask: number}}} model @returns {number[][]} */
export function changesOf({masked, off, zeroed}, model) {
    const known = (/** @type {number[]} */ [layer, head, neuron = 0]) =>
        layer < model.layers && head < model.heads && neuron < model.head_width;
    const places = (/** @type {readonly string[]} */ list) => list.map(place => place.split('.').map(Number)).filter(known);
    const mask = model.special.mask;
    return [
        ...(mask >= 0 ? masked.map(position => [CHANGE.token, position, mask]) : []),
        ...places(off).map(place => [CHANGE.head, ...place]),
        ...places(zeroed).map(place => [CHANGE.neuron, ...place]),
    ];
}

/** The words of `replaced`. @param {Pick<State, 'replaced'>} state @returns {{position: number, word: string}[]} */
export const wordsOf = ({replaced}) => replaced.map(one => {
    const colon = one.indexOf(':');
    return {position: Number(one.slice(0, colon)), word: one.slice(colon + 1)};
});

/** No change at all. */
export const UNCHANGED = Object.freeze({masked: [], replaced: [], off: [], zeroed: []});
