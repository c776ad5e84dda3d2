/* sieve - the sieves of the Heads Hypothesis on the text that is shown: pointing at a token frames the
 * keys of its sieve, shades all keys by the real attention of the head, and says how the score comes
 * about. Below: the score of the whole text for each role. Both come from C (src/measure/patterns.h).
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {given} from '../draw/marks/arcs.js';
import {activeHeads, visibleKeys} from '../views/parts/select.js';
import {nameIn, sourceOf} from './number.js';
import {readSeen, ROLES, rowsOf} from './seen.js';
import {useFound} from '../shell/use_found.js';

/**
 * @typedef {import('./step.js').Props} Shared
 * @typedef {import('../words/languages.js').Lessons['sieves']} Words
 */

const times = (/** @type {number | null} */ value) =>
    value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)}×`;

/** @param {{words: Words, role: string, onRole: (role: string) => void, scores: (number | null)[]}} props */
const Roles = ({words, role, onRole, scores}) =>
    h(
        'p',
        {class: 'pills sieve-roles', role: 'group', 'aria-label': words.role},
        ROLES.map((name, i) =>
            h(
                'button',
                {
                    key: name,
                    type: 'button',
                    'aria-pressed': name === role,
                    'data-role': name,
                    'data-value': scores[i] ?? undefined,
                    onClick: () => onRole(name),
                },
                `${words.roles[name]} ${times(scores[i])}`,
            ),
        ),
    );

/** The text: the token that asks, the keys of its sieve, and the attention that each key gets.
 * @param {{tokens: ReturnType<typeof sourceOf>['tokens'], query: number, keys: number[], weight: (query:
 *     number, key: number) => number, onPoint: (index: number) => void, onPin: (index: number) => void}} props */
const Tokens = ({tokens, query, keys, weight, onPoint, onPin}) =>
    h(
        'p',
        {class: 'pills pick-tokens sieve-tokens', dir: 'auto'},
        tokens.map(({piece}, i) =>
            buttonOf(
                `${i === query ? 'asks' : ''}${keys.includes(i) ? ' inside' : ''}`,
                {
                    key: i,
                    style: {'--weight': `${Math.round(100 * Math.sqrt(weight(query, i)))}%`},
                    onPointerEnter: () => onPoint(i),
                    onFocus: () => onPoint(i),
                    onClick: () => onPin(i),
                },
                h('bdi', null, piece),
            ),
        ),
    );

/** What each key adds to the score of its query in a head, [role, query, key], NaN outside of the sieve; null until it
 * is there. @param {Pick<Shared, 'session' | 'shown'>} shared @param {number} layer @param {number} head */
function useParts({session, shown: {pass}}, layer, head) {
    const want = [{measure: 'sieve', args: [layer, head]}];
    const all = useFound(() => session.collect(want), [pass, layer, head]);
    return [...(all?.found?.values() ?? [])][0]?.data ?? null;
}

/** The keys of a query, and numbers of them. @param {{parts: Float32Array, query: number, role: string, head: number,
 *     attention: import('./seen.js').Tensor}} of @param {number[]} seen from, to: the keys that it sees */
function asked({parts, query, role, head, attention}, [from, to]) {
    const {shape} = attention;
    const [of, length] = [ROLES.indexOf(role), shape[1]];
    const at = (of * length + query) * length;
    const row = [...parts.subarray(at, at + length)];
    const keys = row.flatMap((part, key) => (Number.isNaN(part) ? [] : [key]));
    return {
        keys,
        said: {
            ...{keys: keys.length, all: to - from},
            share: (100 * given(attention, [head], [query], keys)).toFixed(0),
            even: ((100 * keys.length) / (to - from)).toFixed(0),
            score: times(keys.length ? given({data: parts, shape}, [of], [query], keys) : null),
            block: role === 'block',
        },
    };
}

/** The token that asks: the one pointed at here, or pinned in the figure since. And what a press pins there, too.
 * @param {Shared['state']} state @param {Shared['set']} set */
function useAsking({side, picked}, set) {
    const [at, setAt] = useState(-1);
    const [pinned = -1] = side === 'query' ? picked : [];
    useEffect(() => setAt(pinned), [pinned]);
    const pin = (/** @type {number} */ index) =>
        set({picked: [index], side: 'query', token: index});
    return {at, onPoint: setAt, onPin: pin};
}

/** @param {{shared: Pick<Shared, 'session' | 'shown' | 'state' | 'set'>, words: Words, begins?: string}} props   begins: with this role */
export function Sieves({shared, words, begins = 'local'}) {
    const {shown, state, set} = shared;
    const [role, setRole] = useState(begins);
    const {at, ...on} = useAsking(state, set);
    const source = sourceOf(shown);
    const {tensor, tokens} = source;
    const {layer} = state;
    const head = activeHeads(state.heads, shown.model?.heads ?? 1)[0];
    const attention = tensor(`attention.${layer}`);
    const weight = rowsOf(attention, head);
    const parts = useParts(shared, layer, head);
    if (!attention || !weight || !parts || !shown.model || shown.precomputed)
        return h('p', {class: 'soft'}, words.waiting);
    const T = tokens.length;
    const query = at < 0 || at >= T ? Math.min(2, T - 1) : at;
    const seen = visibleKeys(shown.model, layer)?.(query, T) ?? [0, T];
    const {keys, said} = asked({parts, query, role, head, attention}, seen);
    return h(
        'div',
        {class: 'sieves'},
        h(Roles, {
            words,
            role,
            onRole: setRole,
            scores: ROLES.map(name =>
                readSeen(source, {kind: 'sieve', head: [layer, head], role: name}),
            ),
        }),
        h(Tokens, {tokens, query, keys, weight, ...on}),
        h(
            'p',
            {'aria-live': 'polite', class: 'sieve-says'},
            words.says({
                head: nameIn([layer, head], state),
                ...{token: tokens[query].piece, ...said},
            }),
        ),
    );
}
