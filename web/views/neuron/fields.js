/* fields - the settings of the neuron view alone (which neurons are zeroed is shared by all views).
 * state/state.js makes it part of the state.
 */
import {field, flag, numbers} from '../../state/fields.js';

export const fields = [
    field('effects', flag, false), // compare predictions with those before zeroing
    field('queries', numbers, []), // whose q × k stand side by side
];
