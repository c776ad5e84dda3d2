/* button - a button of the page: a press, and none that sends a form. Written out are those of shell/,
 * which knows nothing of draw/, and those that <head-light> begins with, which has no room for this.
 */
import {h} from 'preact';

/** @typedef {import('preact').JSX.IntrinsicElements['button'] & {[data: `data-${string}`]: any}} Given */

/** @param {string | undefined} kind its class: 'plain' reads as a link, 'main' is what a place is for
 * @param {Given} given @param {...import('preact').ComponentChildren} inside */
export const buttonOf = (kind, given, ...inside) =>
    h('button', {type: 'button', class: kind, ...given}, ...inside);
