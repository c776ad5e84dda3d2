/* grid - every head of every layer as a small signed picture of what has changed in it, with the
 * share of attention that has moved, as a plot: the pictures, and over them the heads, which on the
 * page are buttons. A press shows the head large, or switches it off; arrow keys walk.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {walkGrid} from '../../draw/grid.js';
import {plot} from '../../draw/plot.js';
import {paperOf} from '../../draw/paper.js';
import {matrices} from '../../draw/marks/signed.js';
import {THUMB} from './numbers.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {ReturnType<typeof layoutGrid>} Layout
 * @typedef {{mark: {scene: Scene, layout: Layout, name: string}} & import('../../draw/blocks.js').Props}
 *     MarkProps
 */

const GUTTER = 26; // for the numbers of the layers, and above for those of the heads
const HEAD_ROW = 20;
const NUMBER = 16;
const HATCH = 6; // px between the lines over a head that is off
const [LEAST, MOST] = [28, 68];

/** @param {{layers: number, heads: number}} model @param {number} width */
export function layoutGrid({layers, heads}, width) {
    const cell = Math.max(LEAST, Math.min(MOST, Math.floor((width - GUTTER) / heads)));
    const picture = cell - 4;
    const row = picture + NUMBER + 4;
    return {
        cell,
        picture,
        row,
        width: GUTTER + heads * cell,
        height: HEAD_ROW + layers * row,
        left: (/** @type {number} */ head) => GUTTER + head * cell + 2,
        top: (/** @type {number} */ layer) => HEAD_ROW + layer * row + 2,
    };
}

/** A share as it fits into a small cell. @param {number} value 0 to 1 */
export const short = value =>
    value >= 0.995 ? '1' : value < 0.005 ? (value > 0 ? '<.01' : '0') : value.toFixed(2).slice(1);

/** The small pictures; none when nothing has changed. @param {Scene['shifts']} all
 * @param {Layout} layout */
const thumbnails = ({pictures, most, layers, heads}, layout) =>
    Array.from({length: most > 0 ? layers * heads : 0}, (_, i) => ({
        data: pictures.subarray(i * THUMB * THUMB, (i + 1) * THUMB * THUMB),
        rows: THUMB,
        cols: THUMB,
        x: layout.left(i % heads),
        y: layout.top(Math.floor(i / heads)),
        cell: layout.picture / THUMB,
        most,
    }));

/** What is said and shown of each head. @param {Scene} scene @param {Layout} layout */
const headsOf = ({shifts: {moved, heads}, off, chosen}, layout) =>
    Array.from(moved, (share, index) => {
        const [layer, head] = [Math.floor(index / heads), index % heads];
        return {
            ...{index, layer, head, x: layout.left(head), y: layout.top(layer)},
            moved: short(share),
            isOff: off.includes(`${layer}.${head}`),
            isChosen: layer === chosen.layer && head === chosen.head,
        };
    });

/** The numbers of heads and layers, with the middles of where they stand. @param {Scene} scene
 * @param {Layout} layout */
const axesOf = ({shifts: {layers, heads}, count}, {left, top, picture}) => [
    ...Array.from({length: heads}, (_, head) => ({
        ...{x: left(head) + picture / 2, y: HEAD_ROW / 2, text: count(head)},
    })),
    ...Array.from({length: layers}, (_, layer) => ({
        ...{x: GUTTER / 2, y: top(layer) + picture / 2, text: count(layer)},
    })),
];

/** Shows a head, or switches it off or on. @param {MarkProps} props @param {string} place */
function press({state: {off}, look: {local}, on}, place) {
    const [layer, head] = place.split('.').map(Number);
    if (local.press === 'show') on.set({layer, heads: [head]});
    else {
        const others = off.filter((/** @type {string} */ one) => one !== place);
        on.set({off: others.length < off.length ? others : [...off, place]});
    }
}

