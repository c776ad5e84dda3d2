/* verdict - one line above the figure where the model predicts something that the view does not show itself: the
 * first label, answer or word with its probability, and the way to what it rests on. Labels, answers and words at a
 * [MASK] are all below the figure (results.js).
 */
import {h} from 'preact';
import {buttonOf} from '../draw/button.js';
import {signed} from '../draw/chart.js';
import {percent} from '../draw/scale.js';
import {isNothingPredicted, needName, NEXT_WORD} from '../views/needs.js';

/** @import {Drawable} from './figure.js' */

/** The tokens of an answer. @param {readonly {piece: string}[]} tokens @param {{from: number, to: number}} answer */
export const answerOf = (tokens, {from, to}) =>
    tokens
        .slice(from, to + 1)
        .map(({piece}) => piece)
        .join(' ');

/** What is predicted, the most probable first: what of, where that is a token, and its number.
 * @param {Drawable} drawable @returns {{of?: string, name: string, value: string}[]} */
export function predictedIn({state, data: {pass, fills, tensors}}) {
    const {prediction, tokens} = pass;
    if (prediction?.task === 'labels')
        return prediction.labels
            .slice(0, 2)
            .map(({label, probability}) => ({
                name: label,
                value:
                    prediction.scores === 'plain' ? signed(probability, 3) : percent(probability),
            }));
    if (prediction?.task === 'answer')
        return prediction.answers
            .slice(0, 1)
            .map(answer => ({name: answerOf(tokens, answer), value: percent(answer.probability)}));
    const next = /** @type {typeof fills | undefined} */ (
        /** @type {unknown} */ (tensors.get(needName(NEXT_WORD)))
    );
    return (fills.length ? fills : (next ?? []))
        .slice(0, 2)
        .flatMap(({index, words: [word]}) =>
            word
                ? [
                      {
                          of: state.masked.includes(index) ? '[MASK]' : tokens[index].piece,
                          name: word.piece,
                          value: percent(word.probability),
                      },
                  ]
                : [],
        );
}

/** @param {Pick<import('../base/shared.js').Shared, 't' | 'set' | 'shown'> & {drawable: Drawable}} props */
export function Verdict({t, set, shown, drawable}) {
    const {view, state} = drawable;
    const hides = view.predicts || state.tour >= 0 || isNothingPredicted(shown, state);
    const all = hides ? [] : predictedIn(drawable);
    if (!all.length) return null;
    const onClick = () => set({view: 'decides'});
    return h(
        'p',
        {class: 'outcome'},
        all.map(({of, name, value}, key) => [
            of && h('bdi', {class: 'soft'}, of, ' → '),
            h(
                key && !of ? 'span' : 'b',
                {key},
                ...[h('bdi', null, name), ' ', h('span', {class: 'unbroken'}, value)],
            ),
            ' ',
        ]),
        buttonOf('press', {onClick}, t.viewTitles.decides),
    );
}
