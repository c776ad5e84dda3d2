/* own - what a reader has written for a figure (title, note, marked links), as <head-light> shows it
 * before it has a model. Fetched where a tag has any of it: the first file has no room.
 */
import {marked} from '../../views/head/marked.js';
import {OwnText} from '../own_words.js';

export {marked, OwnText};
