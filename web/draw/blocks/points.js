/* points - a block: a scatter plot (draw/marks/points.js says where its points stand), drawn with the box
 * that names the ringed point; and a block of its legend. On the page pointing and the
 * arrow keys name a point and tell on.point, a press or Enter chooses it; `over`: {at} is the point
 * that is named.
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {isPress, stepOf} from '../grid.js';
import {paperOf} from '../paper.js';
import {inDirection, markPath, nearest} from '../marks/points.js';
import {textWidth} from '../tokens.js';

/**
 * @typedef {{x: number, y: number, colour: string, mark: number, name: string, label?: string}}
 *     Point   in px; label: a short name
 * @typedef {{id: string, points: Point[], chosen: number, width: number, height: number, name:
 *     string, labels?: boolean, onPick: (index: number, props:
 *     import('../blocks.js').Props) => void}} Given   name: how keys move in it; labels: in a file
 *       each point has its name beside it, and on the page the view says what is pointed at elsewhere
 * @typedef {{colour: string, mark: number, name: string}} Entry
 */

const TAG = 14; // px from a point to its name
const [LINE, STEP] = [18, 150]; // of a legend in a file: from line to line, from entry to entry

const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100;

/** How a point is named and chosen. @param {any} props @param {number} at */
function eventsOf(props, at) {
    const {
        block: {id, points, onPick},
        on,
    } = props;
    const under = (/** @type {PointerEvent | MouseEvent} */ {currentTarget, clientX, clientY}) => {
        const {left, top} = /** @type {Element} */ (currentTarget).getBoundingClientRect();
        return nearest(points, clientX - left, clientY - top);
    };
    const pick = (/** @type {number} */ index) => {
        onPick(index, props);
        on.point(null);
    };
    return {
        onPointerMove(/** @type {PointerEvent} */ event) {
            const index = under(event);
            if (index !== props.point?.index) on.point({id, index});
        },
        onPointerLeave: () => on.point(null),
        onClick: (/** @type {MouseEvent} */ event) => pick(under(event)),
        onKeyDown(/** @type {KeyboardEvent} */ event) {
            const step = stepOf(event);
            if (!step && !isPress(event)) return;
            event.preventDefault();
            if (step) on.point({id, index: inDirection(points, at, step[0], step[1])});
            else pick(at);
        },
    };
}

/** The points, made anew when they are others. @param {Given} given */
function useMarks({id, points, chosen}) {
    return useMemo(
        () =>
            points.map(({x, y, colour, mark, name}, i) =>
                h('path', {
                    key: i,
                    id: `${id}-${i}`,
                    role: 'option',
                    'aria-selected': i === chosen,
                    'aria-label': name,
                    class: i === chosen ? 'point chosen' : 'point',
                    d: markPath(mark),
                    fill: colour,
                    transform: `translate(${x} ${y})`,
                }),
            ),
        [points, chosen],
    );
}

/** Where the name of a point stands: beside it, towards the middle; where there is no room, above or below.
 * @param {Point} point @param {number} width */
function tagOf({x, y, name}, width) {
    const right = x > width / 2;
    const missing = TAG + 16 + 13 * textWidth(name) - (right ? x : width - x);
    const aside = Math.max(0, missing) * (right ? 1 : -1);
    const up = missing > 0 ? (y > 40 ? -24 : 24) : 0;
    return {right, tag: `translate(${x + (right ? -TAG : TAG) + aside}px, ${y + up}px)`};
}

/** @param {any} props */
function Plot(props) {
    const {points, chosen, width, height, name, id, labels} = /** @type {Given} */ (props.block);
    const at = Math.min(props.over?.at ?? chosen, points.length - 1);
    const marks = useMarks(props.block);
    const named = points[at];
    const {right, tag} = tagOf(named, width);
    return h(
        'div',
        {class: labels ? undefined : 'plot', style: {width: `${width}px`, height: `${height}px`}},
        h(
            'svg',
            {
                ...{width, height, role: 'listbox', tabindex: 0, 'aria-label': name},
                'aria-activedescendant': `${id}-${at}`,
                ...eventsOf(props, at),
            },
            marks,
            h('circle', {class: 'ring', cx: named.x, cy: named.y, r: 9}),
        ),
        !labels &&
            h(
                'span',
                {class: right ? 'tag left' : 'tag', 'aria-hidden': true, style: {transform: tag}},
                named.name,
            ),
    );
}

/** @type {import('../blocks.js').Kind} */
const POINTS = {
    Html: Plot,
    svg: ({points, chosen, width, height, labels}, {theme}) => ({
        width,
        height,
        tree: points.map((/** @type {Point} */ point, /** @type {number} */ i) => {
            const [x, y] = [rounded(point.x), rounded(point.y)];
            const dot = h(
                'path',
                {
                    d: markPath(point.mark),
                    fill: point.colour,
                    transform: `translate(${x} ${y})`,
                    ...(i === chosen && {stroke: paperOf(theme).ink, 'stroke-width': 2}),
                },
                h('title', null, point.name),
            );
            const small = {'font-size': 9, fill: paperOf(theme).soft};
            return labels
                ? [dot, h('text', {x: rounded(x + 7), y: rounded(y + 4), ...small}, point.label)]
                : dot;
        }),
    }),
};

/** @param {Given} given @returns {import('../blocks.js').Block} */
export const points = given => ({kind: POINTS, ...given});

/** @type {import('../blocks.js').Kind} */
const LEGEND = {
    Html: ({block: {entries, name, className}}) =>
        h(
            'ul',
            {class: className, 'aria-label': name},
            entries.map((/** @type {Entry} */ {colour, mark, name: said}) =>
                h(
                    'li',
                    {key: said},
                    h(
                        'svg',
                        {viewBox: '-8 -8 16 16', width: 16, height: 16, 'aria-hidden': true},
                        h('path', {d: markPath(mark), fill: colour}),
                    ),
                    said,
                ),
            ),
        ),
    svg: ({entries, across}) => ({
        width: Math.ceil(
            40 + 13 * Math.max(...entries.map((/** @type {Entry} */ {name}) => textWidth(name))),
        ),
        height: Math.ceil(entries.length / across) * LINE + 10,
        tree: entries.map((/** @type {Entry} */ {colour, mark, name}, /** @type {number} */ i) =>
            h(
                'g',
                {
                    transform: `translate(${(i % across) * STEP + 16} ${Math.floor(i / across) * LINE + 10})`,
                },
                h('path', {d: markPath(mark), fill: colour}),
                h('text', {x: 14, y: 4, 'font-size': across > 1 ? 12 : undefined}, name),
            ),
        ),
    }),
};

/** What colours and shapes mean. @param {Entry[]} entries @param {string} name
 * @param {{across?: number, className?: string}} [more] across: in a line of a file
 * @returns {import('../blocks.js').Block} */
export const pointLegend = (entries, name, {across = 1, className = 'legend'} = {}) => ({
    kind: LEGEND,
    ...{entries, name, across, className},
});
