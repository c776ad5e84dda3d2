/* page - the controls around the numbers of a step: the token and the form, the step and what it
 * does to this token, its formula and why; the stepper, with whose numbers they are; the whole
 * formula, and what is pointed at, read out at the bottom. Where they stand is style.css's: beside
 * the picture, or, on narrow pages, above and below it.
 */
import {Component, h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {stepOf} from '../../draw/grid.js';
import {headName} from '../../draw/head_name.js';
import {Choice} from '../parts/choice.js';
import {Player} from '../parts/player.js';
import {formulas, wholeOf} from './formulas.js';
import {headMark, termsIn} from '../parts/mark.js';
import {leadOf, saysOf, stageOf} from './says.js';

/** @import {Props} from '../../draw/blocks.js' */

const PLAY_MS = 3500; // that a step stays

/** Into sight in its list, which scrolls where there are many; the page stays where it is.
 * @param {HTMLElement | null} item */
function intoSight(item) {
    const list = item?.parentElement;
    if (!item || !list) return;
    const [x, y] = [item.offsetLeft - list.offsetLeft, item.offsetTop - list.offsetTop];
    const beyond = (
        /** @type {number} */ from,
        /** @type {number} */ size,
        /** @type {number} */ at,
    ) => from < at || from + item.offsetWidth > at + size;
    if (beyond(x, list.clientWidth, list.scrollLeft)) list.scrollLeft = x - list.clientWidth / 3;
    if (y < list.scrollTop || y + item.offsetHeight > list.scrollTop + list.clientHeight)
        list.scrollTop = y - list.clientHeight / 3;
}

/** To a step by the reader's press: this one moves (style.css), one that a link opens does not.
 * @param {Props['on']} on @param {number} step */
function goTo(on, step) {
    on.local({moves: step});
    on.set({step});
}

/** Whoever presses below the picture sees the next step from its beginning.
 * @param {{currentTarget: any}} event */
function toTop({currentTarget}) {
    const stage = currentTarget.closest('.stage');
    if (stage?.getBoundingClientRect().top < 0) stage.scrollIntoView();
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
                    onClick: (/** @type {any} */ event) => {
                        goTo(on, index);
                        toTop(event);
                    },
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
                buttonOf(
                    'toggle',
                    {'aria-current': i === step ? 'step' : undefined, onClick: () => go(i)},
                    `${i + 1} ${stageOf(id, t).title}`,
                ),
            ),
        ),
    );

/** Of which token and which head the numbers are. @param {Props} props */
const Whose = ({data: {t}, scene: {tokens, token, form, layer, head, named, step, steps}}) =>
    h(
        'p',
        {class: 'whose'},
        h('span', {class: 'place-of'}, `${step + 1}/${steps.length} `),
        form === 'matrices'
            ? t.steps.allTokens
            : [h('span', {class: 'kind'}, t.steps.token, ' '), h('bdi', null, tokens[token].piece)],
        ' · ',
        headMark(t, {layer, head}, headName(named.layer, named.head)),
    );

/** @param {Props} props */
export function Stepper(props) {
    const {data, on, scene} = props;
    const {t} = data;
    const {steps, step} = scene;
    const last = steps.length - 1;
    const go = (/** @type {number} */ to) => goTo(on, Math.max(0, Math.min(last, to)));
    const button = (
        /** @type {string} */ label,
        /** @type {number} */ to,
        /** @type {boolean} */ off,
    ) =>
        buttonOf(
            'main',
            {
                'aria-disabled': off,
                onClick: (/** @type {any} */ event) => {
                    go(to);
                    toTop(event);
                },
            },
            label,
        );
    const play = {at: step, last, ms: PLAY_MS, ready: true, go};
    return h(
        'nav',
        {class: 'stepper', 'aria-label': t.steps.all},
        button(t.steps.back, step - 1, step === 0),
        button(t.steps.next, step + 1, step === last),
        h(Player, {...play, word: t.steps.playWord, title: t.steps.play}),
        h(Whose, props),
        h(Named, {t, steps, step, go}),
    );
}

/** Arrow keys go from token to token. @param {KeyboardEvent} event @param {Props} props */
function toNext(event, {on, scene: {token}}) {
    const step = stepOf(event)?.[0];
    const next =
        step && /** @type {Element} */ (event.target).parentElement?.children[token + step];
    if (!next) return;
    event.preventDefault();
    event.stopPropagation();
    on.set({token: token + step});
    /** @type {HTMLElement} */ (next).focus({focusVisible: true});
}

/** @param {Props} props */
function TokenChoice(props) {
    const {t} = props.data;
    const {tokens, token: chosen} = props.scene;
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
                onKeyDown: (/** @type {KeyboardEvent} */ event) => toNext(event, props),
            },
            tokens.map((/** @type {{piece: string}} */ token, /** @type {number} */ i) =>
                buttonOf(
                    'toggle',
                    {
                        key: i,
                        ref: i === chosen ? intoSight : undefined,
                        'aria-pressed': i === chosen,
                        tabIndex: i === chosen ? 0 : -1,
                        onClick: () => props.on.set({token: i}),
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
    const by = stepOf(event)?.[0];
    if (!by || event.shiftKey || /** @type {Element} */ (event.target).matches('input')) return;
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

/** What it does to the token, which stands in the sentence as the reader's own text.
 * @param {import('./scene.js').Scene} scene @param {any} t */
function ofToken(scene, t) {
    const {text, names} = leadOf(scene, t);
    return text
        .split(/\{(token|key)\}/)
        .map((part, i) =>
            i % 2 ? h('bdi', {key: i}, names[/** @type {'token' | 'key'} */ (part)]) : part,
        );
}

/** The step, and what it does: to the token, or to all. @param {Props} props */
export const Lead = ({data: {t}, scene}) =>
    h(
        'div',
        {class: 'stage-text', 'aria-live': 'polite'},
        h(
            'h2',
            null,
            h('span', {class: 'soft'}, t.steps.nth(scene.step + 1, scene.steps.length)),
            ' ',
            stageOf(scene.id, t).title,
        ),
        h(
            'p',
            null,
            scene.form === 'matrices' ? termsIn(t, saysOf(scene, t).saysMatrix) : ofToken(scene, t),
        ),
    );

/** Its formula, and why it is done. @param {Props} props */
export const Says = ({data: {t}, scene}) => {
    const {id, d, block, form} = scene;
    return h(
        'div',
        {class: 'stage-why'},
        h(
            'p',
            {class: 'formula'},
            formulas[id][form === 'matrices' ? 'matrices' : 'vectors'](d, t, block),
        ),
        form === 'vectors' && h('p', null, termsIn(t, saysOf(scene, t).says)),
    );
};

/** What is pointed at: of the numbers that are shown, no longer than they are.
 * @extends {Component<Props>} */
export class Readout extends Component {
    of = /** @type {any[]} */ ([]);

    /** @param {Props} props */
    render({data: {t}, point, scene}) {
        if (point !== this.of[0]) this.of = [point, scene, t.code];
        const read = this.of[1] === scene && this.of[2] === t.code ? point?.read : null;
        return h(
            'div',
            {class: 'readout', role: 'group', 'aria-label': t.inside.readout},
            h('span', {class: 'sums'}, h('span', null, read ?? t.steps.point)),
        );
    }
}
