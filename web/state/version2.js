/* version2 - the meaning of fields that links and tags of v=2, and tags of v=3, leave out, where
 * today's defaults differ. Frozen as version1.js is: when a default changes that is not here, what
 * it was comes here.
 */
import {version1} from './version1.js';

const {text, textB} = version1;
export const version2 = {text, textB};
export const version3 = {text}; // no text-b was no second text, as today
