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
 * @import {Selection} from './numbers.js'
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

/** What of the state the grid is made of. */
const KEYS = /** @type {const} */ ([
    'keepLayers',
    'keepHeads',
    'measure',
    'order',
    'picture',
    'oneBased',
    'gridSpecials',
    'gridFirst',
    'show',
]);

/** What is drawn: the same object while the numbers of the heads come in.
 * @param {string} _keys of the state @param {number} tokens shown @param {import('../view.js').Model} model
 * @param {import('../view.js').Attention | undefined} drawn
 * @param {import('../view.js').Attention | null} patterns that sort and tint
 * @param {import('../view.js').ViewState} state */
const makeGrid = (_keys, tokens, model, drawn, patterns, state) => ({
    ...selection(state, {model, patterns, links: null}),
    ...{picture: state.picture, model, isMoved: isMoved(state)},
    ...{gridSpecials: state.gridSpecials, gridFirst: state.gridFirst},
    pictures: drawn ? picturesOf(drawn, state.picture, tokens) : null,
    count: counted(state),
});
const rememberedGrid = remember(makeGrid, 5);

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
    const {model, pass, tensors} = data;
    const {patterns, links} = numbersOf(state, data);
    const grid = rememberedGrid(
        JSON.stringify(KEYS.map(key => state[key])),
        shownTokens(state, pass.tokens),
        model,
        tensors.get(needName(picturesNeed(state, model))),
        state.measure ? patterns : null,
        state,
    );
    return rememberedScene(grid, pass.tokens, patterns, links);
}
