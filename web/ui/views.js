/* views - the row of views above the figure: one is shown. With a single view there is no row. A view
 * may begin somewhere of its own when it is entered here (`begin` of views/view.js), such as at the
 * sharpest head: that is put into the state, so that links name it. A link to the view has none of
 * this.
 */
import {h} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {knownView, loadView, views} from '../views/index.js';
import {Choice} from '../views/choice.js';

/** Where the view begins on the text that is shown; nowhere else where that cannot be told.
 * @param {string} id @param {import('../core/state.js').State} state
 * @param {import('./session.js').Session | null} session   null: a figure that nobody has run
 * @returns {Promise<Partial<import('../core/state.js').State>>} */
async function beginning(id, state, session) {
    try {
        const {model, pass, precomputed} = session?.get() ?? {};
        const begin = (await loadView(id)).begin?.(state);
        if (!session || !begin || !model || !pass || precomputed) return {};
        return begin.patch(model, await session.collect(begin.needs));
    } catch {
        return {};
    }
}

/** @param {import('./app.js').Shared & {session: import('./session.js').Session | null}} props */
export function Views({t, state, set, session}) {
    const [entering, setEntering] = useState('');
    const presses = useRef(0);
    const now = useRef(state);
    now.current = state;
    if (views.length < 2) return null;
    const options = views.map(({id}) => ({
        value: id,
        label: t.viewTitles[id],
        title: t.viewTitles[id],
    }));
    const enter = async (/** @type {string} */ view) => {
        const press = ++presses.current;
        if (!views.find(({id}) => id === view)?.begins) {
            setEntering('');
            return set({view});
        }
        setEntering(view);
        const patch = await beginning(view, state, session);
        if (press !== presses.current) return;
        setEntering('');
        set({...(now.current === state ? patch : {}), view});
    };
    return h(
        'nav',
        {class: 'views', 'aria-label': t.views},
        h(Choice, {
            name: 'view',
            legend: t.views,
            className: 'quiet',
            options,
            value: entering || knownView(state.view),
            onChoose: enter,
        }),
    );
}
