/* sides - two linked figures, one beside the other or below it: what is pointed at in one is pointed at in
 * the other where that has the same token, and so it is with what is pinned. Where the second one comes
 * from is the affair of beside.js (a session) and saved.js (what stands in the page).
 */
import {h} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import {Figure} from '../figure/figure.js';
import {changedIn, correspondence, withPins} from './second.js';

/**
 * @import {State} from '../state/state.js'
 * @import {Drawable} from '../figure/figure.js'
 * @import {Focus} from '../views/view.js'
 * @import {Across} from './second.js'
 * @typedef {Record<string, any>} Told   a figure besides: whether it is busy, frozen, helps
 * @typedef {{t: import('../base/shared.js').Texts, state: State, set: (patch: Partial<State>) => void, drawables:
 *     [Drawable, Drawable | null], captions: string[], above?: Parts, asks?: Parts, coming?: Parts, told: [Told, Told]}} Props
 *   of each: above: what stands between its caption and its figure; asks: what can be chosen of it, beside the
 *   caption; coming: how far its model is, in the figure's place or on it
 * @typedef {import('preact').ComponentChild[]} Parts
 */

/** Nothing of one is in the other. */
const NONE = Object.assign(() => -1, {differs: false});

/** Which token of one figure is which of the other. @param {Drawable} one @param {Drawable | null} two */
function useAcross(one, two) {
    const {tokens: a, texts: [a0, a1] = []} = one.data.pass;
    const {tokens: b, texts: [b0, b1] = []} = two?.data.pass ?? {};
    const isOne = a0 === b0 && a1 === b1;
    return useMemo(() => (b ? correspondence(a, b, isOne) : NONE), [a, b, isOne]);
}

/** The second figure as it is drawn: with what is pinned in the first. @param {Drawable | null} other
 * @param {State} state @param {Across} across */
function usePinned(other, state, across) {
    const {view, state: seen, data} = other ?? {};
    return useMemo(
        () => other && {...other, state: withPins(other.state, state, across)},
        [view, seen, data?.pass, data?.tensors, data?.fills, data?.theme, state, across],
    );
}

/** Where the reader points, in one of the two figures; in the other it is the same token.
 * @param {Across} across */
function useLink(across) {
    const [at, setAt] = useState(
        /** @type {{side: number, focus: Focus | null}} */ ({side: 0, focus: null}),
    );
    return (/** @type {0 | 1} */ side) => {
        const index = at.focus && at.side !== side ? across(at.focus.index, side ? 0 : 1) : -1;
        return {
            linked: at.focus && index >= 0 ? {...at.focus, index} : null,
            onHover: (/** @type {Focus | null} */ focus) => setAt({side, focus}),
        };
    };
}

/** One of the two: what it is, what can be chosen of it, the figure.
 * @param {{i: 0 | 1, caption: string, asks: any, above: any, coming: any, figure: any}} props */
const Side = ({i, caption, asks, above, coming, figure}) =>
    h(
        'section',
        {class: i ? 'compared' : undefined, 'aria-label': caption},
        h('div', {class: 'what'}, h('h2', {'data-letter': 'ab'[i]}, caption), asks),
        h('div', {class: 'above'}, above),
        figure && h(Figure, {...figure, key: figure.view.id}),
        coming,
    );

/** @param {Props} props */
export function Sides({t, state, set, drawables: [one, two], captions, told, ...parts}) {
    const {above = [], asks = [], coming = []} = parts;
    const across = useAcross(one, two);
    const other = usePinned(two, state, across);
    const link = useLink(across);
    const side = (/** @type {0 | 1} */ i, /** @type {Drawable | null} */ what) =>
        h(Side, {
            ...{i, caption: captions[i], above: above[i], asks: asks[i], coming: coming[i]},
            figure: what && {
                ...{...what, ...link(i), ...told[i], t, suffix: `-${i}`, of: captions[i]},
                set: (/** @type {Partial<State>} */ patch) =>
                    set(changedIn(state, i, patch, across)),
            },
        });
    return h('div', {class: 'two'}, side(0, one), side(1, other));
}
