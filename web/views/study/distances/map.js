/* map - the heads of a corpus as points of a plane: those that act alike lie close together. Colour
 * and shape tell the cluster, the kind by Clark et al. 2019, or the layer. Pointing or the arrow
 * keys name a head, a press or Enter chooses it.
 */
import {h} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import {headColour} from '../../../draw/colour.js';
import {
    inDirection,
    layoutPoints,
    markPath,
    nearest,
    risingColour,
} from '../../../draw/marks/points.js';
import {paperOf} from '../../../draw/paper.js';
import {placeName, placeOf} from '../parts/sheet.js';
import {KINDS} from './numbers.js';

/**
 * @typedef {import('../study.js').Tree} Tree
 * @typedef {{answer: import('./numbers.js').Answer, by: string, theme: string, t:
 *     import('../study.js').Words, oneBased: boolean}} Drawn
 * @typedef {Drawn & {width: number, chosen: number, say: (index: number) => string, onPick: (index:
 *     number) => void}} Props
 */

const [HEIGHT, WIDEST] = [0.72, 620];
const ARROWS = new Map([
    ['ArrowRight', [1, 0]],
    ['ArrowLeft', [-1, 0]],
    ['ArrowDown', [0, 1]],
    ['ArrowUp', [0, -1]],
]);

/** @param {Drawn} props @returns {(index: number) => {colour: string, mark: number}} */
function lookOf({answer: {clusters, kinds, layers, heads}, by, theme}) {
    if (by === 'layer')
        return i => ({
            colour: risingColour(layers > 1 ? Math.floor(i / heads) / (layers - 1) : 0, theme),
            mark: 0,
        });
    const plain = {colour: theme === 'dark' ? '#767d8a' : '#858c98', mark: 0};
    const look = (/** @type {number} */ category) =>
        category < 0 ? plain : {colour: headColour(category, theme), mark: category};
    return by === 'kind'
        ? i => (kinds[i] ? look(1 + KINDS.indexOf(kinds[i])) : plain)
        : i => look(clusters[i]);
}

/** The rows of the legend: a head that looks so, and the name. @param {Drawn} props
 * @returns {{example: number, name: string}[]} */
function legendOf({answer: {clusters, kinds, layers, heads, medoids}, by, t, oneBased}) {
    if (by === 'layer')
        return Array.from({length: layers}, (_, layer) => ({
            example: layer * heads,
            name: `${t.map.layer} ${layer + (oneBased ? 1 : 0)}`,
        }));
    if (by === 'kind')
        return [...KINDS, '']
            .map(kind => ({example: kinds.indexOf(kind), name: t.distances.kinds[kind || 'none']}))
            .filter(({example}) => example >= 0);
    return medoids.map((_, i) => ({
        example: clusters.indexOf(i),
        name: t.distances.cluster(i + 1),
    }));
}

/** @param {number} width */
const sizeOf = width => ({
    width: Math.min(WIDEST, width),
    height: Math.round(Math.min(WIDEST, width) * HEIGHT),
});

/** @param {Drawn} props */
export function Legend(props) {
    const look = lookOf(props);
    return h(
        'ul',
        {class: 'point-legend'},
        legendOf(props).map(({example, name}) =>
            h(
                'li',
                {key: name},
                h(
                    'svg',
                    {viewBox: '-8 -8 16 16', width: 16, height: 16, 'aria-hidden': true},
                    h('path', {d: markPath(look(example).mark), fill: look(example).colour}),
                ),
                name,
            ),
        ),
    );
}

/** @param {Props['answer']} answer @param {number} width @param {number} height */
const usePlaces = (answer, width, height) =>
    useMemo(
        () =>
            layoutPoints(
                answer.map.map(([x, y]) => ({x, y})),
                width,
                height,
            ),
        [answer, width, height],
    );

/** The points as options of a list box. @param {Props} props
 * @param {ReturnType<typeof layoutPoints>} places */
