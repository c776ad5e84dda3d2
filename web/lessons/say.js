/* say - the text of a lesson as HTML: paragraphs, `words` of the example, {quantity:symbols}, which have
 * the colour of their quantity and light it wherever it is drawn (light.js), and names of heads, which
 * open the card of the head.
 */
import {h} from 'preact';
import {headMark} from '../views/parts/mark.js';
import {symbol} from './light.js';

/** @typedef {{layer: number, head: number}} Place */

const MARKS = /`([^`]+)`|\{(\w+):([^}]+)\}|(L(\d+)·H(\d+))([.,:;，。：；、]?)/g;
const ARTICLE = /^(?:Article|Book|文章|书中)/;
const HERE = /\bHere\b|这里/;

/** Which head of the model that is shown a name in a step's text means: the step's own, and any that
 * stands after "here"; before, the article speaks of its own model.
 * @param {Pick<import('./step.js').Step, 'hub' | 'seen' | 'state'>} step @param {string} text
 * @returns {(named: Place, at: number) => Place | null} */
export function headsOf({hub, seen, state = {}}, text) {
    const [layer, head] = seen?.head ?? [state.layer, state.heads?.[0]];
    const base = state.oneBased ? 1 : 0;
    const here = ARTICLE.test(text) ? text.search(HERE) : 0;
    return (named, at) => {
        const place = {layer: named.layer - base, head: named.head - base};
        const isOwn = place.layer === layer && place.head === head;
        return !hub && (isOwn || (here >= 0 && at >= here)) ? place : null;
    };
}

/** @param {string} text @param {(text: string) => any} terms
 * @param {(name: string, named: Place, at: number) => any} heads */
function marked(text, terms, heads) {
    const parts = [];
    let from = 0;
    for (const found of text.matchAll(MARKS)) {
        parts.push(terms(text.slice(from, found.index)));
        const [all, word, quantity, symbols, name, layer, head, stop] = found;
        if (word) parts.push(h('bdi', {class: 'said-word'}, word));
        else if (quantity) parts.push(symbol(quantity, symbols));
        else {
            const mark = heads(name, {layer: +layer, head: +head}, found.index);
            parts.push(h('span', {class: 'said-head unbroken'}, mark, stop)); // no line begins with the stop
        }
        from = found.index + all.length;
    }
    return [...parts, terms(text.slice(from))];
}

/** Terms of the glossary are marked once in the whole of it.
 * @param {{text: string, step: import('./step.js').Step, t: import('../base/shared.js').Texts, again: (text: string) =>
 *     string}} props   again: with heads and layers as the reader counts them */
export function Say({text, step, t, again}) {
    const said = new Set();
    const terms = (/** @type {string} */ part) => t.mark?.say(again(part), said) ?? again(part);
    const placeOf = headsOf(step, text);
    let start = 0;
    return text.split('\n\n').map((paragraph, i) => {
        const begins = start;
        start += paragraph.length + 2;
        const heads = (
            /** @type {string} */ name,
            /** @type {Place} */ named,
            /** @type {number} */ at,
        ) => {
            const place = placeOf(named, begins + at);
            return place ? headMark(t, place, again(name)) : again(name);
        };
        return h('p', {key: i}, marked(paragraph, terms, heads));
    });
}
