/* options - the head view's own controls: heads or an average, tokens or words, and under "Display
 * options" what is changed seldom.
 */
import {h} from 'preact';
import {Folded} from '../../draw/folded.js';
import {Choice, optionsOf} from '../parts/choice.js';
import {isGrouped, LEVELS} from '../parts/level.js';
import {lazy} from '../parts/lazy.js';
import {MIXES} from './mix.js';
import {units} from './scene.js';

/**
 * @import {ViewState} from '../view.js'
 * @typedef {{state: ViewState, data: import('../view.js').Computed, set: (patch:
 *     Partial<ViewState>) => void,
 *   t: import('../view.js').Texts}} Props
 */

/** What is changed seldom: fetched when it is opened. */
const Inside = lazy(() => import('./more.js').then(module => module.More));

/** @param {Props} props */
export function Options({state, data, set, t}) {
    const {pass} = data;
    const grouped = state.level === 'words' && isGrouped(units(pass, 'words', true), pass.tokens);
    return h(
        'div',
        {class: 'options'},
        h(Choice, {
            name: 'mix',
            legend: t.head.mix,
            options: optionsOf(Object.keys(MIXES), t.head.mixes, t.head.mixTitles),
            value: state.mix,
            onChoose: mix => set({mix}),
        }),
        h(Choice, {
            name: 'level',
            className: 'inline',
            legend: t.head.level,
            options: optionsOf(LEVELS, t.head.levels, t.head.levelTitles),
            value: state.level,
            hint: grouped ? t.head.groupedNote : undefined,
            onChoose: level => set({level}),
        }),
        h(Folded, {
            class: 'more',
            label: t.head.more,
            inside: () => h(Inside, {state, data, set, t}),
        }),
    );
}
