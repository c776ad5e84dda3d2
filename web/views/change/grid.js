/* grid - every head of every layer as a small signed picture of what has changed in it, with the
 * share of attention that has moved. A press shows the head large, or switches it off; arrow keys
 * walk.
 */
import {h} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import {paintMatrix} from '../../draw/signed.js';
import {chosenHead, shifts, THUMB} from './numbers.js';

/**
 * @typedef {ReturnType<typeof shifts>} Shifts
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   on: import('../view.js').On}} Props
 * @typedef {ReturnType<typeof layoutGrid>} Layout
 */

const GUTTER = 26; // for the numbers of the layers, and above for those of the heads
const HEAD_ROW = 20;
const NUMBER = 16;
const [LEAST, MOST] = [28, 68];
const STEPS = new Map([
    ['ArrowRight', [0, 1]],
    ['ArrowLeft', [0, -1]],
    ['ArrowDown', [1, 0]],
    ['ArrowUp', [-1, 0]],
]);

/** @param {{layers: number, heads: number}} model @param {number} width */
export function layoutGrid({layers, heads}, width) {
    const cell = Math.max(LEAST, Math.min(MOST, Math.floor((width - GUTTER) / heads)));
    const picture = cell - 4;
    const row = picture + NUMBER + 4;
    return {
        cell,
        picture,
        row,
        width: GUTTER + heads * cell,
        height: HEAD_ROW + layers * row,
        left: (/** @type {number} */ head) => GUTTER + head * cell + 2,
        top: (/** @type {number} */ layer) => HEAD_ROW + layer * row + 2,
    };
}

/** A share as it fits into a small cell. @param {number} value 0 to 1 */
export const short = value =>
    value >= 0.995 ? '1' : value < 0.005 ? (value > 0 ? '<.01' : '0') : value.toFixed(2).slice(1);

/** The small pictures, one after the other. @param {Shifts} all @param {Layout} layout */
export const thumbnails = ({pictures, most, layers, heads}, layout) =>
    Array.from({length: layers * heads}, (_, i) => ({
        data: pictures.subarray(i * THUMB * THUMB, (i + 1) * THUMB * THUMB),
        rows: THUMB,
        cols: THUMB,
        x: layout.left(i % heads),
        y: layout.top(Math.floor(i / heads)),
        cell: layout.picture / THUMB,
        most,
    }));

/** @param {Shifts} all @param {Layout} layout @param {string} theme
 * @returns {import('../view.js').Painter} */
function painter(all, layout, theme) {
    const list = thumbnails(all, layout);
    const size = THUMB * THUMB;
    return {
        count: all.most > 0 ? list.length * size : 0,
        paint(context, band, begin, end) {
            for (let i = Math.floor(begin / size); i * size < end; i++) {
                paintMatrix(
                    context,
                    list[i],
                    theme,
                    band,
                    Math.max(0, begin - i * size),
                    Math.min(size, end - i * size),
                );
            }
        },
    };
}

/** @param {Props & {all: Shifts, layout: Layout, onPress: (layer: number, head: number) => void}}
 *     props */
function Cells({state, data: {t, model}, all, layout, onPress}) {
    const chosen = chosenHead(state, model);
    return Array.from(all.moved, (moved, i) => {
        const [layer, head] = [Math.floor(i / all.heads), i % all.heads];
        const off = state.off.includes(`${layer}.${head}`);
        const pressed = layer === chosen.layer && head === chosen.head;
        return h(
            'button',
            {
                key: i,
                type: 'button',
                class: off ? 'shift-cell off' : 'shift-cell',
                'data-cell': `${layer}.${head}`,
                'aria-pressed': pressed,
                tabIndex: pressed ? 0 : -1,
                'aria-label': t.change.cell(layer, head, short(moved), off),
                title: t.change.cell(layer, head, short(moved), off),
                onClick: () => onPress(layer, head),
                style: {
                    left: `${layout.left(head) - 2}px`,
                    top: `${layout.top(layer) - 2}px`,
                    width: `${layout.cell}px`,
                    height: `${layout.row}px`,
                },
            },
            h('span', {class: 'number'}, short(moved)),
        );
    });
}

