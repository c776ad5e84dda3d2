/* heat - a block: a matrix with a token on each row and column, one coloured cell a number, queries
 * down and keys to the right. What a query cannot see is hatched. Where names have no room only every
 * n-th is there, and a line below says so. On the page pointing, tapping and the arrow keys choose a
 * cell, which is outlined with its row and column and told on.point; who says its number is the view.
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {arrowsOver, arrowsSvg, arrowTo} from '../marks/arrows.js';
import {inkGroup, inkPaths} from '../marks/ink.js';
import {ownWay} from '../graphemes.js';
import {stepOf} from '../grid.js';
import {paperOf} from '../paper.js';
import {fitText, textWidth} from '../tokens.js';
import {linesSvg} from './prose.js';

/**
 * @typedef {{down: string, across: string}} Axes   what the rows and what the columns are, in a word
 * @typedef {{id: string, rows: string[], cols: string[], valueAt: (row: number, col: number) =>
 *     number, inkOf: (value: number) => number, colourOf: (value: number) => string, visible:
 *     ((row: number) => number[]) | null, axes: Axes, name: string, hint: string, every: (n: number) => string,
 *     of?: any, marked?: {row: number, col: number, label: string}[]}} Given    inkOf: opacity 0..1; visible: [from, to) of the columns that a row sees, null
 *       for all; name: of the region, hint: how keys move in it; every: says that every n-th token is
 *       named; of: told on.point, what the cell is one of; marked: cells that an arrow points out
 * @typedef {{box: number, cell: number, width: number, height: number, every: number}} Layout   box:
 *     room of the names; every: which of them have room
 */

const [LEAST, MOST] = [2, 26];
const LABEL = 13; // px of room that a name needs
const EM = 12;
const AXIS = 11; // px of letters, in the corner between the names
const NAME_GAP = 6; // px between a name and the cells
const HATCH = 6; // px from one line of the hatching to the next

/** @param {Axes} axes */
const axisNames = ({down, across}) => [`${across} →`, `${down} ↓`];

/** @param {readonly string[]} rows @param {readonly string[]} cols @param {number} available px
 * @param {Axes} axes @returns {Layout} */
export function layoutHeat(rows, cols, available, axes) {
    const longest = Math.max(0, ...rows.map(textWidth), ...cols.map(textWidth));
    const corner = Math.max(...axisNames(axes).map(textWidth)) * AXIS + 2 * NAME_GAP;
    const most = Math.min(110, available * 0.26);
    const box = Math.round(Math.max(Math.min(Math.max(36, longest * EM + 12), most), corner));
    const fits = Math.floor((available - box) / Math.max(1, cols.length));
    const cell = Math.max(LEAST, Math.min(MOST, fits));
    return {
        ...{box, cell, every: Math.ceil(LABEL / cell)},
        width: cell * cols.length,
        height: cell * rows.length,
    };
}

/** Rectangles of what cannot be seen: [column, row, columns]. @param {Given} given */
function hiddenOf({rows, cols, visible}) {
    if (!visible) return [];
    return rows.flatMap((_, row) => {
        const [from, to] = visible(row);
        return [
            [0, row, Math.min(from, cols.length)],
            [Math.max(0, to), row, cols.length - Math.max(0, to)],
        ].filter(([, , count]) => count > 0);
    });
}

/** Draws those of the cells begin..end, row by row, that cross the band.
 * @param {CanvasRenderingContext2D} context @param {Given} given @param {number} cell
 * @param {string} hair @param {number[]} band @param {number} begin @param {number} end */
function paintCells(context, given, cell, hair, [top, bottom], begin, end) {
    const across = given.cols.length;
    const first = Math.max(begin, Math.floor(top / cell) * across);
    const last = Math.min(end, Math.ceil(bottom / cell) * across);
    const gap = cell > 8 ? 1 : 0;
    for (let i = first; i < last; i++) {
        const [row, col] = [Math.floor(i / across), i % across];
        const value = given.valueAt(row, col);
        const ink = given.inkOf(value);
        if (ink <= 0) continue;
        context.globalAlpha = ink;
        context.fillStyle = given.colourOf(value);
        context.fillRect(col * cell, row * cell, cell - gap, cell - gap);
    }
    context.globalAlpha = 1;
    const hidden = hiddenOf(given);
    const now = hidden.filter(([, row]) => row * across >= first && row * across < last);
    hatch(context, now, cell, hair);
}

/** @param {CanvasRenderingContext2D} context @param {number[][]} hidden @param {number} cell
 * @param {string} hair */
