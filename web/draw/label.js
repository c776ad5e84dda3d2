/* label - a text of a drawing whose middle, or whose end, stands at a place: a number over its bar,
 * the name of an axis.
 */
import {h} from 'preact';

/** @typedef {(x: number, y: number, text: string | number, attributes?: Record<string, any>) =>
 *     import('preact').VNode} Label */

/** @type {Label} */
export const middleAt = (x, y, text, attributes) =>
    h('text', {x, y, 'text-anchor': 'middle', ...attributes}, text);

/** @type {Label} */
export const endAt = (x, y, text, attributes) =>
    h('text', {x, y, 'text-anchor': 'end', ...attributes}, text);
