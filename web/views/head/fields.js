/* fields - the settings of the head view alone: how weights of several heads and tokens are
 * combined, and the ones that are drawn. state/state.js makes them part of the state.
 */
import {choice, field, flag, integer} from '../../state/fields.js';

export const fields = [
    // each head, or one average: see mix.js
    field('mix', choice('heads', 'mean', 'layers', 'rollout'), 'heads'),
    field('level', choice('pieces', 'words'), 'pieces'),
    // per cent of each query's attention shown, largest weights first
    field('top', integer(1), 100),
    field('fillings', flag, false), // words that the model predicts, for every position
    field('specials', flag, true), // show [CLS] and [SEP]
    // show the first token, on which causal models rest much of their attention
    field('first', flag, true),
];
