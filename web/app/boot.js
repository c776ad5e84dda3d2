/* boot - starts a visit before the page's other scripts are there: the state, the engine's worker,
 * and the model that the state asks for on its way. The rest of the page (mount.js) goes on from
 * here.
 */
import {createStore} from '../state/store.js';
import {Loader} from '../session/loader.js';
import {createSources} from '../session/sources.js';

/**
 * @typedef {import('../base/shared.js').Menu} Menu
 * @typedef {import('../base/shared.js').MakeEngine} MakeEngine
 * @typedef {Awaited<ReturnType<typeof boot>>} Booted
 */

/** Views that need everything of the engine: those that have `deep` (views/view.js). */
export const DEEP = ['decides', 'why'];

/** Has the page's words fetched in the language that will be read: where a site has hints
 * (build/site.mjs), in the first of the wishes that there are any for. @param {readonly string[]} wishes
 *     as of codeFor (words/languages.js) */
const hintWords = wishes =>
    wishes.find(wish => {
        const links = document.querySelectorAll(`[hreflang="${wish.slice(0, 2)}"]`);
        for (const link of links) /** @type {HTMLLinkElement} */ (link).rel = 'modulepreload';
        return links.length;
    });

/** @param {{makeEngine: MakeEngine, menu: Menu | Promise<Menu>, fallback: string, only?: readonly string[]}} parts   fallback:
 *     the
 *   model when the menu is empty; only: the models of a page that has no others (parseHash) */
export async function boot({makeEngine, menu: coming, fallback, only}) {
    const store = createStore({only});
    hintWords([store.get().lang, ...navigator.languages, 'en']);
    const engine = makeEngine({threads: true});
    if (DEEP.includes(store.get().view)) engine.fill();
    engine.begin();
    const loader = new Loader(engine);
    const menu = await coming;
    store.setFirst(menu[0]?.id ?? fallback, /** @type {object} */ (menu[0]?.begin));
    const sourceOf = createSources(menu, fallback);
    loader.begin(sourceOf(store.get().model));
    return {store, engine, loader, menu, sourceOf, makeEngine, fallback};
}
