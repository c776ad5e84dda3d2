/* equation - attention as one line whose symbols light what they stand for in the figure, and are lit
 * by it (light.js).
 */
import {h} from 'preact';
import {symbol} from './light.js';

/** {quantity:its symbol}, and _n for an index. @type {Record<string, string>} */
const EQUATIONS = {
    score: '{score:s} = {query:q} · {key:k} / √d',
    product: '{query:q} · {key:k} = Σ_n {product:q × k}',
    weights: '{weight:a} = softmax({score:s})',
    output: '{output:z} = Σ_j {weight:a} × {value:v}',
    attention: '{output:z} = {weight:softmax}({query:q} · {key:k} / √d) {value:v}',
};

export const NAMES = Object.keys(EQUATIONS);

const PARTS = /\{(\w+):([^}]+)\}|_(\w)|[^{_]+/g;

/** @param {string} equation */
const written = equation =>
    Array.from(equation.matchAll(PARTS), ([text, quantity, name, index]) => {
        if (quantity) return symbol(quantity, name);
        return index ? h('sub', null, index) : text;
    });

/** @param {{name: string, words: {equation: string}}} props */
export const Equation = ({name, words}) =>
    h(
        'p',
        {class: 'lesson-equation', role: 'group', 'aria-label': words.equation},
        written(EQUATIONS[name]),
    );
