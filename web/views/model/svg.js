/* svg - the whole grid as one static picture of paths: of a heat map at most 20 × 20 cells, each with its largest weight; of
 * lines the 64 strongest of each head. Paths of like strength are joined, so that 144 heads stay below 2 MB.
 */
import {h} from 'preact';
import {headColour, scaleColour} from '../../draw/colour.js';
import {largest} from '../../draw/picture.js';
import {counted} from '../select.js';
import {inPrint} from './legend.js';
import {LINKS, linksOf, pictureSize} from './numbers.js';
import {paperOf} from './paint.js';
import {cornerOf, gridScene} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').Computed} Computed
 * @typedef {import('./numbers.js').Cell} Cell
 */

const PAGE = {light: {ink: '#1d1f24', soft: '#5a606b', page: '#ffffff'},
    dark: {ink: '#e6e7ea', soft: '#a6acb8', page: '#15171c'}};
const CELLS = 20;
const LEVELS = 16;
const TOP = 30;

/** Paths by strength: marks of one level share a path. @param {{ink: number, path: string}[]} marks @param {string} kind */
function byLevel(marks, kind) {
    /** @type {Map<number, string>} */
    const levels = new Map();
    for (const {ink, path} of marks) {
        const level = Math.round(ink * LEVELS);
        if (level) levels.set(level, (levels.get(level) ?? '') + path);
    }
    return [...levels].sort(([a], [b]) => a - b).map(([level, d]) =>
        h('path', {key: level, d, [`${kind}-opacity`]: level / LEVELS}));
}

/** @param {Cell} cell @param {Computed} data @param {number} side */
function lines(cell, data, side) {
    const pitch = side / data.pass.tokens.length;
    const at = (/** @type {number} */ token) => Math.round((token + 0.5) * pitch * 10) / 10;
    const marks = linksOf(data, cell, LINKS).map(({query, key, weight}) =>
        ({ink: weight, path: `M0 ${at(query)}L${side} ${at(key)}`}));
    return h('g', {fill: 'none', 'stroke-width': side < 36 ? 0.8 : 1.2}, byLevel(marks, 'stroke'));
}

/** @param {Cell} cell @param {Computed} data @param {number} side */
function heatmap(cell, data, side) {
    const size = pictureSize(data.model);
    const all = data.tensors.get(`measure.heatmaps.${size}`)?.data ?? new Float32Array();
    const n = Math.min(CELLS, data.pass.tokens.length);
    const ink = largest(size, data.pass.tokens.length, n)(all.subarray(cell.id * size * size, (cell.id + 1) * size * size));
    const marks = Array.from(ink, (value, i) => ({ink: value, path: `M${i % n} ${Math.floor(i / n)}h1v1h-1z`}));
    return h('g', {transform: `scale(${Math.round(1000 * side / n) / 1000})`}, byLevel(marks, 'fill'));
}

/** @param {{scene: Scene, state: import('../view.js').ViewState, soft: string}} props */
function Labels({scene: {cells, layers, heads, layout, order}, state, soft}) {
    const number = counted(state);
    const text = (/** @type {number} */ x, /** @type {number} */ y, /** @type {string | number} */ label) =>
        h('text', {key: `${x} ${y}`, x, y, 'text-anchor': 'middle'}, label);
    const half = layout.thumb / 2;
    return h('g', {fill: soft, 'font-size': 11},
        order === 'model' && heads.map((head, i) => text(layout.left + i * layout.pitch + half, layout.top - 6, number(head))),
        order !== 'all' && layers.map((layer, row) =>
            text(layout.left / 2, layout.top + row * layout.rowHeight + half + 4, number(layer))),
        order !== 'model' && cells.map(({layer, head}, i) => {
            const {x, y} = cornerOf(layout, i);
            return text(x + half, y + layout.thumb + 12, order === 'all' ? `${number(layer)}.${number(head)}` : number(head));
        }));
}

/** @type {import('../view.js').View['svg']} */
export function modelSvg(state, data, {width: wished, theme}, t) {
    const scene = gridScene(state, data, wished);
    const {layout, measure} = scene;
    const [width, height] = [Math.max(wished, layout.width), layout.height + TOP];
    const paper = theme === 'dark' ? PAGE.dark : PAGE.light;
    const {frame, thumb} = layout;
    const side = thumb - 2 * frame;
    const draw = state.picture === 'lines' ? lines : heatmap;
    const legend = measure ? `: ${t.modelView.measures[measure.name]} ${inPrint(measure.low)} – ${inPrint(measure.high)}` : '';
    return h('svg', {xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
        'font-family': 'system-ui, sans-serif', fill: paper.ink},
    h('rect', {width, height, fill: paper.page}),
    h('text', {x: 0, y: 16, 'font-size': 13}, t.modelView.svgTitle(data.model.layers, data.model.heads) + legend),
    h('g', {transform: `translate(0 ${TOP})`}, h(Labels, {scene, state, soft: paper.soft}), scene.cells.map((cell, i) => {
        const {x, y} = cornerOf(layout, i);
        const colour = headColour(cell.head, theme);
        return h('g', {key: cell.id, transform: `translate(${x} ${y})`},
            frame > 0 && h('rect', {width: thumb, height: thumb, fill: scaleColour(cell.share, theme)}),
            h('g', {transform: `translate(${frame} ${frame})`, fill: colour,
                stroke: state.picture === 'lines' ? colour : undefined},
                h('rect', {width: side, height: side, fill: paperOf(theme), stroke: 'none'}), draw(cell, data, side)));
    })));
}
