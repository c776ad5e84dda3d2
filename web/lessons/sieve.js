/* sieve - the sieves of the Heads Hypothesis on the text that is shown: pointing at a token frames the
 * keys of its sieve, shades all keys by the real attention of the head, and says how the score comes
 * about. Below: the score of the whole text for each role. What is counted: sieves.js.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {activeHeads} from '../views/parts/select.js';
import {nameIn, sourceOf} from './number.js';
import {rowsOf} from './seen.js';
import {queryScore, ROLES, sieveOf, sieveScore} from './sieves.js';

/**
 * @typedef {import('../app/app.js').Shared} Shared
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
 *     number, key: number) => number, onPoint: (index: number) => void}} props */
const Tokens = ({tokens, query, keys, weight, onPoint}) =>
    h(
        'p',
        {class: 'pills pick-tokens sieve-tokens', dir: 'auto'},
        tokens.map(({piece}, i) =>
            h(
                'button',
                {
                    key: i,
                    type: 'button',
                    class: `${i === query ? 'asks' : ''}${keys.includes(i) ? ' inside' : ''}`,
                    style: {'--weight': `${Math.round(100 * Math.sqrt(weight(query, i)))}%`},
                    onPointerEnter: () => onPoint(i),
                    onFocus: () => onPoint(i),
                    onClick: () => onPoint(i),
                },
                h('bdi', null, piece),
            ),
        ),
    );

/** @param {{shared: Shared, words: Words, begins?: string}} props   begins: with this role */
export function Sieves({shared: {shown, state}, words, begins = 'local'}) {
    const [role, setRole] = useState(begins);
    const [at, setAt] = useState(-1);
    const {tensor, tokens} = sourceOf(shown);
    const head = activeHeads(state.heads, shown.model?.heads ?? 1)[0];
    const weight = rowsOf(tensor(`attention.${state.layer}`), head);
    if (!weight || shown.precomputed) return h('p', {class: 'soft'}, words.waiting);
    const query = at < 0 || at >= tokens.length ? Math.min(2, tokens.length - 1) : at;
    const keys = sieveOf(role, tokens, query);
    const inside = keys.reduce((sum, key) => sum + weight(query, key), 0);
    const score = queryScore(role, tokens, weight, query);
    return h(
        'div',
        {class: 'sieves'},
        h(Roles, {
            words,
            role,
            onRole: setRole,
            scores: ROLES.map(name => sieveScore(name, tokens, weight)),
        }),
        h(Tokens, {tokens, query, keys, weight, onPoint: setAt}),
        h(
            'p',
            {'aria-live': 'polite', class: 'sieve-says'},
            words.says({
                head: nameIn([state.layer, head], state),
                token: tokens[query].piece,
                keys: keys.length,
                all: tokens.length,
                share: (100 * inside).toFixed(0),
                even: ((100 * keys.length) / tokens.length).toFixed(0),
                score: times(score),
                block: role === 'block',
            }),
        ),
    );
}
