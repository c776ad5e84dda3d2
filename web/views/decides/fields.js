/* fields - the settings of What decides alone: whether heads and MLPs are off by zero or by the mean of the text's other
 * tokens, and the heads that are switched off at once.
 */
import {choice, field, places} from '../../state/fields.js';

export const fields = [
    field('by', choice('zero', 'mean'), 'zero'),
    field('together', places(2), []), // layer.head
];
