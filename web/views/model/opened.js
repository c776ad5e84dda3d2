/* opened - one head of the grid, large: the head view with this head alone, its measures above it,
 * and the ways back.
 */
import {h} from 'preact';
import {buttonOf} from '../../draw/button.js';
import {headView} from '../head/view.js';
import {headMark} from '../parts/mark.js';
import {counted} from '../parts/select.js';
import {dot} from './panel.js';
import {inPrint, measuresOf, numbersOf, openedState} from './numbers.js';
import {modelScene} from './scene.js';

/**
 * @import {ViewState} from '../view.js'
 * @import {Place} from './numbers.js'
 */

/** @param {{state: ViewState, place: Place, data: import('../view.js').ViewData}} props */
const Measures = ({state, place, data}) =>
    h(
        'dl',
        {class: 'measures'},
        measuresOf(numbersOf(state, data), place, data.t).map(({name, value}) =>
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

/** The head before or after in the order of the grid, whose ends meet. @param {ViewState} state
 * @param {import('../view.js').Computed} data @param {Place} place @param {number} step */
function neighbour(state, data, {layer, head}, step) {
    const {cells} = modelScene(state, data).grid;
    const at = cells.findIndex(cell => cell.layer === layer && cell.head === head);
    const to = cells.at(at < 0 ? 0 : (at + step) % cells.length);
    return to ? `${to.layer}.${to.head}` : '';
}

/** @param {{state: ViewState, data: import('../view.js').ViewData, on: import('../view.js').On,
 *     place: Place, closer: import('preact').RefObject<any>}} props   closer: the button that closes */
function Bar({state, data, on, place, closer}) {
    const {theme, t} = data;
    const {layer, head} = place;
    const number = counted(state);
    const button = (/** @type {string} */ label, /** @type {any} */ more) =>
        buttonOf('plain', {...more}, label);
    const step = (
        /** @type {string} */ name,
        /** @type {string} */ sign,
        /** @type {number} */ by,
    ) =>
        button(sign, {
            ...{class: 'plain step', title: name, 'aria-label': name},
            onClick: () => on.set({opened: neighbour(state, data, place, by)}),
        });
    return h(
        'div',
        {class: 'opened-bar'},
        h(
            'h2',
            null,
            dot(head, number, theme),
            headMark(t, place, t.modelView.name(number(layer), number(head))),
        ),
        step(t.modelView.previous, '‹', -1),
        step(t.modelView.next, '›', 1),
        button(t.modelView.toHeadView, {
            onClick: () => on.set({view: 'head', layer, heads: [head]}),
        }),
        button(t.modelView.back, {ref: closer, onClick: () => on.set({opened: ''})}),
    );
}

/** @param {Parameters<typeof Bar>[0]} props */
export function Opened(props) {
    const {state, data, on, place} = props;
    const ofToken = (/** @type {import('../view.js').Focus | null} */ spot) =>
        spot?.side === 'head' ? null : spot;
    const inside = {
        ...data,
        focus: ofToken(data.focus),
        pinned: ofToken(data.pinned),
        cursor: ofToken(data.cursor),
    };
    return h(
        'div',
        {class: 'opened-head'},
        h(Bar, props),
        h(Measures, {state, place, data}),
        headView.render(openedState(state, place), inside, on),
    );
}
