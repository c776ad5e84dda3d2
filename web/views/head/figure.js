/* figure - the head view as HTML: two columns of buttons over one canvas. The buttons carry
 * data-side, data-index and data-last; what pointing, pressing and arrow keys do with them is the
 * page's affair (ui/figure.js).
 */
import {Component, h} from 'preact';
import {ROW} from '../../draw/tokens.js';
import {createMemo} from '../memo.js';
import {Caption} from './caption.js';
import {canMask, Column, topWords} from './column.js';
import {basePainter, focusPainter} from './marks.js';
import {chosenOf, headScene, pinnedRows, selection} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {{state: ViewState, data: import('../view.js').ViewData, on: import('../view.js').On}}
 *     Props
 */

const ROOMY = 480; // below, the words stand in the numbers only
const BESIDE = 84; // px for the word that the model expects at a query

/** @param {{layout: Scene['layout'], t: import('../view.js').Texts}} props */
function Axes({layout, t}) {
    const axis = (
        /** @type {string} */ side,
        /** @type {string} */ name,
        /** @type {string} */ does,
    ) =>
        h(
            'span',
            {
                class: `axis ${side}`,
                style: {
                    width: `${layout.box + layout.gutter}px`,
                    [side === 'query' ? 'paddingLeft' : 'paddingRight']: `${layout.gutter}px`,
                },
            },
            h('span', null, name, h('small', null, does)),
        );
    return h(
        'div',
        {class: 'axes', 'aria-hidden': true},
        axis('query', t.query, t.queryDoes),
        axis('key', t.key, t.keyDoes),
    );
}

/** The state with only the previewed head, or as it is. A rollout has no heads.
 * @param {ViewState} state @param {number} peek
 * @returns {ViewState} */
export const lookedAt = (state, peek) =>
    peek < 0 || state.mix === 'rollout'
        ? state
        : {...state, heads: [peek], mix: state.mix === 'mean' ? 'heads' : state.mix};

/** Frames around the tokens whose lines are shown.
 * @param {{scene: Scene, side: string, indexes: number[]}} props */
function Marks({scene: {layout, rows, cols}, side, indexes}) {
    const {box, gutter} = layout;
    const first = side === 'query' ? rows[0] : cols[0];
    return indexes.map(index =>
        h('div', {
            key: index,
            class: `mark ${side}`,
            style: {
                width: `${box}px`,
                height: `${ROW}px`,
                [side === 'query' ? 'left' : 'right']: `${gutter}px`,
                transform: `translateY(${(index - first) * ROW}px)`,
            },
        }),
    );
}

/** @extends {Component<Props>} */
export class HeadFigure extends Component {
    memo = createMemo();

    /** @param {Props} props */
    render({state, data, on}) {
        const {
            width,
            theme,
            cursor,
            peek,
            fills,
            pass: {tokens},
        } = data;
        const beside = state.fillings && width >= ROOMY ? BESIDE : 0;
        const scene = this.memo('scene', [selection(state, data), width, beside], () =>
            headScene(state, data, width, beside),
        );
        const looked = this.memo('looked', [state, peek], () => lookedAt(state, peek));
        const seen = this.memo('seen', [scene, looked], () =>
            peek < 0 ? scene : headScene(looked, data, width, beside),
        );
        const chosen = chosenOf(scene, data.focus, state);
        const base = this.memo('base', [scene, theme], () => basePainter(scene, theme));
        const overlay = this.memo(
            'overlay',
            [seen, scene, theme, chosen && `${chosen.side} ${chosen.indexes}`],
            () =>
                chosen
                    ? focusPainter(seen, chosen, theme)
                    : seen === scene
                      ? null
                      : basePainter(seen, theme),
        );
        const words = this.memo('words', [beside, fills, tokens], () =>
            beside ? topWords(fills, tokens) : null,
        );
        return h(Drawn, {state, data, on, scene, chosen, base, overlay, words, cursor});
    }
}

/** @typedef {import('../view.js').Painter} Painter */

/** @param {Props & {scene: Scene, chosen: import('./scene.js').Chosen | null, base: Painter,
 *     overlay: Painter | null,
 *   words: import('./column.js').Words | null, cursor: import('../view.js').Focus | null}} props */
function Drawn({state, data, on, scene, chosen, base, overlay, words, cursor}) {
    const {t, model} = data;
    const pinned = pinnedRows(scene, state).join();
    const {
        layout,
        layout: {box, gutter},
    } = scene;
    const column = (
        /** @type {string} */ side,
        /** @type {number[]} */ [from, to],
        /** @type {string} */ label,
    ) =>
        h(Column, {
            tokens: scene.tokens,
            from,
            to,
            side,
            box,
            gutter,
            label,
            masked: state.masked,
            canMask: canMask(model),
            words: side === 'query' ? words : null,
            pinned: state.side === side ? pinned : '',
            stop: cursor?.side === side ? cursor.index : -1,
        });
    return h(
        'div',
        {class: 'head-view', style: {width: `${layout.width}px`}},
        h(Caption, {state, data, on}),
        h(Axes, {layout, t}),
        h(
            'div',
            {class: 'columns', style: {height: `${layout.height}px`}},
            h(on.Canvas, {width: layout.width, height: layout.height, base, overlay}),
            column('query', scene.rows, t.head.queryColumn),
            column('key', scene.cols, t.head.keyColumn),
            chosen && h(Marks, {scene, ...chosen}),
        ),
    );
}
