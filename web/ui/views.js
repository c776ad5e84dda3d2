/* views - the row of views above the figure: one is shown. With a single view there is no row.
 */
import {h} from 'preact';
import {viewOf, views} from '../views/index.js';
import {Choice} from './choice.js';

/** @param {import('./app.js').Shared} props */
export function Views({t, state, set}) {
    if (views.length < 2) return null;
    const options = views.map(view => ({value: view.id, label: view.title(t), title: view.title(t)}));
    return h('nav', {class: 'views', 'aria-label': t.views},
        h(Choice, {name: 'view', legend: t.views, className: 'quiet', options, value: viewOf(state.view).id,
            onChoose: view => set({view})}));
}
