/* choose - the menu at the figure that puts a second one beside it: what is to be another one (head, text,
 * view, model), or one token of all; and the way back to one figure. Fetched after the first picture.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {tokenOf} from '../../views/parts/one_head.js';
import {activeHeads, clampLayer} from '../../views/select.js';
import {useLazy, useWords} from '../hooks.js';
import {closeMenu, Menu} from '../menu.js';
import {canCompare, nameOf} from '../models.js';
import {kindsOf, writtenPatch} from './second.js';

/**
 * @typedef {import('../app.js').Shared} Shared
 * @typedef {import('../app.js').State} State
 * @typedef {import('../figure.js').Drawable} Drawable
 * @typedef {import('../models.js').ModelProps} ModelProps
 * @typedef {import('../../text/languages.js').Dialogs['beside']} Words
 * @typedef {Shared & Pick<ModelProps, 'menu' | 'second' | 'onSecond' | 'onSecondFiles'> & {drawable: Drawable}} Props
 * @typedef {'head' | 'text' | 'token' | 'view'} Kind
 */

const PICKED = ' picked'; // no id of a model has a space

/** What each begins with: the page's own fields, and the second figure's.
 * @type {Record<Kind, (drawable: Drawable) => [Partial<State>, Partial<State>]>} */
const BEGIN = {
    head({state: {layer, heads}, data: {model}}) {
        const [one, two = (one + 1) % model.heads] = activeHeads(heads, model.heads);
        return [
            {heads: [one], mix: 'heads'},
            {layer: clampLayer(layer, model), heads: [two]},
        ];
    },
    text: ({state: {text, textB}}) => [{}, {text, textB}],
    token({state: {picked, side, token}, data: {pass}}) {
        const one = tokenOf(token, pass.tokens);
        return [
            {picked: [], token: -1},
            picked.length ? {picked, side, token} : {picked: [one], side: 'query', token: one},
        ];
    },
    view({state: {view, heads}, data: {model}}) {
        const [one] = activeHeads(heads, model.heads);
        return [{heads: [one], mix: 'heads'}, {view: view === 'head' ? 'neuron' : 'head'}];
    },
};

/** What can be another one beside a view. @param {string} view @returns {Kind[]} */
function kindsFor(view) {
    if (view === 'head') return ['head', 'token', 'text', 'view'];
    return view === 'model' ? [] : ['head', 'text', 'view'];
}

/** @param {Props & {words: Words}} props */
function Kinds({state, set, drawable, onSecond, second, words}) {
    const on = kindsOf(state, second !== null);
    const choose = (/** @type {Kind} */ kind) => (/** @type {any} */ event) => {
        closeMenu(event);
        if (second) onSecond('');
        const [page, own] = BEGIN[kind](drawable);
        set({...page, compareWith: '', beside: writtenPatch(own)});
    };
    return h(
        'ul',
        null,
        kindsFor(state.view).map(kind =>
            h(
                'li',
                {key: kind},
                h(
                    'button',
                    {
                        ...{type: 'button', class: 'plain'},
                        'aria-pressed': on.includes(kind),
                        onClick: choose(kind),
                    },
                    kind === 'view' && state.view !== 'head'
                        ? words.patternView
                        : words.kinds[kind],
                ),
            ),
        ),
    );
}

/** The loading box. @param {Pick<Props, 't' | 'onSecond' | 'onSecondFiles'> & {onClose: () => void}} props */
function OtherModel({t, onSecond, onSecondFiles, onClose}) {
    const box = useLazy(() => import('../load_box.js'), true);
    const words = useWords(t.code, 'dialogs', true)?.models;
    if (!box || !words) return null;
    return h(box.LoadBox, {
        ...{t, words, onClose, className: 'compared'},
        ...{onModel: onSecond, onFiles: onSecondFiles},
    });
}

/** The model that stands beside. @param {Props & {words: Words, onOther: (event: Event) => void}} props */
function Model({t, state, menu, second, onSecond, onOther, words}) {
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
        h('label', {for: 'compare-with'}, words.with),
        h(
            'select',
            {id: 'compare-with', value: id, onChange: choose},
            h('option', {value: ''}, words.none),
            options.map(({value, name}) => h('option', {key: value, value}, name)),
        ),
        h(
            'button',
            {type: 'button', class: 'plain', 'aria-haspopup': 'dialog', onClick: onOther},
            words.other,
        ),
    );
}

/** @param {Props} props */
export function SideBySide(props) {
    const {t, state, set, shown, second, onSecond} = props;
    const words = useWords(t.code, 'dialogs', true)?.beside;
    const [loading, setLoading] = useState(false);
    if (!words || !canCompare(state, shown)) return null;
    const onOther = (/** @type {Event} */ event) => {
        const details = /** @type {Element} */ (event.currentTarget).closest('details');
        closeMenu(event);
        details?.querySelector('summary')?.focus(); // when the box closes, it is here
        setLoading(true);
    };
    const end = (/** @type {any} */ event) => {
        closeMenu(event);
        if (second) onSecond('');
        set({compareWith: '', beside: ''});
    };
    return [
        h(
            Menu,
            {
                ...{key: 'menu', className: 'side-by-side'},
                // on a phone there is room for a shorter word
                label: [
                    h('span', {key: 'wide', class: 'wide'}, words.label),
                    h('span', {key: 'narrow', class: 'narrow'}, words.short),
                ],
            },
            h('p', {class: 'hint'}, words.hint),
            h(Kinds, {...props, words}),
            h(Model, {...props, words, onOther}),
            kindsOf(state, second !== null).length > 0 &&
                h('button', {type: 'button', class: 'plain end', onClick: end}, words.end),
        ),
        loading && h(OtherModel, {key: 'box', ...props, onClose: () => setLoading(false)}),
    ];
}
