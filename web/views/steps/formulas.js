/* formulas - the formula of each step as HTML (var, sub, sup): of one token, and of all as
 * matrices; and the whole computation as one line whose parts lead to their steps.
 */
import {h} from 'preact';

/**
 * @import {ComponentChild as Tree} from 'preact'
 * @import {Texts} from '../view.js'
 * @import {Block} from '../parts/block.js'
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

// A formula that is too long for its line goes on in the next before an operator, never after it.
const PLUS = ' +\u00a0';
const EQUALS = ' =\u00a0';

/** @param {number} d */
const root = d => [
    ' /\u00a0√',
    v('d'),
    ',  ',
    unbroken('√', v('d'), `${EQUALS}${Math.sqrt(d).toFixed(3)}`),
];

/** Does not break over two lines. @param {Tree[]} parts */
const unbroken = (...parts) => h('span', {class: 'unbroken'}, parts);

/** Joined by commas, each in a line. @param {Tree[][]} parts */
const listed = parts =>
    parts.map((part, n) => [unbroken(...part, n < parts.length - 1 && ','), '  ']);

/** What the projections take. @param {Block} block */
const inputOf = ({inputNorm}) => (inputNorm ? 'x̂' : 'x');

/** A query and a key, turned. @param {number} _ @param {Texts} _t @param {Block} block */
const rotated = (_, _t, {headNorm, norm}) =>
    listed(
        ['q', 'k'].map(name => [
            v(name, i),
            ' ← ',
            m('R', i),
            ' ',
            headNorm ? [`${norm}(`, v(name, i), ')'] : v(name, i),
        ]),
    );

/** @type {Record<string, {vectors: (d: number, t: Texts, block: Block) => Tree, matrices: (d: number,
 *     t: Texts, block: Block) => Tree}>} */
