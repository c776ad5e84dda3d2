/* choice - views use the same radio buttons, so they live there.
 */
export {Choice} from '../views/choice.js';
