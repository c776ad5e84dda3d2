/* scene - the scene of the model view, worked out once from state and data: the heads in order,
 * their pictures and numbers. And the layout of the thumbnails: rows are layers, columns heads;
 * sorted over all layers they fill the width in reading order.
 */
import {remember} from '../../draw/memo.js';
import {picturesOf} from '../../draw/marks/picture.js';
import {counted} from '../parts/select.js';
import {isMoved, needName} from '../needs.js';
import {numbersOf, picturesNeed, selection, shownTokens} from './numbers.js';

/**
 * @typedef {import('./numbers.js').Selection} Selection
 * @typedef {ReturnType<typeof modelScene>} Scene
 * @typedef {Scene['grid']} Grid
 */

const MARGIN = 44; // for the numbers of the layers
const HEADER = 40; // for the numbers of the heads
const CAPTION = 16; // below a thumbnail that is not in its place
const LEAST = 24; // smallest target of WCAG 2.5.8; below it the grid scrolls sideways
const MOST = 112;
const RANKED = 60; // wanted distance when all heads are ranked

/** @param {Pick<Selection, 'layers' | 'heads' | 'cells' | 'order' | 'measure'>} chosen
 * @param {number} width @returns {import('../../draw/marks/thumbs.js').Layout} */
export function layoutGrid({layers, heads, cells, order, measure}, width) {
    const ranked = order === 'all';
    const left = ranked ? 0 : Math.min(MARGIN, Math.max(32, width - heads.length * LEAST));
    const columns = ranked
        ? Math.min(cells.length, Math.max(1, Math.floor(width / RANKED)))
        : heads.length;
    const rows = ranked ? Math.ceil(cells.length / columns) : layers.length;
    const pitch = Math.max(LEAST, Math.min(MOST, Math.floor((width - left) / columns)));
    const small = pitch < 36;
    const top = order === 'model' ? HEADER : 0;
    const rowHeight = pitch + (order === 'model' ? 0 : CAPTION);
    return {
        ...{columns, pitch, rowHeight, left, top},
        thumb: pitch - (small ? 2 : 6),
        frame: measure ? (small ? 2 : 4) : 0,
        width: left + columns * pitch,
        height: top + rows * rowHeight,
    };
}

/** What is drawn: the same object while the numbers of the heads come in.
 * @param {readonly number[]} keepLayers @param {readonly number[]} keepHeads
 * @param {string} measure @param {import('../view.js').ViewState['order']} order
 * @param {string} picture
 * @param {boolean} oneBased @param {import('../view.js').Model} model
 * @param {import('../view.js').Attention | undefined} drawn @param {number} tokens shown
 * @param {boolean} gridSpecials @param {boolean} gridFirst
 * @param {import('../view.js').Attention | null} patterns that sort and tint
 * @param {boolean} moved */
const makeGrid = (
    keepLayers,
    keepHeads,
    measure,
    order,
    picture,
    oneBased,
    model,
    drawn,
    tokens,
    gridSpecials,
    gridFirst,
    patterns,
    moved,
) => ({
    ...selection({keepLayers, keepHeads, measure, order}, {model, patterns, links: null}),
    ...{picture, model, gridSpecials, gridFirst, isMoved: moved},
    pictures: drawn ? picturesOf(drawn, picture, tokens) : null,
    count: counted({oneBased}),
});
const rememberedGrid = remember(makeGrid);

/** @param {ReturnType<typeof makeGrid>} grid @param {import('../view.js').Token[]} tokens
 * @param {import('./numbers.js').Numbers['patterns']} patterns
 * @param {import('./numbers.js').Numbers['links']} links */
const makeScene = (grid, tokens, patterns, links) => ({
    ...{grid, tokens},
    numbers: {model: grid.model, patterns, links},
});
const rememberedScene = remember(makeScene);

/** @param {import('../view.js').ViewState} state @param {import('../view.js').Computed} data */
export function modelScene(state, data) {
    const {keepLayers, keepHeads, measure, order, picture, oneBased, gridSpecials, gridFirst} =
        state;
    const {model, pass, tensors} = data;
    const {patterns, links} = numbersOf(state, data);
    const grid = rememberedGrid(
        keepLayers,
        keepHeads,
        measure,
        order,
        picture,
        oneBased,
        model,
        tensors.get(needName(picturesNeed(state, model))),
        shownTokens(state, pass.tokens),
        gridSpecials,
        gridFirst,
        measure ? patterns : null,
        isMoved(state),
    );
    return rememberedScene(grid, pass.tokens, patterns, links);
}
