/* flow - a block of the page: tokens side by side as buttons, to be pressed one by one. Tab reaches
 * one of them; Left, Right, Home and End lead to the others.
 */
import {h} from 'preact';
import {buttonOf} from '../button.js';
import {walkGrid} from '../grid.js';

/**
 * @typedef {{index: number, piece: string, now?: string | null, className?: string, tint?: number}} Word   now: what
 *     stands there instead; tint: how strongly it is shaded, 0..1
 * @typedef {{words: Word[], name: string, isPressed: (index: number, state: any) => boolean, onPick:
 *     (index: number, props: import('../blocks.js').Props) => void}} Given
 */

/** A token as it stands; struck through when something else stands there.
 * @param {{word: Pick<Word, 'piece' | 'now'>}} props */
export const Piece = ({word: {piece, now}}) =>
    now === null || now === undefined
        ? h('bdi', null, piece)
        : [
              h('s', {key: 'was'}, h('bdi', null, piece)),
              ' ',
              h('bdi', {key: 'now', class: 'put'}, now),
          ];

/** @type {import('../blocks.js').Kind} */
const FLOW = {
    Html(props) {
        const {words, name, isPressed, onPick} = /** @type {Given} */ (props.block);
        const pressed = words.map(({index}) => isPressed(index, props.state));
        const stop = Math.max(0, pressed.indexOf(true));
        return h(
            'div',
            {
                class: 'flow',
                role: 'group',
                'aria-label': name,
                onKeyDown: (/** @type {KeyboardEvent} */ event) => walkGrid(event, words.length),
            },
            words.map((word, i) =>
                buttonOf(
                    `word ${word.className ?? ''}`.trim(),
                    {
                        key: word.index,
                        style: word.tint
                            ? {'--tint': `${Math.round(100 * word.tint)}%`}
                            : undefined,
                        'data-side': 'token',
                        'data-index': word.index,
                        tabIndex: i === stop ? 0 : -1,
                        'aria-pressed': pressed[i],
                        onClick(/** @type {MouseEvent} */ event) {
                            event.stopPropagation();
                            onPick(word.index, props);
                        },
                    },
                    h(Piece, {word}),
                ),
            ),
        );
    },
};

/** @param {Given} given @returns {import('../blocks.js').Block} */
export const flow = given => ({kind: FLOW, ...given});
