/* equation - a block: matrices as small heat maps, each with its name and shape, and operators
 * between them; rows of tokens have their tokens beside them. Large ones are drawn with fewer points,
 * each the strongest of a block, and say so.
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {Cells} from '../marks/cells.js';
import {scaleOf, signed} from '../chart.js';
import {Legend} from '../legend.js';
import {cellRects, gridOf, pool, valueAt} from '../marks/matrix.js';
import {nameOf, plainName} from '../names.js';
import {ownWay} from '../graphemes.js';
import {paperOf} from '../paper.js';
import {fitText, textWidth} from '../tokens.js';

/**
 * @import {Grid} from '../marks/matrix.js'
 * @typedef {{row: number, col: number}} Spot
 * @typedef {{label: string, grid: Grid, scale: import('../chart.js').Scale, row?: number, note?:
 *     string, tokens?: 'rows' | 'both' | 'columns'}} Matrix   row: is outlined; tokens: which axes
 *       are tokens
 */

const MOST = 256; // px of a side without tokens
const LABEL = 22;
const SMALL = 160;
const CELL = 8;
const WIDEST = 18; // px of a cell in matrices of tokens
const ROW_PX = [18, 15]; // of a row that has its token beside it
const TALLEST = 620; // px of a matrix whose rows have a token each
const GAP = 14;
const NAME = 12; // font of the tokens
const OPERATOR = 18; // font of what stands between matrices
const CAPTION = 112; // px of what stands above a matrix on the page, however few its columns
const WIDE = 1.2; // how much wider a system's letters may be than those of files

/** Length in px of a side of n numbers: small matrices have visible cells, large ones a point a
 * number, at most.
 * @param {number} n @param {number} most */
export const sideOf = (n, most) => Math.min(most, Math.max(n, Math.min(n * CELL, SMALL)));

/** @param {string | Matrix} item @returns {item is Matrix} */
const isMatrix = item => typeof item !== 'string';
/** @param {Matrix} matrix */
const hasNames = ({tokens}) => tokens === 'rows' || tokens === 'both';

/** Where the rows of tokens stand: their height, and how many of them share a name.
 * @param {number} rows */
export function rowHeight(rows) {
    const height = ROW_PX.find(px => px * rows <= TALLEST) ?? Math.max(1, TALLEST / rows);
    return {height, every: Math.ceil((NAME + 2) / height)};
}

/** Width of a cell of those that share a width. One that is narrower than what stands above it takes
 * that from the others. @param {Matrix[]} shared @param {number} left
 * @param {(one: Matrix) => number} beside px of its tokens @param {number} caption */
function cellOf(shared, left, beside, caption) {
    const columns = (/** @type {Matrix[]} */ list) =>
        Math.max(
            1,
            list.reduce((sum, {grid}) => sum + grid.cols, 0),
        );
    const fit = left / columns(shared);
    const isNarrow = (/** @type {Matrix} */ one) => beside(one) + one.grid.cols * fit < caption;
    const narrow = shared.filter(isNarrow);
    const taken = narrow.reduce((sum, one) => sum + caption - beside(one), 0);
    const rest = (left - taken) / columns(shared.filter(one => !narrow.includes(one)));
    return rest >= 3 ? Math.min(fit, rest) : fit;
}

/** Sizes of all matrices of an equation: those whose columns are tokens or neurons of a head share the
 * width that the others leave; where that is too little, each has half of a line. @param {(string | Matrix)[]} items
 * @param {number} width @param {readonly string[]} pieces @param {number} [caption] the least width of
 *     a matrix with its tokens, 0 in files
 * @returns {{names: number, size: (matrix: Matrix) => {width: number, height: number}}} names: width
 *     of the tokens beside a matrix */
