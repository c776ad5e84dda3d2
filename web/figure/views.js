/* views - the row of views above the figure: one is shown. With a single view there is no row. A view
 * may begin somewhere of its own when it is entered here (enter.js), such as at a head with something to see.
 */
import {h} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {knownView, views} from '../views/index.js';
import {Choice} from '../views/parts/choice.js';
import {typed} from '../text/draft.js';

/** How a view is entered: at once, or where it begins. @param {import('../base/shared.js').Shared &
 *     {session: import('../session/session.js').Session | null}} props   session: null: a figure that nobody
 *     has run */
function useEntrance({state, set, session}) {
    const [entering, setEntering] = useState('');
    const presses = useRef(0);
    const entrance = useRef(
        /** @type {ReturnType<typeof import('./enter.js').createEntrance> | null} */ (null),
    );
    const now = useRef(state);
    now.current = state;
    const enter = async (/** @type {string} */ view) => {
        const [press, asked] = [++presses.current, performance.now()];
        const begins = views.find(({id}) => id === view)?.begins;
        if (!session || (!begins && !entrance.current && !typed.isNew)) {
            setEntering('');
            return set({view});
        }
        setEntering(view);
        const {createEntrance} = await import('./enter.js');
        entrance.current ??= createEntrance({session, now: () => now.current, set});
        await entrance.current(view, () => press === presses.current, asked);
        if (press === presses.current) setEntering('');
    };
    return {entering, enter};
}

/** @param {import('../base/shared.js').Shared & {session: import('../session/session.js').Session | null}} props */
export function Views(props) {
    const {t, state} = props;
    const {entering, enter} = useEntrance(props);
    const value = entering || knownView(state.view);
    if (views.length < 2) return null;
    const options = views
        .filter(({id, led}) => !led || id === value)
        .map(({id}) => ({value: id, label: t.viewTitles[id]}));
    return h(
        'nav',
        {class: 'views', 'aria-label': t.views},
        h(Choice, {
            name: 'view',
            legend: t.views,
            className: 'quiet',
            options,
            value,
            onChoose: enter,
        }),
    );
}
