/* heads - one coloured button a head. A click turns it on or off, a double-click or Shift+Enter
 * shows it alone; pointing at it previews it alone, until the pointer leaves or something is
 * pressed. A view that shows one head has them as a choice of one.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {headColour, inkOn} from '../draw/colour.js';
import {activeHeads, counted, fewestHeads, soloHead, toggleHead} from '../views/parts/select.js';

const DOUBLE_MS = 400;

/** @typedef {import('../base/shared.js').Shared & {count: number, idle: boolean, onPeek: (head: number) =>
 *     void}} Props
 *   idle: what is shown has no heads */

/** What a press does. The first click of a double-click acts at once; the second then counts from
 * the heads that were on before it. @param {Props} props */
function usePress({state, set, count}) {
    const last = useRef({head: -1, time: 0, before: state.heads});
    const solo = (/** @type {readonly number[]} */ heads, /** @type {number} */ head) => {
        last.current = {head: -1, time: 0, before: []};
        set({heads: soloHead(heads, head, count)});
    };
    return {
        click(/** @type {number} */ head, /** @type {MouseEvent} */ event) {
            const {head: lastHead, time, before} = last.current;
            if (event.shiftKey) return solo(state.heads, head);
            if (event.detail > 0 && head === lastHead && event.timeStamp - time < DOUBLE_MS)
                return solo(before, head);
            last.current = {head, time: event.timeStamp, before: state.heads};
            set({heads: toggleHead(state.heads, head, count)});
        },
        key(/** @type {number} */ head, /** @type {KeyboardEvent} */ event) {
            if (event.key !== 'Enter' || !event.shiftKey) return;
            event.preventDefault();
            solo(state.heads, head);
        },
    };
}

/** The coloured button of one head: filled while it is on.
 * @param {Pick<Props, 't' | 'state' | 'theme'> & {head: number, on: boolean} &
 *     import('preact').ButtonHTMLAttributes<HTMLButtonElement>} props */
function Chip({t, state, theme, head, on, ...button}) {
    const number = counted(state)(head);
    const colour = headColour(head, theme);
    return buttonOf(
        'chip',
        {
            'data-card': `${state.layer}.${head}`,
            'aria-pressed': on,
            'aria-label': t.headChip(number),
            style: {borderColor: colour, ...(on ? {background: colour, color: inkOn(colour)} : {})},
            ...button,
        },
        number,
    );
}

/** @param {number} count @param {(head: number) => import('preact').VNode} chip */
const chips = (count, chip) =>
    h(
        'div',
        {class: 'chips'},
        Array.from({length: count}, (_, head) => chip(head)),
    );

/** For views of one head: the first that is on.
 * @param {import('../base/shared.js').Shared & {count: number}} props */
export function OneHead({t, state, set, count, theme}) {
    const [chosen] = activeHeads(state.heads, count);
    const chip = (/** @type {number} */ head) =>
        h(Chip, {
            ...{t, state, theme, head},
            key: head,
            on: head === chosen,
            onClick: () => set({heads: [head]}),
        });
    return h(
        'div',
        {class: 'heads', role: 'group', 'aria-labelledby': 'heads-label'},
        h('div', {class: 'label-row'}, h('span', {class: 'label', id: 'heads-label'}, t.oneHead)),
        chips(count, chip),
    );
}

/** What they are, and the ways to all of them and to as few as can be.
 * @param {Pick<Props, 't' | 'state' | 'set' | 'count'>} props */
const Label = ({t, state, set, count}) =>
    h(
        'div',
        {class: 'label-row'},
        h('span', {class: 'label', id: 'heads-label'}, t.heads),
        buttonOf('plain', {onClick: () => set({heads: []})}, t.headsAll),
        buttonOf(
            'plain',
            {title: t.headsNoneHint, onClick: () => set({heads: fewestHeads(state.heads, count)})},
            t.headsNone,
        ),
    );

/** @param {Props} props */
export function Heads(props) {
    const {t, state, count, theme, idle, onPeek} = props;
    const press = usePress(props);
    const on = activeHeads(state.heads, count);
    const chip = (/** @type {number} */ head) =>
        h(Chip, {
            ...{t, state, theme, head},
            key: head,
            on: on.includes(head),
            disabled: idle,
            onPointerEnter: event => event.pointerType !== 'touch' && onPeek(head),
            onPointerLeave: () => onPeek(-1),
            onFocus: event => event.currentTarget.matches(':focus-visible') && onPeek(head),
            onBlur: () => onPeek(-1),
            onClick: event => {
                onPeek(-1);
                press.click(head, event);
            },
            onKeyDown: event => press.key(head, event),
        });
    return h(
        'div',
        {
            class: idle ? 'heads idle' : 'heads',
            role: 'group',
            'aria-labelledby': 'heads-label',
            'aria-describedby': 'heads-hint',
        },
        h(Label, props),
        chips(count, chip),
        h('p', {class: 'hint', id: 'heads-hint'}, t.headsHint),
    );
}
