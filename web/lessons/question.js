/* question - the first screen's question about the default text (state/first_text.js): the word it is
 * about, the words that may be meant, and the word with which another of these would be. Words only:
 * the head that answers and every number are found when the site is built (build/first.mjs), or
 * computed in the page. Pure.
 */
import {FIRST_TEXT} from '../state/first_text.js';

export const QUESTION = {
    word: 'it',
    answers: ['animal', 'street'], // the first is meant
    swap: ['tired', 'wide'], // with the second, the second answer is meant
};
const [own, other] = QUESTION.swap;

/** The question's text, and the same with the other word. */
export const TEXTS = [FIRST_TEXT, FIRST_TEXT.replace(own, other)];
