/* marks - the buttons that open a card or a sentence of the glossary: the name of a head, or a term
 * in a text, as a button with a dotted line below. One mark a term and block, and few of them:
 * terms that stand everywhere give way to those that need explaining.
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';

/**
 * @typedef {import('../words/languages.js').Cards['glossary']} Glossary
 * @import {Mark} from '../views/parts/mark.js'
 * @typedef {{from: number, to: number, term: Glossary['terms'][number]}} Found
 */

const MOST = 4; // marks in a block
// what opens or closes a part of a sentence stays on the term's line: at a button a line may end anywhere
const OPENING = /[(（“‘]$/;
const CLOSING = /^[,.;:!?)…，。；：！？）、”’]+/;
const ENOUGH = 2; // with so many others, common terms are not marked

// Here a term is a part of a longer word. Apart from the patterns of the terms: in each of them these
// classes take 20 times as long to compile.
const WORD_BEFORE = /[\p{L}\p{N}-]$/u;
const WORD_BEHIND = /^[\p{L}\p{N}]/u;

/** Where a pattern stands for the first time in a text, as a whole word where it is bounded.
 * @param {string} text @param {RegExp} pattern global @param {boolean} bounded */
function firstOf(text, pattern, bounded) {
    for (const {index: from, 0: word} of text.matchAll(pattern)) {
        const to = from + word.length;
        const inside =
            bounded &&
            (WORD_BEFORE.test(text.slice(Math.max(0, from - 2), from)) ||
                WORD_BEHIND.test(text.slice(to, to + 2)));
        if (!inside) return {from, to};
    }
    return null;
}

/** Where terms stand for the first time in a text, none over another.
 * @param {string} text @param {{term: Glossary['terms'][number], pattern: RegExp}[]} patterns
 * @param {boolean} bounded @param {ReadonlySet<string>} said @returns {Found[]} */
function found(text, patterns, bounded, said) {
    const all = patterns
        .filter(({term}) => !said.has(term.id))
        .flatMap(({term, pattern}) => {
            const place = firstOf(text, pattern, bounded);
            return place ? [{...place, term}] : [];
        })
        .sort((a, b) => a.from - b.from || b.to - a.to);
    /** @type {Found[]} */
    const apart = [];
    for (const one of all) if (one.from >= (apart.at(-1)?.to ?? 0)) apart.push(one);
    const rare = apart.filter(({term}) => !term.common).length;
    return apart.filter(({term}) => !term.common || rare + said.size < ENOUGH).slice(0, MOST);
}

/** @param {Found['term']} term @param {string} word as it stands in the text */
const termMark = ({id}, word) => buttonOf('term', {key: id, 'data-term': id}, word);

/** A text in parts: what stands between the terms, and the terms.
 * @param {Glossary} glossary @returns {(text: string, said?: Set<string>) => any} */
function sayer({terms, bounded}) {
    const patterns = terms.map(term => ({
        term,
        pattern: new RegExp(term.find, term.exact ? 'g' : 'gi'),
    }));
    return (text, said = new Set()) => {
        let at = 0;
        const parts = found(text, patterns, bounded, said).flatMap(({from, to, term}) => {
            const [opening] = OPENING.exec(text.slice(at, from)) ?? [''];
            const [closing] = CLOSING.exec(text.slice(to)) ?? [''];
            const before = text.slice(at, from - opening.length);
            at = to + closing.length;
            said.add(term.id);
            const mark = termMark(term, text.slice(from, to));
            const whole = h('span', {key: term.id, class: 'unbroken'}, opening, mark, closing);
            return [before, opening || closing ? whole : mark];
        });
        return parts.length ? [...parts, text.slice(at)] : text;
    };
}

/** @param {import('../words/languages.js').Cards} words @returns {Mark} */
export const createMarks = words => ({
    head: ({layer, head}, name) =>
        buttonOf(
            'head-name',
            {
                'data-card': `${layer}.${head}`,
                'aria-haspopup': 'dialog',
                title: words.card.mark(name),
            },
            name,
        ),
    say: sayer(words.glossary),
});

/** The page's words with marks: lent to those that name heads, and put into how each view is read.
 * @param {any} t @param {import('../words/languages.js').Cards} words */
export function marked(t, words) {
    const mark = createMarks(words);
    const parts = Object.entries(t).map(([name, part]) => [
        name,
        part?.howTo
            ? {...part, howTo: part.howTo.map((/** @type {string} */ line) => mark.say(line))}
            : part,
    ]);
    return {...Object.fromEntries(parts), mark};
}
