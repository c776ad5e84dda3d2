/* toy - attention with numbers small enough to compute by hand: two words of four numbers, matrices of
 * four rows and three columns, as in Alammar's drawings. What is printed is recomputed by tests/js/lessons.test.mjs.
 */
import {h} from 'preact';
import {table} from '../draw/table.js';

/** @typedef {{name: string, rows: (number | string)[][], words?: boolean}} Matrix   words: a row a word */

const WORDS = ['Thinking', 'Machines'];
/** @param {string} name @param {(number | string)[][]} rows @param {boolean} [words] @returns {Matrix} */
const matrix = (name, rows, words = true) => ({name, rows, words});

const X = matrix('X', [
    [1, 0, 1, 0],
    [0, 1, 0, 1],
]);
const [Q, K, V] = [
    [
        [1, 1, 2],
        [1, 1, 0],
    ],
    [
        [1, 1, 2],
        [1, 1, 0],
    ],
    [
        [1, 0, 1],
        [0, 2, 2],
    ],
].map((rows, i) => matrix('QKV'[i], rows));
const S = matrix('S', [
    ['3.46', '1.15'],
    ['1.15', '1.15'],
]);
const A = matrix('A', [
    ['0.91', '0.09'],
    ['0.50', '0.50'],
]);
const WEIGHTS = {
    W_Q: [
        [1, 0, 1],
        [0, 1, 0],
        [0, 1, 1],
        [1, 0, 0],
    ],
    W_K: [
        [0, 1, 1],
        [1, 0, 0],
        [1, 0, 1],
        [0, 1, 0],
    ],
    W_V: [
        [1, 0, 0],
        [0, 2, 0],
        [0, 0, 1],
        [0, 0, 2],
    ],
};

/** What stands in a line: matrices, and what is between. @type {(Matrix | string)[][]} */
export const TOY = [
    ...[Q, K, V].map(one => {
        const name = /** @type {keyof typeof WEIGHTS} */ (`W_${one.name}`);
        return [X, '·', matrix(name, WEIGHTS[name], false), '=', one];
    }),
    [
        Q,
        '·',
        matrix(
            'Kᵀ',
            K.rows[0].map((_, i) => K.rows.map(row => row[i])),
            false,
        ),
        '=',
        matrix('QKᵀ', [
            [6, 2],
            [2, 2],
        ]),
    ],
    ['QKᵀ / √3 =', S, 'softmax(S) =', A],
    [
        A,
        '·',
        V,
        '=',
        matrix('Z', [
            ['0.91', '0.18', '1.09'],
            ['0.50', '1.00', '1.50'],
        ]),
    ],
];

/** W_Q with its index below. @param {string} name */
const named = name => [name[0], name[1] === '_' ? h('sub', null, name.slice(2)) : name.slice(1)];

/** @param {Matrix} props */
const Table = ({name, rows, words}) =>
    table(
        {caption: named(name)},
        rows.map((row, i) =>
            h(
                'tr',
                {key: i, title: words ? WORDS[i] : undefined},
                row.map((value, j) => h('td', {key: j}, value)),
            ),
        ),
    );

/** @param {{words: {title: string, says: string}}} props */
export const Toy = ({words}) =>
    h(
        'details',
        {class: 'toy'},
        h('summary', null, words.title),
        h('p', null, words.says),
        TOY.map((line, i) =>
            h(
                'div',
                {key: i, translate: false},
                line.map(part =>
                    typeof part === 'string' ? h('span', null, part) : h(Table, part),
                ),
            ),
        ),
    );
