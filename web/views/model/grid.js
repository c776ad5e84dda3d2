/* grid - the thumbnails as HTML: one canvas, and over it a grid of buttons with the numbers of
 * layers and heads. A button carries data-side 'head' and data-index layer · H + head; pointing at
 * it and focusing it is the page's affair (ui/figure.js), arrow keys and opening are dealt with
 * here.
 */
import {Component, h} from 'preact';
import {useMemo} from 'preact/hooks';
import {counted} from '../select.js';
import {Legend} from './legend.js';
import {pictureSize} from './numbers.js';
import {thumbPainter} from './paint.js';
import {cornerOf, gridScene, moveOnGrid} from './scene.js';

/**
 * @typedef {import('./scene.js').Scene} Scene
 * @typedef {import('../view.js').Texts} Texts
 * @typedef {{state: import('../view.js').ViewState, data: import('../view.js').ViewData,
 *   on: import('../view.js').On}} Props
 * @typedef {{scene: Scene, stop: number, t: Texts, oneBased: boolean, open: (place: {layer: number,
 *     head: number}) => void
 *   }} CellsProps   stop: the id that Tab reaches
 */

/** @param {number} x @param {number} y @param {number} width @param {number} height */
const box = (x, y, width, height) => ({
    left: `${x}px`,
    top: `${y}px`,
    width: `${width}px`,
    height: `${height}px`,
});

const NUMBER = 20; // height of a number above a column

/** The numbers of the heads above their columns. @param {CellsProps} props */
function Header({scene: {heads, layout, shared}, t, oneBased}) {
    const number = counted({oneBased});
    return h(
        'div',
        {role: 'row'},
        h('span', {role: 'columnheader', class: 'corner'}, t.layer),
        h(
            'span',
            {
                class: 'over',
                'aria-hidden': true,
                style: {left: `${layout.left}px`, width: `${layout.thumb}px`},
            },
            t.modelView.head,
        ),
        heads.map((head, i) =>
            h(
                'span',
                {
                    key: head,
                    role: 'columnheader',
                    class: 'head-number',
                    style: box(
                        layout.left + i * layout.pitch,
                        layout.top - NUMBER,
                        layout.thumb,
                        NUMBER,
                    ),
                },
                h('span', {class: 'hidden'}, `${t.headWord} `),
                number(head),
            ),
        ),
        shared.map(({from, to, key}) =>
            h('span', {
                key: `shared ${key}`,
                class: 'key-bracket',
                title: t.modelView.shareKeys(number(key)),
                style: box(
                    layout.left + from * layout.pitch,
                    layout.top - NUMBER + 1,
                    (to - from) * layout.pitch + layout.thumb,
                    4,
                ),
            }),
        ),
    );
}

/** @param {{cell: import('./numbers.js').Cell, i: number} & CellsProps} props */
function Thumb({cell: {layer, head, id}, i, scene: {layout, order}, stop, t, oneBased, open}) {
    const {x, y} = cornerOf(layout, i);
    const number = counted({oneBased});
    const name = t.modelView.name(number(layer), number(head));
    const caption = order === 'all' ? `${number(layer)}.${number(head)}` : number(head);
    return h(
        'button',
        {
            type: 'button',
            role: 'gridcell',
            class: 'thumb',
            'data-side': 'head',
            'data-index': id,
            'data-place': i,
            tabIndex: id === stop ? 0 : -1,
            'aria-label': order === 'model' ? name : `${caption} (${name})`,
            style: box(x, y, layout.pitch, layout.rowHeight),
            onClick: (/** @type {MouseEvent} */ event) => {
                event.stopPropagation();
                open({layer, head});
            },
        },
        order !== 'model' &&
            h('span', {class: 'caption', style: {width: `${layout.thumb}px`}}, caption),
    );
}

/** Made anew only when the layout or the tab stop changes, not while pointing.
 * @extends {Component<CellsProps>} */
