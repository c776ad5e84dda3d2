/* svg - the head view as one static picture: for saving, for pages without script, for snapshot tests.
 * Same geometry as the page; colours are written out, since a saved file has no style sheet. */

import {h} from 'preact';
import {linkPath, LINE_WIDTH} from '../../draw/arcs.js';
import {headColour} from '../../draw/colour.js';
import {fitPiece, FONT, ROW, rowMiddle} from '../../draw/tokens.js';
import {strips} from '../../draw/strips.js';
import {focusLinks, headScene, shownFocus} from './scene.js';

const INK = {light: '#1d1f24', dark: '#e6e7ea'};
const PAGE = {light: '#ffffff', dark: '#15171c'};
const TOP = 28;

const rounded = value => Math.round(value * 1000) / 1000;

function column(scene, [from, to], x, anchor) {
    return scene.tokens.slice(from, to).map((token, row) => h('text', {x, y: rowMiddle(row) + 5, 'text-anchor': anchor},
        fitPiece(token.piece, scene.layout.box), h('title', null, token.piece)));
}

function lines(scene, list, theme) {
    return Array.from({length: list.count}, (_, i) => h('path', {
        d: linkPath(list, i, scene), stroke: headColour(list.head[i], theme), 'stroke-opacity': rounded(list.opacity[i]),
    }));
}

function bands(scene, focus, theme) {
    return strips(scene.attention, scene.heads, focus, scene).map(strip => h('rect', {
        x: rounded(strip.x), y: strip.y + 1, width: rounded(strip.width), height: ROW - 2,
        fill: headColour(strip.head, theme), 'fill-opacity': rounded(strip.opacity),
    }));
}

/* look: {width, theme, focus}; t: the texts of the page. */
export function headSvg(state, data, look, t) {
    const scene = headScene(state, data, look.width);
    const {width, height, box} = scene.layout;
    const focus = shownFocus(scene, look.focus);
    const list = focus ? focusLinks(scene, focus) : scene.links;
    return h('svg', {xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height + TOP}`, width,
        height: height + TOP, role: 'img', 'font-family': 'system-ui, sans-serif', 'font-size': FONT, fill: INK[look.theme]},
    h('title', null, t.head.svgTitle(scene.layer, scene.heads)),
    h('rect', {width, height: height + TOP, fill: PAGE[look.theme]}),
    h('text', {x: box - 8, y: 16, 'text-anchor': 'end', 'font-size': 13}, t.query),
    h('text', {x: width - box + 8, y: 16, 'font-size': 13}, t.key),
    h('g', {transform: `translate(0 ${TOP})`},
        focus && h('g', null, bands(scene, focus, look.theme)),
        h('g', {fill: 'none', 'stroke-width': LINE_WIDTH}, lines(scene, list, look.theme)),
        h('g', null, column(scene, scene.rows, box - 8, 'end')),
        h('g', null, column(scene, scene.cols, width - box + 8, 'start'))));
}
