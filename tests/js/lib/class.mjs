/* class - a teacher's questions and the answers to them, as the page has them when they are saved.
 */
import {ownLesson} from '../../../web/lessons/own.js';
import {defaults} from '../../../web/state/state.js';

const text = 'The cat sat on the mat because it was tired.';
/** Two questions about one text. */
export const asked = ownLesson('ask-0.6.2-1.3.8', {...defaults, text});

/** An answer. @param {number} picked @param {number} best what the model has as right */
export const answered = (picked, best, more = {}) => ({
    ...{picked, weight: picked === best ? 0.75 : 0.125, best, most: 0.75},
    ...{pieces: [`t${picked}`, `t${best}`], text, model: '', ...more},
});
