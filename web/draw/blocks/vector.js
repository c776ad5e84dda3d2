/* vector - a block: one vector with its name. A short one as cells with their numbers, a long one as
 * a strip; on the page it is folded into as many lines as it takes to see a cell, with the numbers
 * below on request.
 */
import {h} from 'preact';
import {Cells} from '../marks/cells.js';
import {colourer, scaleOf, signed} from '../chart.js';
import {Folded} from '../folded.js';
import {middleAt} from '../label.js';
import {Legend} from '../legend.js';
import {cellRects, gridOf} from '../marks/matrix.js';
import {nameOf, plainName} from '../names.js';

/**
 * @import {Tree} from '../blocks.js'
 * @typedef {{on: any, theme: string, width: number, t: any, name: Tree,
 *   values: ArrayLike<number>, scale: import('../chart.js').Scale, part?: number[] | null,
 *   onPoint?: (index: number | null) => void}} Props   part: [from, to) that is outlined
 */

const SHORT = 64;
const LEAST_CELL = 3;
const LINE = 22;

/** How a long vector is folded: lines, cells a line, width of a cell. @param {number} length
 * @param {number} width */
export function fold(length, width) {
    let lines = 1;
    while (width / Math.ceil(length / lines) < LEAST_CELL && lines < length) lines++;
    const perLine = Math.ceil(length / lines);
    return {lines, perLine, cell: Math.min(14, width / perLine)};
}

/** @param {Pick<Props, 'values' | 'scale' | 'theme' | 'onPoint'>} props */
function NumberCells({values, scale, theme, onPoint}) {
    const colourOf = colourer(scale, theme);
    return h(
        'div',
        {class: 'number-cells', onPointerLeave: () => onPoint?.(null)},
        Array.from(values, (value, i) =>
            h(
                'span',
                {key: i, onPointerEnter: () => onPoint?.(i)},
                h('small', null, i),
                h('i', {style: {background: colourOf(value)}}),
                signed(value, 3),
            ),
        ),
    );
}

/** @param {Props & {part: number[]}} props @param {ReturnType<typeof fold>} folded */
const outlines = ({part: [from, to]}, {lines, perLine, cell}) =>
    Array.from({length: lines}, (_, line) => {
        const [left, right] = [
            Math.max(from - line * perLine, 0),
            Math.min(to - line * perLine, perLine),
        ];
        return (
            left < right &&
            h('i', {
                key: line,
                class: 'part',
                style: {
                    left: `${left * cell}px`,
                    top: `${line * LINE}px`,
                    width: `${(right - left) * cell}px`,
                    height: `${LINE}px`,
                },
            })
        );
    });

/** @param {Props} props */
function Strip(props) {
    const {on, theme, width, t, values, scale, part, onPoint} = props;
    const folded = fold(values.length, width);
    const {lines, perLine, cell} = folded;
    const point = (/** @type {{row: number, col: number} | null} */ spot) => {
        const index = spot ? spot.row * perLine + spot.col : -1;
        onPoint?.(index >= 0 && index < values.length ? index : null);
    };
    return [
        h(
            'div',
            {key: 'strip', class: 'strip'},
            h(Cells, {
                on,
                theme,
                grid: gridOf(values, lines, perLine),
                scale,
                cell: {width: cell, height: LINE},
                gap: 4,
                onPoint: point,
            }),
            part && outlines({...props, part}, folded),
        ),
        h(Folded, {
            key: 'numbers',
            label: t.inside.numbersOf(values.length),
            inside: () => h(NumberCells, {values, scale, theme, onPoint}),
        }),
    ];
}

/** @param {Props} props */
function Vector(props) {
    const {name, values} = props;
    return h(
        'div',
        {class: 'vector'},
        h(
            'p',
            {class: 'vector-name'},
            h('span', null, name),
            h('span', {class: 'shape'}, `[${values.length}]`),
            h(Legend, {scale: props.scale, theme: props.theme, brief: true}),
        ),
        values.length > SHORT ? h(Strip, props) : h(NumberCells, props),
    );
}

const LABEL = 22;
const PER_LINE = 16; // numbers of a short vector in a line of a file

/** @type {import('../blocks.js').Kind} */
const VECTOR = {
    Html({block, data: {t, theme, width}, on}) {
        const {label, values} = block;
        const read = (/** @type {number} */ i) => [
            nameOf(label),
            ' ',
            `[${i}]: `,
            h('b', null, signed(values[i], 4)),
        ];
        return h(Vector, {
            ...{on, theme, t, width, values},
            name: nameOf(label),
            scale: block.scale,
            part: block.part,
            onPoint: i => on.point(i === null ? null : {read: read(i)}),
        });
    },
    svg({label, values, scale}, {theme, width}) {
        const short = values.length <= SHORT;
        const perLine = short ? PER_LINE : values.length;
        const lines = Math.ceil(values.length / perLine);
        const cell = {width: width / perLine, height: short ? 2 * LINE : LINE};
        const numbers = short
            ? Array.from(values, (value, i) =>
                  middleAt(
                      ((i % perLine) + 0.5) * cell.width,
                      LABEL + Math.floor(i / perLine) * cell.height + 36,
                      signed(value, 3),
                      {'font-size': 12},
                  ),
              )
            : [];
        const grid = gridOf(values, lines, perLine);
        const rects = cellRects(grid, {cell, gap: 4}, scale, theme)
            .filter(({fill}) => fill !== 'transparent')
            .map(rect => h('rect', {...rect, height: short ? 18 : rect.height}));
        return {
            width,
            height: LABEL + lines * cell.height + 12,
            tree: h(
                'g',
                null,
                h('text', {y: 14}, `${plainName(label)} [${values.length}]`),
                h('g', {transform: `translate(0 ${LABEL})`}, rects),
                numbers,
            ),
        };
    },
};

/** @param {string} label its name, 'W_Q x' for W with Q below @param {Float32Array} values
 * @param {{scale?: import('../chart.js').Scale, part?: number[] | null}} [more] part: [from, to) that
 *     is outlined @returns {import('../blocks.js').Block} */
export const vector = (label, values, {scale = scaleOf(values), part} = {}) => ({
    kind: VECTOR,
    label,
    values,
    scale,
    part,
});
