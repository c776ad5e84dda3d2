/* pick - a question that the reader answers by pressing a token, before the lines are shown: which key
 * does this query look at most? What is right is what the model gives the most weight at this moment.
 * Until then the figure's lines are hidden (style.css, .lesson.asking).
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {decimal} from '../draw/scale.js';
import {isOfText, sourceOf} from './number.js';
import {rowsOf} from './seen.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {{kind: 'pick', side: 'key', query: number, head: number[], accept: number[], atLeast:
 *     number}} Check
 * @typedef {{picked: number, weight: number, best: number, most: number, pieces: [string, string], text: string, model?: string}} Answer   pieces:
 *     the tokens at picked and best; text: that was shown, by which model
 */

/** What the reader's token gets, and which one gets the most. @param {Shared['shown']} shown
 * @param {Check} check @param {number} picked @returns {Answer | null} */
export function answerOf(shown, {query, head: [layer, head]}, picked) {
    const {tensor, tokens} = sourceOf(shown);
    const weight = rowsOf(tensor(`attention.${layer}`), head);
    if (!weight || query >= tokens.length) return null;
    const row = tokens.map((_, key) => weight(query, key));
    const best = row.indexOf(Math.max(...row));
    const pieces = /** @type {[string, string]} */ ([tokens[picked].piece, tokens[best].piece]);
    const text = (shown.imported?.two ?? shown.pass)?.texts.filter(Boolean).join(' | ') ?? '';
    return {picked, weight: row[picked], best, most: row[best], pieces, text};
}

/** Has the model that head, and the text that token? @param {Shared['shown']} shown @param {Check} check */
export const isThere = ({model, pass}, {query, head: [layer, head]}) =>
    query < (pass?.tokens.length ?? Infinity) &&
    (!model || (layer < model.layers && head < model.heads));

/** @param {{words: import('../words/languages.js').Lessons['player'], answer: Answer, shared: Shared}}
 *     props */
function Verdict({words, answer: {picked, weight, best, most}, shared: {shown}}) {
    const piece = (/** @type {number} */ at) => h('bdi', null, shown.pass?.tokens[at]?.piece);
    const right = picked === best;
    return h(
        'p',
        {class: right ? 'answer right' : 'answer', role: 'status'},
        right
            ? words.right(piece(best), decimal(most))
            : words.wrong(piece(picked), decimal(weight), piece(best), decimal(most)),
    );
}

/** @param {{shared: Shared, words: import('../words/languages.js').Lessons['player'], question:
 *     string, hint: string, check: Check, answer: Answer | null, onAnswer: (answer: Answer) => void}} props */
export function Pick({shared, words, question, hint, check, answer, onAnswer}) {
    const {shown, set} = shared;
    const tokens = isOfText(shared) ? (shown.pass?.tokens ?? []) : [];
    const [{pressed, at}, setPressed] = useState({pressed: -1, at: 0}); // counts once its numbers are here
    useEffect(() => {
        const found = !answer && tokens[pressed] ? answerOf(shown, check, pressed) : null;
        if (!found) return;
        onAnswer({...found, model: shared.state.model});
        set({picked: [check.query], token: check.query, side: 'query'}, at);
    });
    return h(
        'div',
        {class: 'pick-token'},
        h('p', {class: 'question'}, question),
        h(
            'p',
            {class: 'pills pick-tokens', role: 'group', 'aria-label': question, dir: 'auto'},
            tokens.map(
                ({piece, crossing, sentence}, index) =>
                    (sentence || !crossing) &&
                    buttonOf(
                        `${index === check.query ? 'asks' : ''}${index === answer?.best ? ' best' : ''}`,
                        {
                            key: index,
                            'aria-pressed': index === (answer?.picked ?? pressed),
                            disabled: answer !== null,
                            onClick: () => setPressed({pressed: index, at: performance.now()}),
                        },
                        h('bdi', null, piece),
                    ),
            ),
        ),
        answer ? h(Verdict, {words, answer, shared}) : hint && h('p', {class: 'soft'}, hint),
    );
}
