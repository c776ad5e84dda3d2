/* shell - the shadow tree of <head-light> before it has a model: the picture from the page, then
 * the figure on precomputed attention, and below it the buttons that fetch more.
 */
import {h} from 'preact';
import {formatHash} from '../state/state.js';
import {StillFigure} from './still.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {import('./element.js').Seen & {filled: boolean, compact: boolean, state: State, set: (patch:
 *     Partial<State>) => void,
 *   drawn: State | null, theme: string, onRun: (model: boolean) => void, page: URL}} Props   filled:
 *       something stands inside the
 *   element; drawn: the last state that could be drawn, which stays while another one would need
 *   the model
 */

/** The page itself, on the same state. @param {{state: State, page: URL}} props */
export const PageLink = ({state, page}) =>
    h('a', {href: page.href + formatHash(state), target: '_blank'}, 'Headlight');

/** The size of a model, '' when not known. @param {number} bytes */
export const sizeOf = bytes => (bytes ? `${(bytes / 1e6).toFixed(1)} MB` : '');

/** @param {Props} props */
function Bar({still, figure, state, drawn, page, onRun, bytes, message, waiting}) {
    if (!still) return null;
    const words = still.element;
    const size = sizeOf(bytes);
    return h(
        'div',
        {class: 'bar-row', part: 'bar'},
        h(
            'button',
            {type: 'button', class: 'main', disabled: waiting, onClick: () => onRun(true)},
            waiting ? words.waiting : drawn === state ? words.run(size) : words.draw(size),
        ),
        figure &&
            h(
                'button',
                {type: 'button', class: 'plain', disabled: waiting, onClick: () => onRun(false)},
                words.controls,
            ),
        h(PageLink, {state, page}),
        message &&
            h(
                'p',
                {class: 'said', role: 'alert'},
                words.problem,
                ' ',
                h('bdi', {lang: 'en'}, message),
            ),
    );
}

/** @param {Props} props */
export function Shell(props) {
    const {still, figure, filled, compact, state, drawn, set, theme, own} = props;
    return h(
        'div',
        {class: `box ${theme}`, lang: still?.code, translate: false},
        h('slot', {class: drawn ? 'covered' : ''}),
        own && h(own.OwnText, {kind: 'heading', state}),
        still && figure && drawn
            ? h(StillFigure, {state: drawn, set, figure, still, theme, own})
            : !filled &&
                  h(
                      'div',
                      {class: 'blank', part: 'figure'},
                      [state.text, state.textB]
                          .filter(Boolean)
                          .map(text => h('p', {key: text}, h('bdi', null, text))),
                  ),
        own && h(own.OwnText, {kind: 'note', state}),
        !(compact && drawn) && h(Bar, props),
    );
}
