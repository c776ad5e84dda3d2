/* show - the switch between attention weights and what heads move (Kobayashi et al. 2020).
 */
import {h} from 'preact';
import {isMoved} from '../needs.js';
import {Choice, optionsOf} from './choice.js';
import {lazy} from './lazy.js';
import {clampLayer} from './select.js';

/** @import {ViewState, Computed, Texts} from '../view.js' */

const Differ = lazy(() => import('./differ.js').then(module => module.Differ));

/** The weights that what is moved is compared with. @type {NonNullable<import('../view.js').View['later']>} */
export const weightsBeside = (state, model) =>
    isMoved(state) ? [{tensor: 'attention', layer: clampLayer(state.layer, model)}] : [];

/** @param {{state: ViewState, data: Computed | null, set: (patch: Partial<ViewState>) => void, t: Texts,
 *     more?: {value: string, label: string, title: string}[], hint?: import('../view.js').Tree}} props   data: null
 *     until there is a picture; more: maps of whole layers; hint: about these */
export function Show({state, data, set, t, more = [], hint}) {
    const {shows} = t;
    const isImported = data?.model.family === 'imported';
    const isFixed = isImported && !data.model.moves;
    const heads = optionsOf(['weight', 'moved'], shows.names, shows.titles);
    const options = isImported ? heads : [...heads, ...more];
    const shown = options.find(({value}) => value === state.show) ?? options[0];
    const {value} = isFixed ? options[0] : shown;
    return h(Choice, {
        name: 'show',
        className: 'shows',
        legend: shows.legend,
        value,
        disabled: isFixed,
        options,
        hint: isFixed
            ? shows.imported
            : isMoved({show: value}) && data
              ? h(Differ, {state, data, t})
              : hint,
        onChoose: show => set({show}),
    });
}
