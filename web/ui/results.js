/* results - what the model's two heads say about the text: does B follow A, and which words could
 * stand at a [MASK]. Probabilities as bars with their numbers.
 */
import {h} from 'preact';
import {barLength, percent} from '../draw/scale.js';
import {startOfB} from '../views/select.js';

/** @typedef {import('./app.js').Texts} Texts */

const BAR = 140;

/** @param {{name: import('preact').ComponentChild, value: number}} props */
function Probability({name, value}) {
    const fill = h('i', {style: {width: `${barLength(BAR)(value)}px`}});
    return h(
        'tr',
        null,
        h('th', {scope: 'row'}, name),
        h(
            'td',
            null,
            h('span', {class: 'bar', style: {width: `${BAR}px`}, 'aria-hidden': true}, fill),
        ),
        h('td', {class: 'number'}, percent(value)),
    );
}

/** @param {{fill: import('./session.js').Fill, t: Texts}} props */
function Filling({fill, t}) {
    return h(
        'table',
        null,
        h('caption', null, t.fillingAt(fill.index)),
        h(
            'tbody',
            null,
            fill.words.map(word =>
                h(Probability, {
                    key: word.id,
                    name: h('bdi', null, word.piece),
                    value: word.probability,
                }),
            ),
        ),
    );
}

/** @param {{probabilities: number[], t: Texts}} props that B follows, that B is random */
function NextSentence({probabilities: [follows, random], t}) {
    return h(
        'table',
        null,
        h('caption', null, t.nextSentenceSays),
        h(
            'tbody',
            null,
            h(Probability, {name: t.follows, value: follows}),
            h(Probability, {name: t.random, value: random}),
        ),
    );
}

/** @param {{t: Texts, pass: import('./session.js').Pass, fills: import('./session.js').Fill[]}}
 *     props */
export function Results({t, pass, fills}) {
    const probabilities = startOfB(pass.tokens) >= 0 ? pass.nextSentence : null;
    if (!probabilities && !fills.length) return null;
    return h(
        'section',
        {class: 'results'},
        probabilities &&
            h('div', null, h('h2', null, t.nextSentence), h(NextSentence, {probabilities, t})),
        fills.length > 0 &&
            h(
                'div',
                null,
                h('h2', null, t.fillings),
                h(
                    'div',
                    {class: 'fillings'},
                    fills.map(fill => h(Filling, {key: fill.index, fill, t})),
                ),
            ),
    );
}
