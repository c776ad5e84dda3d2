/* still - the words of a figure in someone's page, by language; both come with the element, since
 * they are few. To add a language, name its file here.
 */
import {stillEn} from './still_en.js';
import {stillZh} from './still_zh.js';

/** @typedef {typeof stillEn} Still */

/** @type {Record<string, Still>} */
const all = {en: stillEn, zh: stillZh};

/** Of the first wish that there is a language for, else English.
 * @param {readonly string[]} wishes language tags @returns {Still} */
export const stillOf = wishes => wishes.map(tag => all[tag.slice(0, 2)]).find(Boolean) ?? stillEn;
