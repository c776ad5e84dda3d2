/* say - the text of a lesson as HTML: paragraphs, `words` of the example, and {quantity:symbols},
 * which have the colour of their quantity and light it wherever it is drawn (light.js).
 */
import {h} from 'preact';
import {symbol} from './light.js';

const MARKS = /`([^`]+)`|\{(\w+):([^}]+)\}/g;

/** @param {string} text */
function marked(text) {
    const parts = [];
    let from = 0;
    for (const found of text.matchAll(MARKS)) {
        parts.push(text.slice(from, found.index));
        const [, word, quantity, name] = found;
        parts.push(word ? h('bdi', {class: 'said-word'}, word) : symbol(quantity, name));
        from = found.index + found[0].length;
    }
    return [...parts, text.slice(from)];
}

/** @param {{text: string}} props */
export const Say = ({text}) =>
    text.split('\n\n').map((paragraph, i) => h('p', {key: i}, marked(paragraph)));
