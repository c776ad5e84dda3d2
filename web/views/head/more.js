/* more - what is changed seldom in the head view: the strongest attention only, what is hidden, the
 * words that the model expects, from which number it counts.
 */
import {h} from 'preact';

/** @typedef {import('./options.js').Props} Props */

/** @param {import('../view.js').Model} model */
const isCausal = ({per_layer: layers}) => layers?.[0]?.mask === 'causal';

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
export const More = ({state, data, set, t}) => [
    h(Top, {key: 'top', state, data, set, t}),
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
    h(Switch, {checked: state.oneBased, label: t.oneBased, onChange: on => set({oneBased: on})}),
];
