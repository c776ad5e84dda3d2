/* words - the words of the parts that are fetched when first used, by language. To add a language,
 * name its file here.
 */
import {moreEn} from '../text/more_en.js';
import {moreZh} from '../text/more_zh.js';

/** @typedef {typeof moreEn} More */

/** @type {Record<string, More>} */
const all = {en: moreEn, zh: moreZh};

/** @param {{code: string}} t @returns {More} */
export const moreOf = t => all[t.code] ?? moreEn;