const useMarks = (props, places) =>
    useMemo(() => {
        const look = lookOf(props);
        return places.map(({x, y}, i) =>
            h('path', {
                key: i,
                id: `distance-${i}`,
                role: 'option',
                'aria-selected': i === props.chosen,
                'aria-label': props.say(i),
                d: markPath(look(i).mark),
                fill: look(i).colour,
                class: i === props.chosen ? 'point chosen' : 'point',
                transform: `translate(${x} ${y})`,
            }),
        );
    }, [places, props.chosen, props.by, props.theme, props.t]);

/** The point nearest to the pointer, in a picture that may be shown smaller than it is.
 * @param {PointerEvent | MouseEvent} event @param {ReturnType<typeof layoutPoints>} places
 * @param {number} width @param {number} height */
function pointUnder({currentTarget, clientX, clientY}, places, width, height) {
    const box = /** @type {Element} */ (currentTarget).getBoundingClientRect();
    const [x, y] = [clientX - box.left, clientY - box.top];
    return nearest(places, (x * width) / box.width, (y * height) / box.height);
}

/** @param {Props} props */
export function PointMap(props) {
    const {t, chosen, say, onPick} = props;
    const {width, height} = sizeOf(props.width);
    const places = usePlaces(props.answer, width, height);
    const marks = useMarks(props, places);
    const [at, setAt] = useState({index: chosen, shown: false});
    const named = at.shown ? Math.min(at.index, places.length - 1) : chosen;
    const under = (/** @type {PointerEvent | MouseEvent} */ event) =>
        pointUnder(event, places, width, height);
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
        const step = ARROWS.get(event.key);
        const chooses = event.key === 'Enter' || event.key === ' ';
        if ((!step && !chooses) || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        if (step) setAt({index: inDirection(places, named, step[0], step[1]), shown: true});
        else onPick(named);
    };
    return h(
        'div',
        {class: 'point-map'},
        h(
            'svg',
            {
                ...{width, height, viewBox: `0 0 ${width} ${height}`, role: 'listbox'},
                tabIndex: 0,
                'aria-label': t.distances.mapKeys,
                'aria-activedescendant': `distance-${named}`,
                onKeyDown,
                onPointerMove: (/** @type {PointerEvent} */ event) =>
                    setAt({index: under(event), shown: true}),
                onPointerLeave: () => setAt({index: chosen, shown: false}),
                onClick: (/** @type {MouseEvent} */ event) => onPick(under(event)),
            },
            marks,
            h('circle', {class: 'ring', cx: places[named].x, cy: places[named].y, r: 9}),
        ),
        h('p', {class: 'hm-say', 'aria-hidden': true}, say(named)),
    );
}

/** @param {Drawn & {width: number}} props @returns {{tree: Tree, height: number}} */
export function pointMapSvg(props) {
    const {answer, theme} = props;
    const {width, height} = sizeOf(props.width);
    const look = lookOf(props);
    const rows = legendOf(props);
    const {soft} = paperOf(theme);
    const tree = h(
        'g',
        {'font-size': 12},
        layoutPoints(
            answer.map.map(([x, y]) => ({x, y})),
            width,
            height,
        ).map(({x, y}, i) =>
            h(
                'g',
                {transform: `translate(${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10})`},
                h('path', {d: markPath(look(i).mark), fill: look(i).colour}),
                h(
                    'text',
                    {x: 7, y: 4, 'font-size': 9, fill: soft},
                    placeName(placeOf(i, answer.heads), props.oneBased),
                ),
            ),
        ),
        rows.map(({example, name}, i) =>
            h(
                'g',
                {
                    transform: `translate(${(i % 4) * 150 + 8} ${height + 12 + Math.floor(i / 4) * 20})`,
                },
                h('path', {d: markPath(look(example).mark), fill: look(example).colour}),
                h('text', {x: 12, y: 4}, name),
            ),
        ),
    );
    return {tree, height: height + 12 + Math.ceil(rows.length / 4) * 20};
}
