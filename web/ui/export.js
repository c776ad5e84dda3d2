/* export - the menu at the figure that saves it, and the dialog that hands out tags. What stands in them
 * is fetched after the first picture (export/menu.js, share.js).
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {lazy} from '../views/lazy.js';
import {useLazy, useWords} from './hooks.js';
import {Menu} from './menu.js';

/**
 * @typedef {import('./app.js').Shared & {drawable: import('./figure.js').Drawable, modelName:
 *     string, link: () => string,
 *   menu: import('./app.js').Menu, session: import('./session.js').Session, both: {current: import('./beside.js').Other |
 *   null}}} Props   both: what stands beside it
 * @typedef {{text: string, code?: string}} Said   code: what could not be copied
 */

const Kinds = lazy(() => import('./export/menu.js').then(module => module.Kinds));

/** @param {Props} props */
export function Export(props) {
    const {t} = props;
    const [sharing, setSharing] = useState(false);
    const dialog = useLazy(() => import('./share.js'), sharing);
    const words = useWords(t.code, 'dialogs', sharing)?.share;
    return [
        h(
            Menu,
            {key: 'menu', label: t.save.label, className: 'export'},
            h(Kinds, {...props, onShare: () => setSharing(true)}),
        ),
        sharing &&
            dialog &&
            words &&
            h(dialog.ShareDialog, {
                key: 'dialog',
                ...props,
                words,
                onClose: () => setSharing(false),
            }),
    ];
}
