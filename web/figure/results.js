/* results - the block below the figure with what the model predicts: does B follow A, are A and B in
 * their order, how alike they are, which words could stand at a [MASK],
 * and what it was fine-tuned for: labels of the text or of its tokens, answers, replaced tokens.
 * Probabilities as bars with their numbers.
 */
import {h} from 'preact';
import {signed} from '../draw/chart.js';
import {barLength, percent} from '../draw/scale.js';
import {BarRow, table} from '../draw/table.js';
import {startOfB} from '../views/parts/select.js';
import {useWords} from '../shell/hooks.js';
import {Similarity} from './similarity.js';
import {answerOf} from './verdict.js';

/** @import {Texts} from '../base/shared.js' */

const BAR = 140;

/** @param {{caption: string, rows: {name: string, value: number}[], plain?: boolean}} props   plain:
 *     numbers, not probabilities */
const Ranking = ({caption, rows, plain = false}) =>
    table(
        {caption},
        rows.map(({name, value}, key) =>
            plain
                ? h(
                      'tr',
                      {key},
                      h('th', {scope: 'row'}, h('bdi', null, name)),
                      h('td', {class: 'number'}, signed(value, 3)),
                  )
                : h(BarRow, {
                      ...{key, name: h('bdi', null, name), number: percent(value)},
                      ...{room: BAR, width: barLength(BAR)(value)},
                  }),
        ),
    );

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

/** What a model was fine-tuned for, as tasks of worker/passes.js.
 * @type {Record<import('../worker/passes.js').Prediction['task'], (prediction: any, tokens: import('../session/session.js').Pass['tokens'],
 *     t: import('../words/languages.js').Dialogs['said']) => import('preact').ComponentChild>} */
const SAYS = {
    labels({scores, labels}, _, t) {
        const plain = scores === 'plain';
        const rows = labels.map((/** @type {any} */ {label, probability}) => ({
            name: label,
            value: probability,
        }));
        return h(Ranking, {caption: plain ? t.numbers : t.textLabels, rows, plain});
    },
    answer({answers}, tokens, t) {
        const rows = answers.map((/** @type {any} */ answer) => ({
            name: answerOf(tokens, answer),
            value: answer.probability,
        }));
        return h(Ranking, {caption: rows.length ? t.answers : t.noAnswer, rows});
    },
    token_labels({tokens: labels}, tokens, t) {
        const rows = labels.map(
            (/** @type {any} */ {label, probability}, /** @type {number} */ i) => ({
                token: tokens[i].piece,
                label,
                value: probability,
                strong: label !== 'O',
            }),
        );
        return h(Labelled, {caption: t.tokenLabels, rows});
    },
    replaced({replaced}, tokens, t) {
        const rows = replaced.map((/** @type {number} */ value, /** @type {number} */ i) => ({
            token: tokens[i].piece,
            label: value > 0.5 ? t.isReplaced : '',
            value,
            strong: value > 0.5,
        }));
        return h(Labelled, {caption: t.originals, rows});
    },
};

/** A heading with what belongs to it. @param {string} title
 * @param {import('preact').ComponentChild} inside */
const part = (title, inside) => h('div', null, h('h2', null, title), inside);

/** What a model says of two sentences: whether B follows A, whether they are in their order.
 * @param {{t: Texts, pass: import('../session/session.js').Pass}} props */
function OfTwo({t, pass: {nextSentence, sentenceOrder}}) {
    const next = useWords(t.code, 'views', Boolean(nextSentence))?.pair;
    const words = useWords(t.code, 'dialogs', Boolean(sentenceOrder))?.order;
    const pair = (
        /** @type {string} */ caption,
        /** @type {number[]} */ probabilities,
        /** @type {string[]} */ names,
    ) =>
        h(Ranking, {...{caption, rows: names.map((name, i) => ({name, value: probabilities[i]}))}});
    return [
        nextSentence &&
            next &&
            part(next.title, pair(next.says, nextSentence, [next.follows, next.random])),
        sentenceOrder && words && part(words.title, pair(words.says, sentenceOrder, words.names)),
    ];
}

/** @param {{t: Texts, pass: import('../session/session.js').Pass, fills: import('../session/session.js').Fill[],
 *     compare?: import('./similarity.js').Compare | null}} props   compare: of a model that makes an
 *     embedding of each sentence */
export function Results({t, pass, fills, compare}) {
    const two = startOfB(pass.tokens) >= 0;
    const {prediction, tokens} = pass;
    const dialogs = useWords(t.code, 'dialogs', Boolean(prediction) || fills.length > 0);
    const [words, filling] = [dialogs?.said, dialogs?.fills];
    const ofTwo = two && Boolean(pass.nextSentence || pass.sentenceOrder);
    if (!ofTwo && !fills.length && !prediction && !compare) return null;
    return h(
        'section',
        {class: 'results'},
        prediction &&
            words &&
            part(words[prediction.task], SAYS[prediction.task](prediction, tokens, words)),
        ofTwo && h(OfTwo, {t, pass}),
        compare && two && h(Similarity, {...compare, texts: pass.texts, code: t.code}),
        fills.length > 0 &&
            filling &&
            part(
                filling.title,
                h(
                    'div',
                    {class: 'fillings'},
                    fills.map(({index, words: guesses}) =>
                        h(Ranking, {
                            ...{key: index, caption: filling.at(index)},
                            rows: guesses.map(({piece: name, probability: value}) => ({
                                name,
                                value,
                            })),
                        }),
                    ),
                ),
            ),
    );
}
