/* export - the menu at the figure that saves it: as a file of several kinds, its link, the dialog that
 * hands out tags. What makes them is fetched when first asked for (export/save.js, share.js).
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {whyNoLink} from './header.js';
import {useLazy, useWords} from './hooks.js';
import {Menu} from './menu.js';

/**
 * @typedef {import('./export/save.js').Kind} Kind
 * @typedef {import('./app.js').Shared & {drawable: import('./figure.js').Drawable, modelName:
 *     string, link: () => string,
 *   menu: import('./app.js').Menu, session: import('./session.js').Session, both: {current: import('./beside.js').Other |
 *   null}}} Props   both: what stands beside it
 * @typedef {{text: string, code?: string}} Said   code: what could not be copied
 */

/** What the press has come to; what could not be copied can be copied by hand.
 * @param {{said: Said}} props */
const Told = ({said}) => [
    h('p', {class: 'said', role: 'status', key: 'said'}, h('bdi', null, said.text)),
    said.code &&
        h('textarea', {
            key: 'code',
            class: 'code',
            readOnly: true,
            rows: 3,
            value: said.code,
            'aria-label': said.text,
            onFocus: (/** @type {{currentTarget: HTMLTextAreaElement}} */ {currentTarget}) =>
                currentTarget.select(),
        }),
];

/** A row of the menu. @param {string} label @param {string} hint @param {() => void} onClick */
const row = (label, hint, onClick) =>
    h(
        'li',
        {key: label},
        h('button', {type: 'button', class: 'plain', onClick}, label),
        hint && h('span', {class: 'hint'}, hint),
    );

/** Of export/attention.js, as they are called. */
const FORMATS = {
    csv: '.csv',
    json: '.json',
    npy: '.npy',
    safetensors: '.safetensors',
    half: 'float16',
};

/** The attention of every layer and head, in the formats of other programs.
 * @param {{t: Props['t'], onSave: (format: any) => void}} props */
const AllAttention = ({t, onSave}) =>
    h(
        'li',
        {class: 'all'},
        h('span', {class: 'hint'}, t.save.all),
        h(
            'span',
            null,
            Object.entries(FORMATS).map(([format, label]) =>
                h(
                    'button',
                    {
                        ...{key: format, type: 'button', class: 'plain'},
                        onClick: () => onSave(format),
                    },
                    label,
                ),
            ),
        ),
    );

/** @param {Props} props */
export function Export(props) {
    const {t, link} = props;
    // A link cannot carry the reader's own files, and one to the disk is of use to nobody else.
    const why = whyNoLink(props);
    const canLink = !why && /^https?:/.test(link());
    const [sharing, setSharing] = useState(false);
    const dialog = useLazy(() => import('./share.js'), sharing);
    const words = useWords(t.code, 'dialogs', sharing)?.share;
    const [said, setSaid] = useState(/** @type {Said} */ ({text: ''}));
    const make = (/** @type {Kind} */ kind) => async () =>
        setSaid(await (await import('./export/save.js')).save(kind, props));
    const saveAll = async (/** @type {any} */ format) =>
        setSaid(await (await import('./export/save.js')).saveAttention(format, props));
    const kinds = /** @type {(keyof typeof t.save.files)[]} */ (Object.keys(t.save.files));
    return [
        h(
            Menu,
            {key: 'menu', label: t.save.label, className: 'export'},
            h(
                'ul',
                null,
                kinds.map(kind => row(t.save.files[kind], t.save.hints[kind], make(kind))),
                props.shown.imported?.part !== 'cross' && h(AllAttention, {t, onSave: saveAll}),
                canLink && row(t.save.link, '', make('link')),
                canLink && row(t.save.share, t.save.shareHint, () => setSharing(true)),
            ),
            why && h('p', {class: 'hint'}, why),
            h(Told, {said}),
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
