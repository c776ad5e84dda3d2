/* choice - one of several: native radio buttons that look like a row of small keys, so that arrow keys,
 * labels and forced colours come from the browser. */

import {h} from 'preact';

/* options: [{value, label, title}] */
export function Choice({name, legend, options, value, onChoose, disabled = false, hint, className = ''}) {
    return h('fieldset', {class: `choice ${className}`, disabled, 'aria-describedby': hint ? `${name}-hint` : null},
        h('legend', null, legend),
        h('div', {class: 'picks'}, options.map(option => h('label', {key: option.value, class: 'pick', title: option.title},
            h('input', {type: 'radio', name, value: option.value, checked: option.value === value,
                onChange: () => onChoose(option.value)}),
            h('span', null, option.label)))),
        hint && h('p', {class: 'hint', id: `${name}-hint`}, hint));
}
