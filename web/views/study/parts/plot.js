/* plot - small charts with axes, drawn the same in the page and in saved pictures: one number of
 * every head by layer with the mean of the layer (Clark et al. 2019, figure 2), a curve over steps,
 * a histogram. Colours are written out.
 */
import {h} from 'preact';
import {scaleLinear} from 'd3-scale';
import {headColour} from '../../../draw/colour.js';
import {endAt, middleAt} from '../../../draw/label.js';
import {paperOf} from '../../../draw/paper.js';
import {total} from '../../../draw/scale.js';
import {placeName, placeOf} from './sheet.js';

/**
 * @import {Tree} from '../study.js'
 * @typedef {{width: number, height: number, theme: string, x: [number, number], y: [number,
 *     number], xName: string, yName: string,
 *   xTicks?: number[], tickName?: (value: number) => string}} Frame   x, y: the range of each axis
 * @typedef {(value: number) => number} Place
 */

const [LEFT, BOTTOM, TOP, RIGHT] = [46, 36, 22, 8];
/** The room around what is drawn, px. */
export const AREA = {left: LEFT, bottom: BOTTOM, top: TOP, right: RIGHT};
const round = (/** @type {number} */ value) => Math.round(value * 10) / 10;

/** A number below the axis. @param {number} value @param {Place} xs @param {number} height
 * @param {(value: number) => string} name */
const tick = (value, xs, height, name) =>
    middleAt(round(xs(value)), height - BOTTOM + 16, name(value), {key: `x${value}`});

/** Axes, and inside what `draw` makes of the two scales.
 * @param {Frame} frame @param {(x: Place, y: Place) => Tree} draw */
export function plot({width, height, theme, x, y, xName, yName, xTicks, tickName = String}, draw) {
    const {soft} = paperOf(theme);
    const hair = theme === 'dark' ? '#333842' : '#dfe2e7';
    const xs = scaleLinear()
        .domain(x)
        .range([LEFT, width - RIGHT]);
    const ys = scaleLinear()
        .domain(y)
        .range([height - BOTTOM, TOP]);
    const right = width - RIGHT;
    return h(
        'g',
        {'font-size': 12, fill: soft},
        ys
            .ticks(4)
            .map((/** @type {number} */ value) =>
                h(
                    'g',
                    {key: `y${value}`},
                    h('path', {d: `M${LEFT} ${round(ys(value))}H${right}`, stroke: hair}),
                    endAt(LEFT - 6, round(ys(value)) + 4, String(value).replace('-', '\u2212')),
                ),
            ),
        (xTicks ?? xs.ticks(Math.max(2, Math.min(8, Math.floor(width / 70))))).map(
            (/** @type {number} */ value) => tick(value, xs, height, tickName),
        ),
        middleAt((LEFT + right) / 2, height - 4, xName),
        h('text', {x: 0, y: 12}, yName),
        draw(xs, ys),
    );
}

/** A path through points. @param {readonly {x: number, y: number}[]} points @param {Place} x
 * @param {Place} y */
export const path = (points, x, y) =>
    points.map((point, i) => `${i ? 'L' : 'M'}${round(x(point.x))} ${round(y(point.y))}`).join('');

/** The mean of each layer; null where a layer has no number.
 * @param {readonly (number | null)[]} values @param {number} layers */
export function layerMeans(values, layers) {
    const heads = values.length / layers;
    return Array.from({length: layers}, (_, layer) => {
        const known = /** @type {number[]} */ (
            values.slice(layer * heads, (layer + 1) * heads).filter(value => value !== null)
        );
        return known.length ? total(known) / known.length : null;
    });
}

/** Every head as a dot, by layer, and the layers' means as a line.
 * @param {{values: readonly (number | null)[], layers: number, width: number, height: number,
 *     theme: string, yName: string,
 *   xName: string, most?: number, even?: number | null, oneBased?: boolean}} props   even: of a
 *       head that looks at all alike */
