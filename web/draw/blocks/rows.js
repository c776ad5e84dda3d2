/* rows - a block with one row a token: columns of tokens, coloured cells, numbers, bars and
 * lines side by side, under one row of headings; page and file draw the same plain objects at the same
 * places. A kind of column is a file in columns/ (columns/column.js).
 */
import {h} from 'preact';
import {signed} from '../chart.js';
import {Legend} from '../legend.js';
import {valueAt} from '../marks/matrix.js';
import {total} from '../scale.js';
import {FONT, ROW} from '../tokens.js';
import {CELLS} from './columns/cells.js';

/**
 * @typedef {import('./columns/column.js').Column} Column
 * @import {Held} from './columns/tokens.js'
 * @typedef {import('./columns/cells.js').CellsColumn} CellsColumn
 * @typedef {import('./columns/numbers.js').NumbersColumn} NumbersColumn
 * @typedef {{id: string, row: number, col: number}} Place
 */

/** Between two columns of a picture so wide. */
const gapOf = (/** @type {number} */ available) => (available < 340 ? 6 : 12);
const WIDEST_CELL = 28;
const LEAST = 160; // px that all cells of a row should have

/** How many cells a row of a column has. @param {Column} column */
const colsOf = ({grid}) => grid?.cols ?? 0;

/** Widths of columns that are too wide together: bars give up their length first, numbers then share
 * the rest. @param {readonly Column[]} columns @param {number[]} wished @param {number} missing px */
function narrowed(columns, wished, missing) {
    const widths = [...wished];
    for (const order of [0, 1]) {
        const given = columns.map((column, i) => {
            const {gives} = column.kind;
            return gives?.order === order ? Math.max(0, widths[i] - gives.keeps(column)) : 0;
        });
        const all = total(given);
        const share = Math.min(1, Math.max(0, missing) / (all || 1));
        given.forEach((one, i) => (widths[i] -= one * share));
        missing -= all * share;
    }
    return widths;
}

/** The width of each column: cells share what the others leave, each cell as wide as all.
 * @param {readonly Column[]} columns @param {number} available
 * @returns {{widths: number[], cell: number, gap: number}} */
export function columnWidths(columns, available) {
    const most = available < 340 ? 64 : available < 520 ? 76 : 128;
    const gap = gapOf(available);
    const cells = total(columns.map(colsOf));
    const wished = columns.map(column =>
        colsOf(column) ? 0 : (column.width ?? column.kind.wished?.(column, most) ?? 0),
    );
    const room = available - gap * (columns.length - 1);
    const fixed = narrowed(columns, wished, total(wished) + Math.min(LEAST, cells * 5) - room);
    const cell = Math.min(WIDEST_CELL, Math.max(1, (room - total(fixed)) / Math.max(1, cells)));
    return {
        widths: columns.map((column, i) => (colsOf(column) ? colsOf(column) * cell : fixed[i])),
        ...{cell, gap},
    };
}

/** The heading of a column, with a mark above each column of cells that has one.
 * @param {{column: Column, cell: number}} props */
const Heading = ({column, cell}) => [
    column.title,
    column.marks?.map((/** @type {number} */ col) =>
        h('i', {key: col, class: 'top-mark', style: {left: `${col * cell}px`, width: `${cell}px`}}),
    ),
];

/** @typedef {{on: any, theme: string, width: number, columns: readonly Column[],
 *   cursor?: {row: number, col: number} | null, held?: Record<string, Held>, onPoint?: (place: Place | null) => void,
 *   onPick?: (place: Place, touch: boolean) => void}} Props */

/** @param {Props} props */
function Rows(props) {
    const {columns, width} = props;
    const {widths, cell, gap} = columnWidths(columns, width);
    const style = {gap: `${gap}px`};
    const box = (/** @type {number} */ i) => ({width: `${widths[i]}px`});
    return h(
        'div',
        {class: 'rows', style: {'--rows': columns[0].kind.length(columns[0])}},
        h(
            'div',
            {class: 'rows-head', style},
            columns.map((column, i) =>
                h(
                    'div',
                    {
                        key: column.id,
                        class: `over-${column.kind.name} ${column.side ?? ''}`,
                        style: box(i),
                    },
                    h(Heading, {column, cell}),
                ),
            ),
        ),
        h(
            'div',
            {class: 'columns rows-body', style},
            columns.map((column, i) =>
                h(
                    'div',
                    {key: column.id, style: box(i)},
                    h(column.kind.Html, {column, cell, width: widths[i], rest: props}),
                ),
            ),
        ),
    );
}

const HEAD = 28;

/** What is pointed at, in words. @param {readonly Column[]} columns @param {Place} place
 * @param {any} scene */
function readOf(columns, place, scene) {
    const column = columns.find(({id}) => id === place.id);
    if (column?.kind !== CELLS) return null;
    return [
        column.title,
        ' ',
        h('bdi', null, scene.tokens[place.row].piece),
        ` [${place.col}]: `,
        h('b', null, signed(valueAt(column.grid, place.row, place.col), 4)),
    ];
}

/** @type {import('../blocks.js').Kind} */
const ROWS = {
    Html(props) {
        const {block, scene, data, on, over} = props;
        const {columns, legends, onPick} = block;
        const {theme, width} = data;
        return [
            legends &&
                h(
                    'p',
                    {class: 'legends'},
                    columns.map(
                        (/** @type {Column} */ column) =>
                            column.kind === CELLS &&
                            h(Legend, {
                                key: column.id,
                                name: column.title,
                                scale: column.scale,
                                theme,
                            }),
                    ),
                ),
            h(Rows, {
                ...{on, theme, width, columns, cursor: over?.cursor, held: over?.held},
                onPoint: place =>
                    on.point(place && {...place, read: readOf(columns, place, scene)}),
                onPick:
                    onPick &&
                    ((/** @type {Place} */ place, /** @type {boolean} */ touch) =>
                        onPick(place, touch, props)),
            }),
        ];
    },
    svg({columns, titles, after = 0}, {width, theme}) {
        const {widths, cell, gap} = columnWidths(columns, width);
        let x = 0;
        const places = widths.map(w => {
            const at = x;
            x += w + gap;
            return at;
        });
        const tree = columns.map((/** @type {Column} */ column, /** @type {number} */ i) => {
            const size = {cell, width: widths[i], theme};
            const end = column.kind.end?.(column);
            return h(
                'g',
                {transform: `translate(${Math.round(places[i])} 0)`, 'font-size': FONT - 1},
                h(
                    'text',
                    {
                        x: end ? widths[i] : 0,
                        y: 16,
                        'text-anchor': end ? 'end' : 'start',
                        'font-size': 13,
                    },
                    titles[i],
                ),
                h('g', {transform: `translate(0 ${HEAD})`}, column.kind.svg(column, size)),
            );
        });
        const length = Math.max(
            ...columns.map((/** @type {Column} */ column) => column.kind.length(column)),
        );
        return {tree, width, height: HEAD + length * ROW + after};
    },
};

/** @param {Column[]} columns @param {{id?: string, titles: string[], legends?: boolean, after?:
 *     number, onPick?: (place: Place, touch: boolean, props: import('../blocks.js').Props) =>
 *     void}} more titles: the headings as plain text; legends: of the cells, above them; after: room
 *     below in a file @returns {import('../blocks.js').Block} */
export const rows = (columns, more) => ({kind: ROWS, columns, ...more});
