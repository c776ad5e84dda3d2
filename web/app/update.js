/* update - keeps the site for use without a network once the first figure is computed, and says in a
 * quiet line that a newer version of the page has been fetched, with the button that takes it.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {useSource, useWords} from '../shell/hooks.js';
import {createInstaller} from './install.js';

// the first figure is drawn before the disk and the network are needed for what is kept
const AFTER_MS = 500;

/** @param {{t: import('../base/shared.js').Texts, reload: () => void}} props */
export function Update({t, reload}) {
    const [installer] = useState(() => createInstaller());
    const ready = useSource(installer);
    const words = useWords(t.code, 'dialogs', ready)?.update;
    useEffect(() => {
        // what is kept in a frame, a lesson's in someone's page, would be kept once more for each such page
        if (parent !== globalThis.window) return;
        const start = () => installer.start(new URL('./sw.js', import.meta.url));
        const timer = setTimeout(start, AFTER_MS);
        return () => clearTimeout(timer);
    }, []);
    return h(
        'div',
        {class: 'update', role: 'status'},
        ready &&
            words &&
            h(
                'p',
                null,
                words.ready,
                ' ',
                buttonOf('plain', {onClick: () => installer.use(reload)}, words.reload),
            ),
    );
}
