/* options - the head view's own controls: heads or an average, pieces or words, and under "More"
 * what is changed seldom.
 */
import {h} from 'preact';
import {Choice} from '../choice.js';
import {isGrouped, LEVELS} from '../level.js';
import {MIXES} from './mix.js';
import {units} from './scene.js';

/** @param {import('../view.js').Model} model */
const isCausal = ({per_layer: layers}) => layers?.[0]?.mask === 'causal';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {{state: ViewState, data: import('../view.js').Computed, set: (patch:
 *     Partial<ViewState>) => void,
 *   t: import('../view.js').Texts}} Props
 */

/** @param {{checked: boolean, label: string, hint?: string, disabled?: boolean, onChange: (on:
 *     boolean) => void}} props */
const Switch = ({checked, label, hint, disabled, onChange}) =>
    h(
        'label',
        {class: 'switch'},
        h('input', {
            type: 'checkbox',
            checked,
            disabled,
            onChange: event => onChange(event.currentTarget.checked),
        }),
        h('span', null, label, hint && h('small', null, hint)),
    );

/** @param {Props} props */
function Top({state, set, t}) {
    const top = Math.min(100, state.top);
    return h(
        'div',
        {class: 'top-share'},
        h('label', {for: 'top'}, t.head.top),
        h('output', {for: 'top'}, `${top} %`),
        h('input', {
            type: 'range',
            id: 'top',
            min: 1,
            max: 100,
            value: top,
            'aria-describedby': 'top-hint',
            onInput: event => set({top: Number(event.currentTarget.value)}),
        }),
        h('p', {class: 'hint', id: 'top-hint'}, t.head.topHint),
    );
}

/** @param {Props} props */
const More = ({state, data, set, t}) =>
    h(
        'details',
        {class: 'more'},
        h('summary', null, t.head.more),
        h(Top, {state, data, set, t}),
        h(Switch, {
            checked: !state.specials,
            label: t.head.hideSpecials,
            hint: t.head.hideSpecialsHint,
            onChange: on => set({specials: !on}),
        }),
        // where nobody can look back, much of the attention rests on the first token
        (isCausal(data.model) || !state.first) &&
            h(Switch, {
                checked: !state.first,
                label: t.head.hideFirst,
                hint: t.head.hideFirstHint,
                onChange: on => set({first: !on}),
            }),
        h(Switch, {
            checked: state.fillings,
            disabled: !data.model.mlm,
            label: t.head.showFillings,
            hint: t.head.showFillingsHint,
            onChange: on => set({fillings: on}),
        }),
        h(Switch, {
            checked: state.oneBased,
            label: t.oneBased,
            onChange: on => set({oneBased: on}),
        }),
    );

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
