/* say - the text of a lesson as HTML: paragraphs, `words` of the example, and {quantity:symbols},
 * which have the colour of their quantity and light it wherever it is drawn (light.js).
 */
import {h} from 'preact';
import {symbol} from './light.js';

const MARKS = /`([^`]+)`|\{(\w+):([^}]+)\}/g;

/** @param {string} text @param {(text: string) => any} terms */
function marked(text, terms) {
    const parts = [];
    let from = 0;
    for (const found of text.matchAll(MARKS)) {
        parts.push(terms(text.slice(from, found.index)));
        const [, word, quantity, name] = found;
        parts.push(word ? h('bdi', {class: 'said-word'}, word) : symbol(quantity, name));
        from = found.index + found[0].length;
    }
    return [...parts, terms(text.slice(from))];
}

/** Terms of the glossary are marked once in the whole of it.
 * @param {{text: string, t: import('../app.js').Texts}} props */
export function Say({text, t}) {
    const said = new Set();
    const terms = (/** @type {string} */ part) => t.mark?.say(part, said) ?? part;
    return text.split('\n\n').map((paragraph, i) => h('p', {key: i}, marked(paragraph, terms)));
}