export function layersPlot(props) {
    const {values, layers, most, even = null, oneBased = false, ...frame} = props;
    const known = /** @type {number[]} */ (values.filter(value => value !== null));
    const high = most ?? Math.max(...known, even ?? 0, 1e-9) * 1.05;
    const {ink} = paperOf(frame.theme);
    const means = layerMeans(values, layers)
        .map((y, x) => ({x, y}))
        .filter(({y}) => y !== null);
    return plot(
        {
            ...frame,
            x: [-0.5, layers - 0.5],
            y: [0, high],
            xTicks: Array.from({length: layers}, (_, layer) => layer),
            tickName: layer => String(layer + (oneBased ? 1 : 0)),
        },
        (x, y) => [
            even !== null &&
                h('path', {
                    key: 'even',
                    d: `M${x(-0.5)} ${round(y(even))}H${x(layers - 0.5)}`,
                    stroke: ink,
                    'stroke-dasharray': '3 4',
                    'stroke-opacity': 0.6,
                }),
            h('path', {
                key: 'mean',
                d: path(/** @type {{x: number, y: number}[]} */ (means), x, y),
                stroke: ink,
                'stroke-width': 1.5,
                fill: 'none',
            }),
            dots({values, layers, theme: frame.theme, oneBased}, x, y),
        ],
    );
}

/** One for each head that has a value.
 * @param {{values: readonly (number | null)[], layers: number, theme: string, oneBased: boolean}} of
 * @param {Place} x @param {Place} y */
function dots({values, layers, theme, oneBased}, x, y) {
    const heads = values.length / layers;
    return values.map((value, i) => {
        if (value === null) return false;
        const {layer, head} = placeOf(i, heads);
        const look = {r: 3.5, fill: headColour(head, theme), 'fill-opacity': 0.85};
        const place = placeName({layer, head}, oneBased);
        return h(
            'circle',
            {key: i, cx: round(x(layer)), cy: round(y(value)), ...look},
            h('title', null, `${place}: ${Number(value.toPrecision(3))}`),
        );
    });
}

/** Bars over equal bins. @param {{counts: readonly number[], from: number, step: number, fill: string}} of
 * @param {Place} x @param {Place} y */
export const bins = ({counts, from, step, fill}, x, y) =>
    counts.map(
        (count, i) =>
            count > 0 &&
            h('rect', {
                key: i,
                x: round(x(from + i * step)) + 0.5,
                y: round(y(count)),
                fill,
                width: Math.max(1, round(x(from + step) - x(from)) - 1),
                height: round(y(0) - y(count)),
            }),
    );

/** Counts over equal bins.
 * @param {{counts: readonly number[], from: number, step: number, width: number, height: number,
 *     theme: string,
 *   xName: string, yName: string, mark?: number | null, tickName?: (value: number) => string}} props   mark:
 *       a line at a value */
export function histogram({counts, from, step, mark = null, ...frame}) {
    const {bar, ink} = paperOf(frame.theme);
    const range = /** @type {[number, number]} */ ([from, from + step * counts.length]);
    return plot({...frame, x: range, y: [0, Math.max(1, ...counts)]}, (x, y) => [
        bins({counts, from, step, fill: bar}, x, y),
        mark !== null &&
            h('path', {
                key: 'mark',
                d: `M${round(x(mark))} ${TOP}V${frame.height - BOTTOM}`,
                stroke: ink,
                'stroke-width': 1.5,
                'stroke-dasharray': '4 3',
            }),
    ]);
}

/** @typedef {{tree: Tree, width: number, height: number, label: string}} Charted   label: for readers who cannot see it */

/** @param {Charted} props */
export const Chart = ({width, height, label, tree}) =>
    h(
        'svg',
        {
            ...{class: 'study-chart', width, height, viewBox: `0 0 ${width} ${height}`},
            ...{role: 'img', 'aria-label': label},
        },
        tree,
    );

/** @type {import('../../../draw/blocks.js').Kind} */
const CHART = {
    Html: ({block}) => h(Chart, block),
    svg: ({tree, width, height}) => ({tree, width, height}),
};

/** A chart, the same on the page and in files.
 * @param {Charted} given @returns {import('../../../draw/blocks.js').Block} */
export const chart = given => ({kind: CHART, ...given});
