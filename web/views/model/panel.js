/* panel - the numbers of the head pointed at: its measures and its strongest links.
 */
import {h} from 'preact';
import {headColour, inkOn} from '../../draw/colour.js';
import {barLength, decimal} from '../../draw/scale.js';
import {BarRow, table} from '../../draw/table.js';
import {counted} from '../parts/select.js';
import {inPrint, LINKS, linksOf, measuresOf, mostOf, numbersOf} from './numbers.js';

/** @import {Link} from './numbers.js' */

const BAR = 72;

/** @param {{state: import('../view.js').ViewState, data: import('../view.js').ViewData, place:
 *     import('./numbers.js').Place}} props */
const Measures = ({state, data, place}) =>
    table(
        {class: 'measure-table', caption: data.t.modelView.measureCaption},
        measuresOf(numbersOf(state, data), place, data.t).map(({name, value}) =>
            h(BarRow, {
                ...{key: name, name: data.t.modelView.measures[name], number: inPrint(value)},
                room: BAR,
                width: barLength(BAR, mostOf(name, data.pass.tokens.length))(value || 0),
                background: headColour(place.head, data.theme),
            }),
        ),
    );

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

/** A head's number in its colour. @param {number} head @param {(head: number) => number} number @param {string} theme */
export function dot(head, number, theme) {
    const background = headColour(head, theme);
    const style = {background, color: inkOn(background)};
    return h('i', {class: 'dot', style, 'aria-hidden': true}, number(head));
}

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
    return h(
        'div',
        {class: 'panel of-head'},
        h(
            'h2',
            null,
            dot(place.head, number, theme),
            t.modelView.name(number(place.layer), number(place.head)),
        ),
        h(Measures, {state, data, place}),
        h('h3', null, t.modelView.strongest),
        h(Links, {links: linksOf(numbersOf(state, data), place, LINKS), tokens}),
    );
}
