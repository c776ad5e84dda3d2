/* all_and_one - the figure of the articles: a head on all tokens and, beside it, on the pinned one. A
 * button that puts the two side by side (compare/beside.js), and takes the first away again.
 */
import {buttonOf} from '../draw/button.js';
import {beginBeside} from '../compare/begin.js';
import {kindsOf, patchOf} from '../compare/second.js';

/** @param {{shared: Pick<import('../base/shared.js').Shared, 'state' | 'set' | 'shown'>, label: string}} props */
export function AllAndOne({shared: {state, set, shown}, label}) {
    const both = kindsOf(state).includes('token');
    const {model, pass} = shown;
    if (!model || !pass || state.view !== 'head' || (!both && !state.picked.length)) return null;
    const onClick = () =>
        set(
            both
                ? {...patchOf(state), beside: ''}
                : beginBeside('token', {state, data: {model, pass}}),
        );
    return buttonOf('plain', {'aria-pressed': both, onClick}, label);
}
