/* lens - what of the computed attention is looked at: layer, heads, pairs, and the model it comes
 * from.
 */
import {h} from 'preact';
import {loadedView} from '../views/index.js';
import {clampLayer, counted, FILTERS, filterRanges, startOfB} from '../views/select.js';
import {useState} from 'preact/hooks';
import {Choice} from '../views/choice.js';
import {Heads, OneHead} from './heads.js';
import {useLazy, useWords} from './hooks.js';

/**
 * @typedef {import('./app.js').Shared} Shared
 * @typedef {{menu: import('./app.js').Menu, picked: string | null, onModel: (model: string) => void,
 *     onFiles: (files: File[]) => void, onImported: () => void}} ModelProps
 *   picked: the name of a folder of the reader's that is in use; onImported: a file of attention is
 *   to be opened
 * @typedef {Shared & {drawable: import('./figure.js').Drawable | null, layers?: number[],
 *   onPeek: (head: number) => void}} ControlProps   layers: that can be shown, if not all
 */

const PICKED = ' picked'; // no id of a model has a space

/** The button that opens the loading box.
 * @param {Pick<Shared, 't'> & Pick<ModelProps, 'onModel' | 'onFiles'>} props */
function OtherModel({t, onModel, onFiles}) {
    const [open, setOpen] = useState(false);
    const box = useLazy(() => import('./load_box.js'), open);
    const words = useWords(t.code, 'dialogs', open)?.models;
    const button = {
        type: 'button',
        class: 'plain',
        'aria-haspopup': 'dialog',
        onClick: () => setOpen(true),
    };
    return [
        h('button', {key: 'open', ...button}, t.modelOther),
        open &&
            box &&
            words &&
            h(box.LoadBox, {key: 'box', t, words, onModel, onFiles, onClose: () => setOpen(false)}),
    ];
}

/** @param {Shared & ModelProps} props */
function Models({t, state, menu, picked, onModel, onFiles, onImported}) {
    const id = state.model || menu[0]?.id;
    const options = menu.map(entry => ({value: entry.id, name: entry.name ?? entry.id}));
    if (picked) options.push({value: PICKED, name: t.modelLocal(picked)});
    else if (!menu.some(entry => entry.id === id)) options.push({value: id, name: id});
    const choose = (/** @type {{currentTarget: HTMLSelectElement}} */ {currentTarget: {value}}) => {
        if (value !== PICKED) onModel(value);
    };
    const open = (/** @type {HTMLInputElement} */ input) => {
        onFiles([...(input.files ?? [])]);
        input.value = '';
    };
    return h(
        'div',
        {class: 'models'},
        h('label', {for: 'model'}, t.model),
        h(
            'label',
            {class: 'plain folder'},
            t.modelFolder,
            h('input', {
                type: 'file',
                webkitdirectory: true,
                multiple: true,
                class: 'hidden',
                onChange: event => open(event.currentTarget),
            }),
        ),
        h(
            'select',
            {id: 'model', value: picked ? PICKED : id, onChange: choose},
            options.map(({value, name}) => h('option', {key: value, value}, name)),
        ),
        h(OtherModel, {t, onModel, onFiles}),
        h('button', {type: 'button', class: 'plain', onClick: onImported}, t.imported.open),
    );
}

/** The model that stands beside, in the head view. @param {Shared & {menu: ModelProps['menu']}} props */
function CompareWith({t, state, set, menu, shown}) {
    if (state.view !== 'head' || shown.imported) return null;
    const id = state.compareWith;
    const options = menu.map(entry => ({value: entry.id, name: entry.name ?? entry.id}));
    if (id && !menu.some(entry => entry.id === id)) options.push({value: id, name: id});
    return h(
        'div',
        {class: 'models'},
        h('label', {for: 'compare-with'}, t.beside.label),
        h(
            'select',
            {
                id: 'compare-with',
                value: id,
                onChange: (
                    /** @type {{currentTarget: HTMLSelectElement}} */ {currentTarget: {value}},
                ) => set({compareWith: value}),
            },
            h('option', {value: ''}, t.beside.none),
            options.map(({value, name}) => h('option', {key: value, value}, name)),
        ),
    );
}

/** @param {Shared} props */
function Pairs({t, state, set, shown}) {
    const tokens = shown.pass?.tokens ?? [];
    const possible = startOfB(tokens) >= 0;
    const {filter} = filterRanges(tokens, state.filter);
    const hint =
        filter !== 'all' ? t.filterHint : shown.pass && !possible ? t.filterNeedsB : '\u00a0';
    const names = /** @type {(keyof typeof t.filters)[]} */ (FILTERS);
    return h(Choice, {
        name: 'filter',
        legend: t.filter,
        disabled: !possible,
        value: filter,
        hint,
        options: names.map(value => ({
            value,
            label: t.filters[value],
            title: t.filterNames[value],
        })),
        onChoose: value => set({filter: value}),
    });
}

/** @param {Shared & {layers?: number[], idle: boolean}} props */
function Layers({t, state, set, shown, layers, idle}) {
    const {model} = shown;
    if (!model) return null;
    const number = counted(state);
    const count = model.whole ?? model.layers;
    const options = (layers ?? Array.from({length: count}, (_, layer) => layer)).map(layer => {
        const name = t.layerName(number(layer));
        const coming = layer >= model.layers;
        return {
            value: layer,
            label: number(layer),
            title: coming ? t.layerComing(name) : name,
            disabled: coming,
        };
    });
    return h(Choice, {
        name: 'layer',
        legend: t.layer,
        value: clampLayer(state.layer, model),
        options,
        disabled: idle,
        onChoose: layer => set({layer}),
    });
}

/** The shared controls that the view obeys, and its own. Cross-attention has but one direction.
 * @param {ControlProps} props */
export function Controls({drawable, layers, onPeek, ...shared}) {
    const {
        t,
        state,
        set,
        shown: {model, imported},
    } = shared;
    const view = loadedView(state.view);
    const has = (/** @type {string} */ control) => view?.controls.includes(control);
    const isIdle = (/** @type {string} */ control) =>
        view?.idle?.(state).includes(control) ?? false;
    return [
        has('layer') &&
            h(
                'div',
                {class: 'space', key: 'layer'},
                h(Layers, {...shared, layers, idle: isIdle('layer')}),
            ),
        has('heads') &&
            h(
                'div',
                {class: 'space', key: 'heads'},
                model && h(Heads, {...shared, onPeek, count: model.heads, idle: isIdle('heads')}),
            ),
        has('head') &&
            h(
                'div',
                {class: 'space', key: 'head'},
                model && h(OneHead, {...shared, count: model.heads}),
            ),
        has('filter') && imported?.part !== 'cross' && h(Pairs, {key: 'filter', ...shared}),
        view && drawable?.view === view && view.options?.(state, drawable.data, {set}, t),
    ];
}

/** The controls and the model. @param {ControlProps & ModelProps} props */
export function Lens({menu, picked, onModel, onFiles, onImported, drawable, onPeek, ...shared}) {
    return h(
        'div',
        {class: 'lens'},
        h(Controls, {...shared, drawable, onPeek}),
        h(Models, {...shared, menu, picked, onModel, onFiles, onImported}),
        h(CompareWith, {...shared, menu}),
    );
}
