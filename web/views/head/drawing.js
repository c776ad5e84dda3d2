/* drawing - the head view's picture: two columns of tokens and the lines between them; of a chosen
 * token its own lines and bands opposite; in the gutters small cells that sum up each head. A chosen
 * token shows its own lines only. What <head-light> carries of the view before a model is there.
 */
import {h} from 'preact';
import {lines} from '../../draw/marks/arcs.js';
import {FILES, page} from '../../draw/blocks.js';
import {column, rowFrame} from '../../draw/marks/column.js';
import {plot} from '../../draw/plot.js';
import {cells, shared, strips, stripsOf} from '../../draw/marks/strips.js';
import {remember} from '../../draw/memo.js';
import {FONT} from '../../draw/tokens.js';
import {Caption} from './caption.js';
import {summary} from './numbers.js';
import {chosenOf, colours, focusLinks, place, wholeScene} from './scene.js';

/**
 * @typedef {{beside: number, wordAt: (unit: import('../parts/level.js').Unit) => import('../../draw/marks/column.js').Word |
 *     undefined}} Expected   room beside a query, and what stands there: expected.js
 * @typedef {import('./scene.js').WholeScene & {expected?: (look: Look) => Expected}} Scene
 * @import {Placed, Chosen} from './scene.js'
 * @import {Look} from '../../draw/blocks.js'
 * @import {Texts} from '../view.js'
 */

const CELL_INSET = 5;
const TOP = 28;

/** @type {import('../../draw/blocks.js').Kind['svg']} */
const axesSvg = ({layout: {width, gutter, box}, names: [query, key]}) => ({
    width,
    height: TOP,
    tree: [
        h('text', {x: gutter + box - 8, y: 16, 'text-anchor': 'end', 'font-size': 13}, query),
        h('text', {x: width - gutter - box + 8, y: 16, 'font-size': 13}, key),
    ],
});

/** The names of the columns above them.
 * @type {import('../../draw/blocks.js').Kind} */
const AXES = {
    Html({block: {layout}, data: {t}}) {
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
    },
    svg: FILES ? axesSvg : undefined,
};

/** Pointing changes the cells of one side only. */
const meanCells = remember(cells);

/** The cells of both sides; opposite the chosen tokens only what they share with each token.
 * @param {Placed} scene @param {Chosen | null} chosen */
function summaryCells(scene, chosen) {
    const means = summary(scene);
    const opposite = chosen && shared(scene.whole, chosen);
    return [
        ...(opposite && chosen.side === 'key'
            ? cells('query', opposite, scene)
            : meanCells('query', means.query, scene)),
        ...(opposite && chosen.side === 'query'
            ? cells('key', opposite, scene)
            : meanCells('key', means.key, scene)),
    ];
}

/** @param {Placed} scene @param {string} theme */
function atRest(scene, theme) {
    const colourOf = colours(scene, theme);
    return [
        stripsOf(summaryCells(scene, null), colourOf, CELL_INSET),
        lines(scene.links, scene, colourOf),
    ];
}

/** @param {Placed} scene @param {Chosen} chosen @param {string} theme */
function ofChosen(scene, chosen, theme) {
    const colourOf = colours(scene, theme);
    return [
        stripsOf(summaryCells(scene, chosen), colourOf, CELL_INSET),
        stripsOf(strips(scene.attention, chosen, scene), colourOf),
        lines(focusLinks(scene, chosen), scene, colourOf),
    ];
}

/** What stands in the rows of a column. @param {Scene} scene @param {number[]} range
 * @param {Expected['wordAt']} [wordAt] */
const labelsOf = ({tokens, maskedIn}, [from, to], wordAt) =>
    tokens.slice(from, to).map(unit => ({...unit, masked: maskedIn(unit), word: wordAt?.(unit)}));

/** @param {Scene} scene @param {Look} look @param {Texts} t */
function blocks(scene, look, t) {
    const {beside, wordAt} = scene.expected?.(look) ?? {};
    const found = place(scene, look.width, beside);
    const {rows, cols, layout} = found;
    const {width, height, box, gutter} = layout;
    return [
        page(Caption),
        {kind: AXES, layout, names: [t.query, t.key]},
        plot({
            id: 'lines',
            width,
            height,
            marks: [
                ...atRest(found, look.theme),
                column({
                    ...{side: 'query', box, gutter, label: t.head.queryColumn},
                    labels: labelsOf(scene, rows, wordAt),
                    x: gutter + box - 8,
                }),
                column({
                    ...{side: 'key', box, gutter, label: t.head.keyColumn},
                    labels: labelsOf(scene, cols),
                    x: width - gutter - box + 8,
                }),
            ],
        }),
    ];
}

/** The lines of the chosen tokens, or of the head that is previewed, in the place of all.
 * @param {Scene} scene @param {import('../../draw/blocks.js').Pointed} pointed @param {Look} look */
function over(scene, {focus, picked, side, peek}, look) {
    const chosen = chosenOf(scene, focus, {picked, side});
    if (!chosen && peek < 0) return null;
    const seen = place(
        peek < 0 ? scene : scene.peeked(peek),
        look.width,
        scene.expected?.(look).beside,
    );
    const {box, gutter} = seen.layout;
    const from = chosen?.side === 'query' ? scene.rows[0] : scene.cols[0];
    return {
        lines: {
            marks: chosen ? ofChosen(seen, chosen, look.theme) : atRest(seen, look.theme),
            frames: chosen?.indexes.map(index =>
                rowFrame({side: chosen.side, row: index - from, box, gutter}),
            ),
        },
    };
}

export const headDrawing = {
    id: 'head',
    scene: wholeScene,
    blocks,
    over,
    /** As wide as the columns need. @param {import('../../draw/blocks.js').Props} props */
    frame: ({blocks: list}) => ({
        style: {width: `${list.find(({id}) => id === 'lines')?.width}px`},
    }),
    sheet: FILES
        ? {
              font: FONT,
              title: (/** @type {Scene} */ scene, /** @type {Look} */ _, /** @type {Texts} */ t) =>
                  t.head.svgTitle(scene.name(t)),
          }
        : undefined,
};
