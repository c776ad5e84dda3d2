/* column - the type of a column of rows (../rows.js), and what its kinds share: rows that are drawn anew
 * only when they change, a text in a row, a frame around one. A kind is a file beside this one; a
 * view imports those that it uses.
 *
 *   name     in class names           Html     on the page: {column, cell, width, rest}
 *   svg      in a file                length   how many rows
 *   wished   px of its width, where the column itself says none; cells share what others leave
 *   gives    where there is no room: the order in which kinds give of theirs, and what they must keep
 *   end      aligned to its right edge in a file
 */
import {Component, h} from 'preact';
import {ownWay} from '../../graphemes.js';
import {paperOf} from '../../paper.js';
import {ROW, rowMiddle} from '../../tokens.js';

/**
 * @import {Tree} from '../../blocks.js'
 * @typedef {{cell: number, width: number, theme: string}} Size   of a file; cell: px of one cell
 * @typedef {{name: string, Html: import('preact').ComponentType<any>, svg: (column: any, size: Size) =>
 *     Tree, length: (column: any) => number, wished?: (column: any, most: number) => number,
 *     gives?: {order: number, keeps: (column: any) => number}, end?: (column: any) => boolean}} ColumnKind
 * @typedef {{id: string, kind: ColumnKind, title: Tree, width?: number, [more: string]: any}} Column
 */

/** Drawn anew only when a property is another. @template P
 * @param {(props: P) => import('preact').VNode} draw @returns {import('preact').ComponentClass<P>}
 */
export const still = draw =>
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

export const row = {height: `${ROW}px`};

/** With its number, in whose order rows move (style.css). @param {number} index */
export const rowAt = index => ({...row, '--row': index});

/** @param {string} text @param {string | null} old */
export const twoLines = (text, old) => [
    h('span', {class: 'now', key: 'now'}, text),
    old && h('small', {key: 'old'}, old),
];

/** A text in a row. @param {number} row @param {string} text @param {number} x
 * @param {string} anchor */
export const line = (row, text, x, anchor) =>
    h('text', ownWay(text, {x, y: rowMiddle(row) + 5, 'text-anchor': anchor}), text);

/** A frame around a row, with so much room on both sides. @param {number} row @param {number} width
 * @param {string} theme @param {number} [room] */
export const box = (row, width, theme, room = 0) =>
    h('rect', {
        ...{x: -room, y: row * ROW + 1, width: width + 2 * room, height: ROW - 2},
        ...{fill: 'none', stroke: paperOf(theme).query, 'stroke-width': 2},
    });
