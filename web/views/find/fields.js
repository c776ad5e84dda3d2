/* fields - the settings of the find view alone: the question to the heads (a pair of tokens, or a
 * pattern), the two tokens, and the colours of the map of heads. state/state.js makes them part of
 * the state.
 */
import {choice, field, integer, name} from '../../state/fields.js';

export const fields = [
    field('ask', name, ''), // one of PATTERNS (parts/six_patterns.js), '' = the pair
    field('from', integer(-1), -1), // the query token, -1 = none
    field('to', integer(-1), -1), // the key token
    field('mapColour', choice('layer', 'pattern'), 'layer'), // what the colours of the map tell
];
