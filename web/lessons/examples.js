/* examples - the place below the text box that offers examples, the reader's earlier texts, lessons
 * and the articles' figures. What stands there (lessons/offers.js) is fetched once the model has
 * loaded, or has failed to.
 */
import {h} from 'preact';
import {useLazy, useWords} from '../shell/hooks.js';

/** @param {import('../base/shared.js').Shared & {menu: import('../base/shared.js').Menu, session: import('../session/session.js').Session}} shared */
export function Examples(shared) {
    const {model, precomputed, problem, question} = shared.shown;
    const wanted = Boolean((model && !precomputed) || problem || question);
    const module = useLazy(() => import('./offers.js'), wanted);
    const words = useWords(shared.t.code, 'lessons', wanted);
    return h(
        'div',
        {class: 'examples'},
        module && words && h(module.Offers, {...shared, words: words.offers}),
    );
}
