/* svg - the change view as one static picture: the small pictures of all heads, and below them the
 * map of the chosen one. Same geometry as the page; colours are written out, since a saved file has
 * no style sheet.
 */
import {h} from 'preact';
import {signedColour, signedInk} from '../../draw/signed.js';
import {layoutGrid, short, thumbnails} from './grid.js';
import {layoutMap, namesNow} from './map.js';
import {chosenHead, mapOf, shifts} from './numbers.js';

/** @typedef {import('../../draw/signed.js').Matrix} Matrix */

const PAPER = {
    light: {ink: '#1d1f24', page: '#ffffff', hair: '#dfe2e7'},
    dark: {ink: '#e6e7ea', page: '#15171c', hair: '#333842'},
};
const FAINTEST = 1 / 64;
const [TITLE, GAP] = [24, 28];

const rounded = (/** @type {number} */ value) => Math.round(value * 100) / 100;

/** @param {Matrix} matrix @param {string} theme */
function squares({data, cols, x, y, cell, most}, theme) {
    return [...data].flatMap((value, i) => {
        const ink = signedInk(value, most);
        return ink < FAINTEST
            ? []
            : [
                  h('rect', {
                      x: rounded(x + (i % cols) * cell),
                      y: rounded(y + Math.floor(i / cols) * cell),
                      width: rounded(cell),
                      height: rounded(cell),
                      fill: signedColour(value, theme),
                      'fill-opacity': rounded(ink),
                  }),
              ];
    });
}

/** @param {ReturnType<typeof shifts>} all @param {ReturnType<typeof layoutGrid>} layout
 * @param {{theme: string, hair: string}} look */
const pictures = (all, layout, {theme, hair}) =>
    thumbnails(all, layout).map((matrix, i) =>
        h(
            'g',
            null,
            h('rect', {
                x: matrix.x,
                y: matrix.y,
                width: layout.picture,
                height: layout.picture,
                fill: 'none',
                stroke: hair,
            }),
            squares(matrix, theme),
            h(
                'text',
                {
                    x: matrix.x + layout.picture / 2,
                    y: matrix.y + layout.picture + 12,
                    'text-anchor': 'middle',
                },
                short(all.moved[i]),
            ),
        ),
    );

/** @param {string[]} names @param {ReturnType<typeof layoutMap>} layout */
const labels = (names, {box, cell, every}) =>
    names.flatMap((name, i) =>
        i % every
            ? []
            : [
                  h(
                      'text',
                      {x: box - 6, y: rounded(box + (i + 0.5) * cell + 4), 'text-anchor': 'end'},
                      name,
                  ),
                  h(
                      'text',
                      {
                          transform: `translate(${rounded(box + (i + 0.5) * cell + 4)} ${box - 6}) rotate(-90)`,
                      },
                      name,
                  ),
              ],
    );

/** @type {import('../view.js').View['svg']} */
export function changeSvg(state, data, {width: wished, theme}, t) {
    const chosen = chosenHead(state, data.model);
    const [all, map, names] = [shifts(data), mapOf(data, chosen), namesNow(state, data)];
    const [grid, plot] = [layoutGrid(data.model, wished), layoutMap(names, wished)];
    const paper = theme === 'dark' ? PAPER.dark : PAPER.light;
    const width = Math.max(grid.width, plot.box + plot.side) + 8;
    const below = TITLE + grid.height + GAP;
    const height = below + TITLE + plot.box + plot.side + 8;
    const matrix = {
        data: map.difference,
        rows: map.T,
        cols: map.T,
        x: plot.box,
        y: plot.box,
        cell: plot.cell,
        most: map.most,
    };
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${width} ${height}`,
            width,
            height,
            role: 'img',
            'font-family': 'system-ui, sans-serif',
            'font-size': 11,
            fill: paper.ink,
        },
        h('title', null, t.change.grid),
        h('rect', {width, height, fill: paper.page}),
        h(
            'text',
            {x: 4, y: 16, 'font-size': 13},
            `${t.change.grid}; ${t.change.gridHint(all.most.toFixed(2))}`,
        ),
        h(
            'g',
            {transform: `translate(0 ${TITLE})`},
            pictures(all, grid, {theme, hair: paper.hair}),
        ),
        h(
            'g',
            {transform: `translate(0 ${below})`},
            h(
                'text',
                {x: 4, y: 16, 'font-size': 13},
                `${t.change.mapTitle(chosen.layer, chosen.head)}; ${t.change.mapHint(map.most.toFixed(3))}`,
            ),
            h(
                'g',
                {transform: `translate(0 ${TITLE})`},
                h('g', {'font-size': 12}, labels(names, plot)),
                h('rect', {
                    x: plot.box,
                    y: plot.box,
                    width: plot.side,
                    height: plot.side,
                    fill: 'none',
                    stroke: paper.hair,
                }),
                squares(matrix, theme),
            ),
        ),
    );
}
