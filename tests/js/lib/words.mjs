/* words - what the page and all its views say, in the two languages that tests read.
 */
import {allWords} from '../../../web/words/languages.js';

export const en = await allWords('en');
export const zh = await allWords('zh');
