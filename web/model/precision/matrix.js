/* matrix - the difference of each head as a small coloured cell, layers by heads, with its scale; a
 * cell is a button that opens the head. One of them is reached by Tab, the arrow keys move between
 * them.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {scaleColour} from '../../draw/colour.js';
import {Choice} from '../../views/parts/choice.js';
import {moveOnGrid} from '../../draw/grid.js';
import {small} from './print.js';

/**
 * @typedef {'max' | 'mean'} Tells
 * @typedef {{result: import('./recompute.js').Result, words: import('./precision.js').Words,
 *     theme: string,
 *   number: (index: number) => number, onOpen: (layer: number, head: number) => void}} Props
 */

const TELLS = /** @type {const} */ (['max', 'mean']);

/** @param {KeyboardEvent & {currentTarget: HTMLElement}} event @param {number} columns
 * @param {number} count */
function move(event, columns, count) {
    const from = event.target instanceof HTMLElement ? event.target.dataset.place : undefined;
    const to =
        from === undefined || event.altKey || event.metaKey
            ? -1
            : moveOnGrid(event.key, Number(from), columns, count, event.ctrlKey);
    const next = event.currentTarget.querySelector(`[data-place="${to}"]`);
    if (!(next instanceof HTMLElement)) return;
    next.focus();
    event.preventDefault();
}

/** @param {import('./difference.js').HeadCompared} head @param {Props['words']} words */
const saysOf = ({max, mean, changed}, words) => words.headSays(small(max), small(mean), changed);

/** @typedef {Props & {tells: Tells, at: number, setAt: (place: number) => void, most: number}} Grid */

/** @param {Grid & {layer: number, head: number}} props */
function Cell({result, words, theme, number, onOpen, tells, at, setAt, most, layer, head}) {
    const place = layer * result.headCount + head;
    const compared = result.comparison.heads[place];
    const name = words.headName(number(layer), number(head));
    return h(
        'span',
        {role: 'gridcell'},
        h('button', {
            type: 'button',
            'data-place': place,
            tabIndex: place === Math.max(0, at) ? 0 : -1,
            'aria-label': `${name}: ${saysOf(compared, words)}`,
            style: {background: scaleColour(most ? compared[tells] / most : 0, theme)},
            onClick: () => onOpen(layer, head),
            onPointerEnter: () => setAt(place),
            onFocus: () => setAt(place),
        }),
    );
}

/** @param {Grid} props */
function Cells(props) {
    const {words, number} = props;
    const {comparison, layers, headCount} = props.result;
    const across = Array.from({length: headCount}, (_, head) => head);
    return h(
        'div',
        {
            class: 'heads-compared',
            role: 'grid',
            'aria-label': words.picture,
            style: {'--columns': headCount},
            onKeyDown: (/** @type {any} */ event) =>
                move(event, headCount, comparison.heads.length),
        },
        h(
            'div',
            {role: 'row'},
            h('span', {role: 'columnheader'}, words.layer),
            across.map(head =>
                h(
                    'span',
                    {key: head, role: 'columnheader'},
                    h('span', {class: 'hidden'}, `${words.head} `),
                    number(head),
                ),
            ),
        ),
        Array.from({length: layers}, (_, layer) =>
            h(
                'div',
                {key: layer, role: 'row'},
                h('span', {role: 'rowheader'}, number(layer)),
                across.map(head => h(Cell, {...props, key: head, layer, head})),
            ),
        ),
    );
}

/** Below the cells: the differences of the head that is pointed at.
 * @param {Pick<Props, 'result' | 'words' | 'number'> & {at: number}} props */
function Says({result: {comparison, headCount}, words, number, at}) {
    const near = comparison.heads[at];
    if (!near) return h('p', {class: 'hint'}, words.headHint);
    const name = words.headName(number(Math.floor(at / headCount)), number(at % headCount));
    return h('p', {class: 'hint'}, `${name}: ${saysOf(near, words)}`);
}

/** The colours and the difference that the darkest stands for.
 * @param {{theme: string, most: number}} props */
const Tint = ({theme, most}) =>
    h(
        'p',
        {class: 'tint'},
        h('span', {class: 'number'}, '0'),
        h('i', {
            'aria-hidden': true,
            style: {
                background: `linear-gradient(to right, ${scaleColour(0, theme)}, ${scaleColour(1, theme)})`,
            },
        }),
        h('span', {class: 'number'}, small(most)),
    );

/** @param {Props} props */
export function HeadsCompared(props) {
    const {result, words, theme} = props;
    const [tells, setTells] = useState(/** @type {Tells} */ ('max'));
    const [at, setAt] = useState(-1);
    const most = Math.max(...result.comparison.heads.map(head => head[tells]));
    return h(
        'div',
        {class: 'heads-compared-part'},
        h('h4', null, words.picture),
        h(Choice, {
            name: 'tells',
            legend: words.tellsLabel,
            value: tells,
            onChoose: setTells,
            options: TELLS.map(value => ({
                value,
                label: words.tells[value],
                title: words.tells[value],
            })),
        }),
        h(Tint, {theme, most}),
        h(
            'div',
            {class: 'heads-compared-scroll'},
            h('span', {class: 'across', 'aria-hidden': true}, words.head),
            h(Cells, {...props, tells, at, setAt, most}),
        ),
        h(Says, {...props, at}),
    );
}
