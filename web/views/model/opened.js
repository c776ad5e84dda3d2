/* opened - one head of the grid, large: the head view with this head alone, its measures above it,
 * and the ways back.
 */
import {h} from 'preact';
import {headColour, inkOn} from '../../draw/colour.js';
import {headView} from '../head.js';
import {counted} from '../select.js';
import {inPrint} from './legend.js';
import {measuresOf} from './numbers.js';

/**
 * @typedef {import('../view.js').ViewState} ViewState
 * @typedef {import('./numbers.js').Place} Place
 */

/** The state in which the head view shows this head, and all of it, whatever is chosen there.
 * @param {ViewState} state @param {Place} place @returns {ViewState} */
export const openedState = (state, {layer, head}) => ({
    ...state,
    layer,
    heads: [head],
    filter: 'all',
    mix: 'heads',
    level: 'pieces',
    top: 100,
    specials: true,
    first: true,
    fillings: false,
    picked: [],
});

/** @param {{place: Place, data: import('../view.js').ViewData}} props */
const Measures = ({place, data}) =>
    h(
        'dl',
        {class: 'measures'},
        measuresOf(data, place, data.t).map(({name, value}) =>
            h(
                'div',
                {key: name},
                h('dt', null, data.t.modelView.measures[name]),
                h(
                    'dd',
                    {class: 'number'},
                    inPrint(value),
                    name.startsWith('entropy') && ` ${data.t.modelView.nats}`,
                ),
            ),
        ),
    );

/** @param {{state: ViewState, data: import('../view.js').ViewData, on: import('../view.js').On,
 *     place: Place,
 *   keep: (button: HTMLElement | null) => void}} props   keep: takes the button that closes */
export function Opened({state, data, on, place, keep}) {
    const {theme, t, focus, pinned, cursor} = data;
    const number = counted(state);
    const ofToken = (/** @type {import('../view.js').Focus | null} */ spot) =>
        spot?.side === 'head' ? null : spot;
    const background = headColour(place.head, theme);
    const inside = {
        ...data,
        focus: ofToken(focus),
        pinned: ofToken(pinned),
        cursor: ofToken(cursor),
    };
    return h(
        'div',
        {class: 'opened-head'},
        h(
            'div',
            {class: 'opened-bar'},
            h(
                'h2',
                null,
                h(
                    'i',
                    {
                        class: 'dot',
                        style: {background, color: inkOn(background)},
                        'aria-hidden': true,
                    },
                    number(place.head),
                ),
                t.modelView.name(number(place.layer), number(place.head)),
            ),
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    onClick: () => on.set({view: 'head', layer: place.layer, heads: [place.head]}),
                },
                t.modelView.toHeadView,
            ),
            h(
                'button',
                {type: 'button', class: 'plain', ref: keep, onClick: () => on.set({opened: ''})},
                t.modelView.back,
            ),
        ),
        h(Measures, {place, data}),
        headView.render(openedState(state, place), inside, on),
    );
}
