/* vector - one vector with its name: a short one as cells with their numbers, a long one as a
 * strip, folded into as many lines as it takes to see a cell, with the numbers below on request.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {colourer, signed} from '../../draw/chart.js';
import {gridOf} from '../../draw/matrix.js';
import {Cells} from './cells.js';
import {Legend} from './legend.js';

/**
 * @typedef {import('../view.js').Tree} Tree
 * @typedef {{on: import('../view.js').On, theme: string, width: number, t:
 *     import('../view.js').Texts, name: Tree,
 *   values: ArrayLike<number>, scale: import('../../draw/chart.js').Scale, part?: number[] | null,
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
    const [open, setOpen] = useState(false);
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
        h(
            'details',
            {
                key: 'numbers',
                open,
                onToggle: (/** @type {{currentTarget: any}} */ event) =>
                    setOpen(event.currentTarget.open),
            },
            h('summary', null, t.inside.numbersOf(values.length)),
            open && h(NumberCells, {values, scale, theme, onPoint}),
        ),
    ];
}

/** @param {Props} props */
export function Vector(props) {
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
