/* view - a view as the page uses it: its description (views/view.js), drawn on the page by Picture
 * (blocks.js) and for files here. The SVG of the head view's marks stands here and not beside how
 * they are painted, because <head-light> carries those (0.5 kB); all other kinds bring their own.
 */
import {h} from 'preact';
import {linkPath, LINES} from './marks/arcs.js';
import {blocksOf, ofFiles, Picture} from './blocks.js';
import {COLUMN, maskLabel} from './marks/column.js';
import {ownWay} from './graphemes.js';
import {ALONE, paperOf} from './paper.js';
import {widthOf} from './scale.js';
import {STRIPS} from './marks/strips.js';
import {fitPiece, fitText, rowMiddle} from './tokens.js';

/**
 * @import {Drawing, Pointed} from './blocks.js'
 * @import {Label} from './marks/column.js'
 * @import {Strip} from './marks/strips.js'
 */

const MASK_ROOM = 62;
const rounded = (/** @type {number} */ value) => Math.round(value * 1000) / 1000;

/** @param {import('./plot.js').Mark} mark */
const linesSvg = ({list, frame, colourOf}) =>
    h(
        'g',
        {fill: 'none'},
        Array.from({length: list.count}, (_, i) =>
            h('path', {
                d: linkPath(list, i, frame),
                stroke: colourOf(list.head[i]),
                'stroke-width': Math.round(100 * widthOf(list.opacity[i])) / 100,
                'stroke-opacity': rounded(list.opacity[i]),
            }),
        ),
    );

/** @param {import('./plot.js').Mark} mark */
const stripsSvg = ({list, colourOf, inset}) =>
    h(
        'g',
        null,
        list.map((/** @type {Strip} */ strip) =>
            h('rect', {
                x: rounded(strip.x),
                y: strip.y + inset,
                width: rounded(strip.width),
                height: strip.height - 2 * inset,
                fill: colourOf(strip.head),
                'fill-opacity': rounded(strip.opacity),
            }),
        ),
    );

/** The text of a row: one that is masked stands struck through before what replaces it.
 * @param {Label} label @param {number} box */
const textOf = ({piece, masked}, box) =>
    masked
        ? [
              h('tspan', {'text-decoration': 'line-through'}, fitPiece(piece, box - MASK_ROOM)),
              ' ',
              h('tspan', null, maskLabel(masked)),
          ]
        : [fitPiece(piece, box), h('title', null, piece)];

/** @param {import('./plot.js').Mark} mark */
function columnSvg({labels, x, box, side}) {
    const anchor = side === 'query' ? 'end' : 'start';
    return h(
        'g',
        null,
        labels.map((/** @type {Label} */ label, /** @type {number} */ row) => {
            const {piece, word} = label;
            const at = (/** @type {number} */ below) =>
                ownWay(piece, {x, y: rowMiddle(row) + below, 'text-anchor': anchor});
            return [
                h('text', at(word ? 0 : 5), textOf(label, box)),
                word && h('text', {...at(11), 'font-size': 11}, fitText(word.piece, box - 16, 11)),
            ];
        }),
    );
}

/** @type {Map<import('./plot.js').MarkKind, (mark: import('./plot.js').Mark) => any>} */
const MARKS = new Map(
    /** @type {any} */ ([
        [LINES, linesSvg],
        [STRIPS, stripsSvg],
        [COLUMN, columnSvg],
    ]),
);

/** @param {import('./plot.js').Mark} mark @param {import('./blocks.js').Look} look */
const markSvg = (mark, look) => (mark.kind.svg ?? MARKS.get(mark.kind))?.(mark, look);

/** What a view draws for a file, before it has a frame.
 * @typedef {{view: Drawing, scene: any, state: any, data: any, look: import('./blocks.js').Look, t: any, blocks:
 *     import('./blocks.js').Block[], drawn: import('./blocks.js').Drawn[], title: string}} Parts   blocks: those of files,
 *       and what became of each; title: what is shown, in words, '' where a block says so
 * @typedef {{width: number, theme: string, focus: Pointed['focus'], frame?: (parts: Parts) => any}} Wished   frame: makes
 *     the file of its parts (save/sheet.js has one with title and legend); without one the bare picture
 */

/** Blocks one below the other. @param {import('./blocks.js').Drawn[]} drawn */
export function stacked(drawn) {
    let y = 0;
    return drawn.map(block => {
        const at = y;
        y += block.height;
        return at ? h('g', {transform: `translate(0 ${at})`}, block.tree) : block.tree;
    });
}

/** Width and height of what is stacked. @param {import('./blocks.js').Drawn[]} drawn */
export const sizeOf = drawn => ({
    width: Math.max(...drawn.map(block => block.width)),
    height: drawn.reduce((sum, block) => sum + block.height, 0),
});

/** The picture alone, as pages take it in. @param {Parts} parts */
export function bare({view, look, drawn, title}) {
    const size = sizeOf(drawn);
    const paper = paperOf(look.theme);
    return h(
        'svg',
        {
            xmlns: 'http://www.w3.org/2000/svg',
            viewBox: `0 0 ${size.width} ${size.height}`,
            ...size,
            role: 'img',
            ...ALONE,
            'font-family': 'system-ui, sans-serif',
            'font-size': view.sheet?.font,
            fill: paper.ink,
        },
        title && h('title', null, title),
        h('rect', {...size, fill: paper.page}),
        stacked(drawn),
    );
}

/** The same as one static picture; colours are written out, since a saved file has no style sheet.
 * @param {Drawing} view @param {any} state @param {any} data @param {Wished} wished @param {any} t */
export function pictureSvg(view, state, data, {width: available, theme, focus, frame = bare}, t) {
    const {sheet = {}, local} = view;
    const scene = view.scene(state, data);
    const at = view.at?.(scene, focus);
    const look = {width: sheet.width ?? available, theme, file: true, svg: markSvg, at, local};
    const {picked, side} = state;
    const over = view.over?.(scene, {focus, picked, side, peek: -1, local}, look, t);
    const blocks = blocksOf(view, scene, look, t).flatMap(ofFiles);
    const drawn = blocks.map(block =>
        /** @type {any} */ (block.kind.svg)(block, look, over?.[block.id ?? '']),
    );
    const title = sheet.title?.(scene, look, t) ?? '';
    return frame({view, scene, state, data, look, t, blocks, drawn, title});
}

/** A view as the page uses it: its description, and what follows from it.
 * @template {Drawing & {rows: (scene: any, t: any) => any, say: (scene: any, t: any) => string}} V
 * @param {V} view */
export const drawnView = view => ({
    ...view,
    render: (/** @type {any} */ state, /** @type {any} */ data, /** @type {any} */ on) =>
        h(Picture, {view, state, data, on}),
    svg: (/** @type {[state: any, data: any, wished: Wished, t: any]} */ ...all) =>
        pictureSvg(view, ...all),
    table: (/** @type {any} */ state, /** @type {any} */ data, /** @type {any} */ t) =>
        view.rows(view.scene(state, data), t),
    describe: (/** @type {any} */ state, /** @type {any} */ data, /** @type {any} */ t) =>
        view.say(view.scene(state, data), t),
});
