/* mount - puts the whole page together on what boot.js has begun: what is computed, and the tree
 * in the document. Where engines, menu and models come from is the entry's affair: a site
 * (boot.js), or the page itself (offline.js).
 */
import {h, render} from 'preact';
import {codeFor, words as wordsOf} from '../words/languages.js';
import {App} from './app.js';
import {createSession} from '../session/session.js';
import {keepTexts} from '../shell/translation.js';

/** @param {import('./boot.js').Booted} begun
 * @param {{site?: boolean,
 *   first?: (state: import('../state/state.js').State, model: string) => Partial<import('../session/session.js').Shown>}} [parts]   first:
 *   what is shown before anything is computed, of a state and the id of its model; site: the page is
 *   served with what a site has beside it */
export async function mount(
    {store, engine, loader, menu, sourceOf, makeEngine, fallback},
    {site = false, first = () => ({})} = {},
) {
    const coming = wordsOf(codeFor([store.get().lang, ...navigator.languages]), 'page');
    const session = createSession({
        engine,
        loader,
        store,
        sourceOf,
        makeEngine,
        first: first(store.get(), store.get().model || menu[0]?.id || fallback),
    });
    session.step();
    const words = await coming;
    store.subscribe(session.step);
    const root = /** @type {Element} */ (document.getElementById('app'));
    keepTexts(root);
    render(h(App, {store, session, menu, words, makeEngine, sourceOf, site}), root);
    return session;
}
