/* equation - attention as one line whose symbols light what they stand for in the figure, and are lit
 * by it (light.js).
 */
import {h} from 'preact';
import {symbol} from './light.js';

/** @type {Record<string, () => import('preact').ComponentChild[]>} */
const EQUATIONS = {
    score: () => [
        symbol('score', 's'),
        ' = ',
        symbol('query', 'q'),
        ' · ',
        symbol('key', 'k'),
        ' / √d',
    ],
    product: () => [
        symbol('query', 'q'),
        ' · ',
        symbol('key', 'k'),
        ' = Σ',
        h('sub', null, 'n'),
        ' ',
        symbol('product', 'q × k'),
    ],
    weights: () => [symbol('weight', 'a'), ' = softmax(', symbol('score', 's'), ')'],
    output: () => [
        symbol('output', 'z'),
        ' = Σ',
        h('sub', null, 'j'),
        ' ',
        symbol('weight', 'a'),
        ' × ',
        symbol('value', 'v'),
    ],
    attention: () => [
        symbol('output', 'z'),
        ' = ',
        symbol('weight', 'softmax'),
        '(',
        symbol('query', 'q'),
        ' · ',
        symbol('key', 'k'),
        ' / √d) ',
        symbol('value', 'v'),
    ],
};

export const NAMES = Object.keys(EQUATIONS);

/** @param {{name: string, words: {equation: string}}} props */
export const Equation = ({name, words}) =>
    h(
        'p',
        {class: 'lesson-equation', role: 'group', 'aria-label': words.equation},
        EQUATIONS[name](),
    );
