/* drawable - a view with its data, for the page and for figures in someone's page.
 */
import {useRef} from 'preact/hooks';
import {loadedView} from '../views/index.js';
import {isReady, withoutValues} from '../views/needs.js';
import {withTyped} from '../text/unread.js';

/** The view with its data, once all that it needs is there, its words too; until then the one before
 * stays, unless it has been withdrawn.
 * @param {{t: import('../base/shared.js').Texts, state: import('../state/state.js').State, shown: import('../session/session.js').Shown, theme:
 *     string, menu?: import('../base/shared.js').Menu}} props   menu: of a page that has one */
export function useDrawable({
    t,
    state: asked,
    shown: {model, pass, tensors, fills, before, missing, imported},
    theme,
    menu,
}) {
    const last = useRef(/** @type {import('./figure.js').Drawable | null} */ (null));
    const state = imported ? withoutValues(asked, model) : asked;
    const view = loadedView(state.view);
    const data =
        model && pass
            ? {
                  model,
                  pass: withTyped(pass, model),
                  tensors,
                  fills,
                  before,
                  theme,
                  menu: imported ? undefined : menu,
              }
            : null;
    const spoken = view?.id === 'head' || 'find' in t;
    if (!model) last.current = null;
    if (view && spoken && data && isReady(view, state, data)) last.current = {view, state, data};
    return missing ? null : last.current;
}
