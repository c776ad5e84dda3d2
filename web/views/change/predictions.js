/* predictions - predictions before and after the changes: whether B follows A, and the words at a
 * [MASK] or at a changed token.
 */
import {h} from 'preact';
import {signed} from '../../draw/chart.js';
import {percent} from '../../draw/scale.js';
import {signClass} from '../../draw/marks/signed.js';
import {predictions} from './numbers.js';

/**
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('./numbers.js').Guess} Guess
 */

const POINTS = 100;

/** A difference of probabilities, in percentage points; 0.0 has no sign. @param {number} value */
export function points(value) {
    const print = signed(POINTS * value, 1);
    return value > 0 && Number(print) !== 0 ? `+${print}` : print;
}

/** @param {number} value @param {boolean} below */
export const bounded = (value, below) =>
    below ? `<${percent(value).replace('<', '')}` : percent(value);

/** @param {{guess: Guess, user: boolean}} props user: the name is a word of the vocabulary */
function Row({guess: {name, before, after, below}, user}) {
    const rise = after - before;
    // then the difference is at least this, or not known at all
    const bounds = below[0] || below[1];
    const print = !bounds
        ? points(rise)
        : below[0] === rise > 0
          ? `${rise < 0 ? '≤' : '≥'} ${points(rise)}`
          : '';
    return h(
        'tr',
        null,
        h('th', {scope: 'row'}, user ? h('bdi', null, name) : name),
        h('td', {class: 'number'}, bounded(before, below[0])),
        h('td', {class: 'number'}, bounded(after, below[1])),
        h('td', {class: signClass(points(rise) === points(0) ? 0 : rise)}, print),
    );
}

/** @param {{caption: string, rows: Guess[], user: boolean, t: Texts}} props */
const Table = ({caption, rows, user, t}) =>
    h(
        'table',
        null,
        h('caption', null, caption),
        h(
            'thead',
            null,
            h(
                'tr',
                null,
                h('td', null),
                [t.change.before, t.change.after, t.change.points].map(name =>
                    h('th', {key: name, scope: 'col'}, name),
                ),
            ),
        ),
        h(
            'tbody',
            null,
            rows.map(guess => h(Row, {key: guess.name, guess, user})),
        ),
    );

/** @param {{data: import('../view.js').ViewData}} props */
export function Predictions({data}) {
    const {t, pass} = data;
    const {pair, words} = predictions(data);
    if (!pair && !words.length) return h('p', {class: 'hint'}, t.change.noPredictions);
    const piece = (/** @type {number} */ index) => pass.tokens[index]?.piece ?? '';
    return h(
        'section',
        {class: 'change-says', 'aria-label': t.change.predictions},
        h('h2', null, t.change.predictions),
        h(
            'div',
            {class: 'fillings'},
            pair &&
                h(Table, {
                    caption: t.nextSentence,
                    user: false,
                    t,
                    rows: [{name: t.follows, ...pair, below: [false, false]}],
                }),
            words.map(({index, guesses}) =>
                h(Table, {
                    key: index,
                    caption: t.change.wordsAt(index, piece(index)),
                    user: true,
                    rows: guesses,
                    t,
                }),
            ),
        ),
    );
}
