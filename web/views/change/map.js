/* map - the signed difference of one head, tokens on both axes: query down, key to the right.
 * Pointing, tapping or the arrow keys choose a cell, whose numbers stand below; at first it is the
 * cell that has changed most.
 */
import {h} from 'preact';
import {useEffect, useMemo, useState} from 'preact/hooks';
import {decimal} from '../../draw/scale.js';
import {paintMatrix, signed} from '../../draw/signed.js';
import {textWidth} from '../../draw/tokens.js';
import {chosenHead, mapOf, spots} from './numbers.js';

/**
 * @typedef {ReturnType<typeof mapOf>} Difference
 * @typedef {ReturnType<typeof layoutMap>} Layout
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   on: import('../view.js').On}} Props
 */

const [LEAST, MOST] = [2, 26];
const LABEL = 13; // px of room that a label needs
const EM = 12;
const STEPS = new Map([
    ['ArrowRight', [0, 1]],
    ['ArrowLeft', [0, -1]],
    ['ArrowDown', [1, 0]],
    ['ArrowUp', [-1, 0]],
]);

/** @param {string[]} names @param {number} width available */
export function layoutMap(names, width) {
    const longest = Math.max(...names.map(textWidth));
    const box = Math.round(Math.min(Math.max(36, longest * EM + 12), Math.min(110, width * 0.26)));
    const cell = Math.max(LEAST, Math.min(MOST, Math.floor((width - box) / names.length)));
    const side = cell * names.length;
    return {box, cell, side, every: Math.ceil(LABEL / cell)};
}

/** What stands at each position now. @param {Props['state']} state
 * @param {import('../view.js').Computed} data */
export const namesNow = (state, data) => spots(state, data).map(({piece, now}) => now ?? piece);

/** @param {{names: string[], layout: Layout}} props */
function Labels({names, layout: {box, cell, every}}) {
    const shown = names.flatMap((name, index) => (index % every ? [] : [{name, index}]));
    const list = (/** @type {string} */ side, /** @type {(at: number) => string} */ place) =>
        h(
            'div',
            {class: `labels ${side}`},
            shown.map(({name, index}) =>
                h(
                    'span',
                    {
                        key: index,
                        style: {width: `${box}px`, transform: place((index + 0.5) * cell)},
                    },
                    h('bdi', null, name),
                ),
            ),
        );
    return h(
        'div',
        {'aria-hidden': true, style: {'--box': `${box}px`}},
        list('query', at => `translateY(${at}px)`),
        list('key', at => `translateX(${at}px) rotate(-90deg)`),
    );
}

/** @param {{map: Difference, names: string[], at: number, t: Texts}} props */
function Readout({map: {T, before, after, difference}, names, at, t}) {
    const [query, key] = [Math.floor(at / T), at % T];
    return h(
        'p',
        {class: 'shift-readout', 'aria-live': 'polite'},
        h('bdi', {class: 'query'}, names[query]),
        h('small', null, ` ${query}`),
        ` ${t.change.to} `,
        h('bdi', {class: 'key'}, names[key]),
        h('small', null, ` ${key}`),
        ': ',
        h('span', {class: 'number'}, `${decimal(before[at])} → ${decimal(after[at])}`),
        ' ',
        h(
            'strong',
            {class: difference[at] < 0 ? 'number less' : 'number more'},
            signed(difference[at]),
        ),
    );
}

/** The cell that is chosen, and how it is chosen. @param {Difference} map @param {number} cell px
 */
function useCell(map, cell) {
    const [at, setAt] = useState(map.at);
    useEffect(() => setAt(map.at), [map]);
    const {T} = map;
    return {
        at: Math.min(at, T * T - 1),
        /** @param {PointerEvent} event */
        point({currentTarget, clientX, clientY}) {
            const {left, top} = /** @type {Element} */ (currentTarget).getBoundingClientRect();
            const [row, col] = [clientY - top, clientX - left].map(px =>
                Math.max(0, Math.min(T - 1, Math.floor(px / cell))),
            );
            setAt(row * T + col);
        },
        /** @param {KeyboardEvent} event */
        key(event) {
            const step = STEPS.get(event.key);
            if (!step) return;
            event.preventDefault();
            const [row, col] = [Math.floor(at / T) + step[0], (at % T) + step[1]];
            if (row >= 0 && row < T && col >= 0 && col < T) setAt(row * T + col);
        },
    };
}

/** @param {Difference} map @param {Layout} layout @param {string} theme
 * @returns {import('../view.js').Painter} */
function painter(map, {cell}, theme) {
    const matrix = {
        data: map.difference,
        rows: map.T,
        cols: map.T,
        x: 0,
        y: 0,
        cell,
        most: map.most,
    };
    return {
        count: map.difference.length,
        paint: (context, band, begin, end) => paintMatrix(context, matrix, theme, band, begin, end),
    };
}

/** @param {Props} props */
export function Difference({state, data, on}) {
    const {t, model, tensors, theme, width, pass} = data;
    const {layer, head} = chosenHead(state, model);
    const map = useMemo(() => mapOf(data, {layer, head}), [tensors, layer, head]);
    const names = useMemo(() => namesNow(state, data), [pass, state.masked]);
    const layout = useMemo(() => layoutMap(names, width), [names, width]);
    const base = useMemo(() => painter(map, layout, theme), [map, layout, theme]);
    const {at, point, key} = useCell(map, layout.cell);
    const {box, cell, side} = layout;
    const [row, col] = [Math.floor(at / map.T), at % map.T];
    const off = state.off.includes(`${layer}.${head}`);
    return h(
        'section',
        {class: 'change-map', 'aria-label': t.change.mapTitle(layer, head)},
        h(
            'h2',
            null,
            t.change.mapTitle(layer, head),
            off && h('small', null, ` ${t.change.isOff}`),
        ),
        h(Readout, {map, names, at, t}),
        h(
            'div',
            {
                class: 'scroll',
                role: 'group',
                tabIndex: box + side > width ? 0 : undefined,
                'aria-label': t.change.mapTitle(layer, head),
            },
            h(
                'div',
                {class: 'map-frame', style: {width: `${box + side}px`, height: `${box + side}px`}},
                h(Labels, {names, layout}),
                h(
                    'div',
                    {
                        class: 'surface',
                        role: 'application',
                        tabIndex: 0,
                        'aria-label': t.change.mapKeys,
                        style: {
                            left: `${box}px`,
                            top: `${box}px`,
                            width: `${side}px`,
                            height: `${side}px`,
                        },
                        onPointerMove: point,
                        onPointerDown: point,
                        onKeyDown: key,
                    },
                    h(on.Canvas, {width: side, height: side, base, overlay: null}),
                    h('i', {
                        class: 'shift-cross',
                        style: {
                            width: `${cell}px`,
                            height: `${cell}px`,
                            transform: `translate(${col * cell}px, ${row * cell}px)`,
                        },
                    }),
                ),
            ),
        ),
        h(
            'p',
            {class: 'hint'},
            map.most > 0 ? t.change.mapHint(map.most.toFixed(3)) : t.change.mapSame,
        ),
    );
}
