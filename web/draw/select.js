/* select - a native menu of options, with what is called with the value of the one that is chosen; and the same in its
 * label.
 */
import {h} from 'preact';

/** @typedef {{options: readonly {value: string | number, name: import('preact').ComponentChild}[], onChoose: (value:
 *     string) => void} & Record<string, any>} Given   the others are attributes */

/** @param {Given} given */
export const select = ({options, onChoose, ...attributes}) =>
    h(
        'select',
        {
            ...attributes,
            onChange: (/** @type {{currentTarget: HTMLSelectElement}} */ {currentTarget}) =>
                onChoose(currentTarget.value),
        },
        options.map(({value, name}) => h('option', {key: value, value}, name)),
    );

/** @param {string} label @param {Given} given */
export const labelledSelect = (label, given) => h('label', null, `${label} `, select(given));
