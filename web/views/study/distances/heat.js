/* heat - the divergence of every two heads as a heat map on a canvas, in the order of the clusters,
 * with lines between them. Pointing or the arrow keys name a pair.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {scaleColour} from '../../../draw/colour.js';
import {paperOf} from '../../../draw/paper.js';
import {orderOf} from './numbers.js';

/**
 * @typedef {import('../study.js').Tree} Tree
 * @typedef {{answer: import('./numbers.js').Answer, theme: string, width: number}} Drawn
 * @typedef {Drawn & {t: import('../study.js').Words, say: (a: number, b: number) => string, onPick:
 *     (index: number) => void}} Props
 */

const [WIDEST, LARGEST, MOST_RECTS] = [576, 12, 160];
const ARROWS = new Map([
    ['ArrowRight', [1, 0]],
    ['ArrowLeft', [-1, 0]],
    ['ArrowDown', [0, 1]],
    ['ArrowUp', [0, -1]],
]);

/** @param {number[][]} mean */
const mostOf = mean => Math.max(1e-9, ...mean.map(row => Math.max(...row)));

/** @param {CanvasRenderingContext2D} context @param {Drawn} props @param {number} cell in device px
 */
function paint(context, {answer, theme}, cell) {
    const {order, begins} = orderOf(answer);
    const most = mostOf(answer.mean);
    order.forEach((a, row) =>
        order.forEach((b, col) => {
            context.fillStyle = scaleColour(answer.mean[a][b] / most, theme);
            context.fillRect(
                Math.floor(col * cell),
                Math.floor(row * cell),
                Math.ceil(cell),
                Math.ceil(cell),
            );
        }),
    );
    context.fillStyle = paperOf(theme).page;
    for (const at of begins.slice(1)) {
        context.fillRect(Math.floor(at * cell) - 1, 0, 2, order.length * cell);
        context.fillRect(0, Math.floor(at * cell) - 1, order.length * cell, 2);
    }
}

/** @param {Props} props */
export function Heat(props) {
    const {answer, theme, t, say, onPick} = props;
    const ref = useRef(/** @type {HTMLCanvasElement | null} */ (null));
    const [at, setAt] = useState(/** @type {{row: number, col: number} | null} */ (null));
    const {order} = orderOf(answer);
    const count = order.length;
    const size = Math.min(WIDEST, props.width, LARGEST * count);
    useEffect(() => {
        const canvas = ref.current;
        const context = canvas?.getContext('2d');
        if (!canvas || !context) return;
        canvas.width = canvas.height = Math.round(size * (globalThis.devicePixelRatio || 1));
        paint(context, props, canvas.width / count);
    }, [answer, theme, size]);
    const inside = (/** @type {number} */ value) => Math.min(count - 1, Math.max(0, value));
    const point = (/** @type {PointerEvent} */ {currentTarget, clientX, clientY}) => {
        const box = /** @type {Element} */ (currentTarget).getBoundingClientRect();
        setAt({
            row: inside(Math.floor(((clientY - box.top) / size) * count)),
            col: inside(Math.floor(((clientX - box.left) / size) * count)),
        });
    };
    const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
        const step = ARROWS.get(event.key);
        if ((!step && event.key !== 'Enter') || event.altKey || event.ctrlKey || event.metaKey)
            return;
        event.preventDefault();
        if (!step) return onPick(order[at?.row ?? 0]);
        setAt({row: inside((at?.row ?? 0) + step[1]), col: inside((at?.col ?? 0) + step[0])});
    };
    return h(
        'div',
        {class: 'heat'},
        h(
            'div',
            {
                class: 'heat-box',
                style: {width: `${size}px`, height: `${size}px`},
                tabIndex: 0,
                role: 'group',
                'aria-label': t.distances.heatKeys,
                onKeyDown,
                onPointerMove: point,
                onPointerLeave: () => setAt(null),
                onClick: () => at && onPick(order[at.row]),
            },
            h('canvas', {ref, style: {width: `${size}px`, height: `${size}px`}}),
            at &&
                h('i', {
                    class: 'heat-mark',
                    style: {
                        left: `${(at.col * size) / count}px`,
                        top: `${(at.row * size) / count}px`,
                        width: `${size / count}px`,
                        height: `${size / count}px`,
                    },
                }),
        ),
        h(
            'p',
            {class: 'hm-say', role: 'status'},
            at ? say(order[at.row], order[at.col]) : t.distances.heatRest,
        ),
    );
}

/** Null where there are too many heads for a picture of rectangles. @param {Drawn} props
 * @returns {{tree: Tree, height: number} | null} */
export function heatSvg({answer, theme, width}) {
    const {order} = orderOf(answer);
    if (order.length > MOST_RECTS) return null;
    const most = mostOf(answer.mean);
    const cell = Math.min(LARGEST, Math.floor((Math.min(WIDEST, width) / order.length) * 10) / 10);
    const tree = h(
        'g',
        {'shape-rendering': 'crispEdges'},
        order.flatMap((a, row) =>
            order.map((b, col) =>
                h('rect', {
                    x: Math.round(col * cell * 10) / 10,
                    y: Math.round(row * cell * 10) / 10,
                    width: cell,
                    height: cell,
                    fill: scaleColour(answer.mean[a][b] / most, theme),
                }),
            ),
        ),
    );
    return {tree, height: order.length * cell};
}
