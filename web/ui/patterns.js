/* patterns - the lesson's place beside the figure: its panel (ui/lessons/player.js) is fetched when a
 * lesson begins; the place is kept meanwhile.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {defaults} from '../core/state.js';
import {useLazy, useWords} from './hooks.js';

/** What a link says beside the place in a lesson. */
const SAYS = /** @type {const} */ ([
    'text',
    'textB',
    'view',
    'layer',
    'heads',
    'picked',
    'masked',
    'off',
]);

/** Here from the beginning, unlike the lesson, so it knows whether the address that the page began
 * with says more than the lesson's place: then that is shown first.
 * @param {import('./app.js').Shared} shared */
export function TourPlace(shared) {
    const {state, t} = shared;
    const more = SAYS.some(name => String(state[name]) !== String(defaults[name]));
    const linked = useRef((state.lesson === '' ? state.heads.length > 0 : more) ? state.tour : -1);
    const wanted = state.tour >= 0;
    const loaded = useLazy(() => import('./lessons/player.js'), wanted);
    const words = useWords(t.code, 'lessons', wanted);
    if (!wanted) return null;
    return loaded && words
        ? h(loaded.Player, {...shared, words, linked})
        : h('div', {class: 'tour lesson'});
}
