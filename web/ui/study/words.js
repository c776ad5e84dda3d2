/* words - the words of the corpus desk in the language of the page; to add a language, name its
 * file here.
 */
import {studyEn} from '../../text/study_en.js';
import {studyZh} from '../../text/study_zh.js';

/** @typedef {typeof studyEn} Words */

/** @type {Record<string, Words>} */
const all = {en: studyEn, zh: studyZh};

/** @param {{code: string}} t @returns {Words} */
export const studyWords = t => all[t.code] ?? studyEn;
