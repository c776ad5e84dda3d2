/* question - the first screen's question about the default text (state/state.js): the word it is
 * about, the words that may be meant, and the word with which another of these would be. Words only:
 * the head that answers and every number are found when the site is built (build/first.mjs), or
 * computed in the page. Pure.
 */
import {defaults} from '../state/state.js';

export const QUESTION = {
    word: 'it',
    answers: ['animal', 'street'], // the first is meant
    swap: ['tired', 'wide'], // with the second, the second answer is meant
};
const [own, other] = QUESTION.swap;

/** The question's text, and the same with the other word. */
export const TEXTS = [defaults.text, defaults.text.replace(own, other)];
