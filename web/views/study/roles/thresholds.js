/* thresholds - tau, alpha, correction for many tests, and which deviation the test uses: answered
 * at once, without a new run. The score 1, uniform attention, is marked on the slider. The role block
 * has a tau of its own: nothing scores above about 2 in it.
 */
import {h} from 'preact';
import {Pick} from '../parts/pick.js';
import {withSetting} from '../study.js';
import {askedOf, TAU_BLOCK} from './numbers.js';

/**
 * @import {State} from '../../../state/state.js'
 * @typedef {{state: State, data: {t: import('../study.js').Words}, on: Pick<import('../study.js').On,
 *     'set'>}} Props
 * @typedef {{currentTarget: {value: string}}} Event
 */

const SLIDER = {low: 0.5, high: 10, step: 0.1};
const BLOCKS = [1, 1.1, 1.25, 1.5];
const ALPHAS = [0.1, 0.05, 0.01, 0.001];
const CORRECTIONS = /** @type {const} */ (['none', 'bh']);
const SDS = /** @type {const} */ (['population', 'sample']);

/** Where a value stands on the slider, 0..1. @param {number} value */
export const alongSlider = value =>
    Math.min(1, Math.max(0, (value - SLIDER.low) / (SLIDER.high - SLIDER.low)));

/** @param {Props} props */
function Tau({state: {tau}, data: {t}, on}) {
    const {low, high, step} = SLIDER;
    const mark = (/** @type {number} */ value, /** @type {string} */ name) =>
        h('span', {class: 'tau-mark', style: {left: `${100 * alongSlider(value)}%`}}, name);
    return h(
        'div',
        {class: 'tau'},
        h('label', {for: 'tau'}, t.roles.tau),
        h('output', {for: 'tau'}, tau.toFixed(1)),
        h('input', {
            id: 'tau',
            type: 'range',
            min: low,
            max: Math.max(high, tau),
            step,
            value: tau,
            'aria-describedby': 'tau-hint',
            onInput: (/** @type {Event} */ {currentTarget}) =>
                on.set({tau: Number(Number(currentTarget.value).toFixed(1))}),
        }),
        h(
            'div',
            {class: 'tau-marks', 'aria-hidden': true},
            mark(1, t.roles.even),
            mark(3, t.roles.published),
        ),
        h('p', {class: 'hint', id: 'tau-hint'}, t.roles.tauHint),
    );
}

/** In rising order, with the one that is set. @param {readonly number[]} values
 * @param {number} set */
const numbersOf = (values, set) =>
    [...new Set([...values, set])]
        .sort((a, b) => a - b)
        .map(value => ({value, name: String(value)}));

/** @param {Props & {withSd?: boolean}} props */
export function Thresholds({withSd = true, ...props}) {
    const {state, on} = props;
    const t = props.data.t.roles;
    const block = askedOf(state).tau_block;
    return h(
        'div',
        {class: 'thresholds', role: 'group', 'aria-label': t.test},
        h(Tau, props),
        h(Pick, {
            id: 'tau-block',
            label: t.tauBlock,
            value: block,
            options: numbersOf(BLOCKS, block),
            onPick: value => on.set(withSetting(state, 'tau_block', value, TAU_BLOCK)),
        }),
        h(Pick, {
            id: 'alpha',
            label: t.alpha,
            value: state.alpha,
            options: numbersOf(ALPHAS, state.alpha).reverse(),
            onPick: value => on.set({alpha: Number(value)}),
        }),
        h(Pick, {
            id: 'correction',
            label: t.correction,
            value: state.correction,
            options: CORRECTIONS.map(value => ({value, name: t.corrections[value]})),
            onPick: value => on.set({correction: CORRECTIONS.find(one => one === value)}),
        }),
        withSd &&
            h(Pick, {
                id: 'sd',
                label: t.sd,
                value: state.sd,
                options: SDS.map(value => ({value, name: t.sds[value]})),
                onPick: value => on.set({sd: SDS.find(one => one === value)}),
            }),
    );
}
