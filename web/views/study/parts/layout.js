/* layout - blocks of a study in the elements of its page: a part under a heading, parts side by side.
 * In a file they follow one another, and the heading stands above the first of its part.
 */
import {h} from 'preact';
import {group, onPage} from '../../../draw/blocks.js';
import {note} from '../../../draw/blocks/prose.js';

/** @typedef {(import('../../../draw/blocks.js').Block | false | null)[]} Blocks */

/** @param {string} heading @param {Blocks} blocks
 * @param {{bare?: boolean} & Record<string, any>} [more] bare: without the heading in a file; else
 *     attributes of the element */
export const section = (heading, blocks, {bare = false, ...attributes} = {}) =>
    group(
        inside => h('section', attributes, h('h3', null, heading), inside),
        blocks,
        bare ? undefined : heading,
    );

/** @param {Blocks} blocks @param {string} [className] */
export const box = (blocks, className) =>
    group(inside => h('div', {class: className}, inside), blocks);

/** @param {Blocks} blocks */
export const abreast = blocks => box(blocks, 'abreast');

/** A sentence on how to read it, on the page alone. @param {string} text */
export const hint = text => onPage(note(text));