/** @param {{one: ReturnType<typeof headsOf>[number], props: MarkProps}} all */
function Cell({one: {index, layer, head, moved, isOff, isChosen}, props}) {
    const {
        data: {t},
        mark: {scene, layout},
    } = props;
    const name = scene.of({layer, head}, (a, b) => t.change.cell(a, b, moved, isOff));
    return buttonOf(
        isOff ? 'shift-cell off' : 'shift-cell',
        {
            'data-cell': `${layer}.${head}`,
            'data-side': 'head',
            'data-index': index,
            'data-card': `${layer}.${head}`,
            'aria-pressed': isChosen,
            tabIndex: isChosen ? 0 : -1,
            'aria-label': name,
            title: name,
            onClick(/** @type {MouseEvent} */ event) {
                event.stopPropagation();
                press(props, `${layer}.${head}`);
            },
            style: {
                left: `${layout.left(head) - 2}px`,
                top: `${layout.top(layer) - 2}px`,
                width: `${layout.cell}px`,
                height: `${layout.row}px`,
            },
        },
        h('span', {class: 'number'}, moved),
    );
}

/** @param {MarkProps} props */
const Heads = props => [
    h(
        'div',
        {key: 'axes', 'aria-hidden': true},
        axesOf(props.mark.scene, props.mark.layout).map(({x, y, text}, i) =>
            h('span', {key: i, class: 'axis-number', style: {left: `${x}px`, top: `${y}px`}}, text),
        ),
    ),
    h(
        'div',
        {
            key: 'heads',
            ...{role: 'group', 'aria-label': props.mark.name},
            onKeyDown: (/** @type {KeyboardEvent} */ event) =>
                walkGrid(event, props.mark.scene.shifts.heads),
        },
        headsOf(props.mark.scene, props.mark.layout).map(one =>
            h(Cell, {key: one.index, one, props}),
        ),
    ),
];

/** Lines over a head that is off. @param {number} x @param {number} y @param {number} side */
function hatching(x, y, side) {
    const path = [];
    for (let sum = HATCH; sum < 2 * side; sum += HATCH) {
        const [a, b] = [Math.max(0, sum - side), Math.min(side, sum)];
        path.push(`M${x + b} ${y + a}L${x + a} ${y + b}`);
    }
    return path.join('');
}

/** @type {import('../../draw/plot.js').MarkKind} */
const HEADS = {
    Html: Heads,
    svg({scene, layout}, {theme}) {
        const {ink, hair, soft} = paperOf(theme);
        const side = layout.picture;
        const head = (/** @type {ReturnType<typeof headsOf>[number]} */ one) => {
            const {x, y, moved, isOff, isChosen} = one;
            const stroke = isChosen ? {stroke: ink, 'stroke-width': 2} : {stroke: hair};
            return [
                h('rect', {...{x, y, width: side, height: side, fill: 'none'}, ...stroke}),
                isOff && h('path', {d: hatching(x, y, side), stroke: soft, 'stroke-width': 0.75}),
                h(
                    'text',
                    {
                        ...{x: x + side / 2, y: y + side + 12},
                        ...(isOff && {'text-decoration': 'line-through'}),
                    },
                    moved,
                ),
            ];
        };
        return h(
            'g',
            {'text-anchor': 'middle', 'font-size': 11},
            axesOf(scene, layout).map(({x, y, text}) => h('text', {x, y: y + 4, fill: soft}, text)),
            headsOf(scene, layout).map(head),
        );
    },
};

/** The small pictures of all heads. @param {Scene} scene @param {import('../view.js').Drawn} look
 * @param {string} name */
export function gridPlot(scene, {width, theme}, name) {
    const layout = layoutGrid(scene.shifts, width);
    return plot({
        ...{id: 'heads', width: layout.width, height: layout.height, className: 'shift-cells'},
        style: {width: `${layout.width}px`, height: `${layout.height}px`},
        marks: [
            matrices(thumbnails(scene.shifts, layout), theme),
            {kind: HEADS, scene, layout, name},
        ],
    });
}
