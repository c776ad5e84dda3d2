/* heat - the divergence of every two heads as a heat map on a canvas, in the order of the clusters,
 * with lines between them. Pointing or the arrow keys name a pair.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {scaleColour} from '../../../draw/colour.js';
import {isPress, stepOf} from '../../../draw/grid.js';
import {paperOf} from '../../../draw/paper.js';
import {orderOf} from './numbers.js';

/**
 * @typedef {{answer: import('./numbers.js').Answer, theme: string, width: number}} Drawn
 * @typedef {Drawn & {t: import('../study.js').Words, say: (a: number, b: number) => string, onPick:
 *     (index: number) => void}} Props
 */

const [WIDEST, LARGEST, MOST_RECTS] = [576, 12, 160];
const [GUTTER, FONT] = [22, 11]; // px for the clusters' numbers, on the left and above

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

/** The canvas, painted again when what it shows changes. @param {Props} props
 * @param {number} size px @param {number} count */
function useCanvas(props, size, count) {
    const ref = useRef(/** @type {HTMLCanvasElement | null} */ (null));
    useEffect(() => {
        const canvas = ref.current;
        const context = canvas?.getContext('2d');
        if (!canvas || !context) return;
        canvas.width = canvas.height = Math.round(size * (globalThis.devicePixelRatio || 1));
        paint(context, props, canvas.width / count);
    }, [props.answer, props.theme, size]);
    return ref;
}

/** The number of each cluster, and the middle of its heads, in cells. @param {ReturnType<typeof orderOf>} heads */
const clusterMiddles = ({order, begins, numbers}) =>
    begins.map((begin, i) => ({
        number: numbers[i],
        middle: (begin + (begins[i + 1] ?? order.length)) / 2,
    }));

/** Which heads the rows and columns are: the clusters' numbers beside them. @param {ReturnType<typeof orderOf>} heads
 * @param {number} cell px */
const clusterNumbers = (heads, cell) =>
    ['down', 'across'].map(side =>
        clusterMiddles(heads).map(({number, middle}) =>
            h(
                'span',
                {
                    key: `${side} ${number}`,
                    class: 'heat-cluster',
                    'aria-hidden': true,
                    style:
                        side === 'down'
                            ? {left: `${-GUTTER / 2}px`, top: `${middle * cell}px`}
                            : {left: `${middle * cell}px`, top: `${-GUTTER / 2}px`},
                },
                number,
            ),
        ),
    );

/** Around the pair that is pointed at. @param {{row: number, col: number}} at @param {number} cell */
function mark({row, col}, cell) {
    const [left, top, width] = [col * cell, row * cell, cell].map(value => `${value}px`);
    return h('i', {class: 'heat-mark', style: {left, top, width, height: width}});
}

/** The pair that is pointed at, or that the arrow keys have reached; a press or Enter picks its row.
 * @param {{order: number[], size: number, onPick: (index: number) => void}} props */
function usePair({order, size, onPick}) {
    const [at, setAt] = useState(/** @type {{row: number, col: number} | null} */ (null));
    const count = order.length;
    const inside = (/** @type {number} */ value) => Math.min(count - 1, Math.max(0, value));
    const point = (/** @type {PointerEvent} */ {currentTarget, clientX, clientY}) => {
        const {left, top} = /** @type {Element} */ (currentTarget).getBoundingClientRect();
        const [row, col] = [clientY - top, clientX - left].map(px =>
            inside(Math.floor((px / size) * count)),
        );
        setAt({row, col});
    };
    return {
        at,
        events: {
            onPointerMove: point,
            onPointerDown: point, // a tap moves nothing
            onPointerLeave: (/** @type {PointerEvent} */ {pointerType}) =>
                pointerType !== 'touch' && setAt(null),
            onClick: () => at && onPick(order[at.row]),
            onKeyDown(/** @type {KeyboardEvent} */ event) {
                const step = stepOf(event);
                if (!step && !isPress(event)) return;
                event.preventDefault();
                const {row, col} = at ?? {row: 0, col: 0};
                if (step) setAt({row: inside(row + step[1]), col: inside(col + step[0])});
                else onPick(order[row]);
            },
        },
    };
}

/** @param {Props} props */
function Heat(props) {
    const {answer, t, say, onPick} = props;
    const heads = orderOf(answer);
    const {order} = heads;
    const count = order.length;
    const size = Math.min(WIDEST, props.width - GUTTER, LARGEST * count);
    const box = {width: `${size}px`, height: `${size}px`};
    const ref = useCanvas(props, size, count);
    const {at, events} = usePair({order, size, onPick});
    return h(
        'div',
        {class: 'heat'},
        h(
            'div',
            {
                class: 'heat-box',
                style: {...box, margin: `${GUTTER}px 0 0 ${GUTTER}px`},
                tabIndex: 0,
                role: 'group',
                'aria-label': t.distances.heatKeys,
                ...events,
            },
            h('canvas', {ref, style: box}),
            clusterNumbers(heads, size / count),
            at && mark(at, size / count),
        ),
        h('p', {class: 'hint'}, t.distances.heatAxes),
        h(
            'p',
            {class: 'hm-say', role: 'status'},
            at ? say(order[at.row], order[at.col]) : t.distances.heatRest,
        ),
    );
}

/** @param {Drawn & {t: import('../study.js').Words}} props */
function heatSvg({answer, theme, width, t}) {
    const heads = orderOf(answer);
    const {order} = heads;
    const most = mostOf(answer.mean);
    const room = Math.min(WIDEST, width - GUTTER);
    const cell = Math.min(LARGEST, Math.floor((room / order.length) * 10) / 10);
    const at = (/** @type {number} */ cells) => Math.round(cells * cell * 10) / 10;
    const tree = h(
        'g',
        {transform: `translate(${GUTTER} ${GUTTER})`},
        h(
            'g',
            {'font-size': FONT, fill: paperOf(theme).soft, 'text-anchor': 'middle'},
            clusterMiddles(heads).map(({number, middle}) => [
                h('text', {x: -GUTTER / 2, y: at(middle) + 4}, number),
                h('text', {x: at(middle), y: -8}, number),
            ]),
        ),
        h(
            'g',
            {'shape-rendering': 'crispEdges'},
            order.flatMap((a, row) =>
                order.map((b, col) =>
                    h('rect', {
                        ...{x: at(col), y: at(row), width: cell, height: cell},
                        fill: scaleColour(answer.mean[a][b] / most, theme),
                    }),
                ),
            ),
        ),
        h(
            'text',
            {y: at(order.length) + FONT + 8, 'font-size': FONT, fill: paperOf(theme).soft},
            t.distances.heatAxes,
        ),
    );
    return {tree, width, height: GUTTER + order.length * cell + 2 * FONT + 8};
}

/** @type {import('../../../draw/blocks.js').Kind} */
const HEAT = {
    Html: ({block, look, on}) =>
        h(Heat, {...block, ...look, onPick: index => block.onPick(index, on)}),
    svg: (block, look) => heatSvg({...block, ...look}),
};

/** Null where there are too many heads for a file's rectangles.
 * @param {Pick<Props, 'answer' | 't' | 'say'> & {onPick: (index: number, on: import('../study.js').On)
 *     => void}} given @param {boolean} file */
export const heat = (given, file) =>
    file && given.answer.mean.length > MOST_RECTS ? null : {kind: HEAT, ...given};
