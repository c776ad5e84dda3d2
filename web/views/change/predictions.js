/* predictions - predictions before and after the changes: whether B follows A, and the words at a
 * [MASK] or at a changed token.
 */
import {h} from 'preact';
import {signed} from '../../draw/chart.js';
import {percent} from '../../draw/scale.js';
import {table} from '../../draw/table.js';
import {signClass} from '../../draw/marks/signed.js';
import {predictions, turned} from './numbers.js';

/**
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {import('./numbers.js').Guess} Guess
 */

const POINTS = 100;
const NEITHER = /** @type {Guess['below']} */ ([false, false]);

/** A difference of probabilities, in percentage points; 0.0 has no sign. @param {number} value */
export function points(value) {
    const print = signed(POINTS * value, 1);
    return value > 0 && Number(print) !== 0 ? `+${print}` : print;
}

/** @param {number} value @param {boolean} below */
export const bounded = (value, below) =>
    below ? `<${percent(value).replace('<', '')}` : percent(value);

/** How a number is printed: a probability, or one of a regression (plain).
 * @param {boolean} plain @param {number} value @param {boolean} below @param {string} [what] */
const printed = (plain, value, below, what) =>
    [what, plain ? signed(value, 3) : bounded(value, below)].filter(Boolean).join(' ');

/** The difference; with bounds it is at least this, or not known at all.
 * @param {Guess} guess @param {boolean} plain */
function differenceOf({before, after, below, was, is}, plain) {
    const rise = after - before;
    if (was !== is) return '';
    if (plain) return signed(rise, 3);
    if (!below[0] && !below[1]) return points(rise);
    return below[0] === rise > 0 ? `${rise < 0 ? '≤' : '≥'} ${points(rise)}` : '';
}

/** @param {{guess: Guess, user: boolean, plain: boolean}} props user: the name is a word of the
 *     vocabulary, or the model's */
function Row({guess, user, plain}) {
    const {name, before, after, below, was, is} = guess;
    const rise = after - before;
    const none = !plain && points(rise) === points(0);
    return h(
        'tr',
        null,
        h('th', {scope: 'row'}, user ? h('bdi', null, name) : name),
        h('td', {class: 'number'}, printed(plain, before, below[0], was)),
        h('td', {class: 'number'}, printed(plain, after, below[1], is)),
        h('td', {class: signClass(none ? 0 : rise)}, differenceOf(guess, plain)),
    );
}

/** The most probable before and after, in one line; '' where nothing has changed.
 * @param {Guess[]} guesses @param {boolean} plain */
function turnOf(guesses, plain) {
    const found = guesses.some(({was}) => was !== undefined) ? null : turned(guesses);
    if (!found) return '';
    const {was, is} = found;
    const [from, to] = [
        `${was.name} ${printed(plain, was.before, false)}`,
        `${is.name} ${printed(plain, is.after, false)}`,
    ];
    return from === to ? '' : `${from} → ${to}`;
}

/** @param {{caption: string, rows: Guess[], user?: boolean, plain?: boolean, t: Texts}} props */
const Table = ({caption, rows, user = true, plain = false, t}) =>
    table(
        {
            caption: [caption, rows.length > 1 && h('strong', null, turnOf(rows, plain))],
            columns: [
                ...[h('td', null), t.change.before, t.change.after],
                plain ? t.change.difference : t.change.points,
            ],
        },
        rows.map((guess, key) => h(Row, {key, guess, user, plain})),
    );

/** @typedef {{model: Pick<import('../view.js').Model, 'mlm' | 'nsp' | 'predicts'>, t: Texts} &
 *     Pick<import('../view.js').Computed, 'pass' | 'fills' | 'before'>} Said */

/** What the model says, each as a table before and after: labels and answers first, then whether B
 * follows A, then words. @param {Said} data */
function tablesOf({t, pass, fills, before, model}) {
    const {pair, words, says} = predictions({pass, fills, before});
    const follows = pair && {name: t.pair.follows, ...pair, below: NEITHER};
    const nameOf = (/** @type {number} */ index) =>
        (model.predicts?.includes('next_word') ? t.change.nextAfter : t.change.wordsAt)(
            index,
            pass.tokens[index]?.piece ?? '',
        );
    return [
        says && {caption: t.change.says[says.task], rows: says.guesses, plain: says.plain},
        follows && {caption: t.pair.title, user: false, rows: [follows]},
        ...words.map(({index, guesses}) => ({caption: nameOf(index), rows: guesses})),
    ].flatMap(one => one || []);
}

/** The output before and after, in a sentence: that of the first list. @param {Said} data */
export function outputSaid(data) {
    const first = tablesOf(data).find(({rows}) => rows.length > 1);
    const turn = first ? turnOf(first.rows, 'plain' in first && Boolean(first.plain)) : '';
    return first && turn ? `${first.caption}: ${turn}.` : '';
}

/** What the model says before and after. @param {Said} data */
export const Tables = data =>
    tablesOf(data).map(table => h(Table, {key: table.caption, t: data.t, ...table}));

/** @param {{data: import('../view.js').ViewData}} props */
export function Predictions({data}) {
    const {t, model} = data;
    const tables = Tables(data);
    const waits = model.mlm || model.nsp;
    return h(
        'section',
        {class: 'change-says', 'aria-label': t.change.predictions},
        h('h2', null, t.change.predictions),
        tables.length
            ? h('div', {class: 'fillings'}, tables)
            : h('p', {class: 'hint'}, waits ? t.change.noPredictions : t.change.noOutput),
    );
}
