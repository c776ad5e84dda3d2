/* later - the parts of the head view beside the first picture, fetched as one: the numbers of a
 * token, the line under the pointer, lines on their way, Play.
 */
export {Motion} from './over/motion.js';
export {HeadPanel} from './panel.js';
export {OverLines} from './over/play.js';
