/* cells - a grid of coloured cells on a canvas, with overlays (a framed row, a cross at the cell
 * pointed at, columns struck out); it reports which cell is pointed at. The numbers do not pop up
 * over other cells: the view prints them in its readout, which stays, so nothing must be dismissed
 * or reached.
 */
import {h} from 'preact';
import {useMemo} from 'preact/hooks';
import {colourer} from '../chart.js';
import {paintCells} from './matrix.js';

/**
 * @import {Grid} from './matrix.js'
 * @typedef {{row: number, col: number}} Spot
 * @typedef {{on: {Canvas: import('preact').ComponentType<any>}, grid: Grid, scale: import('../chart.js').Scale, theme: string,
 *   cell: {width: number, height: number}, gap?: number, cursor?: Spot | null, faint?: number,
 *   struck?: readonly number[], framed?: number, onPoint?: (spot: Spot | null) => void, onPick?: (spot: Spot, touch:
 *   boolean) => void}} Props cursor: its row and column are outlined; faint: all rows but this one
 *   are pale; framed: a row that stands out; struck: columns that are set to zero
 */

const PALE = 0.28;

/** @param {Props} props */
function usePainter({grid, scale, theme, cell, gap = 0, faint}) {
    return useMemo(() => {
        const colourOf = colourer(scale, theme);
        /** @type {import('../plot.js').Painter} */
        const painter = {
            count: grid.rows,
            paint(context, band, begin, end) {
                const draw = (/** @type {number} */ from, /** @type {number} */ to) =>
                    paintCells(
                        context,
                        grid,
                        {cell, gap},
                        colourOf,
                        band,
                        Math.max(begin, from),
                        Math.min(end, to),
                    );
                if (faint === undefined) return draw(begin, end);
                context.globalAlpha = PALE;
                draw(begin, faint);
                draw(faint + 1, end);
                context.globalAlpha = 1;
                draw(faint, faint + 1);
            },
        };
        return painter;
    }, [grid, scale.limit, theme, cell.width, cell.height, gap, faint]);
}

/** @param {Props} props @param {PointerEvent | MouseEvent} event @returns {Spot | null} */
function spotOf({grid, cell}, event) {
    const box = /** @type {Element} */ (event.currentTarget).getBoundingClientRect();
    const row = Math.floor((event.clientY - box.top) / cell.height);
    const col = Math.floor((event.clientX - box.left) / cell.width);
    return row >= 0 && row < grid.rows && col >= 0 && col < grid.cols ? {row, col} : null;
}

/** What lies over the cells: columns struck through, the cross of the cell pointed at, a framed row.
 * @param {Pick<Props, 'grid' | 'cell' | 'cursor' | 'struck' | 'framed'>} props */
function marksOver({grid, cell, cursor, struck = [], framed = -1}) {
    const column = (/** @type {string} */ name, /** @type {number} */ col) =>
        col >= 0 &&
        col < grid.cols &&
        h('i', {
            key: `${name}${col}`,
            class: name,
            style: {left: `${col * cell.width}px`, width: `${cell.width}px`},
        });
    const line = (/** @type {string} */ name, /** @type {number} */ row) =>
        row >= 0 &&
        row < grid.rows &&
        h('i', {
            key: name,
            class: `${name} row`,
            style: {top: `${row * cell.height}px`, height: `${cell.height}px`},
        });
    return [
        struck.map(col => column('struck', col)),
        cursor && column('cross', cursor.col),
        cursor && line('cross', cursor.row),
        line('framed', framed),
    ];
}

/** @param {Props} props */
export function Cells(props) {
    const {on, grid, cell, onPoint, onPick} = props;
    const base = usePainter(props);
    const [width, height] = [grid.cols * cell.width, grid.rows * cell.height];
    const point = (/** @type {PointerEvent} */ event) => {
        if (event.pointerType !== 'touch') onPoint?.(spotOf(props, event));
    };
    const pick = (/** @type {MouseEvent} */ event) => {
        const spot = spotOf(props, event);
        if (spot)
            onPick?.(spot, /** @type {Partial<PointerEvent>} */ (event).pointerType === 'touch');
    };
    return h(
        'div',
        {
            class: onPick ? 'cells pickable' : 'cells',
            style: {width: `${width}px`, height: `${height}px`},
            onPointerMove: point,
            onPointerLeave: () => onPoint?.(null),
            onClick: onPick && pick,
        },
        h(on.Canvas, {width, height, base, overlay: null}),
        marksOver(props),
    );
}
