/* fields - the settings of the heat map alone: how strong colours are. state/state.js makes them part of the state.
 */
import {field, flag} from '../../state/fields.js';

export const fields = [field('log', flag, false)]; // by the logarithm of the weight
