/* fields - what the reader can set in the find view alone: the two tokens, and the colours of the map
 * of heads. core/state.js makes them part of the state.
 */
import {choice, field, integer} from '../../core/fields.js';

export const fields = [
    field('from', integer(-1), -1), // the query token, -1 = none
    field('to', integer(-1), -1), // the key token
    field('mapColour', choice('layer', 'pattern'), 'layer'), // what the colours of the map tell
];