class Cells extends Component {
    /** @param {CellsProps} next */
    shouldComponentUpdate({scene, stop, t, oneBased}) {
        const {props} = this;
        return (
            scene !== props.scene ||
            stop !== props.stop ||
            t !== props.t ||
            oneBased !== props.oneBased
        );
    }

    move = (/** @type {KeyboardEvent & {currentTarget: HTMLElement}} */ event) => {
        const {layout, cells} = this.props.scene;
        const place = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
        if (place === undefined || event.altKey || event.metaKey) return;
        const next = moveOnGrid(
            event.key,
            Number(place),
            layout.columns,
            cells.length,
            event.ctrlKey,
        );
        if (next < 0) return;
        event.preventDefault();
        event.stopPropagation();
        /** @type {HTMLElement | null} */ (
            event.currentTarget.querySelector(`[data-place="${next}"]`)
        )?.focus({focusVisible: true});
    };

    /** @param {CellsProps} props */
    render(props) {
        const {
            scene: {cells, layers, layout, order},
            t,
            oneBased,
        } = props;
        const rows = Array.from({length: layout.rows}, (_, row) =>
            cells.slice(row * layout.columns, (row + 1) * layout.columns),
        );
        return h(
            'div',
            {role: 'grid', 'aria-label': t.modelView.grid, onKeyDown: this.move},
            order === 'model' && h(Header, props),
            rows.map((row, r) =>
                h(
                    'div',
                    {key: r, role: 'row'},
                    order !== 'all' &&
                        h(
                            'span',
                            {
                                role: 'rowheader',
                                class: 'layer-number',
                                style: box(
                                    0,
                                    layout.top + r * layout.rowHeight,
                                    layout.left,
                                    layout.thumb,
                                ),
                            },
                            h('span', {class: 'hidden'}, `${t.layer} `),
                            counted({oneBased})(layers[r]),
                        ),
                    row.map((cell, i) =>
                        h(Thumb, {key: cell.id, ...props, cell, i: r * layout.columns + i}),
                    ),
                ),
            ),
        );
    }
}

/** @param {{scene: Scene, id: number}} props */
function Mark({scene: {cells, layout}, id}) {
    const place = cells.findIndex(cell => cell.id === id);
    if (place < 0) return null;
    const {x, y} = cornerOf(layout, place);
    return h('div', {
        class: 'thumb-mark',
        style: {
            width: `${layout.thumb}px`,
            height: `${layout.thumb}px`,
            transform: `translate(${x}px, ${y}px)`,
        },
    });
}

/** @param {Props} props */
export function Grid({state, data, on}) {
    const {model, pass, tensors, width, theme, t, focus, cursor} = data;
    const {picture} = state;
    const scene = useMemo(
        () => gridScene(state, data, width),
        [
            state.keepLayers,
            state.keepHeads,
            state.measure,
            state.order,
            model,
            pass,
            state.measure && tensors.get('measure.patterns'),
            width,
        ],
    );
    const pictures = tensors.get(`measure.${picture}.${pictureSize(model)}`);
    const base = useMemo(
        () => pictures && thumbPainter(scene, pictures, picture, theme),
        [scene, pictures, picture, theme],
    );
    const {layout, cells} = scene;
    const held =
        cursor?.side === 'head' && cells.some(({id}) => id === cursor.index)
            ? cursor.index
            : cells[0].id;
    const open = (/** @type {{layer: number, head: number}} */ {layer, head}) =>
        on.set({opened: `${layer}.${head}`});
    return h(
        'div',
        {class: 'model-view'},
        h(Legend, {scene, picture, t}),
        h(
            'div',
            {class: 'grid-scroll'},
            h(
                'div',
                {class: 'grid', style: {width: `${layout.width}px`, height: `${layout.height}px`}},
                base &&
                    h(on.Canvas, {width: layout.width, height: layout.height, base, overlay: null}),
                h(Cells, {scene, stop: held, t, oneBased: state.oneBased, open}),
                focus?.side === 'head' && h(Mark, {scene, id: focus.index}),
            ),
        ),
    );
}
