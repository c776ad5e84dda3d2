/* plot - a block of marks that share one area: on the page a canvas, drawn in bands (figure/canvas.js),
 * with elements over it for what can be pressed; in a file one group a mark. What pointing adds
 * (a view's `over`) takes the place of the marks on the canvas; frames are drawn above all.
 *
 * A mark is {kind, …} and its kind {count, paint, svg, Html}: a module of its own, arcs.js, strips.js,
 * column.js … Large lists stay typed arrays; `count` and `paint(context, mark, band, begin, end)`
 * are what a Painter draws in pieces. A mark that can be focused has Html, its elements carry
 * data-side and data-index (shell/spots.js).
 */
import {Component, h} from 'preact';
import {FILES} from './blocks.js';
import {createMemo} from './memo.js';

/**
 * @typedef {{count?: (mark: any) => number, paint?: (context: CanvasRenderingContext2D, mark: any,
 *     band: number[], begin: number, end: number) => void, svg?: (mark: any, look:
 *     import('./blocks.js').Look) => import('./blocks.js').Tree, Html?:
 *     import('preact').ComponentType<any>}} MarkKind
 * @typedef {{kind: MarkKind, [more: string]: any}} Mark
 * @typedef {{marks?: Mark[], frames?: Mark[]}} Over   marks: instead of those on the canvas; frames:
 *     on top of all
 * @typedef {{count: number, paint: (context: CanvasRenderingContext2D, band: number[],
 *   begin: number, end: number) => void}} Painter   paints marks begin..end of count that cross the
 *   band top..bottom; a new object means: draw again
 */

/** The marks of a list one after the other, as one list. @param {Mark[]} marks @returns {Painter} */
function painterOf(marks) {
    const painted = marks.filter(({kind}) => kind.paint);
    const counts = painted.map(mark => mark.kind.count?.(mark) ?? 1);
    return {
        count: counts.reduce((sum, count) => sum + count, 0),
        paint(context, band, begin, end) {
            let first = 0;
            painted.forEach((mark, i) => {
                const [from, to] = [Math.max(0, begin - first), Math.min(counts[i], end - first)];
                if (from < to) mark.kind.paint?.(context, mark, band, from, to);
                first += counts[i];
            });
        },
    };
}

/** @extends {Component<any>} */
class Plot extends Component {
    memo = createMemo();

    /** @param {any} props */
    render(props) {
        const {block, over, on} = props;
        const {width, height, marks} = block;
        const base = this.memo('base', [marks], () => painterOf(marks));
        const overlay = this.memo(
            'over',
            [over?.marks],
            () => over?.marks && painterOf(over.marks),
        );
        const elements = (/** @type {Mark[]} */ list) =>
            list.map((mark, i) => mark.kind.Html && h(mark.kind.Html, {...props, key: i, mark}));
        return h(
            'div',
            {class: block.className ?? 'columns', style: block.style ?? {height: `${height}px`}},
            h(on.Canvas, {width, height, base, overlay: overlay ?? null}),
            elements(marks),
            over?.frames && elements(over.frames),
        );
    }
}

/** @param {any} block @param {import('./blocks.js').Look} look @param {Over} [over]
 * @returns {import('./blocks.js').Drawn} */
function plotSvg({width, height, marks}, look, over = {}) {
    const drawn = (/** @type {Mark[]} */ list) => list.map(mark => look.svg(mark, look));
    const still = marks.filter((/** @type {Mark} */ mark) => !over.marks || !mark.kind.paint);
    return {width, height, tree: drawn([...(over.marks ?? []), ...still, ...(over.frames ?? [])])};
}

const PLOT = {Html: Plot, svg: FILES ? plotSvg : undefined};

/** @param {{id: string, width: number, height: number, marks: Mark[], className?: string, style?:
 *     Record<string, any>}} given @returns {import('./blocks.js').Block} */
export const plot = given => ({kind: PLOT, ...given});
