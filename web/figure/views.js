/* views - the row of views above the figure: one is shown. A view
 * may begin somewhere of its own when it is entered here (enter.js), such as at a head with something to see.
 */
import {h} from 'preact';
import {useRef, useState} from 'preact/hooks';
import {knownView, views} from '../views/index.js';
import {Choice} from '../views/parts/choice.js';
import {isNothingPredicted} from '../views/needs.js';
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
        const part = await import('./enter.js').catch(() => null);
        if (part) {
            entrance.current ??= part.createEntrance({session, now: () => now.current, set});
            await entrance.current(view, () => press === presses.current, asked);
        } else if (press === presses.current) set({view}); // its script says so if it is missing, too
        if (press === presses.current) setEntering('');
    };
    return {entering, enter};
}

/** @param {import('../base/shared.js').Shared & {session: import('../session/session.js').Session | null}} props */
export function Views(props) {
    const {t, state, shown} = props;
    const {entering, enter} = useEntrance(props);
    const value = entering || knownView(state.view);
    const nothing = isNothingPredicted(shown, state);
    const options = views.map(({id}) => {
        const [, short, rest] = t.viewWord.exec(t.viewTitles[id]) ?? [];
        return {
            value: id,
            label: short ? [short, h('i', {class: 'hidden'}, rest)] : t.viewTitles[id],
            title: nothing && id === 'decides' ? t.nothingPredicted : undefined,
        };
    });
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
