/* version2 - the meaning of fields that links and tags of v=2 and 4, and tags of v=3, leave out, where
 * today's defaults differ. Frozen as version1.js is: when a default changes that is not here, what
 * it was comes here. The first of the menu was mini2-en.
 */
import {version1} from './version1.js';

const {text, textB} = version1;
export const version4 = {model: 'mini2-en'};
export const version3 = {...version4, text}; // no text-b was no second text, as today
export const version2 = {...version3, textB};
