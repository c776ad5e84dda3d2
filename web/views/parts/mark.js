/* mark - names of heads that open a card, and terms that the glossary explains. What they become is lent
 * by the page once it has it (cards/marks.js), as t.mark; in <head-light> and in files there is none,
 * and they are plain words.
 */

/**
 * @import {Tree} from '../view.js'
 * @typedef {{head: (place: {layer: number, head: number}, name: string) => Tree, say: (text: string, said?:
 *     Set<string>) => Tree}} Mark   said: terms that were marked in the same block already
 */

/** The name of a head. @param {{mark?: Mark}} t @param {{layer: number, head: number}} place
 * @param {string} name @returns {Tree} */
export const headMark = ({mark}, place, name) => mark?.head(place, name) ?? name;

/** A sentence with its terms. @param {{mark?: Mark}} t @param {string} text @param {Set<string>} [said]
 * @returns {Tree} */
export const termsIn = ({mark}, text, said) => mark?.say(text, said) ?? text;
