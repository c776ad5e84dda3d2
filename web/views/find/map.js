/* map - all heads as points: heads that act alike lie close together. Pointing or the arrow keys
 * name a point, a press or Enter chooses it. Colour and shape tell the layer or the strongest
 * pattern.
 */
import {h} from 'preact';
import {useEffect, useMemo, useState} from 'preact/hooks';
import {headColour} from '../../draw/colour.js';
import {inDirection, layoutPoints, markPath, nearest, risingColour} from '../../draw/points.js';
import {percent} from '../../draw/scale.js';
import {chosenHead, mapOf, PATTERNS} from './numbers.js';

/**
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {{layer: number, head: number, pattern: string}} Kind
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   on: import('../view.js').On}} Props
 */

const HEIGHT = 0.72;
const WIDEST = 620;
const KEYS = new Map([
    ['ArrowRight', [1, 0]],
    ['ArrowLeft', [-1, 0]],
    ['ArrowDown', [0, 1]],
    ['ArrowUp', [0, -1]],
]);

/** How a point is drawn: by its layer, or by its pattern. @param {string} colourBy
 * @param {string} theme @param {number} layers
 * @returns {(kind: Kind) => {colour: string, mark: number}} */
export const lookOf =
    (colourBy, theme, layers) =>
    ({layer, pattern}) => {
        if (colourBy === 'layer')
            return {colour: risingColour(layers > 1 ? layer / (layers - 1) : 0, theme), mark: 0};
        const at = PATTERNS.indexOf(pattern);
        return at < 0
            ? {colour: theme === 'dark' ? '#767d8a' : '#858c98', mark: 0}
            : {colour: headColour(at, theme), mark: at};
    };

/** @param {number} width */
export const mapSize = width => ({
    width: Math.min(WIDEST, width),
    height: Math.round(Math.min(WIDEST, width) * HEIGHT),
});

/** The rows of the legend. @param {string} colourBy @param {number} layers @param {Texts} t
 * @returns {(Kind & {name: string})[]} */
export const legend = (colourBy, layers, t) =>
    colourBy === 'layer'
        ? Array.from({length: layers}, (_, layer) => ({
              layer,
              head: 0,
              pattern: '',
              name: t.layerName(layer),
          }))
        : [...PATTERNS, ''].map(pattern => ({
              layer: 0,
              head: 0,
              pattern,
              name: t.find.patterns[
                  /** @type {keyof typeof t.find.patterns} */ (pattern || 'none')
              ],
          }));

/** @param {{state: Props['state'], data: Props['data']}} props */
function Legend({state, data: {t, theme, model}}) {
    const look = lookOf(state.mapColour, theme, model.layers);
    return h(
        'ul',
        {
            class: 'legend',
            'aria-label': t.find.colours[/** @type {'layer' | 'pattern'} */ (state.mapColour)],
        },
        legend(state.mapColour, model.layers, t).map(row => {
            const {colour, mark} = look(row);
            return h(
                'li',
                {key: row.name},
                h(
                    'svg',
                    {viewBox: '-8 -8 16 16', width: 16, height: 16, 'aria-hidden': true},
                    h('path', {d: markPath(mark), fill: colour}),
                ),
                row.name,
            );
        }),
    );
}

/** @param {Pick<Props, 'state' | 'on'> & {t: Texts}} props */
const Colours = ({state, on, t}) =>
    h(
        'fieldset',
        {class: 'choice'},
        h('legend', null, t.find.colour),
        h(
            'div',
            {class: 'picks'},
            /** @type {const} */ (['layer', 'pattern']).map(value =>
                h(
                    'label',
                    {key: value, class: 'pick'},
                    h('input', {
                        type: 'radio',
                        name: 'map-colour',
                        value,
                        checked: state.mapColour === value,
                        onChange: () => on.set({mapColour: value}),
                    }),
                    h('span', null, t.find.colours[value]),
                ),
            ),
        ),
    );

/** Which point is named, and how it is walked to.
 * @param {import('../../draw/points.js').Point[]} places
 * @param {number} chosen @param {(point: number) => void} choose */
function useNamed(places, chosen, choose) {
    const [named, setNamed] = useState(chosen);
    useEffect(() => setNamed(chosen), [chosen, places]);
    const under = (/** @type {PointerEvent | MouseEvent} */ {currentTarget, clientX, clientY}) => {
        const {left, top} = /** @type {Element} */ (currentTarget).getBoundingClientRect();
        return nearest(places, clientX - left, clientY - top);
    };
    return {
        named: Math.min(named, places.length - 1),
        onPointerMove: (/** @type {PointerEvent} */ event) => setNamed(under(event)),
        onPointerLeave: () => setNamed(chosen),
        onClick: (/** @type {MouseEvent} */ event) => choose(under(event)),
        onKeyDown: (/** @type {KeyboardEvent} */ event) => {
            const step = KEYS.get(event.key);
            if (!step && event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            if (step) setNamed(inDirection(places, named, step[0], step[1]));
            else choose(named);
        },
    };
}

/** @param {Props} props */
export function HeadMap({state, data, on}) {
    const {t, model, tensors, theme} = data;
    const {points, shares, stress} = useMemo(() => mapOf(data), [tensors, model]);
    const {width, height} = mapSize(data.width);
    const places = useMemo(() => layoutPoints(points, width, height), [points, width, height]);
    const {layer, head} = chosenHead(state, model);
    const chosen = layer * model.heads + head;
    const choose = (/** @type {number} */ i) =>
        on.set({layer: points[i].layer, heads: [points[i].head]});
    const {named, ...events} = useNamed(places, chosen, choose);
    const look = lookOf(state.mapColour, theme, model.layers);
    const name = (/** @type {number} */ i) =>
        t.find.pointName(
            points[i].layer,
            points[i].head,
            t.find.patterns[
                /** @type {keyof typeof t.find.patterns} */ (points[i].pattern || 'none')
            ],
        );
    const right = places[named].x > width / 2;
    const marks = useMemo(
        () =>
            places.map(({x, y}, i) => {
                const {colour, mark} = look(points[i]);
                return h('path', {
                    key: i,
                    id: `head-${i}`,
                    role: 'option',
                    'aria-selected': i === chosen,
                    'aria-label': name(i),
                    class: i === chosen ? 'point chosen' : 'point',
                    d: markPath(mark),
                    fill: colour,
                    transform: `translate(${x} ${y})`,
                });
            }),
        [places, chosen, state.mapColour, theme, t],
    );
    return h(
        'section',
        {class: 'find-map', 'aria-label': t.find.map},
        h('h2', null, t.find.map),
        h(Colours, {state, on, t}),
        h(
            'div',
            {class: 'plot', style: {width: `${width}px`, height: `${height}px`}},
            h(
                'svg',
                {
                    width,
                    height,
                    role: 'listbox',
                    tabindex: 0,
                    'aria-label': t.find.mapKeys,
                    'aria-activedescendant': `head-${named}`,
                    ...events,
                },
                marks,
                h('circle', {class: 'ring', cx: places[named].x, cy: places[named].y, r: 9}),
            ),
            h(
                'span',
                {
                    class: right ? 'tag left' : 'tag',
                    'aria-hidden': true,
                    style: {
                        transform: `translate(${places[named].x + (right ? -14 : 14)}px, ${places[named].y}px)`,
                    },
                },
                name(named),
            ),
        ),
        h(Legend, {state, data}),
        h('p', {class: 'hint'}, t.find.fit(percent(shares[0] + shares[1]), stress.toFixed(2))),
    );
}
