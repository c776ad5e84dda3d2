/* examples - the place below the text box where the examples, the reader's own earlier texts, the
 * lessons and the articles' figures are offered (ui/lessons/offers.js, fetched after the page).
 */
import {h} from 'preact';
import {useLazy, useWords} from './hooks.js';

/** @param {import('./app.js').Shared} shared */
export function Examples(shared) {
    const module = useLazy(() => import('./lessons/offers.js'), true);
    const words = useWords(shared.t.code, 'lessons', true);
    return h(
        'div',
        {class: 'examples'},
        module && words && h(module.Offers, {...shared, words: words.offers}),
    );
}
