/* most - the heads in which two models differ most on one text, of all layers: of each the share of
 * attention that has moved, which is half the sum of the absolute differences of two rows, the mean over
 * queries, 0 to 1 (as src/measure/shift.c has it for two passes of one model). A press shows a head.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {headName} from '../draw/head_name.js';
import {decimal} from '../draw/scale.js';
import {apart} from '../views/change/numbers.js';
import {counted} from '../views/parts/select.js';
import {needName} from '../views/needs.js';

/**
 * @import {Session} from '../session/session.js'
 * @import {State} from '../state/state.js'
 * @typedef {{layer: number, head: number, moved: number}} Moved
 */

const SHOWN = 6;

/** All heads, those that differ most first, a layer at a time. @param {Pick<Session, 'collect'>[]} sessions
 * @param {{layers: number, heads: number}} model @param {number} tokens @param {AbortSignal} signal
 * @returns {Promise<Moved[]>} */
export async function mostMoved(sessions, {layers, heads}, tokens, signal) {
    /** @type {Moved[]} */
    const found = [];
    for (let layer = 0; layer < layers && !signal.aborted; layer++) {
        const need = {tensor: 'attention', layer};
        const [a, b] = await Promise.all(
            sessions.map(async one => (await one.collect([need])).get(needName(need))?.data),
        );
        if (!a || !b) return [];
        for (let head = 0; head < heads; head++) {
            const map = [head * tokens ** 2, (head + 1) * tokens ** 2];
            const moved = apart(a.subarray(...map), b.subarray(...map)) / tokens;
            found.push({layer, head, moved});
        }
    }
    return found.sort((one, two) => two.moved - one.moved);
}

/** The fields of the state that show a head. @param {State} state @param {Moved} place */
const shownHead = ({view}, {layer, head}) =>
    view === 'model'
        ? {opened: `${layer}.${head}`}
        : {layer, heads: [head], mix: /** @type {const} */ ('heads')};

/** @param {{words: import('../words/languages.js').Dialogs['beside'], state: State, set: (patch:
 *     Partial<State>) => void, sessions: Session[], drawables: import('../figure/figure.js').Drawable[]}} props */
export function MostMoved({words, state, set, sessions, drawables}) {
    const [found, setFound] = useState(/** @type {Moved[]} */ ([]));
    const passes = drawables.map(({data}) => data.pass);
    useEffect(() => {
        const left = new AbortController();
        const {model, pass} = drawables[0].data;
        mostMoved(sessions, model, pass.tokens.length, left.signal).then(
            all => left.signal.aborted || setFound(all),
            () => {}, // the pass is gone: the next one asks again
        );
        return () => left.abort();
    }, passes);
    const count = counted(state);
    if (!found.length) return h('p', {class: 'most-moved'});
    return h(
        'p',
        {class: 'most-moved'},
        words.mostMoved(found.length),
        found
            .slice(0, SHOWN)
            .map(one => [
                ' ',
                buttonOf(
                    'plain',
                    {key: `${one.layer}.${one.head}`, onClick: () => set(shownHead(state, one))},
                    headName(count(one.layer), count(one.head)),
                ),
                `\u00a0${decimal(one.moved)}`,
            ]),
    );
}
