/* intro - the greeting of a first-time visitor: its title and a sentence, until they are closed or
 * another view is chosen. Those who come by a link, or again, have the title in the document only.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {useRemembered} from './remembered.js';

/** @param {import('./app.js').Shared & {linked: boolean}} props   linked: the reader came by a link */
export function Intro({t, state, linked}) {
    const [greet, setGreet] = useRemembered('greet', true);
    const [open, setOpen] = useState(greet && !linked);
    const away = state.view !== 'head';
    // Not by a press on the figure's controls: those would move away under the pointer.
    useEffect(() => {
        if (greet) setGreet(false);
        if (away) setOpen(false);
    }, [away]);
    return h(
        'div',
        {class: open ? 'intro' : 'hidden'},
        h('h1', null, t.heading),
        open && [
            h('p', {class: 'lede', key: 'lede'}, t.lede),
            h(
                'button',
                {
                    key: 'close',
                    type: 'button',
                    class: 'plain close',
                    'aria-label': t.close,
                    onClick: () => setOpen(false),
                },
                '×',
            ),
        ],
    );
}
