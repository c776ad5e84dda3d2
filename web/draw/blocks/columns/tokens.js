/* tokens - a column of rows: the tokens, as buttons where they can be chosen, washed by their weights
 * where they have some.
 */
import {h} from 'preact';
import {paperOf} from '../../paper.js';
import {WASH} from '../../marks/strips.js';
import {fitPiece, FONT, ROW, textWidth} from '../../tokens.js';
import {box, line, row, still} from './column.js';

/**
 * @typedef {import('./column.js').Column & {tokens: readonly {piece: string, special?: boolean}[],
 *     side?: string, label?: string, boxed?: number, tint?: ArrayLike<number>}} TokensColumn   side: its
 *     tokens are buttons; boxed: the row of the one that all is about; tint: weights, 0..1
 * @typedef {{stop?: number, pressed?: number}} Held   the token that Tab reaches, the one that is chosen
 */

/** Width of a column of tokens. @param {readonly {piece: string}[]} tokens @param {number} most */
const tokensWidth = (tokens, most) =>
    Math.round(
        Math.min(
            most,
            Math.max(44, Math.max(...tokens.map(({piece}) => textWidth(piece))) * FONT + 18),
        ),
    );

/** How much of a wash a token has for its weight: as in the head view. @param {ArrayLike<number>} tint
 * @param {number} index */
const washOf = (tint, index) => Math.round(1000 * WASH * Math.min(1, tint[index])) / 1000;

/** @param {{piece: string, special?: boolean}} token */
const pieceOf = token => h('bdi', {class: token.special ? 'special' : undefined}, token.piece);

/** @typedef {Pick<TokensColumn, 'tokens' | 'side' | 'label' | 'boxed' | 'tint'> & Held & {colour: string}} Drawn */

/** @type {import('preact').ComponentClass<Drawn>} */
const Tokens = still(({tokens, side, label, stop = 0, pressed, boxed, tint, colour}) => {
    const look = (/** @type {number} */ index) => ({
        class: index === boxed ? 'token boxed' : 'token',
        style: tint
            ? {
                  ...row,
                  background: `color-mix(in srgb, ${colour} ${100 * washOf(tint, index)}%, transparent)`,
              }
            : row,
    });
    return h(
        'div',
        {class: `tokens ${side ?? ''}`, role: side && 'group', 'aria-label': label},
        tokens.map((token, index) =>
            side
                ? h(
                      'button',
                      {
                          key: index,
                          type: 'button',
                          'data-side': side,
                          'data-index': index,
                          ...look(index),
                          tabIndex: index === stop ? 0 : -1,
                          'aria-pressed': index === pressed,
                          title: token.piece,
                      },
                      pieceOf(token),
                  )
                : h('span', {key: index, ...look(index), title: token.piece}, pieceOf(token)),
        ),
    );
});

/** @param {{column: TokensColumn, rest: any}} props */
const Html = ({column: {tokens, side, label, boxed, tint}, rest: {theme, held}}) =>
    h(Tokens, {
        ...{tokens, side, label, boxed, tint},
        colour: paperOf(theme).bar,
        stop: held?.[side ?? '']?.stop,
        pressed: held?.[side ?? '']?.pressed,
    });

/** In a file: washed by their weights, one in a box. @param {TokensColumn} column
 * @param {import('./column.js').Size} size */
const svg = ({tokens, side, boxed, tint}, {width, theme}) =>
    tokens.map((token, row) => [
        tint &&
            h('rect', {
                ...{y: row * ROW, width, height: ROW, fill: paperOf(theme).bar},
                'fill-opacity': washOf(tint, row),
            }),
        boxed === row && box(row, width, theme, 8),
        side === 'key'
            ? line(row, fitPiece(token.piece, width), 0, 'start')
            : line(row, fitPiece(token.piece, width), width, 'end'),
    ]);

/** @type {import('./column.js').ColumnKind} */
export const TOKENS = {
    ...{name: 'tokens', Html, svg},
    length: ({tokens}) => tokens.length,
    wished: ({tokens}, most) => tokensWidth(tokens, most),
    end: ({side}) => side !== 'key',
};
