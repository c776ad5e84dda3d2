/* heat - a block: a matrix with a token on each row and column, one coloured cell a number, queries
 * down and keys to the right. What a query cannot see is hatched. On the page pointing, tapping and
 * the arrow keys choose a cell, which is outlined with its row and column and told on.point; who
 * says its number is the view. In a file cells of like ink are joined to one path.
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {paperOf} from '../paper.js';
import {textWidth} from '../tokens.js';

/**
 * @typedef {{id: string, rows: string[], cols: string[], valueAt: (row: number, col: number) =>
 *     number, inkOf: (value: number) => number, colourOf: (value: number) => string, visible:
 *     ((row: number) => number[]) | null, name: string, hint: string}} Given   inkOf: opacity 0..1;
 *       visible: [from, to) of the columns that a row sees, null for all; name: of the region, hint:
 *       how keys move in it
 * @typedef {{box: number, cell: number, width: number, height: number, every: number}} Layout   box:
 *     room of the names; every: which of them have room
 */

const [LEAST, MOST] = [2, 26];
const LABEL = 13; // px of room that a name needs
const EM = 12;
const LEVELS = 48; // of ink, in a file
const HATCH = 6; // px from one line of the hatching to the next
const STEPS = new Map([
    ['ArrowRight', [0, 1]],
    ['ArrowLeft', [0, -1]],
    ['ArrowDown', [1, 0]],
    ['ArrowUp', [-1, 0]],
]);

/** @param {readonly string[]} rows @param {readonly string[]} cols @param {number} available px
 * @returns {Layout} */
