/* choice - one of several: native radio buttons that look like a row of small keys, so that arrow
 * keys, labels and forced colours come from the browser; where room is scarce, a native menu.
 */
import {h} from 'preact';

/** @typedef {{name: string, legend: string, options: {value: string | number, label: import('../view.js').Tree,
 *     title?: string, disabled?: boolean}[],
 *   value: string | number, onChoose: (value: any) => void, disabled?: boolean,
 *   hint?: import('../view.js').Tree, className?: string}} Given   onChoose gets the value of an option */

/** Options by their values. @template {string} V @param {readonly V[]} values @param {Record<V, string>} labels
 * @param {Record<V, string>} [titles] */
export const optionsOf = (values, labels, titles) =>
    values.map(value => ({value, label: labels[value], title: titles?.[value]}));

/** @param {Given} props @returns {import('preact').VNode<any>} */
export const Compact = ({name, legend, options, value, onChoose, disabled = false}) =>
    h(
        'label',
        {class: 'choice compact'},
        legend,
        ' ',
        h(
            'select',
            {
                ...{name, disabled, value},
                onChange: (/** @type {{currentTarget: HTMLSelectElement}} */ {currentTarget}) =>
                    onChoose(options[currentTarget.selectedIndex].value),
            },
            options.map(option =>
                h(
                    'option',
                    {key: option.value, value: option.value, disabled: option.disabled},
                    option.label,
                ),
            ),
        ),
    );

/** @param {Given} props @returns {import('preact').VNode<any>} */
export function Choice({
    name,
    legend,
    options,
    value,
    onChoose,
    disabled = false,
    hint,
    className = '',
}) {
    const hintId = hint ? `${name}-hint` : undefined;
    return h(
        'fieldset',
        {class: `choice ${className}`, disabled, 'aria-describedby': hintId},
        h('legend', null, legend),
        h(
            'div',
            {class: 'picks'},
            options.map(option =>
                h(
                    'label',
                    {key: option.value, class: 'pick', title: option.title},
                    h('input', {
                        type: 'radio',
                        name,
                        value: option.value,
                        checked: option.value === value,
                        disabled: option.disabled,
                        onChange: () => onChoose(option.value),
                    }),
                    h('span', null, option.label),
                ),
            ),
        ),
        hint && h('p', {class: 'hint', id: hintId}, hint),
    );
}
