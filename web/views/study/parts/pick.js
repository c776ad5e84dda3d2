/* pick - a list to pick from, under its label: a native select. PickSetting is one that is bound to a
 * setting of the study (settings in the state), and leaves the default out.
 */
import {h} from 'preact';
import {setting, withSetting} from '../study.js';

/**
 * @typedef {import('../study.js').State} State
 * @typedef {{value: string | number, name: string}} Option
 * @typedef {{id: string, label: string, options: readonly Option[], hint?: string,
 *     className?: string}} Named
 */

/** @param {Named & {value: string | number | undefined, onPick: (value: string) => void}} props
 *     options: none draws a dash */
export const Pick = ({id, label, value, options, hint, className = 'field', onPick}) =>
    h(
        'div',
        {class: className},
        h('label', {for: id}, label),
        h(
            'select',
            {
                id,
                value,
                'aria-describedby': hint ? `${id}-hint` : undefined,
                onChange: (/** @type {{currentTarget: HTMLSelectElement}} */ {currentTarget}) =>
                    onPick(currentTarget.value),
            },
            !options.length && h('option', null, '\u2013'),
            options.map(one => h('option', {key: one.value, value: one.value}, one.name)),
        ),
        hint && h('p', {class: 'hint', id: `${id}-hint`}, hint),
    );

/** @param {Named & {state: State, set: (patch: Partial<State>) => void, name: string,
 *     fallback: string}} props   name: of the setting */
export const PickSetting = ({state, set, name, fallback, ...named}) =>
    h(Pick, {
        ...named,
        value: setting(state, name, fallback),
        onPick: value => set(withSetting(state, name, value, fallback)),
    });
