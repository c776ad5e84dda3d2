/* flow - a block of the page: tokens side by side as buttons, to be pressed one by one. Tab reaches
 * one of them; Left, Right, Home and End lead to the others.
 */
import {h} from 'preact';

/**
 * @typedef {{index: number, piece: string, now?: string | null, className?: string}} Word   now: what
 *     stands there instead
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

/** @param {KeyboardEvent} event */
function walk(event) {
    const {currentTarget, target, key} = event;
    const all = [.../** @type {Element} */ (currentTarget).children];
    const at = all.indexOf(/** @type {Element} */ (target));
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: all.length - 1}[key] ?? -1;
    if (event.altKey || event.ctrlKey || event.metaKey || !all[to]) return;
    event.preventDefault();
    event.stopPropagation();
    /** @type {HTMLElement} */ (all[to]).focus({focusVisible: true});
}

/** @type {import('../blocks.js').Kind} */
const FLOW = {
    Html(props) {
        const {words, name, isPressed, onPick} = /** @type {Given} */ (props.block);
        const pressed = words.map(({index}) => isPressed(index, props.state));
        const stop = Math.max(0, pressed.indexOf(true));
        return h(
            'div',
            {class: 'flow', role: 'group', 'aria-label': name, onKeyDown: walk},
            words.map((word, i) =>
                h(
                    'button',
                    {
                        key: word.index,
                        type: 'button',
                        class: `word ${word.className ?? ''}`.trim(),
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
