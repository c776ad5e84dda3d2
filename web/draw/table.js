/* table - tables of the page as HTML: a caption, the names of the columns, and rows, of which some have a bar between
 * name and number.
 */
import {h} from 'preact';

/** @import {ComponentChild as Node} from 'preact' */

/** @param {{caption?: Node, captionClass?: string, columns?: readonly Node[]} & Record<string, any>} props   columns:
 *     a name of each, or its cell; the others are attributes @param {Node} rows */
export const table = ({caption, captionClass, columns, ...attributes}, rows) =>
    h(
        'table',
        attributes,
        caption && h('caption', {class: captionClass}, caption),
        columns && h('thead', null, h('tr', null, columns.map(heading))),
        h('tbody', null, rows),
    );

/** @param {Node} name @param {number} i */
const heading = (name, i) =>
    typeof name === 'object' ? name : h('th', {key: i, scope: 'col'}, name);

/** A row with a bar between its name and its number. @param {{name: Node, number: Node, room: number, width: number,
 *     strong?: boolean, background?: string}} props   room: px that the longest bar takes; width: of this one */
export const BarRow = ({name, number, room, width, strong, background}) =>
    h(
        'tr',
        {class: strong ? 'strong' : undefined},
        h('th', {scope: 'row'}, name),
        h(
            'td',
            null,
            h(
                'span',
                {class: 'bar', style: {width: `${room}px`}, 'aria-hidden': true},
                h('i', {style: {background, width: `${width}px`}}),
            ),
        ),
        h('td', {class: 'number'}, number),
    );
