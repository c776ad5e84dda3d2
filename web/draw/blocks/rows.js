/* rows - a block with one row a token: columns of tokens, coloured cells, numbers and bars side by
 * side, under one row of headings; page and file draw the same plain objects at the same places.
 */
import {Component, h} from 'preact';
import {Cells} from '../marks/cells.js';
import {signed} from '../chart.js';
import {Legend} from '../legend.js';
import {cellRects, valueAt} from '../marks/matrix.js';
import {paperOf} from '../paper.js';
import {WASH} from '../marks/strips.js';
import {Fan, fanLines} from './fan.js';
import {decimal} from '../scale.js';
import {fitPiece, FONT, ROW, rowMiddle, textWidth} from '../tokens.js';

/**
 * @typedef {import('../blocks.js').Tree} Tree
 * @typedef {{id: string, title: Tree}} Common
 * @typedef {Common & {kind: 'tokens', tokens: readonly {piece: string, special?: boolean}[], side?:
 *     string, label?: string, boxed?: number, tint?: ArrayLike<number>,
 *   width?: number}} TokensColumn   side: its tokens are buttons; boxed: the row of the one that all is
 *     about; tint: weights, 0..1
 * @typedef {Common & {kind: 'cells', grid: import('../marks/matrix.js').Grid, scale:
 *     import('../chart.js').Scale,
 *   faint?: number, framed?: number, marks?: readonly number[], struck?: readonly number[], width?:
 *     number, slides?: {grid: import('../marks/matrix.js').Grid, scale: import('../chart.js').Scale}}} CellsColumn
 *     faint: all rows but this one are pale; framed: the row that all is about; slides: a row that passes
 *     over all, on the page, where the view moves
 * @typedef {Common & {kind: 'numbers', values: ArrayLike<number>, old?: ArrayLike<number> | null,
 *     was?: string,
 *   width: number, digits?: number, text?: (value: number) => string}} NumbersColumn   text: how they are
 *     printed, where not with so many digits
 * @typedef {Common & {kind: 'bars', values: ArrayLike<number>, old?: ArrayLike<number> | null,
 *     was?: string,
 *   width: number}} BarsColumn   bars of 0..1 with their numbers
 * @typedef {TokensColumn | CellsColumn | NumbersColumn | BarsColumn | import('./fan.js').FanColumn} Column
 * @typedef {{id: string, row: number, col: number}} Place
 * @typedef {{stop?: number, pressed?: number}} Held   the token that Tab reaches, the one that is chosen
 */

/** Between two columns of a picture so wide. */
const gapOf = (/** @type {number} */ available) => (available < 340 ? 6 : 12);
const WIDEST_CELL = 28;
const LEAST = 160; // px that all cells of a row should have
/** Room for the number beside a bar, alone or with the one before. */
const numberWidth = (/** @type {boolean} */ compared) => (compared ? 60 : 46);
const VISIBLE = 0.005; // a change of a bar that can be seen

/** Width of a column of tokens. @param {readonly {piece: string}[]} tokens @param {number} most */
const tokensWidth = (tokens, most) =>
    Math.round(
        Math.min(
            most,
            Math.max(44, Math.max(...tokens.map(({piece}) => textWidth(piece))) * FONT + 18),
        ),
    );

/** What a column can give up where there is no room: a bar its length, numbers the room around them.
 * @param {Column} column @param {number} width */
function spare(column, width) {
    if (column.kind === 'bars') return Math.max(0, width - (column.old ? 60 : 54));
    if (column.kind === 'numbers') return Math.max(0, width - (column.old ? 66 : 50));
    return 0;
}

/** Widths of columns that are too wide together: bars give up what they have first, numbers share the
 * rest. @param {readonly Column[]} columns @param {number[]} wished @param {number} missing px */
