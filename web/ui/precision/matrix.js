/* matrix - the difference of each head as a small coloured cell, layers by heads, with its scale; a
 * cell is a button that opens the head. One of them is reached by Tab, the arrow keys move between
 * them.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {scaleColour} from '../../draw/colour.js';
import {Choice} from '../../views/choice.js';
import {moveOnGrid} from '../../draw/grid.js';
import {small} from './print.js';

/**
 * @typedef {'max' | 'mean'} Tells
 * @typedef {{result: import('./recompute.js').Result, words: import('../precision.js').Words,
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

/** @param {Props & {tells: Tells, at: number, setAt: (place: number) => void, most: number}} props
 */
function Cells({
    result: {
        comparison: {heads},
        layers,
        headCount,
    },
    words,
    theme,
    number,
    onOpen,
    tells,
    at,
    setAt,
    most,
}) {
    const says = ({max, mean, changed} = heads[0]) =>
        words.headSays(small(max), small(mean), changed);
    const cell = (/** @type {number} */ place) => {
        const [layer, head] = [Math.floor(place / headCount), place % headCount];
        const name = words.headName(number(layer), number(head));
        return h(
            'span',
            {key: place, role: 'gridcell'},
            h('button', {
                type: 'button',
                'data-place': place,
                tabIndex: place === Math.max(0, at) ? 0 : -1,
                'aria-label': `${name}: ${says(heads[place])}`,
                style: {background: scaleColour(most ? heads[place][tells] / most : 0, theme)},
                onClick: () => onOpen(layer, head),
                onPointerEnter: () => setAt(place),
                onFocus: () => setAt(place),
            }),
        );
    };
    const row = (/** @type {number} */ layer) =>
        h(
            'div',
            {key: layer, role: 'row'},
            h('span', {role: 'rowheader'}, number(layer)),
            Array.from({length: headCount}, (_, head) => cell(layer * headCount + head)),
        );
    return h(
        'div',
        {
            class: 'heads-compared',
            role: 'grid',
            'aria-label': words.picture,
            style: {'--columns': headCount},
            onKeyDown: (/** @type {any} */ event) => move(event, headCount, heads.length),
        },
        h(
            'div',
            {role: 'row'},
            h('span', {role: 'columnheader'}, words.layer),
            Array.from({length: headCount}, (_, head) =>
                h(
                    'span',
                    {key: head, role: 'columnheader'},
                    h('span', {class: 'hidden'}, `${words.head} `),
                    number(head),
                ),
            ),
        ),
        Array.from({length: layers}, (_, layer) => row(layer)),
    );
}

/** @param {Props} props */
export function HeadsCompared(props) {
    const {
        result: {
            comparison: {heads},
            headCount,
        },
        words,
        theme,
        number,
    } = props;
    const [tells, setTells] = useState(/** @type {Tells} */ ('max'));
    const [at, setAt] = useState(-1);
    const most = Math.max(...heads.map(head => head[tells]));
    const near = heads[at];
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
        ),
        h(
            'div',
            {class: 'heads-compared-scroll'},
            h('span', {class: 'across', 'aria-hidden': true}, words.head),
            h(Cells, {...props, tells, at, setAt, most}),
        ),
        h(
            'p',
            {class: 'hint'},
            near
                ? `${words.headName(number(Math.floor(at / headCount)), number(at % headCount))}: ` +
                      words.headSays(small(near.max), small(near.mean), near.changed)
                : words.headHint,
        ),
    );
}
