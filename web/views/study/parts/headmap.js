/* headmap - all heads of a model as a map, layers down and heads across, a cell a head, coloured by its
 * number or with a mark that is painted in it: in the page as buttons that arrow keys move between, with the numbers of the one pointed at in a
 * line below (a finger's first tap on a head says them, its second is the press); and the same as a
 * static picture.
 */
import {h} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {buttonOf} from '../../../draw/button.js';
import {scaleColour} from '../../../draw/colour.js';
import {colourer} from '../../../draw/chart.js';
import {walkGrid} from '../../../draw/grid.js';
import {endAt, middleAt} from '../../../draw/label.js';
import {paperOf} from '../../../draw/paper.js';

/**
 * @import {Tree, On} from '../study.js'
 * @typedef {{low: number, high: number, signed?: boolean}} Scale   signed: orange below 0, blue
 *     above, full at ±high
 * @typedef {{class: string, paint: (index: number, radius: number, theme: string) => Tree, title: (index: number) =>
 *     string}} Mark   paint: around 0,0; class: of its cells; title: in a file
 * @typedef {{values?: readonly (number | null)[], scale?: Scale, mark?: Mark, name: string, label?: string, say:
 *     (index: number) => string, format?: (value: number) => string, onPick?: (index: number, on: On)
 *     => void, chosen?: number, rest?: string, inside?: (index: number) => Tree, most?: number, least?: number, atOnce?: boolean, id?: string}} Given
 *   values: of head layer·heads + head; null: there is no number; mark: in their place; label: for screen readers, the
 *   name; say: the numbers of a head in a sentence; rest: the line while none is pointed at; inside: what stands in a cell; most: px of its width on the
 *   page; least: of a cell; atOnce: a finger's first tap is a press; over: {lit}, heads beside which the others are faint
 * @typedef {Given & {layers: number, heads: number, oneBased: boolean, label: string, values: readonly (number | null)[],
 *     t: import('../study.js').Words}} Props
 */

const [LARGEST, SMALLEST] = [38, 12];
/** Room beside and above the cells: the numbers of layers and heads, and in the corner what they are. */
const [GUTTER, TOP] = [48, 34];
const [AXIS, LEFT] = [11, GUTTER - 8]; // px of the axes' letters; where they and the layers' numbers end
const BEGIN = 40; // px of a picture, above the map: its name and its scale

/** @param {Pick<Props, 'heads' | 'least'>} props @param {number} width */
const cellSize = ({heads, least = SMALLEST}, width) =>
    Math.max(least, Math.min(LARGEST, Math.floor((width - GUTTER) / heads)));
/** Of a mark, with some room around it. @param {number} size of its cell */
const radiusOf = size => size / 2 - 2.5;

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
 * cells. @param {Props} props @param {number} size @param {() => void} leave pointer or focus is gone
 * @param {(index: number) => import('preact').VNode} cell */
function headGrid({label, t, layers, heads, oneBased}, size, leave, cell) {
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
 * @param {number} chosen @param {boolean} atOnce @param {(index: number) => void} onPick */
function usePointed(chosen, atOnce, onPick) {
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
                (atOnce || pointerType !== 'touch') && show(index),
            onPointerDown(/** @type {PointerEvent} */ {pointerType}) {
                const said = atOnce || (at.shown && at.index === index);
                isFirst.current = pointerType === 'touch' && !said;
            },
            onClick() {
                show(index);
                if (!isFirst.current) onPick(index);
            },
        }),
    };
}

/** What stands in a cell, other than its colour. @param {Props & {theme: string}} props @param {number} index
 * @param {number} size */
const insideOf = ({mark, inside, theme, say}, index, size) =>
    (mark || inside) && [
        h('span', {class: 'hidden'}, say(index)),
        mark
            ? h(
                  'svg',
                  {viewBox: `${-size / 2} ${-size / 2} ${size} ${size}`, 'aria-hidden': true},
                  mark.paint(index, radiusOf(size), theme),
              )
            : h('span', {'aria-hidden': true}, inside?.(index)),
    ];

/** The cell of a head as a button. @param {Props & {theme: string, lit?: ReadonlySet<number>}} props @param {number} size
 * @param {number} stop that Tab reaches @param {(index: number) => object} events */
