/* update - the quiet line that says that a newer version of the page has been fetched, with the
 * button that takes it.
 */
import {h} from 'preact';
import {useSource} from '../shell/hooks.js';

/** @param {{t: import('./app.js').Texts, installer: import('./install.js').Installer, reload:
 *     () => void}} props */
export function Update({t, installer, reload}) {
    const ready = useSource(installer);
    return h(
        'div',
        {class: 'update', role: 'status'},
        ready &&
            h(
                'p',
                null,
                t.update.ready,
                ' ',
                h(
                    'button',
                    {type: 'button', class: 'plain', onClick: () => installer.use(reload)},
                    t.update.reload,
                ),
            ),
    );
}
