/* svg - the present step as one static picture: its vectors, rows and matrices below each other,
 * as the page shows them, with all numbers of short vectors.
 */
import {h} from 'preact';
import {signed} from '../../draw/chart.js';
import {cellRects, gridOf, pool} from '../../draw/matrix.js';
import {sideOf} from '../parts/matrix.js';
import {paperOf, rowsSvg} from '../parts/rows_svg.js';
import {stepOf, STEPS, stepsScene} from './scene.js';
import {partsOf} from './stages.js';
import {stepCaption} from './table.js';

/**
 * @typedef {import('../view.js').Tree} Tree
 * @typedef {import('./stages.js').Part} Part
 * @typedef {{tree: Tree, height: number}} Drawn
 */

const WIDTH = 960;
const LABEL = 22;
const LINE = 22;
const SIDE = 200;
const PER_LINE = 16; // numbers of a short vector in a line
const LONG = 64;

const plain = (/** @type {string} */ label) => label.replaceAll('_', '');

/** @param {import('./stages.js').VectorPart} part @param {string} theme @returns {Drawn} */
function vector({label, values, scale}, theme) {
    const short = values.length <= LONG;
    const perLine = short ? PER_LINE : values.length;
    const lines = Math.ceil(values.length / perLine);
    const cell = {width: WIDTH / perLine, height: short ? 2 * LINE : LINE};
    const numbers = short
        ? Array.from(values, (value, i) =>
              h(
                  'text',
                  {
                      x: ((i % perLine) + 0.5) * cell.width,
                      y: LABEL + Math.floor(i / perLine) * cell.height + 36,
                      'text-anchor': 'middle',
                      'font-size': 12,
                  },
                  signed(value, 3),
              ),
          )
        : [];
    const grid = gridOf(values, lines, perLine);
    const rects = cellRects(grid, {cell, gap: 4}, scale, theme)
        .filter(({fill}) => fill !== 'transparent')
        .map(rect => h('rect', {...rect, height: short ? 18 : rect.height}));
    return {
        height: LABEL + lines * cell.height + 12,
        tree: h(
            'g',
            null,
            h('text', {y: 14}, `${plain(label)} [${values.length}]`),
            h('g', {transform: `translate(0 ${LABEL})`}, rects),
            numbers,
        ),
    };
}

/** @param {import('./stages.js').EquationPart} part @param {string} theme @returns {Drawn} */
function equation({items}, theme) {
    let x = 0;
    let height = 0;
    const tree = items.map(item => {
        const at = x;
        if (typeof item === 'string') {
            x += 14 + item.length * 8;
            return h('text', {x: at, y: LABEL + 60}, item);
        }
        const {grid} = pool(item.grid, SIDE, SIDE);
        const [width, tall] = [sideOf(item.grid.cols, SIDE), sideOf(item.grid.rows, SIDE)];
        x += width + 14;
        height = Math.max(height, tall);
        const cell = {width: width / grid.cols, height: tall / grid.rows};
        return h(
            'g',
            {transform: `translate(${at} 0)`},
            h('text', {y: 14}, `${plain(item.label)} [${item.grid.rows} × ${item.grid.cols}]`),
            h(
                'g',
                {transform: `translate(0 ${LABEL})`},
                h('rect', {
                    width,
                    height: tall,
                    fill: 'none',
                    stroke: paperOf(theme).soft,
                    'stroke-width': 0.5,
                }),
                cellRects(grid, {cell, gap: 0}, item.scale, theme).map(rect => h('rect', rect)),
            ),
        );
    });
    return {tree, height: LABEL + height + 16};
}

/** @param {Part} part @param {string} theme @returns {Drawn} */
function draw(part, theme) {
    switch (part.kind) {
        case 'vector':
            return vector(part, theme);
        case 'rows':
            return rowsSvg(part.columns, part.titles, WIDTH, theme);
        case 'equation':
            return equation(part, theme);
        default:
            return {tree: h('text', {y: 14}, part.text), height: 26};
    }
}

/** @type {import('../view.js').View['svg']} */
export function stepsSvg(state, data, {theme}, t) {
    const scene = stepsScene(state, data);
    const drawn = partsOf(STEPS[stepOf(state)], state.form, scene, t).map(part =>
        draw(part, theme),
    );
    const height = drawn.reduce((sum, part) => sum + part.height, 36);
    const paper = paperOf(theme);
    let y = 36;
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${WIDTH} ${height}`,
            width: WIDTH,
            height,
            role: 'img',
            'font-family': 'system-ui, sans-serif',
            'font-size': 13,
            fill: paper.ink,
        },
        h('rect', {width: WIDTH, height, fill: paper.page}),
        h('text', {y: 18, 'font-size': 15}, stepCaption(state, scene, t)),
        drawn.map(part => {
            const at = y;
            y += part.height;
            return h('g', {transform: `translate(0 ${at})`}, part.tree);
        }),
    );
}
