/* rows - a figure with one row a token: columns of tokens, coloured cells, numbers and bars side by
 * side, under one row of headings. What a column shows is a plain object, so that HTML (here) and
 * SVG (rows_svg.js) draw the same.
 */
import {Component, h} from 'preact';
import {decimal} from '../../draw/scale.js';
import {signed} from '../../draw/chart.js';
import {ROW, textWidth, FONT} from '../../draw/tokens.js';
import {Cells} from './cells.js';

/**
 * @typedef {import('../view.js').Tree} Tree
 * @typedef {import('./cells.js').Spot} Spot
 * @typedef {{id: string, title: Tree}} Common
 * @typedef {Common & {kind: 'tokens', tokens: readonly {piece: string, special?: boolean}[], side?:
 *     string, label?: string,
 *   stop?: number, pressed?: number, width?: number}} TokensColumn   side: its tokens are buttons
 * @typedef {Common & {kind: 'cells', grid: import('../../draw/matrix.js').Grid, scale:
 *     import('../../draw/chart.js').Scale,
 *   faint?: number, marks?: readonly number[], struck?: readonly number[], width?: number}}
 *   CellsColumn
 * @typedef {Common & {kind: 'numbers', values: ArrayLike<number>, old?: ArrayLike<number> | null,
 *     was?: string,
 *   width: number, digits?: number}} NumbersColumn
 * @typedef {Common & {kind: 'bars', values: ArrayLike<number>, old?: ArrayLike<number> | null,
 *     was?: string,
 *   width: number}} BarsColumn   bars of 0..1 with their numbers
 * @typedef {TokensColumn | CellsColumn | NumbersColumn | BarsColumn} Column
 * @typedef {{id: string, row: number, col: number}} Place
 */

export const GAP = 12;
const WIDEST_CELL = 14;
/** Room for the number beside a bar, alone or with the one before. */
export const numberWidth = (/** @type {boolean} */ compared) => (compared ? 60 : 46);
const VISIBLE = 0.005; // a change of a bar that can be seen

/** Width of a column of tokens. @param {readonly {piece: string}[]} tokens @param {number} most */
const tokensWidth = (tokens, most) =>
    Math.round(
        Math.min(
            most,
            Math.max(44, Math.max(...tokens.map(({piece}) => textWidth(piece))) * FONT + 18),
        ),
    );

/** The width of each column: cells share what the others leave, each cell as wide as all.
 * @param {readonly Column[]} columns @param {number} available
 * @returns {{widths: number[], cell: number}} */
export function columnWidths(columns, available) {
    const most = available < 520 ? 76 : 128;
    const fixed = columns.map(column =>
        column.kind === 'cells'
            ? 0
            : (column.width ?? tokensWidth(column.kind === 'tokens' ? column.tokens : [], most)),
    );
    const cells = columns.reduce(
        (sum, column) => sum + (column.kind === 'cells' ? column.grid.cols : 0),
        0,
    );
    const rest =
        available - fixed.reduce((sum, width) => sum + width, 0) - GAP * (columns.length - 1);
    const cell = Math.min(WIDEST_CELL, Math.max(1, rest / Math.max(1, cells)));
    return {
        widths: columns.map((column, i) =>
            column.kind === 'cells' ? column.grid.cols * cell : fixed[i],
        ),
        cell,
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

/** @param {{piece: string, special?: boolean}} token */
const pieceOf = token => h('bdi', {class: token.special ? 'special' : undefined}, token.piece);

const Tokens = still(
    (/** @type {Pick<TokensColumn, 'tokens' | 'side' | 'label' | 'stop' | 'pressed'>} */ props) => {
        const {tokens, side, label, stop = 0, pressed} = props;
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
                              class: 'token',
                              'data-side': side,
                              'data-index': index,
                              style: row,
                              tabIndex: index === stop ? 0 : -1,
                              'aria-pressed': index === pressed,
                              title: token.piece,
                          },
                          pieceOf(token),
                      )
                    : h(
                          'span',
                          {key: index, class: 'token', style: row, title: token.piece},
                          pieceOf(token),
                      ),
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
        /** @type {Pick<NumbersColumn, 'values' | 'old' | 'was' | 'digits'>} */ {
            values,
            old,
            was,
            digits,
        },
    ) =>
        h(
            'div',
            {class: 'figures'},
            Array.from(values, (value, i) =>
                h(
                    'div',
                    {key: i, style: row},
                    twoLines(
                        signed(value, digits),
                        old ? `${was} ${signed(old[i], digits)}` : null,
                    ),
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
                    {key: i, style: row},
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

/** @param {{column: Column, cell: number, width: number, rest: Props}} props */
function Body({column, cell, width, rest}) {
    const {on, theme, cursor, onPoint, onPick} = rest;
    switch (column.kind) {
        case 'tokens':
            return h(Tokens, {
                tokens: column.tokens,
                side: column.side,
                label: column.label,
                stop: column.stop,
                pressed: column.pressed,
            });
        case 'numbers':
            return h(Figures, {
                values: column.values,
                old: column.old,
                was: column.was,
                digits: column.digits ?? 2,
            });
        case 'bars':
            return h(Bars, {values: column.values, old: column.old, was: column.was, width});
        default:
            return h(Cells, {
                on,
                theme,
                grid: column.grid,
                scale: column.scale,
                cell: {width: cell, height: ROW},
                gap: 4,
                faint: column.faint,
                struck: column.struck,
                cursor: cursor && {row: cursor.row, col: cursor.col},
                onPoint: spot => onPoint?.(spot && {...spot, id: column.id}),
                onPick: onPick && ((spot, touch) => onPick({...spot, id: column.id}, touch)),
            });
    }
}

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

/** @typedef {{on: import('../view.js').On, theme: string, width: number, columns: readonly Column[],
 *   cursor?: {row: number, col: number} | null, onPoint?: (place: Place | null) => void,
 *   onPick?: (place: Place, touch: boolean) => void}} Props */

/** @param {Props} props */
export function Rows(props) {
    const {columns, width} = props;
    const {widths, cell} = columnWidths(columns, width);
    const box = (/** @type {number} */ i) => ({width: `${widths[i]}px`});
    return h(
        'div',
        {class: 'rows'},
        h(
            'div',
            {class: 'rows-head'},
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
            {class: 'columns rows-body'},
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
