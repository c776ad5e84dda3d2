/* views - the row of views above the figure: one is shown. With a single view there is no row.
 */
import {h} from 'preact';
import {knownView, views} from '../views/index.js';
import {Choice} from '../views/choice.js';

/** @param {import('./app.js').Shared} props */
export function Views({t, state, set}) {
    if (views.length < 2) return null;
    const options = views.map(({id}) => ({
        value: id,
        label: t.viewTitles[id],
        title: t.viewTitles[id],
    }));
    return h(
        'nav',
        {class: 'views', 'aria-label': t.views},
        h(Choice, {
            name: 'view',
            legend: t.views,
            className: 'quiet',
            options,
            value: knownView(state.view),
            onChoose: view => set({view}),
        }),
    );
}