export function layoutEquation(items, width, pieces, caption = 0) {
    const matrices = items.filter(isMatrix);
    const named = matrices.filter(hasNames);
    const longest = Math.max(0, ...pieces.map(textWidth)) * NAME * (caption ? WIDE : 1) + 8;
    const names = named.length && width > 480 ? Math.min(96, Math.round(longest)) : 0;
    const shares = (/** @type {Matrix} */ one) => one.tokens !== undefined;
    const others = items
        .map(item =>
            !isMatrix(item)
                ? textWidth(item) * OPERATOR
                : shares(item)
                  ? 0
                  : sideOf(item.grid.cols, MOST),
        )
        .reduce((sum, px) => sum + px + GAP + 4, 0);
    const left = width - others - named.length * names;
    const fit = cellOf(matrices.filter(shares), left, one => (hasNames(one) ? names : 0), caption);
    const size = (/** @type {Matrix} */ matrix) => {
        const {rows, cols} = matrix.grid;
        const half = Math.min(width - names - 4, Math.max(MOST, width / 2 - names - 40));
        const cell = fit >= 3 ? Math.min(WIDEST, fit) : Math.min(WIDEST, half / cols);
        // One with few columns has the room that its caption takes.
        const room = (caption - (hasNames(matrix) ? names : 0)) / cols;
        const wide = Math.max(cell, Math.min(WIDEST, room));
        return {
            width: shares(matrix) ? cols * wide : sideOf(cols, Math.min(MOST, width)),
            height: hasNames(matrix)
                ? rows * rowHeight(rows).height
                : sideOf(rows, Math.min(MOST, width)),
        };
    };
    return {names, size};
}

/** The grid as it can be seen in so many px. @param {Grid} grid @param {{width: number, height:
 *     number}} size */
function fitted(grid, {width, height}) {
    const small = pool(grid, Math.max(1, Math.floor(height)), Math.max(1, Math.floor(width)));
    return {...small, cell: {width: width / small.grid.cols, height: height / small.grid.rows}};
}

/** The tokens of the rows. @param {{pieces: readonly string[], width: number, row?: number}} props */
function Names({pieces, width, row}) {
    const {height, every} = rowHeight(pieces.length);
    return h(
        'div',
        {class: 'row-names', style: {width: `${width}px`, height: `${pieces.length * height}px`}},
        pieces.map(
            (piece, i) =>
                i % every === 0 &&
                h(
                    'bdi',
                    {
                        key: i,
                        class: i === row ? 'chosen' : undefined,
                        style: {top: `${i * height}px`, lineHeight: `${height * every}px`},
                    },
                    piece,
                ),
        ),
    );
}

/** @param {{on: any, theme: string, size: {width: number, height: number}, names: number, pieces:
 *     readonly string[], matrix: Matrix, t: any, onPoint: (spot: Spot | null) => void}} props */
function MatrixOf({on, theme, size, names, pieces, matrix, t, onPoint}) {
    const {label, note, grid, scale, row} = matrix;
    const {width, height} = size;
    const small = useMemo(() => fitted(grid, {width, height}), [grid, width, height]);
    const {rowsPer, colsPer, cell} = small;
    const beside = names > 0 && hasNames(matrix);
    const {every} = rowHeight(grid.rows);
    return h(
        'figure',
        {class: 'matrix'},
        h(
            'figcaption',
            null,
            nameOf(label),
            ' ',
            h('span', {class: 'shape'}, `[${grid.rows} × ${grid.cols}]`),
        ),
        h(Legend, {scale, theme, brief: true}),
        h(
            'div',
            {class: 'row-named'},
            beside && h(Names, {pieces, width: names, row}),
            h(Cells, {
                ...{on, theme, grid: small.grid, scale, cell},
                onPoint: spot => onPoint(spot && strongest(grid, spot, rowsPer, colsPer)),
                cursor: row === undefined ? null : {row: Math.floor(row / rowsPer), col: -1},
            }),
        ),
        note && h('small', {key: 'note'}, note),
        beside && every > 1 && h('small', {key: 'every'}, t.steps.everyNth(every)),
        rowsPer * colsPer > 1 && h('small', {key: 'pooled'}, t.steps.pooled(rowsPer, colsPer)),
    );
}

/** The number that a point shows. @param {Grid} grid
 * @param {Spot} spot
 * @param {number} rowsPer @param {number} colsPer */
function strongest(grid, spot, rowsPer, colsPer) {
    let best = {row: spot.row * rowsPer, col: spot.col * colsPer};
    const sizeAt = (/** @type {number} */ row, /** @type {number} */ col) =>
        Math.abs(grid.data[grid.start + row * grid.rowStep + col * grid.colStep]);
    for (let row = best.row; row < Math.min(grid.rows, (spot.row + 1) * rowsPer); row++) {
        for (
            let col = spot.col * colsPer;
            col < Math.min(grid.cols, (spot.col + 1) * colsPer);
            col++
        ) {
            if (sizeAt(row, col) > sizeAt(best.row, best.col)) best = {row, col};
        }
    }
    return best;
}

/** What is pointed at, in words. @param {Matrix} matrix @param {Spot} spot
 * @param {readonly {piece: string}[]} pieces @param {any} t */
