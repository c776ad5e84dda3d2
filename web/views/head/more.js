/* more - rarely used settings of the head view: the strongest attention only, what is hidden, the
 * words that the model expects, from which number it counts.
 */
import {h} from 'preact';
import {Hide, Switch} from '../parts/hide.js';

/** @import {Props} from './options.js' */

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
    h(Hide, {specials: state.specials, first: state.first, model: data.model, set, t}),
    h(Switch, {
        checked: state.fillings,
        disabled: !data.model.mlm,
        label: t.head.showFillings,
        hint: t.head.showFillingsHint,
        onChange: on => set({fillings: on}),
    }),
    h(Switch, {checked: state.oneBased, label: t.oneBased, onChange: on => set({oneBased: on})}),
];
