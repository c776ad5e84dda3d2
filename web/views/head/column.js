/* column - one side of the head view: a button a token, whose parts are the token as it stands,
 * struck through when [MASK] stands there instead, and on request the word that the model expects
 * in its place.
 */
import {Component, h} from 'preact';
import {ROW} from '../../draw/tokens.js';
import {positionsOf} from '../level.js';

/**
 * @typedef {import('../level.js').Unit} Unit
 * @typedef {Map<number, {piece: string, same: boolean}>} Words   by position; same: it is the token
 *     that stands there
 * @typedef {{tokens: Unit[], from: number, to: number, side: string, stop: number, pinned: string,
 *     masked: readonly number[],
 *   canMask: boolean, words: Words | null, box: number, gutter: number, label: string}} ColumnProps
 *   from, to: the rows shown; stop: the position that Tab reaches, -1 for the first; pinned: rows,
 *   joined by commas
 */

/** The most probable word of each position. @param {import('../view.js').Fill[]} fills
 * @param {import('../view.js').Token[]} tokens @returns {Words} */
export const topWords = (fills, tokens) =>
    new Map(
        fills.map(({index, words: [{id, piece}]}) => [
            index,
            {piece, same: id === tokens[index]?.id},
        ]),
    );

/** Whether the model has a [MASK]. @param {import('../view.js').Model} model */
export const canMask = model => (model.special?.mask ?? -1) >= 0;

/** How many pieces of the unit are masked. @param {Unit} unit @param {readonly number[]} masked */
export const maskedIn = (unit, masked) =>
    positionsOf(unit).filter(index => masked.includes(index)).length;

/** What stands there when pieces of it are masked. @param {number} count */
export const maskLabel = count => (count === 1 ? '[MASK]' : `[MASK] ×${count}`);

/** @param {{unit: Unit, count: number, word?: {piece: string, same: boolean}}} props count: of
 *     masked pieces */
const Token = ({unit, count, word}) => [
    word && h('bdi', {key: 'word', class: word.same ? 'filling same' : 'filling'}, word.piece),
    count > 0
        ? h('s', {key: 'piece', class: 'was'}, h('bdi', null, unit.piece))
        : h('bdi', {key: 'piece', class: unit.special ? 'piece special' : 'piece'}, unit.piece),
    count > 0 && h('bdi', {key: 'mask', class: 'piece masked'}, maskLabel(count)),
];

/** Made anew only when something of its own changes, not while pointing.
 * @extends {Component<ColumnProps>} */
export class Column extends Component {
    /** @param {ColumnProps} next */
    shouldComponentUpdate(next) {
        return /** @type {(keyof ColumnProps)[]} */ (Object.keys(next)).some(
            name => next[name] !== this.props[name],
        );
    }

    /** @param {ColumnProps} props */
    render({tokens, from, to, side, stop, pinned, masked, canMask, words, box, gutter, label}) {
        const shown = tokens.slice(from, to);
        const reached =
            shown.find(({index, last}) => index <= stop && stop <= last)?.index ?? shown[0]?.index;
        const rows = new Set(pinned.split(','));
        return h(
            'div',
            {
                class: `column ${side}`,
                role: 'group',
                'aria-label': label,
                style: {width: `${box}px`, [side === 'query' ? 'left' : 'right']: `${gutter}px`},
            },
            shown.map((unit, row) => {
                const count = canMask ? maskedIn(unit, masked) : 0;
                return h(
                    'button',
                    {
                        key: unit.index,
                        type: 'button',
                        class: 'token',
                        'data-side': side,
                        'data-index': unit.index,
                        'data-last': unit.last,
                        tabIndex: unit.index === reached ? 0 : -1,
                        'aria-pressed': rows.has(String(from + row)),
                        title: unit.piece,
                        style: {height: `${ROW}px`},
                    },
                    h(Token, {
                        unit,
                        count,
                        word: unit.index === unit.last ? words?.get(unit.index) : undefined,
                    }),
                );
            }),
        );
    }
}
