/* all_and_one - the figure of the articles: a head on all tokens and, beside it, on the pinned one. A
 * button that puts the two side by side (ui/beside.js), and takes the first away again.
 */
import {h} from 'preact';
import {kindsOf, patchOf, writtenPatch} from '../beside/second.js';

/** @param {{shared: Pick<import('../app.js').Shared, 'state' | 'set'>, label: string}} props */
export function AllAndOne({shared: {state, set}, label}) {
    const {view, picked, side, token} = state;
    const both = kindsOf(state).includes('token');
    if (view !== 'head' || (!both && !picked.length)) return null;
    const onClick = () =>
        set(
            both
                ? {...patchOf(state), beside: ''}
                : {
                      ...{picked: [], token: -1, compareWith: ''},
                      beside: writtenPatch({picked, side, token}),
                  },
        );
    return h('button', {type: 'button', class: 'plain', 'aria-pressed': both, onClick}, label);
}
