/* headmap - all heads of a model as a map, layers down and heads across, one coloured cell a head:
 * in the page as buttons that arrow keys move between, with the numbers of the one pointed at in a
 * line below (a finger's first tap on a head says them, its second is the press); and the same as a
 * static picture.
 */
import {h} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {scaleColour} from '../../../draw/colour.js';
import {colourer} from '../../../draw/chart.js';
import {walkGrid} from '../../../draw/grid.js';
import {paperOf} from '../../../draw/paper.js';

/**
 * @typedef {import('../study.js').Tree} Tree
 * @typedef {import('../study.js').On} On
 * @typedef {{low: number, high: number, signed?: boolean}} Scale   signed: orange below 0, blue
 *     above, full at ±high
 * @typedef {{values: readonly (number | null)[], scale: Scale, name: string, label?: string, say:
 *     (index: number) => string, format?: (value: number) => string, onPick?: (index: number, on: On)
 *     => void, chosen?: number, rest?: string, inside?: (index: number) => Tree, most?: number}} Given
 *   values: of head layer·heads + head; null: there is no number; label: for screen readers, the name;
 *   say: the numbers of a head in a sentence; rest: the line while none is pointed at; inside: what
 *   stands in a cell; most: px of its width on the page
 * @typedef {Given & {layers: number, heads: number, oneBased: boolean, label: string, t:
 *     import('../study.js').Words}} Props
 */

const [LARGEST, SMALLEST] = [38, 12];
/** Room beside and above the cells: the numbers of layers and heads, and in the corner what they are. */
export const [GUTTER, TOP] = [48, 34];
const [AXIS, LEFT] = [11, GUTTER - 8]; // px of the axes' letters; where they and the layers' numbers end
const BEGIN = 40; // px of a picture, above the map: its name and its scale

/** @param {number} heads @param {number} width */
export const cellSize = (heads, width) =>
    Math.max(SMALLEST, Math.min(LARGEST, Math.floor((width - GUTTER) / heads)));

/** @param {Scale} scale @param {string} theme @returns {(value: number | null) => string} */
function cellColour({low, high, signed}, theme) {
    if (signed) {
        const colourOf = colourer({limit: high}, theme);
        return value => (value === null ? 'transparent' : colourOf(value));
    }
    return value =>
        value === null
            ? 'transparent'
            : scaleColour(
                  Math.min(1, Math.max(0, high > low ? (value - low) / (high - low) : 0)),
                  theme,
              );
}

/** From the least to the greatest number, 0 included when it is near. Full colour is at least `enough`, so that a
 * map on which nothing is found looks like one.
 * @param {readonly (number | null)[]} values @param {number} [enough] @returns {Scale} */
export function fullScale(values, enough = -Infinity) {
    const known = /** @type {number[]} */ (values.filter(value => value !== null));
    if (!known.length) return {low: 0, high: 1};
    const [low, high] = [Math.min(...known), Math.max(enough, ...known)];
    return {low: low > 0 && low < high / 2 ? 0 : low, high: high > low ? high : low + 1};
}

/** The values that a legend shows. @param {Scale} scale */
const endsOf = ({low, high, signed}) => (signed ? [-high, 0, high] : [low, (low + high) / 2, high]);

/** @param {{scale: Scale, theme: string, format: (value: number) => string}} props */
export function MapLegend({scale, theme, format}) {
    const colourOf = cellColour(scale, theme);
    return h(
        'span',
        {class: 'hm-legend'},
        endsOf(scale).map(value =>
            h('span', {key: value}, h('i', {style: {background: colourOf(value)}}), format(value)),
        ),
    );
}

/** What the columns and the rows are. @param {Pick<import('../study.js').Words, 'map'>} t */
const axisNames = ({map}) => [`${map.head} →`, `${map.layer} ↓`];

/** The row of headings: the number of each head.
 * @param {number} heads @param {Props['t']} t @param {(n: number) => number} number */
const headings = (heads, t, number) =>
    h(
        'div',
        {role: 'row'},
        h(
            'span',
            {role: 'columnheader', class: 'hm-corner'},
            h('span', {class: 'hidden'}, t.map.layer),
            axisNames(t).map(name => h('span', {key: name, 'aria-hidden': true}, name)),
        ),
        Array.from({length: heads}, (_, head) =>
            h(
                'span',
                {key: head, role: 'columnheader'},
                h('span', {class: 'hidden'}, `${t.map.head} `),
                number(head),
            ),
        ),
    );

