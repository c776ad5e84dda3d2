/* export - the row below the figure: it as a file of several kinds, its link, the dialog that hands
 * out tags. What makes them is fetched when first asked for (export/save.js, share.js).
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {useLazy, useWords} from './hooks.js';

/**
 * @typedef {import('./export/save.js').Kind} Kind
 * @typedef {import('./app.js').Shared & {drawable: import('./figure.js').Drawable, modelName:
 *     string, link: () => string,
 *   menu: import('./app.js').Menu, session: import('./session.js').Session}} Props
 * @typedef {{text: string, code?: string}} Said   code: what could not be copied
 */

/** @param {Props} props */
export function Export(props) {
    const {
        t,
        link,
        shown: {imported, picked},
    } = props;
    // A link cannot carry the reader's own files, and one to the disk is of use to nobody else.
    const canLink = !imported && !picked && /^https?:/.test(link());
    const [sharing, setSharing] = useState(false);
    const dialog = useLazy(() => import('./share.js'), sharing);
    const words = useWords(t.code, 'dialogs', sharing)?.share;
    const [said, setSaid] = useState(/** @type {Said} */ ({text: ''}));
    const make = (/** @type {Kind} */ kind) => async () =>
        setSaid(await (await import('./export/save.js')).save(kind, props));
    const button = (
        /** @type {Kind} */ kind,
        /** @type {string} */ label,
        /** @type {string} */ hint,
    ) =>
        h(
            'button',
            {key: kind, type: 'button', class: 'plain', title: hint, onClick: make(kind)},
            label,
        );
    const kinds = /** @type {(keyof typeof t.save.files)[]} */ (Object.keys(t.save.files));
    return h(
        'section',
        {class: 'export', 'aria-labelledby': 'export-label'},
        h(
            'div',
            {class: 'row'},
            h('h2', {id: 'export-label'}, t.save.label),
            kinds.map(kind => button(kind, t.save.files[kind], t.save.hints[kind])),
            canLink && button('link', t.save.link, t.save.link),
            canLink &&
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'plain',
                        title: t.save.shareHint,
                        onClick: () => setSharing(true),
                    },
                    t.save.share,
                ),
        ),
        sharing &&
            dialog &&
            words &&
            h(dialog.ShareDialog, {...props, words, onClose: () => setSharing(false)}),
        imported && h('p', {class: 'hint'}, t.save.importedHint),
        h('p', {class: 'said', role: 'status'}, h('bdi', null, said.text)),
        said.code &&
            h('textarea', {
                class: 'code',
                readOnly: true,
                rows: 3,
                value: said.code,
                'aria-label': said.text,
                onFocus: (/** @type {{currentTarget: HTMLTextAreaElement}} */ {currentTarget}) =>
                    currentTarget.select(),
            }),
    );
}