/** @param {{all: Shifts, layout: Layout, t: Texts}} props */
function Axes({all: {layers, heads}, layout, t}) {
    const at = (
        /** @type {number} */ left,
        /** @type {number} */ top,
        /** @type {number} */ width,
        /** @type {string | number} */ text,
    ) =>
        h(
            'span',
            {
                class: 'axis-number',
                style: {left: `${left}px`, top: `${top}px`, width: `${width}px`},
            },
            text,
        );
    return h(
        'div',
        {'aria-hidden': true},
        Array.from({length: heads}, (_, head) => at(layout.left(head) - 2, 0, layout.cell, head)),
        Array.from({length: layers}, (_, layer) =>
            at(0, layout.top(layer) + layout.picture / 2 - 10, GUTTER - 4, layer),
        ),
        h('span', {class: 'hidden'}, t.layer),
    );
}

/** Moves the focus to the neighbouring cell. @param {KeyboardEvent} event */
function walk(event) {
    const step = STEPS.get(event.key);
    const from = event.target instanceof Element ? event.target.getAttribute('data-cell') : null;
    if (!step || !from) return;
    const [layer, head] = from.split('.').map((part, i) => Number(part) + step[i]);
    const next = /** @type {Element} */ (event.currentTarget).querySelector(
        `[data-cell="${layer}.${head}"]`,
    );
    event.preventDefault();
    if (next instanceof HTMLElement) next.focus({focusVisible: true});
}

/** What a press on a cell does: native radio buttons.
 * @param {{mode: string, setMode: (mode: string) => void, t: Texts}} props */
const Modes = ({mode, setMode, t}) =>
    h(
        'fieldset',
        {class: 'choice'},
        h('legend', null, t.change.press),
        h(
            'div',
            {class: 'picks'},
            /** @type {const} */ (['show', 'off']).map(value =>
                h(
                    'label',
                    {key: value, class: 'pick'},
                    h('input', {
                        type: 'radio',
                        name: 'press',
                        value,
                        checked: mode === value,
                        onChange: () => setMode(value),
                    }),
                    h('span', null, t.change.presses[value]),
                ),
            ),
        ),
    );

/** @param {Props} props */
export function Grid({state, data, on}) {
    const {t, model, tensors, theme, width} = data;
    const [mode, setMode] = useState('show');
    const all = useMemo(() => shifts(data), [tensors, model]);
    const layout = useMemo(() => layoutGrid(model, width), [model, width]);
    const base = useMemo(() => painter(all, layout, theme), [all, layout, theme]);
    const onPress = (/** @type {number} */ layer, /** @type {number} */ head) => {
        const place = `${layer}.${head}`;
        if (mode === 'show') return on.set({layer, heads: [head]});
        on.set({
            off: state.off.includes(place)
                ? state.off.filter(other => other !== place)
                : [...state.off, place],
        });
    };
    return h(
        'section',
        {class: 'change-grid', 'aria-label': t.change.grid},
        h('h2', null, t.change.grid),
        h(Modes, {mode, setMode, t}),
        h(
            'div',
            {
                class: 'scroll',
                tabIndex: layout.width > width ? 0 : undefined,
                role: 'group',
                'aria-label': t.change.grid,
            },
            h(
                'div',
                {
                    class: 'shift-cells',
                    style: {width: `${layout.width}px`, height: `${layout.height}px`},
                    onKeyDown: walk,
                },
                h(on.Canvas, {width: layout.width, height: layout.height, base, overlay: null}),
                h(Axes, {all, layout, t}),
                h(Cells, {state, data, on, all, layout, onPress}),
            ),
        ),
        h('p', {class: 'hint'}, t.change.gridHint(all.most.toFixed(2))),
    );
}