function narrowed(columns, wished, missing) {
    const widths = [...wished];
    for (const kind of ['bars', 'numbers']) {
        const given = columns.map((column, i) =>
            column.kind === kind ? spare(column, widths[i]) : 0,
        );
        const all = given.reduce((sum, one) => sum + one, 0);
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
    const cells = columns.reduce(
        (sum, column) => sum + (column.kind === 'cells' ? column.grid.cols : 0),
        0,
    );
    const wished = columns.map(column =>
        column.kind === 'cells'
            ? 0
            : (column.width ?? tokensWidth(column.kind === 'tokens' ? column.tokens : [], most)),
    );
    const room = available - gap * (columns.length - 1);
    const total = (/** @type {number[]} */ list) => list.reduce((sum, width) => sum + width, 0);
    const fixed = narrowed(columns, wished, total(wished) + Math.min(LEAST, cells * 5) - room);
    const cell = Math.min(WIDEST_CELL, Math.max(1, (room - total(fixed)) / Math.max(1, cells)));
    return {
        widths: columns.map((column, i) =>
            column.kind === 'cells' ? column.grid.cols * cell : fixed[i],
        ),
        ...{cell, gap},
    };
}

/** Drawn anew only when a property is another. @template P
 * @param {(props: P) => import('preact').VNode} draw @returns {import('preact').ComponentClass<P>}
 */
const still = draw =>
    class extends Component {
        /** @param {any} next */
        shouldComponentUpdate(next) {
            const props = /** @type {any} */ (this.props);
            return Object.keys({...props, ...next}).some(name => props[name] !== next[name]);
        }

        /** @param {any} props */
        render(props) {
            return draw(props);
        }
    };

const row = {height: `${ROW}px`};

/** With its number, in whose order rows move (style.css). @param {number} index */
const rowAt = index => ({...row, '--row': index});

/** How much of a wash a token has for its weight: as in the head view. @param {ArrayLike<number>} tint
 * @param {number} index */
const washOf = (tint, index) => Math.round(1000 * WASH * Math.min(1, tint[index])) / 1000;

/** @param {{piece: string, special?: boolean}} token */
const pieceOf = token => h('bdi', {class: token.special ? 'special' : undefined}, token.piece);

const Tokens = still(
    (
        /** @type {Pick<TokensColumn, 'tokens' | 'side' | 'label' | 'boxed' | 'tint'> & Held & {colour: string}} */ props,
    ) => {
        const {tokens, side, label, stop = 0, pressed, boxed, tint, colour} = props;
        const look = (/** @type {number} */ index) => ({
            class: index === boxed ? 'token boxed' : 'token',
            style: tint
                ? {
                      ...row,
                      background: `color-mix(in srgb, ${colour} ${100 * washOf(tint, index)}%, transparent)`,
                  }
                : row,
        });
        return h(
            'div',
            {class: `tokens ${side ?? ''}`, role: side && 'group', 'aria-label': label},
            tokens.map((token, index) =>
                side
                    ? h(
                          'button',
                          {
                              key: index,
                              type: 'button',
                              'data-side': side,
                              'data-index': index,
                              ...look(index),
                              tabIndex: index === stop ? 0 : -1,
                              'aria-pressed': index === pressed,
                              title: token.piece,
                          },
                          pieceOf(token),
                      )
                    : h('span', {key: index, ...look(index), title: token.piece}, pieceOf(token)),
            ),
        );
    },
);

/** @param {string} text @param {string | null} old */
const twoLines = (text, old) => [
    h('span', {class: 'now', key: 'now'}, text),
    old && h('small', {key: 'old'}, old),
];

const Figures = still(
    (
        /** @type {Pick<NumbersColumn, 'values' | 'old' | 'was' | 'digits' | 'text'>} */ {
            values,
            old,
            was,
            digits,
            text = value => signed(value, digits),
        },
    ) =>
        h(
            'div',
            {class: 'figures'},
            Array.from(values, (value, i) =>
                h(
                    'div',
                    {key: i, style: rowAt(i)},
                    twoLines(text(value), old ? `${was} ${text(old[i])}` : null),
                ),
            ),
        ),
);

const Bars = still(
    (
        /** @type {Pick<BarsColumn, 'values' | 'old' | 'was' | 'width'>} */ {
            values,
            old,
            was,
            width,
        },
    ) => {
        const full = Math.max(0, width - numberWidth(Boolean(old)) - 8);
        const length = (/** @type {number} */ value) => `${full * Math.min(1, value)}px`;
        return h(
            'div',
            {class: 'figures bars'},
            Array.from(values, (value, i) =>
                h(
                    'div',
                    {key: i, style: rowAt(i)},
                    full > 8 &&
                        h(
                            'span',
                            {class: 'bar', style: {width: `${full}px`}, 'aria-hidden': true},
                            h('i', {style: {width: length(value)}}),
                            old &&
                                Math.abs(old[i] - value) > VISIBLE &&
                                h('b', {style: {left: length(old[i])}}),
                        ),
                    h(
                        'span',
                        {class: 'figure-of'},
                        twoLines(decimal(value), old ? `${was} ${decimal(old[i])}` : null),
                    ),
                ),
            ),
        );
    },
);

/** @param {CellsColumn} column @param {number} cell @param {Props} props */
const cellsOf = (column, cell, {on, theme, cursor, onPoint, onPick}) => ({
    ...{on, theme, grid: column.grid, scale: column.scale},
    ...{faint: column.faint, framed: column.framed, struck: column.struck},
    cell: {width: cell, height: ROW},
    gap: 4,
    // the row that is framed stands for all of the column
    cursor: cursor && {row: column.framed === undefined ? cursor.row : -1, col: cursor.col},
    onPoint: (/** @type {any} */ spot) => onPoint?.(spot && {...spot, id: column.id}),
    onPick:
        onPick &&
        ((/** @type {any} */ spot, /** @type {boolean} */ touch) =>
            onPick({...spot, id: column.id}, touch)),
});

/** @param {{column: Column, cell: number, width: number, rest: Props}} props */
function Body({column, cell, width, rest}) {
    switch (column.kind) {
        case 'tokens':
            return h(Tokens, {
                tokens: column.tokens,
                side: column.side,
                label: column.label,
                boxed: column.boxed,
                tint: column.tint,
                colour: paperOf(rest.theme).bar,
                stop: rest.held?.[column.side ?? '']?.stop,
                pressed: rest.held?.[column.side ?? '']?.pressed,
            });
        case 'numbers':
            return h(Figures, {
                values: column.values,
                old: column.old,
                was: column.was,
                digits: column.digits ?? 2,
                text: column.text,
            });
        case 'bars':
            return h(Bars, {values: column.values, old: column.old, was: column.was, width});
        case 'fan':
            return h(Fan, {column});
        default:
            return [
                h(Cells, {key: 'cells', ...cellsOf(column, cell, rest)}),
                column.slides && h(Slider, {key: 'slider', column, cell, rest}),
            ];
    }
}

/** The row that passes over a column of cells. @param {{column: CellsColumn, cell: number, rest: Props}}
 *     props */
const Slider = ({column: {slides, grid}, cell, rest: {on, theme}}) =>
    h(
        'div',
        {class: 'slider', 'aria-hidden': true, style: {'--way': `${(grid.rows - 1) * ROW}px`}},
        slides && h(Cells, {on, theme, ...slides, cell: {width: cell, height: ROW}, gap: 4}),
    );

/** The heading of a column, with a mark above each column of cells that has one.
 * @param {{column: Column, cell: number}} props */
const Heading = ({column, cell}) => [
    column.title,
    column.kind === 'cells' &&
        column.marks?.map(col =>
            h('i', {
                key: col,
                class: 'top-mark',
                style: {left: `${col * cell}px`, width: `${cell}px`},
            }),
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
        {class: 'rows', style: {'--rows': lengthOf(columns[0])}},
        h(
            'div',
            {class: 'rows-head', style},
            columns.map((column, i) =>
                h(
                    'div',
                    {
                        key: column.id,
                        class: `over-${column.kind} ${column.kind === 'tokens' ? (column.side ?? '') : ''}`,
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
                    h(Body, {column, cell, width: widths[i], rest: props}),
                ),
            ),
        ),
    );
}

const HEAD = 28;

/** @param {number} row @param {number} value 0..1 @param {number} width of bar and number
 * @param {string} theme */
const barSvg = (row, value, width, theme) =>
    h('rect', {
        y: row * ROW + 9,
        height: 8,
        width: Math.round((width - numberWidth(false) - 8) * value * 100) / 100,
        fill: paperOf(theme).bar,
    });

/** A text in a row. @param {number} row @param {string} text @param {number} x
 * @param {string} anchor */
const line = (row, text, x, anchor) =>
    h('text', {x, y: rowMiddle(row) + 5, 'text-anchor': anchor}, text);

/** The tokens of a file: washed by their weights, one in a box. @param {TokensColumn} column
 * @param {number} width @param {string} theme */
const tokensSvg = ({tokens, side, boxed, tint}, width, theme) =>
    tokens.map((token, row) => [
        tint &&
            h('rect', {
                ...{y: row * ROW, width, height: ROW, fill: paperOf(theme).bar},
                'fill-opacity': washOf(tint, row),
            }),
        boxed === row && box(row, width, theme, 8),
        side === 'key'
            ? line(row, fitPiece(token.piece, width), 0, 'start')
            : line(row, fitPiece(token.piece, width), width, 'end'),
    ]);

/** A frame around a row, with so much room on both sides. @param {number} row @param {number} width
 * @param {string} theme @param {number} [room] */
const box = (row, width, theme, room = 0) =>
    h('rect', {
        ...{x: -room, y: row * ROW + 1, width: width + 2 * room, height: ROW - 2},
        ...{fill: 'none', stroke: paperOf(theme).query, 'stroke-width': 2},
    });

/** @param {CellsColumn} column @param {number} cell @param {number} width @param {string} theme */
const cellsSvg = ({grid, scale, framed}, cell, width, theme) => [
    h(
        'g',
        {'shape-rendering': 'crispEdges'},
        cellRects(grid, {cell: {width: cell, height: ROW}, gap: 4}, scale, theme).map(rect =>
            h('rect', rect),
        ),
    ),
    framed !== undefined && box(framed, width, theme),
];

/** A column in a file. @param {Column} column @param {number} cell @param {number} width
 * @param {string} theme */
function body(column, cell, width, theme) {
    switch (column.kind) {
        case 'tokens':
            return tokensSvg(column, width, theme);
        case 'numbers':
            return Array.from(column.values, (value, row) =>
                line(row, (column.text ?? signed)(value, column.digits), width, 'end'),
            );
        case 'bars':
            return Array.from(column.values, (value, row) =>
                h(
                    'g',
                    null,
                    barSvg(row, value, width, theme),
                    line(row, decimal(value), width, 'end'),
                ),
            );
        case 'fan':
            return fanLines(column);
        default:
            return cellsSvg(column, cell, width, theme);
    }
}

/** What is pointed at, in words. @param {readonly Column[]} columns @param {Place} place
 * @param {any} scene */
function readOf(columns, place, scene) {
    const column = columns.find(({id}) => id === place.id);
    if (column?.kind !== 'cells') return null;
    return [
        column.title,
        ' ',
        h('bdi', null, scene.tokens[place.row].piece),
        ` [${place.col}]: `,
        h('b', null, signed(valueAt(column.grid, place.row, place.col), 4)),
    ];
}

/** How many rows a column has. @param {Column} column */
const lengthOf = column =>
    column.kind === 'tokens'
        ? column.tokens.length
        : column.kind === 'cells'
          ? column.grid.rows
          : column.values.length;

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
                            column.kind === 'cells' &&
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
            const end =
                column.kind === 'numbers' ||
                column.kind === 'bars' ||
                (column.kind === 'tokens' && column.side !== 'key');
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
                h('g', {transform: `translate(0 ${HEAD})`}, body(column, cell, widths[i], theme)),
            );
        });
        return {tree, width, height: HEAD + Math.max(...columns.map(lengthOf)) * ROW + after};
    },
};

/** @param {Column[]} columns @param {{id?: string, titles: string[], legends?: boolean, after?:
 *     number, onPick?: (place: Place, touch: boolean, props: import('../blocks.js').Props) =>
 *     void}} more titles: the headings as plain text; legends: of the cells, above them; after: room
 *     below in a file @returns {import('../blocks.js').Block} */
export const rows = (columns, more) => ({kind: ROWS, columns, ...more});
