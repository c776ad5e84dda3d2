/* page - what stands around the numbers of a step on the page: the token and the form, the stepper,
 * the whole formula, a sentence or two, and what is pointed at, read out at the bottom.
 */
import {h} from 'preact';
import {Choice} from '../choice.js';
import {Player} from '../player.js';
import {formulas, wholeOf} from './formulas.js';
import {termsIn} from '../parts/mark.js';
import {saysOf, stageOf} from './says.js';

/** @typedef {import('../../draw/blocks.js').Props} Props */

const PLAY_MS = 3500; // that a step stays

const KEYS = new Map([
    ['ArrowRight', 1],
    ['ArrowLeft', -1],
]);

/** In a row that is pushed sideways. @param {HTMLElement | null} button */
const intoSight = button => {
    const item = button?.parentElement;
    if (item?.parentElement)
        item.parentElement.scrollLeft = item.offsetLeft - item.parentElement.offsetLeft;
};

/** To a step by the reader's press: this one moves (style.css), one that a link opens does not.
 * @param {Props['on']} on @param {number} step */
function goTo(on, step) {
    on.local({moves: step});
    on.set({step});
}

/** The whole computation; the parts of the present step stand out. @param {Props} props */
export const Whole = ({data: {t}, on, scene: {steps: all, id: now, block}}) =>
    h(
        'p',
        {class: 'whole', role: 'group', 'aria-label': t.steps.whole},
        wholeOf(block).map(({steps, tree}, i) => {
            if (!steps) return h('span', {key: i}, tree);
            const index = all.indexOf(steps[0]);
            return h(
                'button',
                {
                    key: i,
                    type: 'button',
                    'aria-current': steps.includes(now) ? 'step' : undefined,
                    title: stageOf(steps[0], t).title,
                    onClick: () => goTo(on, index),
                },
                tree,
            );
        }),
    );

/** All steps by their names. @param {{t: any, steps: string[], step: number, go: (step: number) => void}}
 *     props */
const Named = ({t, steps, step, go}) =>
    h(
        'ol',
        {key: t.code}, // in other words the steps stand elsewhere
        steps.map((id, i) =>
            h(
                'li',
                {key: id},
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'toggle',
                        ...(i === step && {'aria-current': 'step', ref: intoSight}),
                        onClick: () => go(i),
                    },
                    `${i + 1} ${stageOf(id, t).title}`,
                ),
            ),
        ),
    );

/** @param {Props} props */
export function Stepper({data: {t}, on, scene: {steps, step}}) {
    const last = steps.length - 1;
    const go = (/** @type {number} */ to) => goTo(on, Math.max(0, Math.min(last, to)));
    const button = (
        /** @type {string} */ label,
        /** @type {number} */ to,
        /** @type {boolean} */ off,
    ) =>
        h(
            'button',
            {type: 'button', class: 'main', 'aria-disabled': off, onClick: () => go(to)},
            label,
        );
    const play = {at: step, last, ms: PLAY_MS, ready: true, go};
    return h(
        'nav',
        {class: 'stepper', 'aria-label': t.steps.all},
        button(t.steps.back, step - 1, step === 0),
        button(t.steps.next, step + 1, step === last),
        h(Player, {...play, word: t.steps.playWord, title: t.steps.play}),
        h(Named, {t, steps, step, go}),
    );
}

/** @param {Props} props */
function TokenChoice({data: {t}, on, scene: {tokens, token: chosen}}) {
    const move = (/** @type {KeyboardEvent} */ event) => {
        const step = KEYS.get(event.key);
        const next =
            step && /** @type {Element} */ (event.target).parentElement?.children[chosen + step];
        if (!next) return;
        event.preventDefault();
        event.stopPropagation();
        on.set({token: chosen + step});
        /** @type {HTMLElement} */ (next).focus({focusVisible: true});
    };
    return h(
        'div',
        {class: 'token-choice'},
        h('span', {class: 'label', id: 'token-choice'}, t.steps.token),
        h(
            'div',
            {
                class: 'token-list',
                role: 'group',
                'aria-labelledby': 'token-choice',
                onKeyDown: move,
            },
            tokens.map((/** @type {{piece: string}} */ token, /** @type {number} */ i) =>
                h(
                    'button',
                    {
                        key: i,
                        type: 'button',
                        class: 'toggle',
                        'aria-pressed': i === chosen,
                        tabIndex: i === chosen ? 0 : -1,
                        onClick: () => on.set({token: i}),
                    },
                    h('bdi', null, token.piece),
                ),
            ),
        ),
    );
}

/** @param {Props} props */
const Forms = ({state, data: {t}, on}) =>
    h(Choice, {
        name: 'form',
        legend: t.steps.form,
        className: 'forms',
        options: ['vectors', 'matrices'].map(value => ({value, label: t.steps.forms[value]})),
        value: state.form,
        onChoose: form => on.set({form}),
    });

/** Arrow keys go on and back. @param {KeyboardEvent} event @param {Props} props */
function move(event, {scene: {step, steps}, on}) {
    const by = KEYS.get(event.key);
    const {target, altKey, ctrlKey, metaKey, shiftKey} = event;
    if (!by || /** @type {Element} */ (target).matches('input')) return;
    if (altKey || ctrlKey || metaKey || shiftKey) return;
    event.preventDefault();
    goTo(on, Math.max(0, Math.min(steps.length - 1, step + by)));
}

/** The keys of the view, and which step moves. @param {Props} props */
export const keys = props => ({
    'data-moves': props.look.local?.moves === props.scene.step ? props.scene.id : undefined,
    onKeyDown: (/** @type {KeyboardEvent} */ event) => move(event, props),
});

/** @param {Props} props */
export const Choices = props =>
    h('div', {class: 'step-choices'}, h(TokenChoice, props), h(Forms, props));

/** The step in words. @param {Props} props */
export function Says({data: {t}, scene}) {
    const {step, steps, id, d, block, form} = scene;
    const {title, says, saysMatrix} = saysOf(scene, t);
    const matrices = form === 'matrices';
    return h(
        'div',
        {class: 'stage-text', 'aria-live': 'polite'},
        h('h2', null, h('span', {class: 'soft'}, t.steps.nth(step + 1, steps.length)), ' ', title),
        h('p', {class: 'formula'}, formulas[id][matrices ? 'matrices' : 'vectors'](d, t, block)),
        h('p', null, termsIn(t, matrices ? saysMatrix : says)),
    );
}

/** @param {Props} props */
export const Readout = ({data: {t}, point}) =>
    h(
        'div',
        {class: 'readout', role: 'group', 'aria-label': t.inside.readout},
        h('span', {class: 'sums'}, h('span', null, point?.read ?? t.steps.point)),
    );