function readOf({label, tokens, grid}, spot, pieces, t) {
    const place = (
        /** @type {boolean} */ named,
        /** @type {number} */ index,
        /** @type {(n: number) => string} */ plain,
    ) => (named ? h('bdi', null, pieces[index].piece) : plain(index));
    return [
        nameOf(label),
        ', ',
        place(tokens === 'rows' || tokens === 'both', spot.row, t.steps.row),
        ', ',
        place(tokens === 'columns' || tokens === 'both', spot.col, t.steps.column),
        ': ',
        h('b', null, signed(valueAt(grid, spot.row, spot.col), 4)),
    ];
}

/** A matrix of a file, with its tokens. @param {Matrix} matrix @param {{width: number, height: number}} size
 * @param {number} names @param {readonly string[]} pieces @param {string} theme */
function matrixSvg(matrix, size, names, pieces, theme) {
    const {label, scale, row} = matrix;
    const {grid, cell} = fitted(matrix.grid, size);
    const {height, every} = rowHeight(matrix.grid.rows);
    const {soft, query} = paperOf(theme);
    const frame = {fill: 'none', stroke: soft, 'stroke-width': 0.5};
    return [
        h('text', {y: 14}, `${plainName(label)} [${matrix.grid.rows} × ${matrix.grid.cols}]`),
        names > 0 &&
            pieces.map(
                (piece, i) =>
                    i % every === 0 &&
                    h(
                        'text',
                        ownWay(piece, {
                            ...{x: names - 6, y: LABEL + (i + every / 2) * height + 4},
                            ...{'text-anchor': 'end', 'font-size': NAME},
                            fill: i === row ? query : undefined,
                        }),
                        fitText(piece, names - 6, NAME),
                    ),
            ),
        h(
            'g',
            {transform: `translate(${names} ${LABEL})`},
            h('rect', {width: size.width, height: size.height, ...frame}),
            cellRects(grid, {cell, gap: 0}, scale, theme).map(rect => h('rect', rect)),
        ),
    ];
}

/** @type {import('../blocks.js').Kind} */
const EQUATION = {
    Html({block: {items}, scene, data: {t, theme, width}, on}) {
        const pieces = scene.tokens.map((/** @type {{piece: string}} */ {piece}) => piece);
        const {names, size} = layoutEquation(items, width, pieces, CAPTION);
        return h(
            'div',
            {class: 'equation'},
            items.map((/** @type {string | Matrix} */ item, /** @type {number} */ i) =>
                isMatrix(item)
                    ? h(MatrixOf, {
                          ...{on, theme, t, key: i, matrix: item, size: size(item), names, pieces},
                          onPoint: spot =>
                              on.point(spot && {read: readOf(item, spot, scene.tokens, t)}),
                      })
                    : h('span', {key: i, class: 'operator'}, item),
            ),
        );
    },
    svg({items, pieces = []}, {theme, width: whole}) {
        const {names, size} = layoutEquation(items, whole, pieces);
        let [x, y, tall] = [0, 0, 0];
        const tree = items.map((/** @type {string | Matrix} */ item) => {
            const given = isMatrix(item) ? size(item) : {width: item.length * 8, height: 0};
            const beside = isMatrix(item) && hasNames(item) ? names : 0;
            if (x > 0 && x + beside + given.width > whole + 1) {
                y += LABEL + tall + GAP;
                [x, tall] = [0, 0];
            }
            const place = {transform: `translate(${Math.round(x)} ${Math.round(y)})`};
            x += beside + given.width + GAP;
            tall = Math.max(tall, given.height);
            return h(
                'g',
                place,
                isMatrix(item)
                    ? matrixSvg(item, given, beside, pieces, theme)
                    : h('text', {y: LABEL + 60}, item),
            );
        });
        return {tree, width: whole, height: Math.round(y + LABEL + tall + 16)};
    },
};

/** @param {...(string | Matrix)} items @returns {import('../blocks.js').Block} */
export const equation = (...items) => ({kind: EQUATION, items});

/** A matrix of an equation. @param {string} label @param {ArrayLike<number>} data
 * @param {number} rows @param {number} cols
 * @param {Partial<Matrix> & {transposed?: boolean}} [options] @returns {Matrix} */
export const matrix = (label, data, rows, cols, {transposed, ...options} = {}) => ({
    label,
    grid: gridOf(data, rows, cols, transposed ? {rowStep: 1, colStep: rows} : {}),
    scale: options.scale ?? scaleOf(data),
    ...options,
});
