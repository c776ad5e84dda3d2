/* patterns - the steps of the guided tour as a row of links under the title: each pattern is one
 * click away. The tour itself (tour.js) is fetched when it begins; its place beside the figure is
 * kept meanwhile.
 */
import {h} from 'preact';
import {useRef} from 'preact/hooks';
import {useLazy, useWords} from './hooks.js';

/** @param {import('./app.js').Shared} props */
export function Patterns({t, state, set}) {
    const item = (/** @type {string} */ name, /** @type {number} */ step) =>
        h(
            'li',
            {key: step},
            h(
                'button',
                {
                    type: 'button',
                    class: 'plain',
                    'aria-current': state.tour === step ? 'step' : undefined,
                    onClick: () => set({tour: step}),
                },
                name,
            ),
        );
    return h(
        'nav',
        {class: 'patterns', 'aria-labelledby': 'patterns-label'},
        h('span', {class: 'label', id: 'patterns-label'}, t.tour.label),
        h('ol', null, t.tour.names.map(item)),
    );
}

/** Here from the beginning, unlike the tour, so it knows whether the address that the page began
 * with names a step and a head.
 * @param {import('./app.js').Shared} shared */
export function TourPlace(shared) {
    const {tour, heads} = shared.state;
    const linked = useRef(heads.length ? tour : -1);
    const wanted = shared.state.tour >= 0;
    const loaded = useLazy(() => import('./tour.js'), wanted);
    const words = useWords(shared.t.code, 'dialogs', wanted)?.tour;
    if (!wanted) return null;
    return loaded && words ? h(loaded.Tour, {...shared, words, linked}) : h('div', {class: 'tour'});
}
