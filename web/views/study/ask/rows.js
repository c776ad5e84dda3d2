/* rows - the matches of a question, each in its sentence: the token, or the query and the key of a head,
 * marked; a press opens the sentence in the head view.
 */
import {h} from 'preact';
import {buttonOf} from '../../../draw/button.js';
import {writeMark} from '../../../draw/marks/arrows.js';
import {inHeadView} from '../study.js';

/**
 * @import {Scene} from './view.js'
 * @import {Words} from '../study.js'
 * @typedef {{token: number, part?: number, from?: number, to?: number, added?: string, word?: string,
 *     pos?: string, relation?: string}} Token   part: 0 text A, 1 text B; added: it is none of the text, as [SEP]
 * @typedef {{rank: number, sentence: number, text: string, text_b?: string, match?: Token, query?: Token,
 *     key?: Token, offset?: number, weight?: number, moved?: number, cosine?: number}} Row
 * @typedef {{text: string, mark?: 'query' | 'key' | 'both'}} Piece
 */

const BEFORE = 48; // characters around what is marked; between two marks twice the half
const AFTER = 56;

/** @param {string[]} letters @param {number} most @param {'start' | 'end' | 'middle'} end where it is cut */
function cut(letters, most, end) {
    if (letters.length <= most) return letters.join('');
    const last = (/** @type {number} */ count) =>
        letters
            .slice(-count)
            .join('')
            .replace(/^\S*\s/, '');
    const first = (/** @type {number} */ count) =>
        letters
            .slice(0, count)
            .join('')
            .replace(/\s\S*$/, '');
    if (end === 'start') return `… ${last(most)}`;
    if (end === 'end') return `${first(most)} …`;
    return `${first(most >> 1)} … ${last(most >> 1)}`;
}

/** Marked places of a text, in their order; those of the same token as one. @param {Row} row
 * @param {number} part @returns {{from: number, to: number, mark: 'query' | 'key' | 'both'}[]} */
function placesOf({match, query, key}, part) {
    const found = /** @type {[Token | undefined, 'query' | 'key'][]} */ ([
        [query ?? match, 'query'],
        [key, 'key'],
    ]).flatMap(([token, mark]) =>
        token?.part === part ? [{from: token.from ?? 0, to: token.to ?? 0, mark}] : [],
    );
    const [first, second] = found;
    if (second && first.from === second.from) return [{...first, mark: 'both'}];
    return found.sort((a, b) => a.from - b.from);
}

/** A text around its marks. @param {string} text @param {ReturnType<typeof placesOf>} places
 * @returns {Piece[]} */
function piecesOf(text, places) {
    const letters = [...text]; // places are code points
    /** @type {Piece[]} */
    const pieces = [];
    let at = 0;
    for (const [i, {from, to, mark}] of places.entries()) {
        pieces.push({
            text: cut(letters.slice(at, from), i ? 2 * BEFORE : BEFORE, i ? 'middle' : 'start'),
        });
        pieces.push({text: letters.slice(from, to).join(''), mark});
        at = to;
    }
    pieces.push({text: cut(letters.slice(at), places.length ? AFTER : BEFORE + AFTER, 'end')});
    return pieces.filter(piece => piece.text);
}

/** All of a row: its texts, and added tokens before or behind them. @param {Row} row @returns {Piece[]} */
export function contextOf(row) {
    const {text, text_b: other, match, query, key} = row;
    const marks = /** @type {const} */ ([
        ['query', query ?? match],
        ['key', key],
    ]);
    /** Added tokens, those before the texts or behind them. @param {boolean} before @returns {Piece[]} */
    const added = before =>
        marks.flatMap(([mark, token]) =>
            token?.added && before === (token.token === 0) ? [{text: token.added, mark}] : [],
        );
    const pieces = piecesOf(text, placesOf(row, 0));
    if (other !== undefined) pieces.push({text: ' / '}, ...piecesOf(other, placesOf(row, 1)));
    for (const one of added(true)) pieces.unshift(one, {text: ' '});
    for (const one of added(false)) pieces.push({text: ' '}, one);
    return pieces;
}

/** @param {Row} row @param {Words} t */
const numbersOf = ({weight, moved, cosine, offset}, {ask: t}) =>
    weight === undefined
        ? cosine === undefined
            ? ''
            : t.cosine(cosine.toFixed(3))
        : t.numbers([weight.toFixed(2), (moved ?? 0).toFixed(2), t.lies(offset ?? 0)]);

/** The sentence in the head view: a head alone, its query pinned, an arrow on the line to its key.
 * @param {Row} row @param {Pick<Scene, 'question' | 'model'>} scene */
export function opened({text, text_b: b, match, query = match, key}, {question, model}) {
    const {ask, layer = model.layers - 1, head = 0, heads = []} = question;
    return {
        ...inHeadView({a: text, b}, {layer, heads: ask === 'head' ? [head] : heads}),
        ...{side: 'query', picked: query ? [query.token] : []},
        ...{specials: true, first: true, top: 100}, // or the line may not be drawn
        marks: query && key ? [writeMark({query: query.token, key: key.token, label: ''})] : [],
    };
}

/** @param {{row: Row, scene: Scene, t: Words, on: import('../study.js').On}} props */
function Found({row, scene, t, on}) {
    const {question} = scene;
    const like = () =>
        on.set({
            asked: `like at=${row.sentence},${/** @type {Token} */ (row.query ?? row.match).token}`,
        });
    return h(
        'li',
        {class: 'ask-row'},
        buttonOf(
            'kwic',
            {title: t.ask.open, onClick: () => on.set(opened(row, scene))},
            h(
                'span',
                {dir: 'auto'},
                contextOf(row).map(({text, mark}, i) =>
                    mark ? h('mark', {key: i, class: mark}, text) : h('bdi', {key: i}, text),
                ),
            ),
            h('small', null, numbersOf(row, t)),
        ),
        question.ask !== 'head' && buttonOf('plain', {onClick: like}, t.ask.like),
    );
}

/** @param {import('../../../draw/blocks.js').Props} props */
export function Rows({scene, data: {t}, on}) {
    const rows = /** @type {Row[]} */ (scene.answer.rows);
    if (!rows.length) return h('p', {class: 'nothing-yet'}, t.ask.none);
    return h(
        'ol',
        {class: 'ask-rows'},
        rows.map(row => h(Found, {key: row.rank, row, scene, t, on})),
    );
}
