/* alike - the heads that act most like the chosen one on this text, with their Jensen-Shannon
 * divergence from it.
 */
import {h} from 'preact';
import {headColour} from '../../draw/colour.js';
import {chosenHead, neighbours, patternsOf} from './numbers.js';

/** @typedef {import('./pick.js').Props} Props */

const COUNT = 8;
const MOST = Math.LN2; // no two heads are further apart

/** @param {Props} props */
export function Alike({state, data, on}) {
    const {t, model, theme} = data;
    const {layer, head} = chosenHead(state, model);
    const kinds = patternsOf(data);
    const own = layer * model.heads + head;
    const kind = (/** @type {number} */ i) =>
        t.find.patterns[/** @type {keyof typeof t.find.patterns} */ (kinds[i] || 'none')];
    return h(
        'section',
        {class: 'find-alike', 'aria-label': t.find.alike(layer, head)},
        h('h2', null, t.find.alike(layer, head)),
        h(
            'p',
            {class: 'hint'},
            kinds[own] ? t.find.chosenIs(kind(own)) : t.find.chosenNone,
            ' ',
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    onClick: () => on.set({view: 'head', layer, heads: [head]}),
                },
                t.find.openIt,
            ),
        ),
        h(
            'ol',
            {class: 'heads-list'},
            neighbours(data, {layer, head}, COUNT).map((other, i) =>
                h(
                    'li',
                    {key: other.index},
                    h(
                        'button',
                        {
                            type: 'button',
                            class: 'head-row',
                            title: t.find.choose(other.layer, other.head),
                            onClick: () => on.set({layer: other.layer, heads: [other.head]}),
                        },
                        h('span', {class: 'number'}, i + 1),
                        h('span', {class: 'name'}, t.find.headName(other.layer, other.head)),
                        h(
                            'span',
                            {class: 'bar', 'aria-hidden': true},
                            h('i', {
                                style: {
                                    width: `${(100 * other.distance) / MOST}%`,
                                    background: headColour(other.head, theme),
                                },
                            }),
                        ),
                        h('span', {class: 'number'}, other.distance.toFixed(3)),
                        h('span', {class: 'times'}, kind(other.index)),
                    ),
                ),
            ),
        ),
        h('p', {class: 'hint'}, t.find.divergence),
    );
}
