/* svg - the head view as one static picture: for saving, for pages without script, for snapshot tests.
 * Same geometry as the page; colours are written out, since a saved file has no style sheet.
 */
import {h} from 'preact';
import {linkPath, LINE_WIDTH} from '../../draw/arcs.js';
import {headColour} from '../../draw/colour.js';
import {strips} from '../../draw/strips.js';
import {fitPiece, FONT, ROW, rowMiddle} from '../../draw/tokens.js';
import {focusLinks, headScene, shownFocus} from './scene.js';

/** @typedef {import('./scene.js').Scene} Scene */

const PAPER = {light: {ink: '#1d1f24', page: '#ffffff'}, dark: {ink: '#e6e7ea', page: '#15171c'}};
const TOP = 28;

const rounded = (/** @type {number} */ value) => Math.round(value * 1000) / 1000;

/** @param {Scene} scene @param {number[]} range @param {number} x @param {'start' | 'end'} anchor */
const column = (scene, [from, to], x, anchor) => scene.tokens.slice(from, to).map((token, row) =>
    h('text', {x, y: rowMiddle(row) + 5, 'text-anchor': anchor},
        fitPiece(token.piece, scene.layout.box), h('title', null, token.piece)));

/** @param {Scene} scene @param {import('../../draw/arcs.js').Links} list @param {string} theme */
const lines = (scene, list, theme) => Array.from({length: list.count}, (_, i) => h('path', {
    d: linkPath(list, i, scene), stroke: headColour(list.head[i], theme), 'stroke-opacity': rounded(list.opacity[i]),
}));

/** @param {Scene} scene @param {import('./scene.js').Focus} focus @param {string} theme */
const bands = (scene, focus, theme) => strips(scene.attention, scene.heads, focus, scene).map(strip => h('rect', {
    x: rounded(strip.x), y: strip.y + 1, width: rounded(strip.width), height: ROW - 2,
    fill: headColour(strip.head, theme), 'fill-opacity': rounded(strip.opacity),
}));

/** @type {import('../view.js').View['svg']} */
export function headSvg(state, data, {width: wished, theme, focus: wanted}, t) {
    const scene = headScene(state, data, wished);
    const {width, height: rowsHeight, box} = scene.layout;
    const height = rowsHeight + TOP;
    const focus = shownFocus(scene, wanted);
    const paper = theme === 'dark' ? PAPER.dark : PAPER.light;
    return h('svg', {xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, role: 'img',
        'font-family': 'system-ui, sans-serif', 'font-size': FONT, fill: paper.ink},
    h('title', null, t.head.svgTitle(scene.layer, scene.heads)),
    h('rect', {width, height, fill: paper.page}),
    h('text', {x: box - 8, y: 16, 'text-anchor': 'end', 'font-size': 13}, t.query),
    h('text', {x: width - box + 8, y: 16, 'font-size': 13}, t.key),
    h('g', {transform: `translate(0 ${TOP})`},
        focus && h('g', null, bands(scene, focus, theme)),
        h('g', {fill: 'none', 'stroke-width': LINE_WIDTH},
            lines(scene, focus ? focusLinks(scene, focus) : scene.links, theme)),
        h('g', null, column(scene, scene.rows, box - 8, 'end')),
        h('g', null, column(scene, scene.cols, width - box + 8, 'start'))));
}