function cellOf(props, size, stop, events) {
    const {values, heads, scale, theme, say, chosen = -1, mark, inside, lit} = props;
    const colourOf = scale && cellColour(scale, theme);
    const classOf = (/** @type {number} */ index) =>
        `hm-cell${mark ? ` ${mark.class}` : ''}${index === chosen ? ' chosen' : ''}${lit && !lit.has(index) ? ' faint' : ''}`;
    return (/** @type {number} */ index) =>
        buttonOf(
            classOf(index),
            {
                key: index,
                'data-card': `${Math.floor(index / heads)}.${index % heads}`,
                role: 'gridcell',
                'data-head': index,
                tabIndex: index === stop ? 0 : -1,
                'aria-label': mark || inside ? undefined : say(index),
                'aria-selected': mark && index === chosen,
                style: colourOf && {background: colourOf(values[index])},
                'data-none': values[index] === null ? '' : undefined,
                ...events(index),
            },
            insideOf(props, index, size),
        );
}

/** @param {{block: Props & {most: number}, over?: {lit: ReadonlySet<number>}, look:
 *     import('../../../draw/blocks.js').Look, on: any}} props */
function HeadMap({block, over, look: {theme, width}, on}) {
    const {layers, heads, scale, name, t, say, rest, chosen = -1, atOnce = false} = block;
    const {format = twoDigits} = block;
    const {at, leave, events} = usePointed(chosen, atOnce, index => block.onPick?.(index, on));
    const size = cellSize(block, Math.min(width, block.most));
    const stop = Math.min(at.index, layers * heads - 1);
    const cell = cellOf({...block, theme, lit: over?.lit}, size, stop, events);
    return h(
        'figure',
        {class: 'hm'},
        scale &&
            h(
                'figcaption',
                null,
                h('span', {class: 'hm-name'}, name),
                h(MapLegend, {scale, theme, format}),
            ),
        h('div', {class: 'hm-scroll scroll'}, headGrid(block, size, leave, cell)),
        h('p', {class: 'hm-say', 'aria-hidden': true}, at.shown ? say(stop) : (rest ?? t.map.rest)),
    );
}

/** @typedef {Props & {theme: string, width: number}} Pictured */

/** What the colours mean. @param {Scale} scale @param {Pictured} props */
function scaleSvg(scale, {theme, format = twoDigits}) {
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

/** @param {Scale} scale @param {Pictured} props @param {number} size of a cell */
function cellsSvg(scale, {values, heads, theme}, size) {
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

/** @param {Pictured} props @param {number} size of a cell */
const marksSvg = ({mark, layers, heads, theme}, size) =>
    Array.from({length: layers * heads}, (_, i) => {
        const [x, y] = [(i % heads) + 0.5, Math.floor(i / heads) + 0.5];
        return h(
            'g',
            {transform: `translate(${GUTTER + x * size} ${TOP + y * size})`},
            h('title', null, mark?.title(i)),
            mark?.paint(i, radiusOf(size), theme),
        );
    });

/** The names of the axes and the numbers of layers and heads. @param {Pictured} props @param {number} size of a cell */
function axesSvg({layers, heads, theme, oneBased, t}, size) {
    const number = (/** @type {number} */ n) => n + (oneBased ? 1 : 0);
    return h(
        'g',
        {fill: paperOf(theme).soft},
        axisNames(t).map((name, i) => endAt(LEFT, i ? TOP - 6 : AXIS, name, {'font-size': AXIS})),
        Array.from({length: heads}, (_, head) =>
            middleAt(GUTTER + (head + 0.5) * size, TOP - 6, number(head)),
        ),
        Array.from({length: layers}, (_, layer) =>
            endAt(LEFT, TOP + (layer + 0.5) * size + 4, number(layer)),
        ),
    );
}

/** In a file. @param {Pictured} props @returns {import('../../../draw/blocks.js').Drawn} */
function drawn(props) {
    const {layers, name, scale, width} = props;
    const size = cellSize(props, width);
    const tree = scale
        ? [
              h('text', {x: 0, y: 14, 'font-size': 13}, name),
              scaleSvg(scale, props),
              h(
                  'g',
                  {transform: `translate(0 ${BEGIN})`},
                  axesSvg(props, size),
                  cellsSvg(scale, props, size),
              ),
          ]
        : [axesSvg(props, size), marksSvg(props, size)];
    const height = TOP + layers * size + (scale ? BEGIN + 12 : 8);
    return {tree: h('g', {'font-size': 12}, tree), width, height};
}

/** @type {import('../../../draw/blocks.js').Kind} */
const HEAD_MAP = {Html: HeadMap, svg: (block, {theme, width}) => drawn({...block, theme, width})};

/** All heads as a map. @param {Pick<import('./sheet.js').Common, 'layers' | 'heads' | 'oneBased'>} scene
 * @param {Given} given @param {Props['t']} t @returns {import('../../../draw/blocks.js').Block} */
export const headMap = ({layers, heads, oneBased}, given, t) => ({
    kind: HEAD_MAP,
    ...{layers, heads, oneBased, t, label: given.name, most: Infinity, values: []},
    ...given,
});
