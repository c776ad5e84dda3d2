/* fields - the settings of the study of roles alone: the thresholds of a role (distance from
 * uniform attention, level of the test), and the role looked at. state/state.js makes them part of
 * the state.
 */
import {choice, decimal, field, name} from '../../../state/fields.js';

export const fields = [
    field('tau', decimal(0, 1000), 3), // times uniform attention
    field('alpha', decimal(0.000001, 0.5), 0.05),
    field('correction', choice('none', 'bh'), 'none'), // of p-values
    field('sd', choice('population', 'sample'), 'population'),
    field('role', name, ''), // the role looked at, '' = all
];
