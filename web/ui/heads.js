/* heads - one coloured button a head. A click turns it on or off, a double-click or Shift+Enter
 * shows it alone; pointing at it previews it alone, until the pointer leaves or something is
 * pressed. A view that shows one head has them as a choice of one.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {headColour, inkOn} from '../draw/colour.js';
import {activeHeads, counted, fewestHeads, soloHead, toggleHead} from '../views/select.js';

const DOUBLE_MS = 400;

/** @typedef {import('./app.js').Shared & {count: number, idle: boolean, onPeek: (head: number) =>
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

/** For views of one head: the first that is on.
 * @param {import('./app.js').Shared & {count: number}} props */
export function OneHead({t, state, set, count, theme}) {
    const number = counted(state);
    const [chosen] = activeHeads(state.heads, count);
    const chip = (/** @type {number} */ head) => {
        const colour = headColour(head, theme);
        const style = {
            borderColor: colour,
            ...(head === chosen ? {background: colour, color: inkOn(colour)} : {}),
        };
        return h(
            'button',
            {
                key: head,
                type: 'button',
                class: 'chip',
                'aria-pressed': head === chosen,
                'aria-label': t.headChip(number(head)),
                style,
                onClick: () => set({heads: [head]}),
            },
            number(head),
        );
    };
    return h(
        'div',
        {class: 'heads', role: 'group', 'aria-labelledby': 'heads-label'},
        h('div', {class: 'label-row'}, h('span', {class: 'label', id: 'heads-label'}, t.oneHead)),
        h(
            'div',
            {class: 'chips'},
            Array.from({length: count}, (_, head) => chip(head)),
        ),
    );
}

/** @param {Props} props */
export function Heads(props) {
    const {t, state, set, count, theme, idle, onPeek} = props;
    const number = counted(state);
    const press = usePress(props);
    const on = activeHeads(state.heads, count);
    const chip = (/** @type {number} */ head) => {
        const colour = headColour(head, theme);
        const shown = on.includes(head);
        return h(
            'button',
            {
                key: head,
                type: 'button',
                class: 'chip',
                'aria-pressed': shown,
                'aria-label': t.headChip(number(head)),
                disabled: idle,
                style: shown
                    ? {background: colour, borderColor: colour, color: inkOn(colour)}
                    : {borderColor: colour},
                onPointerEnter: event => event.pointerType !== 'touch' && onPeek(head),
                onPointerLeave: () => onPeek(-1),
                onFocus: event => event.currentTarget.matches(':focus-visible') && onPeek(head),
                onBlur: () => onPeek(-1),
                onClick: event => {
                    onPeek(-1);
                    press.click(head, event);
                },
                onKeyDown: event => press.key(head, event),
            },
            number(head),
        );
    };
    return h(
        'div',
        {
            class: idle ? 'heads idle' : 'heads',
            role: 'group',
            'aria-labelledby': 'heads-label',
            'aria-describedby': 'heads-hint',
        },
        h(
            'div',
            {class: 'label-row'},
            h('span', {class: 'label', id: 'heads-label'}, t.heads),
            h(
                'button',
                {type: 'button', class: 'plain', onClick: () => set({heads: []})},
                t.headsAll,
            ),
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    title: t.headsNoneHint,
                    onClick: () => set({heads: fewestHeads(state.heads, count)}),
                },
                t.headsNone,
            ),
        ),
        h(
            'div',
            {class: 'chips'},
            Array.from({length: count}, (_, head) => chip(head)),
        ),
        h('p', {class: 'hint', id: 'heads-hint'}, t.headsHint),
    );
}
