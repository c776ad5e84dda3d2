/* fields - the settings of the steps view alone. state/state.js makes them part of the state.
 */
import {choice, field, integer} from '../../state/fields.js';

export const fields = [
    field('step', integer(0), 0),
    field('form', choice('vectors', 'matrices'), 'vectors'), // how it shows a step
];