function hatch(context, hidden, cell, hair) {
    if (!hidden.length) return;
    context.strokeStyle = hair;
    context.lineWidth = 1;
    for (const [col, row, count] of hidden) {
        const [left, top, right] = [col * cell, row * cell, (col + count) * cell];
        context.beginPath();
        // lines x + y = n · HATCH within the row's rectangle, so that rows join
        const start = Math.ceil((left + top) / HATCH) * HATCH;
        for (let sum = start; sum < right + top + cell; sum += HATCH) {
            context.moveTo(Math.min(right, sum - top), Math.max(top, sum - right));
            context.lineTo(Math.max(left, sum - top - cell), Math.min(top + cell, sum - left));
        }
        context.stroke();
    }
}

/** @param {{names: readonly string[], side: string, layout: Layout, chosen: number}} props */
const Names = ({names, side, layout: {box, cell, every}, chosen}) =>
    h(
        'div',
        {class: `labels ${side}`},
        names.flatMap((name, index) => {
            const at = (index + 0.5) * cell;
            const place =
                side === 'query' ? `translateY(${at}px)` : `translateX(${at}px) rotate(-90deg)`;
            const near = Math.abs(index - chosen) < every && index !== chosen;
            if (index !== chosen && (index % every || near)) return [];
            return h(
                'span',
                {
                    key: index,
                    class: index === chosen ? 'chosen' : undefined,
                    style: {width: `${box}px`, transform: place},
                },
                h('bdi', null, name),
            );
        }),
    );

/** @param {{given: Given, layout: Layout, at: {row: number, col: number}, on: any}} props */
function eventsOf({given: {id, of, rows, cols}, layout: {cell}, at, on}) {
    const choose = (/** @type {number} */ row, /** @type {number} */ col) => {
        const inside = row >= 0 && row < rows.length && col >= 0 && col < cols.length;
        if (inside && (row !== at.row || col !== at.col)) on.point({id, of, row, col});
    };
    const point = (/** @type {PointerEvent} */ {currentTarget, clientX, clientY}) => {
        const {left, top} = /** @type {Element} */ (currentTarget).getBoundingClientRect();
        choose(Math.floor((clientY - top) / cell), Math.floor((clientX - left) / cell));
    };
    return {
        onPointerMove: point,
        onPointerDown: point,
        onKeyDown(/** @type {KeyboardEvent} */ event) {
            const step = stepOf(event);
            if (!step) return;
            event.preventDefault();
            event.stopPropagation();
            choose(at.row + step[1], at.col + step[0]);
        },
    };
}

/** @param {Given} given @param {number} cell @param {string} theme */
function usePainter(given, cell, theme) {
    return useMemo(
        () => ({
            count: given.rows.length * given.cols.length,
            /** @type {import('../plot.js').Painter['paint']} */
            paint: (context, band, begin, end) =>
                paintCells(context, given, cell, paperOf(theme).hair, band, begin, end),
        }),
        [given, cell, theme],
    );
}

/** A place in the surface. @param {number} x @param {number} y @param {number} width
 * @param {number} height */
const px = (x, y, width, height) => ({
    ...{width: `${width}px`, height: `${height}px`},
    transform: `translate(${x}px, ${y}px)`,
});

/** The cells, with what is pointed at. @param {{given: Given, layout: Layout, at: {row: number, col:
 *     number}, theme: string, on: any}} props */
function Surface({given, layout, at, theme, on}) {
    const {box, cell, width, height} = layout;
    const base = usePainter(given, cell, theme);
    return h(
        'div',
        {
            class: 'surface',
            role: 'application',
            tabIndex: 0,
            'aria-label': given.hint,
            style: {
                ...{left: `${box}px`, top: `${box}px`},
                ...{width: `${width}px`, height: `${height}px`},
            },
            ...eventsOf({given, layout, at, on}),
        },
        h(on.Canvas, {width, height, base, overlay: null}),
        h('i', {class: 'heat-line', style: px(0, at.row * cell, width, cell)}),
        h('i', {class: 'heat-line', style: px(at.col * cell, 0, cell, height)}),
        h('i', {class: 'shift-cross', style: px(at.col * cell, at.row * cell, cell, cell)}),
        arrowsOver(arrowsOf(given, layout), {width, height}, theme),
    );
}

/** @param {{block: Given, over: {row: number, col: number}, data: {theme: string, width: number},
 *     on: any}} props */
