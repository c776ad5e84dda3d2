/* export - the menu at the figure that saves it, and the dialog that hands out tags. What stands in them
 * is fetched after the first picture (menu.js, share.js).
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {lazy} from '../views/parts/lazy.js';
import {useLazy, useWords} from '../shell/hooks.js';
import {Menu} from '../shell/menu.js';

/**
 * @typedef {import('../base/shared.js').Shared & {drawable: import('../figure/figure.js').Drawable, modelName:
 *     string, link: () => string,
 *   menu: import('../base/shared.js').Menu, session: import('../session/session.js').Session, both: {current: import('../compare/beside.js').Other |
 *   null}, look?: import('./look.js').Look}} Props   both: what stands beside it; look: of
 *   pictures
 * @typedef {{text: string, code?: string}} Said   code: what could not be copied
 */

const Kinds = lazy(() => import('./menu.js').then(module => module.Kinds));

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
