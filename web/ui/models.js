/* models - which model is shown, at the figure: the menu of the site's models, and below a button the
 * others: a folder, the loading box, attention from Python, and in some views a second model beside
 * the first.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {FileButton} from '../views/file_button.js';
import {useLazy, useWords} from './hooks.js';
import {closeMenu, Menu} from './menu.js';

/**
 * @typedef {import('./app.js').Shared} Shared
 * @typedef {{menu: import('./app.js').Menu, picked: string | null, onModel: (model: string) => void,
 *     onFiles: (files: File[]) => void, onImported: () => void, second: Second | null, onSecond: (model:
 *     string) => void, onSecondFiles: (files: File[]) => void}} ModelProps
 *   picked: the name of a folder of the reader's that is in use; onImported: a file of attention is
 *   to be opened; second: the folder whose model stands beside
 * @typedef {{source: {files: File[]}, name: string}} Second
 */

const PICKED = ' picked'; // no id of a model has a space
const BESIDE = ['head', 'heatmap']; // views that are drawn for two models; so is an opened head

const LARGE = 12e6; // bytes: what is a download of more says so

/** What a model of the menu is called. @param {import('./app.js').Menu[number]} entry
 * @param {Shared['t']} t */
function nameOf({id, name = id, names, ...entry}, t) {
    const own = names?.[t.code] ?? name;
    const bytes = ('bytes' in entry && entry.bytes) || 0;
    return bytes > LARGE ? `${own} (${t.size(bytes)})` : own;
}

/** Can another model stand beside? @param {Shared['state']} state @param {Shared['shown']} shown */
export const canCompare = ({view, opened}, {imported}) =>
    (BESIDE.includes(view) || (view === 'model' && opened !== '')) && !imported;

/** The loading box. @param {Pick<Shared, 't'> & Pick<ModelProps, 'onModel' | 'onFiles'> & {className?:
 *     string, onClose: () => void}} props */
function OtherModel({t, ...props}) {
    const box = useLazy(() => import('./load_box.js'), true);
    const words = useWords(t.code, 'dialogs', true)?.models;
    return box && words ? h(box.LoadBox, {t, words, ...props}) : null;
}

/** A folder of the reader's; the menu closes when one is chosen.
 * @param {Pick<Shared, 't'> & Pick<ModelProps, 'onFiles'>} props */
const Folder = ({t, onFiles}) =>
    h(
        'div',
        {style: {display: 'contents'}, onChange: closeMenu},
        h(FileButton, {label: t.modelFolder, folder: true, onFiles}),
    );

/** The model that stands beside. @param {Shared & Pick<ModelProps, 'menu' | 'second' | 'onSecond'> &
 *     {onOther: (event: Event) => void}} props
 */
function CompareWith({t, state, menu, shown, second, onSecond, onOther}) {
    if (!canCompare(state, shown)) return null;
    const id = second ? PICKED : state.compareWith;
    const options = menu.map(entry => ({value: entry.id, name: nameOf(entry, t)}));
    if (second) options.push({value: id, name: t.modelLocal(second.name)});
    else if (id && !menu.some(entry => entry.id === id)) options.push({value: id, name: id});
    const choose = (/** @type {import('preact').TargetedEvent<HTMLSelectElement>} */ event) => {
        const {value} = event.currentTarget;
        closeMenu(event); // it would cover the first of the two
        if (value !== PICKED) onSecond(value);
    };
    return h(
        'div',
        {class: 'compare-with'},
        h('label', {for: 'compare-with'}, t.beside.label),
        h(
            'select',
            {id: 'compare-with', value: id, onChange: choose},
            h('option', {value: ''}, t.beside.none),
            options.map(({value, name}) => h('option', {key: value, value}, name)),
        ),
        h(
            'button',
            {type: 'button', class: 'plain', 'aria-haspopup': 'dialog', onClick: onOther},
            t.compareOther,
        ),
    );
}

/** The models of the site; of others the one that is shown. @param {Shared & ModelProps} props */
function Shown({t, state, menu, picked, onModel}) {
    const id = state.model || menu[0]?.id;
    const options = menu.map(entry => ({value: entry.id, name: nameOf(entry, t)}));
    if (picked) options.push({value: PICKED, name: t.modelLocal(picked)});
    else if (!menu.some(entry => entry.id === id)) options.push({value: id, name: id});
    const choose = (/** @type {{currentTarget: HTMLSelectElement}} */ {currentTarget: {value}}) => {
        if (value !== PICKED) onModel(value);
    };
    return [
        h('label', {key: 'label', for: 'model', class: 'hidden'}, t.model),
        h(
            'select',
            {key: 'model', id: 'model', value: picked ? PICKED : id, onChange: choose},
            options.map(({value, name}) => h('option', {key: value, value}, name)),
        ),
    ];
}

/** @param {Shared & ModelProps} props */
export function Models(props) {
    const {t, onModel, onFiles, onImported, onSecond, onSecondFiles} = props;
    /** What is chosen in the box. */
    const [loading, setLoading] = useState(/** @type {'' | 'model' | 'beside'} */ (''));
    const onClose = () => setLoading('');
    /** The menu closes, and has the focus again when the box does.
     * @param {'model' | 'beside'} what */
    const load = what => (/** @type {Event} */ event) => {
        closeMenu(event);
        const {currentTarget} = event;
        /** @type {Element} */ (currentTarget)
            .closest('details')
            ?.querySelector('summary')
            ?.focus();
        setLoading(what);
    };
    const other = {type: 'button', class: 'plain', 'aria-haspopup': 'dialog'};
    return h(
        'div',
        {class: 'models'},
        h(Shown, props),
        h(
            Menu,
            {label: t.modelMore, className: 'more-models'},
            h('button', {...other, onClick: load('model')}, t.modelOther),
            h(Folder, {t, onFiles}),
            h('button', {...other, onClick: onImported}, t.imported.open),
            h(CompareWith, {...props, onOther: load('beside')}),
        ),
        loading === 'model' && h(OtherModel, {t, onModel, onFiles, onClose}),
        loading === 'beside' &&
            h(OtherModel, {
                ...{t, onClose, className: 'compared'},
                onModel: onSecond,
                onFiles: onSecondFiles,
            }),
    );
}
