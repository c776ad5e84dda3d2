/* models - the chooser of models, at the figure: the menu of the site's models, and below a button
 * the others: a folder, the loading box, attention from Python. A second one beside it:
 * compare/choose.js.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {FileButton} from '../views/parts/file_button.js';
import {useLazy} from '../shell/hooks.js';
import {closeMenu, Menu} from '../shell/menu.js';
import {viewHas} from '../views/index.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @typedef {{menu: import('../base/shared.js').Menu, picked: string | null, onModel: (model: string) => void,
 *     onFiles: (files: File[]) => void, onImported: () => void, second: Second | null, onSecond: (model:
 *     string) => void, onSecondFiles: (files: File[]) => void}} ModelProps
 *   picked: the name of a folder of the reader's that is in use; onImported: a file of attention is
 *   to be opened; second: the folder whose model stands beside
 * @typedef {{source: {files: File[]}, name: string}} Second
 */

const PICKED = ' picked'; // no id of a model has a space

const SHORT = 21; // letters of a name that a phone has room for beside the menus; a Chinese one is as wide as two
const LARGE = 12e6; // bytes: what is a download of more says so

/** What a model of the menu is called. @param {import('../base/shared.js').Menu[number]} entry
 * @param {Shared['t']} t */
export function nameOf({id, name = id, names, ...entry}, t) {
    const own = names?.[t.code] ?? name;
    const bytes = ('bytes' in entry && entry.bytes) || 0;
    return bytes > LARGE ? `${own} (${t.size(bytes)})` : own;
}

/** The models of the menu as a select offers them: under what each is good for.
 * @param {Pick<Shared, 't'> & Pick<ModelProps, 'menu'>} props */
export function MenuOptions({t, menu}) {
    const groupOf = (/** @type {import('../base/shared.js').Menu[number]} */ {group}) =>
        group?.[t.code];
    return [...new Set(menu.map(groupOf))].map(label => {
        const options = menu
            .filter(entry => groupOf(entry) === label)
            .map(entry => h('option', {key: entry.id, value: entry.id}, nameOf(entry, t)));
        return label ? h('optgroup', {key: label, label}, options) : options;
    });
}

/** Can a second figure stand beside? Another head, token or view in some views only, and of an opened head.
 * @param {Pick<Shared['state'], 'view' | 'opened' | 'beside' | 'compareWith'>} state @param {Pick<Shared['shown'], 'imported'>} shown
 * @param {boolean} [folder] of another model, from a folder */
export const canCompare = ({view, opened, beside, compareWith}, {imported}, folder = false) =>
    !imported &&
    (folder ||
        compareWith !== '' ||
        /^$|\btext/.test(beside) ||
        viewHas(view, 'beside') ||
        (view === 'model' && opened !== ''));

/** A folder of the reader's; the menu closes when one is chosen.
 * @param {Pick<Shared, 't'> & Pick<ModelProps, 'onFiles'>} props */
const Folder = ({t, onFiles}) =>
    h(
        'div',
        {style: {display: 'contents'}, onChange: closeMenu},
        h(FileButton, {label: t.modelFolder, folder: true, onFiles}),
    );

/** The models of the site; of others the one that is shown. @param {Shared & ModelProps} props */
function Shown({t, state, menu, picked, onModel}) {
    const id = state.model || menu[0]?.id;
    const entry = picked ? null : menu.find(one => one.id === id);
    const name = picked ? t.modelLocal(picked) : entry ? nameOf(entry, t) : id;
    const value = picked ? PICKED : id;
    const choose = (/** @type {{currentTarget: HTMLSelectElement}} */ {currentTarget}) => {
        if (currentTarget.value !== PICKED) onModel(currentTarget.value);
    };
    return h(
        'select',
        {
            ...{id: 'model', 'aria-label': t.model, value, onChange: choose, title: name},
            class: name.replace(/[^ -~]/g, '..').length > SHORT ? 'long-name' : '',
        },
        h(MenuOptions, {t, menu}),
        !entry && h('option', {value}, name),
    );
}

/** @param {Shared & ModelProps} props */
export function Models(props) {
    const {t, onModel, onFiles, onImported} = props;
    const [loading, setLoading] = useState(false);
    const box = useLazy(() => import('./load_box.js'), loading);
    const onClose = () => setLoading(false);
    // what is dropped on the page, a model or attention, was what the box is for
    useEffect(onClose, [props.shown.imported, props.picked]);
    /** The menu closes, and has the focus again when the box does. */
    const load = (/** @type {Event} */ event) => {
        closeMenu(event);
        const {currentTarget} = event;
        /** @type {Element} */ (currentTarget)
            .closest('details')
            ?.querySelector('summary')
            ?.focus();
        setLoading(true);
    };
    const opens = /** @type {const} */ ({'aria-haspopup': 'dialog'});
    return h(
        'div',
        {class: 'models'},
        h(Shown, props),
        h(
            Menu,
            {
                label: h('span', null, t.modelMore[0], h('span', null, t.modelMore[1])),
                className: 'more-models',
            },
            buttonOf('plain', {...opens, onClick: load}, t.modelOther),
            h(Folder, {t, onFiles}),
            buttonOf('plain', {...opens, onClick: onImported}, t.imported.open),
        ),
        loading && box && h(box.LoadBox, {t, onModel, onFiles, onClose}),
    );
}