/** The grid around the cells of all heads: a row a layer, headings, arrow keys that move between the
 * cells. leave: pointer or focus is gone.
 * @param {{label: string, t: Props['t'], layers: number, heads: number, size: number,
 *     oneBased: boolean | undefined, leave: () => void,
 *     cell: (index: number) => import('preact').VNode}} props */
export function headGrid({label, t, layers, heads, size, oneBased, leave, cell}) {
    const number = (/** @type {number} */ n) => n + (oneBased ? 1 : 0);
    return h(
        'div',
        {
            class: 'hm-grid',
            role: 'grid',
            'aria-label': label,
            onKeyDown: (/** @type {KeyboardEvent} */ event) => walkGrid(event, heads),
            // a finger that is lifted leaves: what it has tapped is still to be read
            onPointerLeave: ({pointerType}) => pointerType !== 'touch' && leave(),
            onFocusOut: leave,
            style: {
                gridTemplateColumns: `${GUTTER}px repeat(${heads}, ${size}px)`,
                ...{gridAutoRows: `${size}px`, gridTemplateRows: `${TOP}px`},
            },
        },
        headings(heads, t, number),
        Array.from({length: layers}, (_, layer) =>
            h(
                'div',
                {key: layer, role: 'row'},
                h(
                    'span',
                    {role: 'rowheader'},
                    h('span', {class: 'hidden'}, `${t.map.layer} `),
                    number(layer),
                ),
                Array.from({length: heads}, (_, head) => cell(layer * heads + head)),
            ),
        ),
    );
}

const twoDigits = (/** @type {number} */ value) => String(Number(value.toPrecision(2)));

/** What pointer, focus and presses do to the heads of a map; `at`: the one whose numbers are below it.
 * @param {number} chosen @param {(index: number) => void} onPick */
function usePointed(chosen, onPick) {
    const [at, setAt] = useState({index: Math.max(0, chosen), shown: false});
    const isFirst = useRef(false); // tap of a finger on this head
    const show = (/** @type {number} */ index) => setAt({index, shown: true});
    return {
        at,
        leave: () => setAt({index: at.index, shown: false}),
        /** @param {number} index */
        events: index => ({
            onFocus: () => show(index),
            onPointerEnter: (/** @type {PointerEvent} */ {pointerType}) =>
                pointerType !== 'touch' && show(index),
            onPointerDown(/** @type {PointerEvent} */ {pointerType}) {
                isFirst.current = pointerType === 'touch' && !(at.shown && at.index === index);
            },
            onClick() {
                show(index);
                if (!isFirst.current) onPick(index);
            },
        }),
    };
}

/** The cell of a head as a button. @param {Props & {theme: string}} props @param {number} stop that Tab reaches
 * @param {(index: number) => object} events */
function cellOf({values, heads, scale, theme, say, chosen, inside}, stop, events) {
    const colourOf = cellColour(scale, theme);
    return (/** @type {number} */ index) =>
        h(
            'button',
            {
                key: index,
                type: 'button',
                'data-card': `${Math.floor(index / heads)}.${index % heads}`,
                role: 'gridcell',
                'data-head': index,
                class: index === chosen ? 'hm-cell chosen' : 'hm-cell',
                tabIndex: index === stop ? 0 : -1,
                'aria-label': inside ? undefined : say(index),
                style: {background: colourOf(values[index])},
                'data-none': values[index] === null ? '' : undefined,
                ...events(index),
            },
            inside && [
                h('span', {class: 'hidden'}, say(index)),
                h('span', {'aria-hidden': true}, inside(index)),
            ],
        );
}

