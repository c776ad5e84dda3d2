/* formulas - the formula of each step as HTML (var, sub, sup): of one token, and of all as
 * matrices; and the whole computation as one line whose parts lead to their steps.
 */
import {h} from 'preact';

/**
 * @typedef {import('preact').ComponentChild} Tree
 * @typedef {import('../view.js').Texts} Texts
 */

const v = (
    /** @type {string} */ name,
    /** @type {Tree} */ sub = null,
    /** @type {Tree} */ sup = null,
) => [h('var', null, name), sub && h('sub', null, sub), sup && h('sup', null, sup)];
const m = (/** @type {string} */ name, /** @type {Tree} */ sub = null) => [
    h('b', null, name),
    sub && h('sub', null, sub),
];
const i = h('var', null, 'i');
const j = h('var', null, 'j');
const ij = h('var', null, 'ij');
const transposed = h('sup', null, 'T');

/** @param {number} d */
const root = d => [' / √', v('d'), ` = / ${Math.sqrt(d).toFixed(3)}`];

/** @type {Record<string, {vectors: (d: number, t: Texts) => Tree, matrices: (d: number, t: Texts) =>
 *     Tree}>} */
export const formulas = {
    embed: {
        vectors: (d, {steps: {names}}) => [
            v('x', i),
            ` = LayerNorm(${names.word} + ${names.position} + ${names.segment}),  LayerNorm(`,
            v('u'),
            ') = ',
            v('γ'),
            ' (',
            v('u'),
            ' − ',
            v('μ'),
            ') / √(',
            v('σ'),
            h('sup', null, '2'),
            ' + ',
            v('ε'),
            ') + ',
            v('β'),
        ],
        matrices: (d, {steps: {names}}) => [
            m('X'),
            ' = LayerNorm(',
            m('E', names.word),
            ' + ',
            m('E', names.position),
            ' + ',
            m('E', names.segment),
            ')',
        ],
    },
    project: {
        vectors: () => [
            v('q', i),
            ' = ',
            v('x', i),
            ' ',
            m('W', 'Q'),
            ' + ',
            v('b', 'Q'),
            ',  ',
            v('k', i),
            ' = ',
            v('x', i),
            ' ',
            m('W', 'K'),
            ' + ',
            v('b', 'K'),
            ',  ',
            v('v', i),
            ' = ',
            v('x', i),
            ' ',
            m('W', 'V'),
            ' + ',
            v('b', 'V'),
        ],
        matrices: () => [
            m('Q'),
            ' = ',
            m('X'),
            ' ',
            m('W', 'Q'),
            ' + ',
            v('b', 'Q'),
            ',  ',
            m('K'),
            ' = ',
            m('X'),
            ' ',
            m('W', 'K'),
            ' + ',
            v('b', 'K'),
            ',  ',
            m('V'),
            ' = ',
            m('X'),
            ' ',
            m('W', 'V'),
            ' + ',
            v('b', 'V'),
        ],
    },
    scores: {
        vectors: () => [
            v('q', i),
            ' · ',
            v('k', j),
            ' = Σ',
            h('sub', null, h('var', null, 'n')),
            ' ',
            v('q', h('var', null, 'in')),
            ' ',
            v('k', h('var', null, 'jn')),
        ],
        matrices: () => [m('S'), ' = ', m('Q'), ' ', m('K'), transposed],
    },
    scale: {
        vectors: d => [v('s', ij), ' = ', v('q', i), ' · ', v('k', j), root(d)],
        matrices: d => [m('Q'), ' ', m('K'), transposed, root(d)],
    },
    softmax: {
        vectors: () => [
            v('a', ij),
            ' = ',
            v('e', null, v('s', ij)),
            ' / Σ',
            h('sub', null, h('var', null, 'm')),
            ' ',
            v('e', null, v('s', h('var', null, 'im'))),
        ],
        matrices: () => [
            m('A'),
            ' = softmax(',
            m('Q'),
            ' ',
            m('K'),
            transposed,
            ' / √',
            v('d'),
            ')',
        ],
    },
    weigh: {
        vectors: () => [v('a', ij), ' ', v('v', j)],
        matrices: () => [v('a', ij), ' ', v('v', j)],
    },
    sum: {
        vectors: () => [v('z', i), ' = Σ', h('sub', null, j), ' ', v('a', ij), ' ', v('v', j)],
        matrices: () => [m('Z'), ' = ', m('A'), ' ', m('V')],
    },
    output: {
        vectors: (d, {steps: {names}}) => [
            v('y', i),
            ' = LayerNorm(',
            v('x', i),
            ' + [',
            v('z', i),
            ` ${names.joined}] `,
            m('W', 'O'),
            ' + ',
            v('b', 'O'),
            ')',
        ],
        matrices: (d, {steps: {names}}) => [
            m('Y'),
            ' = LayerNorm(',
            m('X'),
            ' + [',
            m('Z'),
            ` ${names.joined}] `,
            m('W', 'O'),
            ' + ',
            v('b', 'O'),
            ')',
        ],
    },
};

/** The whole as parts; a part with steps leads to the first of them.
 * @type {{steps?: string[], tree: Tree}[]} */
export const whole = [
    {tree: 'LayerNorm( '},
    {steps: ['embed'], tree: m('X')},
    {tree: ' + [ '},
    {steps: ['softmax'], tree: 'softmax'},
    {tree: '( '},
    {steps: ['project'], tree: [m('X'), m('W', 'Q')]},
    {steps: ['scores'], tree: '×'},
    {steps: ['project'], tree: ['(', m('X'), m('W', 'K'), ')', transposed]},
    {steps: ['scale'], tree: ['/ √', v('d')]},
    {tree: ' ) '},
    {steps: ['weigh', 'sum'], tree: '×'},
    {steps: ['project'], tree: [m('X'), m('W', 'V')]},
    {tree: ' ] '},
    {steps: ['output'], tree: [m('W', 'O'), ' + ', v('b', 'O')]},
    {tree: ' )'},
];
