/* panel - the numbers of the head pointed at: its measures and its strongest links.
 */
import {h} from 'preact';
import {headColour, inkOn} from '../../draw/colour.js';
import {barLength, decimal} from '../../draw/scale.js';
import {counted} from '../select.js';
import {inPrint} from './legend.js';
import {LINKS, linksOf, measuresOf, mostOf} from './numbers.js';

/** @typedef {import('./numbers.js').Link} Link */

const BAR = 72;

/** @param {{data: import('../view.js').ViewData, place: import('./numbers.js').Place}} props */
function Measures({data, place}) {
    const {
        t,
        pass: {tokens},
        theme,
    } = data;
    const background = headColour(place.head, theme);
    return h(
        'table',
        {class: 'measure-table'},
        h('caption', null, t.modelView.measureCaption),
        h(
            'tbody',
            null,
            measuresOf(data, place, t).map(({name, value}) =>
                h(
                    'tr',
                    {key: name},
                    h('th', {scope: 'row'}, t.modelView.measures[name]),
                    h(
                        'td',
                        null,
                        h(
                            'span',
                            {class: 'bar', style: {width: `${BAR}px`}, 'aria-hidden': true},
                            h('i', {
                                style: {
                                    background,
                                    width: `${barLength(BAR, mostOf(name, tokens.length))(value)}px`,
                                },
                            }),
                        ),
                    ),
                    h('td', {class: 'number'}, inPrint(value)),
                ),
            ),
        ),
    );
}

/** @param {{links: Link[], tokens: import('../view.js').Token[]}} props */
const Links = ({links, tokens}) =>
    h(
        'ul',
        {class: 'strong-links'},
        links.map(({query, key, weight}) =>
            h(
                'li',
                {key: `${query} ${key}`},
                h(
                    'span',
                    null,
                    h('bdi', {class: 'query'}, tokens[query].piece),
                    ' → ',
                    h('bdi', {class: 'key'}, tokens[key].piece),
                ),
                h('span', {class: 'number'}, decimal(weight)),
            ),
        ),
    );

/** @param {{state: import('../view.js').ViewState, data: import('../view.js').ViewData, id: number}}
 *     props */
export function ModelPanel({state, data, id}) {
    const {
        t,
        model,
        pass: {tokens},
        theme,
    } = data;
    const place = {layer: Math.floor(id / model.heads), head: id % model.heads};
    if (place.layer >= model.layers) return null;
    const number = counted(state);
    const background = headColour(place.head, theme);
    return h(
        'div',
        {class: 'panel of-head'},
        h(
            'h2',
            null,
            h(
                'i',
                {class: 'dot', style: {background, color: inkOn(background)}, 'aria-hidden': true},
                number(place.head),
            ),
            t.modelView.name(number(place.layer), number(place.head)),
        ),
        h(Measures, {data, place}),
        h('h3', null, t.modelView.strongest),
        h(Links, {links: linksOf(data, place, LINKS), tokens}),
    );
}
