/* describe - the text alternative of the head view: what is shown, and the strongest single link.
 */
import {decimal} from '../../draw/scale.js';
import {counted} from '../select.js';
import {shownName} from './caption.js';
import {strongest} from './numbers.js';
import {selection} from './scene.js';

/** @type {import('../view.js').View['describe']} */
export function describe(state, data, t) {
    const scene = selection(state, data);
    const {head, query, key, weight} = strongest(scene);
    if (weight < 0) return t.head.nothing;
    const piece = (/** @type {number} */ index) => scene.tokens[index].piece;
    return t.head.describe({
        name: shownName(state, data, t),
        tokens: scene.tokens.length,
        best: {
            head: scene.mix === 'heads' ? counted(state)(head) : null,
            query: piece(query),
            key: piece(key),
            weight: decimal(weight),
        },
    });
}
