/* element - the words of <head-light> before a model is there, in all languages: they come with
 * its one file. All other words are fetched (languages.js).
 */
import {element as en} from './en/element.js';
import {element as zh} from './zh/element.js';

/** @typedef {typeof en} ElementWords */

/** @type {Record<string, ElementWords>} */
const all = {en, zh};

/** Of the first wish that there is a language for, else English.
 * @param {readonly string[]} wishes language tags @returns {ElementWords} */
export const elementWords = wishes => wishes.map(tag => all[tag.slice(0, 2)]).find(Boolean) ?? en;
