/* results - the block below the figure with what the model predicts: does B follow A, are A and B in
 * their order, how alike they are, which words could stand at a [MASK],
 * and what it was fine-tuned for: labels of the text or of its tokens, answers, replaced tokens.
 * Probabilities as bars with their numbers.
 */
import {h} from 'preact';
import {barLength, percent} from '../draw/scale.js';
import {startOfB} from '../views/select.js';
import {useWords} from './hooks.js';
import {Similarity} from './similarity.js';

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

/** @param {{caption: string, probabilities: number[], names: string[]}} props   of two sentences */
function Pair({caption, probabilities, names}) {
    return h(
        'table',
        null,
        h('caption', null, caption),
        h(
            'tbody',
            null,
            names.map((name, i) => h(Probability, {key: name, name, value: probabilities[i]})),
        ),
    );
}

/** @param {{caption: string, rows: {name: string, value: number}[], plain?: boolean}} props   plain:
 *     numbers, not probabilities */
function Ranking({caption, rows, plain = false}) {
    return h(
        'table',
        null,
        h('caption', null, caption),
        h(
            'tbody',
            null,
            rows.map(({name, value}, key) =>
                plain
                    ? h(
                          'tr',
                          {key},
                          h('th', {scope: 'row'}, h('bdi', null, name)),
                          h('td', {class: 'number'}, value.toFixed(3)),
                      )
                    : h(Probability, {key, name: h('bdi', null, name), value}),
            ),
        ),
    );
}

/** Each token with what is said of it below. @param {{caption: string, rows: {token: string, label:
 *     string, value: number, strong: boolean}[]}} props */
function Labelled({caption, rows}) {
    return h(
        'figure',
        {class: 'labelled'},
        h('figcaption', null, caption),
        h(
            'ol',
            null,
            rows.map(({token, label, value, strong}, key) =>
                h(
                    'li',
                    {key, class: strong ? 'strong' : ''},
                    h('bdi', null, token),
                    h('bdi', {class: 'label'}, label),
                    h('span', {class: 'number'}, percent(value)),
                ),
            ),
        ),
    );
}

/** @param {{said: import('../core/passes.js').Said, pass: import('./session.js').Pass, t: Texts}}
 *     props */
function Said({said, pass: {tokens}, t: {said: t}}) {
    switch (said.task) {
        case 'labels':
            return h(Ranking, {
                caption: said.scores === 'plain' ? t.numbers : t.textLabels,
                rows: said.labels.map(({label, probability}) => ({
                    name: label,
                    value: probability,
                })),
                plain: said.scores === 'plain',
            });
        case 'answer':
            return h(Ranking, {
                caption: said.answers.length ? t.answers : t.noAnswer,
                rows: said.answers.map(({from, to, probability}) => ({
                    name: tokens
                        .slice(from, to + 1)
                        .map(({piece}) => piece)
                        .join(' '),
                    value: probability,
                })),
            });
        case 'token_labels':
            return h(Labelled, {
                caption: t.tokenLabels,
                rows: said.tokens.map(({label, probability}, i) => ({
                    token: tokens[i].piece,
                    label,
                    value: probability,
                    strong: label !== 'O',
                })),
            });
        default:
            return h(Labelled, {
                caption: t.originals,
                rows: said.replaced.map((value, i) => ({
                    token: tokens[i].piece,
                    label: value > 0.5 ? t.isReplaced : '',
                    value,
                    strong: value > 0.5,
                })),
            });
    }
}

/** @param {{t: Texts, pass: import('./session.js').Pass, fills: import('./session.js').Fill[],
 *     compare?: import('./similarity.js').Compare | null}} props   compare: of a model that makes an
 *     embedding of each sentence */
export function Results({t, pass, fills, compare}) {
    const two = startOfB(pass.tokens) >= 0;
    const probabilities = two ? pass.nextSentence : null;
    const order = two ? pass.sentenceOrder : null;
    const {said} = pass;
    const words = useWords(t.code, 'dialogs', Boolean(order))?.order;
    if (!probabilities && !order && !fills.length && !said && !compare) return null;
    return h(
        'section',
        {class: 'results'},
        said && h('div', null, h('h2', null, t.said[said.task]), h(Said, {said, pass, t})),
        probabilities &&
            h(
                'div',
                null,
                h('h2', null, t.nextSentence),
                h(Pair, {caption: t.nextSentenceSays, probabilities, names: [t.follows, t.random]}),
            ),
        order &&
            words &&
            h(
                'div',
                null,
                h('h2', null, words.title),
                h(Pair, {caption: words.says, probabilities: order, names: words.names}),
            ),
        compare && two && h(Similarity, {...compare, texts: pass.texts, code: t.code}),
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
