/* hide - the switches that leave tokens out of a picture: [CLS] and [SEP], on which much attention
 * rests that says little; and in causal models the first token, for the same reason. The weights of
 * the others stay as they are.
 */
import {h} from 'preact';
import {isCausal} from './select.js';

/** @param {{checked: boolean, label: string, hint?: string, disabled?: boolean, onChange: (on:
 *     boolean) => void}} props */
export const Switch = ({checked, label, hint, disabled, onChange}) =>
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

/** @param {{specials: boolean, first: boolean, model: import('../view.js').Model, set: (patch:
 *     {specials?: boolean, first?: boolean}) => void, t: import('../view.js').Texts}} props   whether
 *     they are shown */
export const Hide = ({specials, first, model, set, t}) => [
    h(Switch, {
        checked: !specials,
        label: t.head.hideSpecials,
        hint: t.head.hideSpecialsHint,
        onChange: on => set({specials: !on}),
    }),
    (isCausal(model) || !first) &&
        h(Switch, {
            checked: !first,
            label: t.head.hideFirst,
            hint: t.head.hideFirstHint,
            onChange: on => set({first: !on}),
        }),
];
