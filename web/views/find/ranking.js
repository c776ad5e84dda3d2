/* ranking - every head by the weight it gives from the query to the key, as a list of buttons with
 * bars; the tick in a bar is the weight of a head that looks at all tokens alike. A press opens the
 * head in the head view.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {headColour} from '../../draw/colour.js';
import {decimal} from '../../draw/scale.js';
import {ranking} from './numbers.js';

/** @typedef {import('./pick.js').Props} Props */

const FIRST = 10;

/** How many times the even share. @param {number} weight @param {number} seen keys that the query sees */
export function timesEven(weight, seen) {
    const times = weight * seen;
    return `×${times < 9.95 ? times.toFixed(1) : Math.round(times)}`;
}

/** @param {Props} props */
export function Ranking({state, data, on}) {
    const {t, theme} = data;
    const [all, setAll] = useState(false);
    const rows = ranking(state, data);
    if (!rows) return h('p', {class: 'find-list hint'}, t.find.waiting);
    const length = (/** @type {number} */ weight) => `${100 * weight}%`;
    const row = (
        /** @type {typeof rows[0]} */ {layer, head, weight, seen},
        /** @type {number} */ i,
    ) =>
        h(
            'li',
            {key: `${layer}.${head}`},
            h(
                'button',
                {
                    type: 'button',
                    class: 'head-row',
                    title: t.find.open(layer, head),
                    onClick: () => on.set({view: 'head', layer, heads: [head]}),
                },
                h('span', {class: 'number'}, i + 1),
                h('span', {class: 'name'}, t.find.headName(layer, head)),
                h(
                    'span',
                    {class: 'bar', 'aria-hidden': true},
                    h('i', {style: {width: length(weight), background: headColour(head, theme)}}),
                    h('b', {style: {left: length(1 / seen)}}),
                ),
                h('span', {class: 'number'}, decimal(weight)),
                h('span', {class: 'number times'}, timesEven(weight, seen)),
            ),
        );
    return h(
        'section',
        {class: 'find-list', 'aria-label': t.find.ranked},
        h('h2', null, t.find.ranked),
        h('p', {class: 'hint'}, t.find.even(decimal(1 / rows[0].seen))),
        h(
            'ol',
            {class: all ? 'heads-list all' : 'heads-list'},
            (all ? rows : rows.slice(0, FIRST)).map(row),
        ),
        rows.length > FIRST &&
            h(
                'button',
                {type: 'button', class: 'plain', 'aria-expanded': all, onClick: () => setAll(!all)},
                all ? t.find.fewer : t.find.more(rows.length),
            ),
    );
}
