/* pick - a list to pick from, under its label: a native select. PickSetting is one that is bound to a
 * setting of the study (settings in the state), and leaves the default out.
 */
import {h} from 'preact';
import {select} from '../../../draw/select.js';
import {setting, withSetting} from '../study.js';

/**
 * @import {State} from '../study.js'
 * @typedef {{value: string | number, name: string}} Option
 * @typedef {{id: string, label: string, options: readonly Option[], hint?: string,
 *     className?: string}} Named   options: none draws a dash
 * @typedef {Named & {value: string | number | undefined, onPick: (value: string) => void}} Picking
 */

/** @param {Picking} props */
export const Pick = ({id, label, value, options, hint, className = 'field', onPick}) =>
    h(
        'div',
        {class: className},
        h('label', {for: id}, label),
        h(Picked, {id, value, options, hint, onPick}),
    );

/** The list, and the hint below it. @param {Omit<Picking, 'label'>} props */
export const Picked = ({id, value, options, hint, onPick}) => [
    select({
        ...{key: 'list', id, value, 'aria-describedby': hint ? `${id}-hint` : undefined},
        ...{onChoose: onPick, options: options.length ? options : [{value: '', name: '\u2013'}]},
    }),
    hint && h('p', {key: 'hint', class: 'hint', id: `${id}-hint`}, hint),
];

/** @param {Omit<Named, 'options'> & {options: readonly (Option | string)[], names?: Record<string, string>, state: State,
 *     set: (patch: Partial<State>) => void, name: string, fallback?: string, value?: string}} props   names: of the
 *     options, where those are values; name: of the setting; fallback: the first where none is given; value: what is
 *     shown, where that is not what is set */
export const PickSetting = ({state, set, name, options, names = {}, fallback, value, ...named}) => {
    const list = options.map(one =>
        typeof one === 'string' ? {value: one, name: names[one] ?? one} : one,
    );
    const usual = fallback ?? String(list[0].value);
    return h(Pick, {
        ...{...named, options: list},
        value: value ?? setting(state, name, usual),
        onPick: picked => set(withSetting(state, name, picked, usual)),
    });
};
