/* svg - the whole grid as one static picture of paths, for files: the marks, widths and shades that
 * the screen has (paint.js). Marks of like strength are joined to a path, and of many heads the
 * faintest are left out or cells taken together, so that 144 heads stay below 2 MB.
 */
import {h} from 'preact';
import {channels, headColour, scaleColour} from '../../draw/colour.js';
import {largest, shadeOf} from '../../draw/picture.js';
import {counted} from '../select.js';
import {inPrint} from './legend.js';
import {pictureSize, ROWS} from './numbers.js';
import {paperOf} from './paint.js';
import {cornerOf, gridScene} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('./numbers.js').Cell} Cell
 */

const PAGE = {
    light: {ink: '#1d1f24', soft: '#5a606b', page: '#ffffff'},
    dark: {ink: '#e6e7ea', soft: '#a6acb8', page: '#15171c'},
};
// the faintest begins at draw/scale.js' FLOOR, as the lines on the screen do
const LEVELS = 64;
const MARKS = 120e3; // of all heads together
// a line is 1/64 of the thumbnail wide, but at most half the distance of two rows:
// src/measure/pictures.c
const WIDTHS = 64;
const TOP = 30;

/** Paths by strength, faintest first: marks of one level share a path. Its colour is the one that
 * the screen's pixels of that ink have, not a transparency: where lines cross, the strongest counts
 * and they do not add up. Beyond `most` marks the faintest levels are left out, whole.
 * @param {{ink: number, path: string}[]} marks @param {number} most @param {string} colour
 * @param {string} paper */
function byLevel(marks, most, colour, paper) {
    /** @type {string[][]} */
    const levels = Array.from({length: LEVELS + 1}, () => []);
    for (const {ink, path} of marks) levels[Math.min(LEVELS, Math.round(ink * LEVELS))].push(path);
    const paths = [];
    for (let level = LEVELS, left = most; level > 0; level--) {
        if (!levels[level].length) continue;
        left -= levels[level].length;
        if (left < 0 && paths.length) break;
        const stroke = `rgb(${shadeOf(level / LEVELS, channels(colour), channels(paper))})`;
        paths.unshift(h('path', {key: level, d: levels[level].join(''), stroke}));
    }
    return paths;
}

const asItIs = (/** @type {number} */ weight) => weight;

/** How a head's marks are made of its heat map: a cell or a line of each weight, in units of one
 * row; n: rows of the picture.
 * @type {Record<string, {size: (model: import('../view.js').Model) => number, inkOf: (weight:
 *     number) => number,
 *   width: (n: number) => number, path: (n: number, query: number, key: number) => string}>} */
const KINDS = {
    lines: {
        size: () => ROWS,
        inkOf: asItIs,
        width: n => Math.min(n / WIDTHS, 0.5),
        path: (n, query, key) => `M0 ${query}L${n} ${key}`,
    },
    heatmaps: {
        size: pictureSize,
        inkOf: Math.sqrt,
        width: () => 1,
        path: (_n, query, key) => `M${key} ${query}h1`,
    },
};

/** @param {{cell: Cell, data: Computed, picture: string, side: number, most: number, theme: string}}
 *     props */
function Thumb({cell, data, picture, side, most, theme}) {
    const {size: sizeOf, inkOf, width, path} = picture === 'lines' ? KINDS.lines : KINDS.heatmaps;
    const size = sizeOf(data.model);
    const all = data.tensors.get(`measure.heatmaps.${size}`)?.data;
    if (!all) return null;
    const tokens = data.pass.tokens.length;
    const n = Math.min(size, tokens, picture === 'lines' ? ROWS : Math.floor(Math.sqrt(most)));
    const ink = largest(
        size,
        tokens,
        n,
        inkOf,
    )(all.subarray(cell.id * size * size, (cell.id + 1) * size * size));
    const marks = Array.from(ink, (value, i) => ({
        ink: value,
        path: path(n, Math.floor(i / n), i % n),
    }));
    const unit = Math.round((1000 * side) / n) / 1000;
    return h(
        'g',
        {
            transform: `translate(0 ${unit / 2}) scale(${unit})`,
            fill: 'none',
            'stroke-width': width(n),
        },
        byLevel(marks, most, headColour(cell.head, theme), paperOf(theme)),
    );
}

/** @param {{scene: Scene, state: import('../view.js').ViewState, soft: string}} props */
function Labels({scene: {cells, layers, heads, layout, order, shared}, state, soft}) {
    const number = counted(state);
    const text = (
        /** @type {number} */ x,
        /** @type {number} */ y,
        /** @type {string | number} */ label,
    ) => h('text', {key: `${x} ${y}`, x, y, 'text-anchor': 'middle'}, label);
    const half = layout.thumb / 2;
    return h(
        'g',
        {fill: soft, 'font-size': 11},
        order === 'model' &&
            heads.map((head, i) =>
                text(layout.left + i * layout.pitch + half, layout.top - 6, number(head)),
            ),
        order === 'model' &&
            shared.map(({from, to}) => {
                const [left, top] = [layout.left + from * layout.pitch, layout.top - 19];
                const right = layout.left + to * layout.pitch + layout.thumb;
                return h('path', {
                    d: `M${left} ${top + 4}V${top}H${right}V${top + 4}`,
                    fill: 'none',
                    stroke: soft,
                });
            }),
        order !== 'all' &&
            layers.map((layer, row) =>
                text(
                    layout.left / 2,
                    layout.top + row * layout.rowHeight + half + 4,
                    number(layer),
                ),
            ),
        order !== 'model' &&
            cells.map(({layer, head}, i) => {
                const {x, y} = cornerOf(layout, i);
                return text(
                    x + half,
                    y + layout.thumb + 12,
                    order === 'all' ? `${number(layer)}.${number(head)}` : number(head),
                );
            }),
    );
}

/** @type {import('../view.js').View['svg']} */
export function modelSvg(state, data, {width: wished, theme}, t) {
    const scene = gridScene(state, data, wished);
    const {layout, measure} = scene;
    const [width, height] = [Math.max(wished, layout.width), layout.height + TOP];
    const paper = theme === 'dark' ? PAGE.dark : PAGE.light;
    const {frame, thumb} = layout;
    const side = thumb - 2 * frame;
    const most = Math.floor(MARKS / scene.cells.length);
    const legend = measure
        ? `: ${t.modelView.measures[measure.name]} ${inPrint(measure.low)} – ${inPrint(measure.high)}`
        : '';
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${width} ${height}`,
            width,
            height,
            role: 'img',
            'font-family': 'system-ui, sans-serif',
            fill: paper.ink,
        },
        h('rect', {width, height, fill: paper.page}),
        h(
            'text',
            {x: 0, y: 16, 'font-size': 13},
            t.modelView.svgTitle(data.model.layers, data.model.heads) + legend,
        ),
        h(
            'g',
            {transform: `translate(0 ${TOP})`},
            h(Labels, {scene, state, soft: paper.soft}),
            scene.cells.map((cell, i) => {
                const {x, y} = cornerOf(layout, i);
                return h(
                    'g',
                    {key: cell.id, transform: `translate(${x} ${y})`},
                    frame > 0 &&
                        h('rect', {
                            width: thumb,
                            height: thumb,
                            fill: scaleColour(cell.share, theme),
                        }),
                    h(
                        'g',
                        {transform: `translate(${frame} ${frame})`},
                        h('rect', {width: side, height: side, fill: paperOf(theme)}),
                        h(Thumb, {cell, data, picture: state.picture, side, most, theme}),
                    ),
                );
            }),
        ),
    );
}
