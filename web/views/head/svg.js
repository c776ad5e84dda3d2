/* svg - the head view as one static picture: for saving, for pages without script, for snapshot
 * tests. Same geometry as the page; colours are written out, since a saved file has no style sheet.
 */
import {h} from 'preact';
import {linkPath, LINE_WIDTH} from '../../draw/arcs.js';
import {isRightToLeft} from '../../draw/graphemes.js';
import {strips} from '../../draw/strips.js';
import {fitPiece, FONT, ROW, rowMiddle} from '../../draw/tokens.js';
import {shownName} from './caption.js';
import {canMask, maskedIn, maskLabel} from './column.js';
import {CELL_INSET, summaryCells} from './marks.js';
import {chosenOf, colours, focusLinks, headScene} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {(head: number) => string} ColourOf
 */

const PAPER = {light: {ink: '#1d1f24', page: '#ffffff'}, dark: {ink: '#e6e7ea', page: '#15171c'}};
const TOP = 28;
const MASK_ROOM = 62;

const rounded = (/** @type {number} */ value) => Math.round(value * 1000) / 1000;

/** A piece that is masked stands struck through before what replaces it.
 * @param {import('../level.js').Unit} unit @param {number} box
 * @param {number} masked how many of its pieces */
function label(unit, box, masked) {
    if (!masked) return [fitPiece(unit.piece, box), h('title', null, unit.piece)];
    return [
        h('tspan', {'text-decoration': 'line-through'}, fitPiece(unit.piece, box - MASK_ROOM)),
        ' ',
        h('tspan', null, maskLabel(masked)),
    ];
}

/** @param {Scene} scene @param {number[]} range @param {number} x @param {'start' | 'end'} anchor
 * @param {readonly number[]} masked */
const column = (scene, [from, to], x, anchor, masked) =>
    scene.tokens.slice(from, to).map((unit, row) => {
        const reversed = isRightToLeft(unit.piece);
        // start is on the right then
        const side = reversed ? (anchor === 'end' ? 'start' : 'end') : anchor;
        return h(
            'text',
            {
                x,
                y: rowMiddle(row) + 5,
                'text-anchor': side,
                direction: reversed ? 'rtl' : undefined,
            },
            label(unit, scene.layout.box, maskedIn(unit, masked)),
        );
    });

/** @param {Scene} scene @param {import('../../draw/arcs.js').Links} list @param {ColourOf} colourOf
 */
const lines = (scene, list, colourOf) =>
    Array.from({length: list.count}, (_, i) =>
        h('path', {
            d: linkPath(list, i, scene),
            stroke: colourOf(list.head[i]),
            'stroke-opacity': rounded(list.opacity[i]),
        }),
    );

/** @param {import('../../draw/strips.js').Strip[]} list @param {ColourOf} colourOf
 * @param {number} inset */
const bands = (list, colourOf, inset) =>
    list.map(strip =>
        h('rect', {
            x: rounded(strip.x),
            y: strip.y + inset,
            width: rounded(strip.width),
            height: ROW - 2 * inset,
            fill: colourOf(strip.head),
            'fill-opacity': rounded(strip.opacity),
        }),
    );

/** @type {import('../view.js').View['svg']} */
export function headSvg(state, data, {width: wished, theme, focus}, t) {
    const scene = headScene(state, data, wished);
    const {width, height: rowsHeight, box, gutter} = scene.layout;
    const height = rowsHeight + TOP;
    const chosen = chosenOf(scene, focus, state);
    const paper = theme === 'dark' ? PAPER.dark : PAPER.light;
    const colourOf = colours(scene, theme);
    const masked = canMask(data.model) ? state.masked : [];
    const [left, right] = [gutter + box - 8, width - gutter - box + 8];
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${width} ${height}`,
            width,
            height,
            role: 'img',
            'font-family': 'system-ui, sans-serif',
            'font-size': FONT,
            fill: paper.ink,
        },
        h('title', null, t.head.svgTitle(shownName(state, data, t))),
        h('rect', {width, height, fill: paper.page}),
        h('text', {x: left, y: 16, 'text-anchor': 'end', 'font-size': 13}, t.query),
        h('text', {x: right, y: 16, 'font-size': 13}, t.key),
        h(
            'g',
            {transform: `translate(0 ${TOP})`},
            h('g', null, bands(summaryCells(scene, chosen), colourOf, CELL_INSET)),
            chosen && h('g', null, bands(strips(scene.attention, chosen, scene), colourOf, 1)),
            h(
                'g',
                {fill: 'none', 'stroke-width': LINE_WIDTH},
                lines(scene, chosen ? focusLinks(scene, chosen) : scene.links, colourOf),
            ),
            h('g', null, column(scene, scene.rows, left, 'end', masked)),
            h('g', null, column(scene, scene.cols, right, 'start', masked)),
        ),
    );
}
