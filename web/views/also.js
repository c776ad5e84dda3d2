/* also - answers of another pass than that of the text: a need of `deep` (views/view.js) may have `also`, a change on
 * top of the state's; `source`, the text that the change takes from, or, with `alone`, that text by itself, with the
 * change; and finds its answer under this name. tokens: those of that text.
 */
import {needName} from './needs.js';

/** @typedef {import('./needs.js').Need & {also?: import('../worker/passes.js').Change, source?:
 *     import('../worker/passes.js').Source, alone?: boolean, tokens?: boolean}} DeepNeed */

/** Is it one of a pass of its own? @param {DeepNeed} need */
export const isElse = ({also, alone}) => Boolean(also || alone);

/** @param {DeepNeed} need */
export const deepName = ({also, source, alone, tokens, ...need}) =>
    [
        source &&
            `${source.embeds ? 'embedded' : alone ? 'of' : 'from'}.${JSON.stringify([source.text, source.from])}`,
        also && `with.${also.join('.')}`,
        tokens ? 'tokens' : needName(need),
    ]
        .filter(Boolean)
        .join('.');

/** What a view wants and has not: the next of it may follow from what comes. @param {import('./view.js').View['deep']} deep
 * @param {import('../state/state.js').State} state
 * @param {Pick<import('./view.js').Computed, 'model' | 'pass' | 'tensors'>} data @returns {DeepNeed[]} */
export const missingOf = (deep, state, data) =>
    (deep?.(state, data) ?? []).filter(need => !data.tensors.has(deepName(need)));