function Heat({block: given, over: at, data: {theme, width: available}, on}) {
    const layout = useMemo(
        () => layoutHeat(given.rows, given.cols, available, given.axes),
        [given, available],
    );
    const {box, width, height, every} = layout;
    const wide = box + width > available;
    return [
        h(
            'div',
            {
                ...{key: 'map', class: 'scroll', role: 'group', 'aria-label': given.name},
                tabIndex: wide ? 0 : undefined,
            },
            h(
                'div',
                {
                    class: 'map-frame',
                    style: {width: `${box + width}px`, height: `${box + height}px`},
                },
                h(
                    'div',
                    {'aria-hidden': true, style: {'--box': `${box}px`}},
                    h(Names, {names: given.rows, side: 'query', layout, chosen: at.row}),
                    h(Names, {names: given.cols, side: 'key', layout, chosen: at.col}),
                    axisNames(given.axes).map((name, i) =>
                        h('span', {key: i, class: i ? 'axis-name down' : 'axis-name'}, name),
                    ),
                ),
                h(Surface, {given, layout, at, theme, on}),
            ),
        ),
        every > 1 && h('p', {key: 'every', class: 'hint'}, given.every(every)),
    ];
}

/** @param {Given} given @param {Layout} layout */
const arrowsOf = ({marked = []}, {cell, width, height}) =>
    marked.map(({row, col, label}) =>
        arrowTo({x: col * cell, y: row * cell, size: cell}, {width, height}, label),
    );

/** The names beside a file's cells. @param {Given} given @param {Layout} layout */
function namesSvg({rows, cols}, {box, cell, every}) {
    const room = box - NAME_GAP - 2;
    const shown = (
        /** @type {readonly string[]} */ names,
        /** @type {(at: number) => Record<string, any>} */ place,
    ) =>
        names.flatMap((name, i) =>
            i % every
                ? []
                : [
                      h(
                          'text',
                          ownWay(name, place(box + (i + 0.5) * cell + 4)),
                          fitText(name, room, EM),
                      ),
                  ],
        );
    return h(
        'g',
        {'font-size': EM},
        shown(rows, at => ({x: box - NAME_GAP, y: at, 'text-anchor': 'end'})),
        shown(cols, at => ({transform: `translate(${at} ${box - NAME_GAP}) rotate(-90)`})),
    );
}

/** What rows and columns are, in the corner between their names: the columns above, the rows below.
 * @param {Given} given @param {Layout} layout @param {string} theme */
const axesSvg = ({axes}, {box}, theme) =>
    h(
        'g',
        {'font-size': AXIS, fill: paperOf(theme).soft, 'text-anchor': 'end'},
        axisNames(axes).map((name, i) =>
            h('text', {x: box - NAME_GAP, y: i ? box - NAME_GAP : AXIS}, name),
        ),
    );

/** What cannot be seen. @param {Given} given @param {number} cell @param {string} theme */
function hatchSvg(given, cell, theme) {
    const hidden = hiddenOf(given);
    if (!hidden.length) return null;
    const id = `hatch-${theme}`;
    const boxes = hidden.map(
        ([x, y, n]) => `M${x * cell} ${y * cell}h${n * cell}v${cell}h${-n * cell}z`,
    );
    const line = {d: `M0 ${HATCH}L${HATCH} 0`, stroke: paperOf(theme).hair, 'stroke-width': 1};
    return [
        h(
            'pattern',
            {id, width: HATCH, height: HATCH, patternUnits: 'userSpaceOnUse'},
            h('path', line),
        ),
        h('path', {d: boxes.join(''), fill: `url(#${id})`}),
    ];
}

/** @type {import('../blocks.js').Kind} */
const HEAT = {
    Html: Heat,
    svg(block, look) {
        const given = /** @type {Given} */ (block);
        const {rows, cols, valueAt, inkOf, colourOf} = given;
        const layout = layoutHeat(rows, cols, look.width, given.axes);
        const {box, cell, width, height, every} = layout;
        const paper = paperOf(look.theme);
        const said =
            every > 1 &&
            linesSvg(given.every(every), look, {font: EM, line: 16, after: 8, fill: paper.soft});
        return {
            width: Math.max(box + width + 8, said ? said.width : 0),
            height: box + height + 8 + (said ? said.height : 0),
            tree: [
                namesSvg(given, layout),
                axesSvg(given, layout, look.theme),
                h(
                    'g',
                    {transform: `translate(${box} ${box})`},
                    hatchSvg(given, cell, look.theme),
                    h('rect', {width, height, fill: 'none', stroke: paper.hair}),
                    inkGroup(
                        0,
                        0,
                        cell,
                        inkPaths(rows.length, cols.length, valueAt, inkOf, colourOf),
                    ),
                    arrowsSvg(arrowsOf(given, layout), layout, look.theme),
                ),
                said && h('g', {transform: `translate(0 ${box + height + 8})`}, said.tree),
            ],
        };
    },
};

/** @param {Given} given @returns {import('../blocks.js').Block} */
export const heat = given => ({kind: HEAT, ...given});
