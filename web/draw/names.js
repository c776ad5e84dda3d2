/* names - names of vectors and matrices as they are usually written: 'W_Q' is W with the subscript
 * Q.
 */
import {h} from 'preact';

/** For the page. @param {string} label @returns {import('preact').ComponentChild[]} */
export const nameOf = label =>
    label.split(' ').flatMap((word, i) => {
        const [letter, below] = word.split('_');
        return [
            i > 0 && ' ',
            below === undefined ? letter : h('b', {key: i}, letter, h('sub', null, below)),
        ];
    });

/** For plain text. @param {string} label */
export const plainName = label => label.replaceAll('_', '');