/** @param {{block: Props & {most: number}, look: import('../../../draw/blocks.js').Look, on: any}} props */
function HeadMap({block, look: {theme, width}, on}) {
    const {values, layers, heads, scale, name, label, t, say, oneBased, rest} = block;
    const {chosen = -1, format = twoDigits} = block;
    const {at, leave, events} = usePointed(chosen, index => block.onPick?.(index, on));
    const size = cellSize(heads, Math.min(width, block.most));
    const stop = Math.min(at.index, values.length - 1);
    const cell = cellOf({...block, theme, chosen}, stop, events);
    return h(
        'figure',
        {class: 'hm'},
        h(
            'figcaption',
            null,
            h('span', {class: 'hm-name'}, name),
            h(MapLegend, {scale, theme, format}),
        ),
        h(
            'div',
            {class: 'hm-scroll'},
            headGrid({label, t, layers, heads, size, oneBased, leave, cell}),
        ),
        h('p', {class: 'hm-say', 'aria-hidden': true}, at.shown ? say(stop) : (rest ?? t.map.rest)),
    );
}

/** @typedef {Props & {theme: string, width: number}} Pictured */

/** What the colours mean. @param {Pictured} props */
function scaleSvg({scale, theme, format = twoDigits}) {
    const colourOf = cellColour(scale, theme);
    const {soft} = paperOf(theme);
    return endsOf(scale).map((value, i) =>
        h(
            'g',
            {transform: `translate(${i * 78} 22)`},
            h('rect', {
                width: 12,
                height: 12,
                fill: colourOf(value),
                stroke: soft,
                'stroke-opacity': 0.4,
                'stroke-width': 0.5,
            }),
            h('text', {x: 17, y: 10, fill: soft}, format(value)),
        ),
    );
}

/** @param {Pictured} props @param {number} size of a cell */
function cellsSvg({values, heads, scale, theme}, size) {
    const colourOf = cellColour(scale, theme);
    const {soft} = paperOf(theme);
    return values.map((value, i) =>
        h('rect', {
            x: GUTTER + (i % heads) * size,
            y: TOP + Math.floor(i / heads) * size,
            width: size - 1,
            height: size - 1,
            fill: colourOf(value),
            stroke: scale.signed || value === null ? soft : undefined,
            'stroke-opacity': 0.4,
            'stroke-width': 0.5,
        }),
    );
}

/** The names of the axes and the numbers of layers and heads, of a map whose cells begin at GUTTER, TOP.
 * @param {{layers: number, heads: number, theme: string, oneBased?: boolean, t: import('../study.js').Words}} props
 * @param {number} size of a cell */
export function axesSvg({layers, heads, theme, oneBased = false, t}, size) {
    const number = (/** @type {number} */ n) => n + (oneBased ? 1 : 0);
    return h(
        'g',
        {fill: paperOf(theme).soft},
        axisNames(t).map((name, i) =>
            h(
                'text',
                {x: LEFT, y: i ? TOP - 6 : AXIS, 'text-anchor': 'end', 'font-size': AXIS},
                name,
            ),
        ),
        Array.from({length: heads}, (_, head) =>
            h(
                'text',
                {x: GUTTER + (head + 0.5) * size, y: TOP - 6, 'text-anchor': 'middle'},
                number(head),
            ),
        ),
        Array.from({length: layers}, (_, layer) =>
            h(
                'text',
                {x: LEFT, y: TOP + (layer + 0.5) * size + 4, 'text-anchor': 'end'},
                number(layer),
            ),
        ),
    );
}

/** In a file. @param {Pictured} props @returns {import('../../../draw/blocks.js').Drawn} */
function drawn(props) {
    const {layers, heads, name} = props;
    const size = cellSize(heads, props.width);
    const tree = h(
        'g',
        {'font-size': 12},
        h('text', {x: 0, y: 14, 'font-size': 13}, name),
        scaleSvg(props),
        h('g', {transform: `translate(0 ${BEGIN})`}, axesSvg(props, size), cellsSvg(props, size)),
    );
    return {tree, width: props.width, height: BEGIN + TOP + layers * size + 12};
}

/** @type {import('../../../draw/blocks.js').Kind} */
const HEAD_MAP = {Html: HeadMap, svg: (block, {theme, width}) => drawn({...block, theme, width})};

/** All heads as a map. @param {Pick<import('./sheet.js').Common, 'layers' | 'heads' | 'oneBased'>} scene
 * @param {Given} given @param {Props['t']} t @returns {import('../../../draw/blocks.js').Block} */
export const headMap = ({layers, heads, oneBased}, given, t) => ({
    kind: HEAD_MAP,
    ...{layers, heads, oneBased, t, label: given.name, most: Infinity},
    ...given,
});
