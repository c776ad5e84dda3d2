/* options - the head view's own controls: heads or an average, tokens or words, and under "Display
 * options" what is changed seldom.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {Choice} from '../parts/choice.js';
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

const Inside = lazy(() => import('./more.js').then(module => module.More));

/** What is changed seldom: fetched when it is opened. @param {Props} props */
function More(props) {
    const [open, setOpen] = useState(false);
    return h(
        'details',
        {
            class: 'more',
            onToggle: (/** @type {{currentTarget: any}} */ {currentTarget}) =>
                setOpen(currentTarget.open),
        },
        h('summary', null, props.t.head.more),
        open && h(Inside, props),
    );
}

/** @param {Props} props */
export function Options({state, data, set, t}) {
    const {pass} = data;
    const grouped = state.level === 'words' && isGrouped(units(pass, 'words', true), pass.tokens);
    const mixes = Object.keys(MIXES).map(value => ({
        value,
        label: t.head.mixes[value],
        title: t.head.mixTitles[value],
    }));
    const levels = LEVELS.map(value => ({
        value,
        label: t.head.levels[value],
        title: t.head.levelTitles[value],
    }));
    return h(
        'div',
        {class: 'options'},
        h(Choice, {
            name: 'mix',
            legend: t.head.mix,
            options: mixes,
            value: state.mix,
            onChoose: mix => set({mix}),
        }),
        h(Choice, {
            name: 'level',
            className: 'inline',
            legend: t.head.level,
            options: levels,
            value: state.level,
            hint: grouped ? t.head.groupedNote : undefined,
            onChoose: level => set({level}),
        }),
        h(More, {state, data, set, t}),
    );
}