export function layoutHeat(rows, cols, available) {
    const longest = Math.max(0, ...rows.map(textWidth), ...cols.map(textWidth));
    const most = Math.min(110, available * 0.26);
    const box = Math.round(Math.min(Math.max(36, longest * EM + 12), most));
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

/** Draws rows begin..end that cross the band. @param {CanvasRenderingContext2D} context
 * @param {Given} given @param {number} cell @param {string} hair @param {number[]} band
 * @param {number} begin @param {number} end */
function paintCells(context, given, cell, hair, [top, bottom], begin, end) {
    const first = Math.max(begin, Math.floor(top / cell));
    const last = Math.min(end, Math.ceil(bottom / cell));
    const gap = cell > 8 ? 1 : 0;
    for (let row = first; row < last; row++) {
        for (let col = 0; col < given.cols.length; col++) {
            const value = given.valueAt(row, col);
            const ink = given.inkOf(value);
            if (ink <= 0) continue;
            context.globalAlpha = ink;
            context.fillStyle = given.colourOf(value);
            context.fillRect(col * cell, row * cell, cell - gap, cell - gap);
        }
    }
    context.globalAlpha = 1;
    hatch(
        context,
        hiddenOf(given).filter(([, row]) => row >= first && row < last),
        cell,
        hair,
    );
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
function eventsOf({given: {id, rows, cols}, layout: {cell}, at, on}) {
    const choose = (/** @type {number} */ row, /** @type {number} */ col) => {
        const inside = row >= 0 && row < rows.length && col >= 0 && col < cols.length;
        if (inside && (row !== at.row || col !== at.col)) on.point({id, row, col});
    };
    const point = (/** @type {PointerEvent} */ {currentTarget, clientX, clientY}) => {
        const {left, top} = /** @type {Element} */ (currentTarget).getBoundingClientRect();
        choose(Math.floor((clientY - top) / cell), Math.floor((clientX - left) / cell));
    };
    return {
        onPointerMove: point,
        onPointerDown: point,
        onKeyDown(/** @type {KeyboardEvent} */ event) {
            const step = STEPS.get(event.key);
            if (!step) return;
            event.preventDefault();
            event.stopPropagation();
            choose(at.row + step[0], at.col + step[1]);
        },
    };
}

/** The cells as a canvas paints them. @param {Given} given @param {number} cell @param {string} theme */
const useBase = (given, cell, theme) =>
    useMemo(
        () => ({
            count: given.rows.length,
            /** @type {import('../plot.js').Painter['paint']} */
            paint: (context, band, begin, end) =>
                paintCells(context, given, cell, paperOf(theme).hair, band, begin, end),
        }),
        [given, cell, theme],
    );

/** The outlines of the chosen cell, its row and its column. @param {{row: number, col: number}} at
 * @param {Layout} layout */
const chosenCell = ({row, col}, {cell, width, height}) =>
    [
        {name: 'heat-line', x: 0, y: row, across: width, down: cell},
        {name: 'heat-line', x: col, y: 0, across: cell, down: height},
        {name: 'shift-cross', x: col, y: row, across: cell, down: cell},
    ].map(({name, x, y, across, down}, key) => {
        const transform = `translate(${x * cell}px, ${y * cell}px)`;
        return h('i', {
            key,
            class: name,
            style: {width: `${across}px`, height: `${down}px`, transform},
        });
    });

/** @param {{block: Given, over: {row: number, col: number}, data: {theme: string, width: number},
 *     on: any}} props */
function Heat({block: given, over: at, data: {theme, width: available}, on}) {
    const layout = useMemo(() => layoutHeat(given.rows, given.cols, available), [given, available]);
    const {box, cell, width, height} = layout;
    const base = useBase(given, cell, theme);
    const wide = box + width > available;
    return h(
        'div',
        {class: 'scroll', role: 'group', tabIndex: wide ? 0 : undefined, 'aria-label': given.name},
        h(
            'div',
            {class: 'map-frame', style: {width: `${box + width}px`, height: `${box + height}px`}},
            h(
                'div',
                {'aria-hidden': true, style: {'--box': `${box}px`}},
                h(Names, {names: given.rows, side: 'query', layout, chosen: at.row}),
                h(Names, {names: given.cols, side: 'key', layout, chosen: at.col}),
            ),
            h(
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
                chosenCell(at, layout),
            ),
        ),
    );
}

/** Cells of one level of ink and one colour, as lines. @param {Given} given */
function pathsOf(given) {
    /** @type {Map<string, string[]>} */
    const paths = new Map();
    given.rows.forEach((_, row) =>
        given.cols.forEach((_name, col) => {
            const value = given.valueAt(row, col);
            const level = Math.round(given.inkOf(value) * LEVELS);
            const key = `${given.colourOf(value)} ${level}`;
            const list = paths.get(key) ?? [];
            if (level > 0) paths.set(key, list);
            list.push(`M${col} ${row}h1`);
        }),
    );
    return [...paths].map(([key, list]) => {
        const [colour, level] = key.split(' ');
        const opacity = Math.round((1000 * Number(level)) / LEVELS) / 1000;
        return h('path', {d: list.join(''), stroke: colour, 'stroke-opacity': opacity});
    });
}

/** The names beside a file's cells. @param {readonly string[]} names @param {Layout} layout
 * @param {(at: number) => Record<string, any>} place */
const namesSvg = (names, {cell, every}, place) =>
    names.flatMap((name, i) => (i % every ? [] : [h('text', place((i + 0.5) * cell + 4), name)]));

/** The pattern of the hatching, in a file. @param {string} id @param {string} hair */
const hatching = (id, hair) =>
    h(
        'pattern',
        {id, width: HATCH, height: HATCH, patternUnits: 'userSpaceOnUse'},
        h('path', {d: `M0 ${HATCH}L${HATCH} 0`, stroke: hair, 'stroke-width': 1}),
    );

/** What cannot be seen, in a file. @param {number[][]} hidden @param {number} cell
 * @param {string} id of the pattern */
const hiddenSvg = (hidden, cell, id) =>
    h('path', {
        d: hidden
            .map(([x, y, n]) => `M${x * cell} ${y * cell}h${n * cell}v${cell}h${-n * cell}z`)
            .join(''),
        fill: `url(#${id})`,
    });

/** @type {import('../blocks.js').Kind} */
const HEAT = {
    Html: Heat,
    svg(given, {width: available, theme}) {
        const layout = layoutHeat(given.rows, given.cols, available);
        const {box, cell, width, height} = layout;
        const paper = paperOf(theme);
        const hidden = hiddenOf(given);
        const id = `hatch-${theme}`;
        return {
            width: box + width + 8,
            height: box + height + 8,
            tree: [
                hidden.length > 0 && hatching(id, paper.hair),
                h(
                    'g',
                    {'font-size': 12},
                    namesSvg(given.rows, layout, at => ({
                        ...{x: box - 6, y: box + at},
                        'text-anchor': 'end',
                    })),
                    namesSvg(given.cols, layout, at => ({
                        transform: `translate(${box + at} ${box - 6}) rotate(-90)`,
                    })),
                ),
                h(
                    'g',
                    {transform: `translate(${box} ${box})`},
                    hidden.length > 0 && hiddenSvg(hidden, cell, id),
                    h('rect', {width, height, fill: 'none', stroke: paper.hair}),
                    h(
                        'g',
                        {
                            transform: `translate(0 ${cell / 2}) scale(${cell})`,
                            fill: 'none',
                            'stroke-width': 1,
                        },
                        pathsOf(given),
                    ),
                ),
            ],
        };
    },
};

/** @param {Given} given @returns {import('../blocks.js').Block} */
export const heat = given => ({kind: HEAT, ...given});
