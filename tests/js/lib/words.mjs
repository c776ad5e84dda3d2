/* words - the words of the page and of all its views, in the two languages that tests read.
 */
import {allWords} from '../../../web/words/languages.js';

export const en = await allWords('en');
export const zh = await allWords('zh');