export const formulas = {
    embed: {
        vectors(_, {steps: {names}}, {norm, embeddingNorm, positions, types}) {
            const terms = [names.word, positions && names.position, types && names.segment];
            const sum = terms.filter(Boolean).join(PLUS);
            if (!embeddingNorm) return [v('x', i), `${EQUALS}${sum}`];
            const opens = [v('x', i), `${EQUALS}${norm}(${sum})`];
            if (norm !== 'LayerNorm') return opens;
            return [
                v('x', i),
                ` = LayerNorm(${sum}),  LayerNorm(`,
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
                PLUS,
                v('ε'),
                [')', PLUS],
                v('β'),
            ];
        },
        matrices(_, {steps: {names}}, {norm, embeddingNorm, positions, types}) {
            const sum = [
                m('E', names.word),
                positions && [PLUS, m('E', names.position)],
                types && [PLUS, m('E', names.segment)],
            ];
            return [m('X'), EQUALS, ...(embeddingNorm ? [`${norm}(`, ...sum, ')'] : sum)];
        },
    },
    norm: {
        vectors: (_, _t, {norm}) => [
            v('x̂', i),
            `${EQUALS}${norm}(`,
            v('x', i),
            ') = ',
            v('γ'),
            ' ',
            norm === 'RMSNorm' ? v('x', i) : ['(', v('x', i), ' − ', v('μ'), ')'],
            norm === 'RMSNorm' ? ' / rms(' : ' / √(',
            norm === 'RMSNorm' ? v('x', i) : [v('σ'), h('sup', null, '2'), PLUS, v('ε')],
            ')',
            norm === 'RMSNorm' ? '' : [PLUS, v('β')],
        ],
        matrices: (_, _t, {norm}) => [m('X̂'), `${EQUALS}${norm}(`, m('X'), ')'],
    },
    project: {
        vectors: (_, _t, block) =>
            listed(
                ['q', 'k', 'v'].map(name => [
                    v(name, i),
                    EQUALS,
                    v(inputOf(block), i),
                    ' ',
                    m('W', name.toUpperCase()),
                    block.bias && [PLUS, v('b', name.toUpperCase())],
                ]),
            ),
        matrices: (_, _t, block) =>
            listed(
                ['Q', 'K', 'V'].map(name => [
                    m(name),
                    EQUALS,
                    m(block.inputNorm ? 'X̂' : 'X'),
                    ' ',
                    m('W', name),
                    block.bias && [PLUS, v('b', name)],
                ]),
            ),
    },
    rotate: {...{vectors: rotated, matrices: rotated}},
    distance: {
        vectors: () => [v('s', ij), ' ← ', v('s', ij), PLUS, v('r', [j, ' − ', i])],
        matrices: () => [m('S'), ' ← ', m('S'), PLUS, m('R')],
    },
    mask: {
        vectors: (_, _t, {window}) => [
            v('s', ij),
            ' = −∞  ',
            window ? ['(|', j, ' − ', i, `| > ${window})`] : ['(', j, ' > ', i, ')'],
        ],
        matrices: () => [m('S'), ' ← ', m('S'), PLUS, m('M')],
    },
    scores: {
        vectors: () => [
            v('q', i),
            ' · ',
            v('k', j),
            [EQUALS, 'Σ'],
            h('sub', null, h('var', null, 'n')),
            ' ',
            v('q', h('var', null, 'in')),
            ' ',
            v('k', h('var', null, 'jn')),
        ],
        matrices: () => [m('S'), EQUALS, m('Q'), ' ', m('K'), transposed],
    },
    scale: {
        vectors: d => [v('s', ij), EQUALS, v('q', i), ' · ', v('k', j), root(d)],
        matrices: d => [m('Q'), ' ', m('K'), transposed, root(d)],
    },
    softmax: {
        vectors: () => [
            unbroken(v('a', ij), EQUALS, v('e', null, [v('s', ij), ' − max ', v('s', i)])),
            ' ',
            unbroken(
                '/ Σ',
                h('sub', null, h('var', null, 'm')),
                ' ',
                v('e', null, [v('s', h('var', null, 'im')), ' − max ', v('s', i)]),
            ),
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
        vectors: () => [
            v('z', i),
            [EQUALS, 'Σ'],
            h('sub', null, j),
            ' ',
            v('a', ij),
            ' ',
            v('v', j),
        ],
        matrices: () => [m('Z'), EQUALS, m('A'), ' ', m('V')],
    },
    output: {
        vectors: (_, {steps: {names}}, block) =>
            around(
                block,
                [
                    v('x', i),
                    [PLUS, '['],
                    v('z', i),
                    ` ${names.joined}] `,
                    m('W', 'O'),
                    block.outputBias && [PLUS, v('b', 'O')],
                ],
                v('y', i),
            ),
        matrices: (_, {steps: {names}}, block) =>
            around(
                block,
                [
                    m('X'),
                    [PLUS, '['],
                    m('Z'),
                    ` ${names.joined}] `,
                    m('W', 'O'),
                    block.outputBias && [PLUS, v('b', 'O')],
                ],
                m('Y'),
            ),
    },
    feed: {
        // where both halves take x, each has a norm of its own
        vectors: (_, _t, block) =>
            feed(block, v('y', i), block.parallel ? [v('x̂', i), '′'] : v('ŷ', i), v('h', i)),
        matrices: (_, _t, block) =>
            feed(block, m('Y'), block.parallel ? [m('X̂'), '′'] : m('Ŷ'), m('H')),
    },
};

/** The MLP of a block, of what it takes. @param {Block} block @param {Tree} x */
function mlpOf({gated, act, mlpBias}, x) {
    const bias = (/** @type {number} */ n) => mlpBias && [PLUS, v('b', n)];
    return gated
        ? [`(${act}(`, x, ' ', m('W', 'gate'), ') ⊙ ', x, ' ', m('W', 'up'), ') ', m('W', 'down')]
        : [`${act}(`, x, ' ', m('W', 1), bias(1), ') ', m('W', 2), bias(2)];
}

/** What follows the attention. @param {Block} block @param {Tree} y @param {Tree} normed what the MLP takes
 * where norms come first @param {Tree} result */
const feed = (block, y, normed, result) =>
    around(block, [y, PLUS, ...mlpOf(block, block.normFirst ? normed : y)], result);

/** @param {Block} block @param {Tree[]} sum @param {Tree} result */
function around({normFirst, norm}, sum, result) {
    return normFirst ? [result, EQUALS, ...sum] : [result, `${EQUALS}${norm}(`, ...sum, ')'];
}

/** The whole as parts; a part with steps leads to the first of them. @param {Block} block
 * @returns {{steps?: string[], tree: Tree}[]} */
export function wholeOf({normFirst, inputNorm, norm, half, distances, visible, outputBias}) {
    const x = inputNorm ? m('X̂') : m('X');
    const turned = half ? [{steps: ['rotate'], tree: m('R')}] : [];
    return [
        ...(normFirst ? [] : [{tree: `${norm}( `}]),
        {steps: ['embed'], tree: m('X')},
        {tree: ' + [ '},
        {steps: ['softmax'], tree: 'softmax'},
        {tree: '( '},
        ...turned,
        {steps: ['project'], tree: [x, m('W', 'Q')]},
        {steps: ['scores'], tree: '×'},
        ...turned,
        {steps: ['project'], tree: ['(', x, m('W', 'K'), ')', transposed]},
        {steps: ['scale'], tree: ['/ √', v('d')]},
        ...(distances ? [{steps: ['distance'], tree: [PLUS, v('r')]}] : []),
        ...(visible ? [{steps: ['mask'], tree: [PLUS, m('M')]}] : []),
        {tree: ' ) '},
        {steps: ['weigh', 'sum'], tree: '×'},
        {steps: ['project'], tree: [x, m('W', 'V')]},
        {tree: ' ] '},
        {steps: ['output'], tree: [m('W', 'O'), outputBias && [PLUS, v('b', 'O')]]},
        ...(inputNorm
            ? [{tree: ',  '}, {steps: ['norm'], tree: [m('X̂'), `${EQUALS}${norm}(`, m('X'), ')']}]
            : []),
        ...(normFirst ? [] : [{tree: ' )'}]),
        {tree: ' '},
        {steps: ['feed'], tree: ['→ MLP']},
    ];
}
