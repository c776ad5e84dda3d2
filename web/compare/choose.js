/* choose - the menu at the figure that puts a second one beside it: what is to be another one (head, text,
 * view, model), or one token of all; and the way back to one figure. In most views another text or model.
 * Fetched after the first picture.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {useLazy, useWords} from '../shell/hooks.js';
import {closeMenu, Menu} from '../shell/menu.js';
import {MenuOptions} from '../model/models.js';
import {viewHas} from '../views/index.js';
import {beginBeside} from './begin.js';
import {kindsOf, RANDOM} from './second.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @import {Drawable} from '../figure/figure.js'
 * @import {ModelProps} from '../model/models.js'
 * @typedef {import('../words/languages.js').Dialogs['beside']} Words
 * @typedef {Shared & Pick<ModelProps, 'menu' | 'second' | 'onSecond' | 'onSecondFiles'> & {drawable: Drawable}} Props
 * @import {Kind} from './begin.js'
 */

const PICKED = ' picked'; // no id of a model has a space

/** What can be another one beside a view. @param {string} view @returns {Kind[]} */
function kindsFor(view) {
    if (view === 'head') return ['head', 'token', 'text', 'view'];
    return viewHas(view, 'beside') ? ['head', 'text', 'view'] : ['text'];
}

/** @param {Props & {words: Words}} props */
function Kinds({state, set, drawable, onSecond, second, words}) {
    const on = kindsOf(state, second !== null);
    const choose = (/** @type {Kind} */ kind) => (/** @type {any} */ event) => {
        closeMenu(event);
        if (second) onSecond('');
        set(beginBeside(kind, drawable));
    };
    return h(
        'ul',
        null,
        kindsFor(state.view).map(kind =>
            h(
                'li',
                {key: kind},
                buttonOf(
                    'plain',
                    {'aria-pressed': on.includes(kind), onClick: choose(kind)},
                    kind === 'view' && state.view !== 'head'
                        ? words.patternView
                        : words.kinds[kind],
                ),
            ),
        ),
    );
}

/** The model that stands beside. @param {Props & {words: Words, onOther: (event: Event) => void}} props */
function Model({t, state, menu, second, onSecond, onOther, words}) {
    const id = second ? PICKED : state.compareWith;
    const first = state.model || menu[0]?.id; // a model beside itself shows nothing, and one that reads no other texts another one
    const other = second
        ? t.modelLocal(second.name)
        : [...menu, {id: RANDOM}].some(one => one.id === id)
          ? ''
          : id;
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
            h('option', {value: RANDOM}, words.random),
            h(MenuOptions, {t, menu: menu.filter(one => one.id !== first && !one.shows)}),
            other && h('option', {key: id, value: id}, other),
        ),
        buttonOf('plain', {'aria-haspopup': 'dialog', onClick: onOther}, words.other),
    );
}

/** What can stand beside, and the way back to one. @param {Props & {words: Words, onOther: (event: Event) => void}} props */
function Sheet({words, onOther, ...props}) {
    const {state, set, second, onSecond} = props;
    const end = (/** @type {any} */ event) => {
        closeMenu(event);
        if (second) onSecond('');
        set({compareWith: '', beside: ''});
    };
    return [
        h('p', {key: 'hint', class: 'hint'}, words.hint),
        h(Kinds, {key: 'kinds', ...props, words}),
        h(Model, {key: 'model', ...props, words, onOther}),
        kindsOf(state, second !== null).length > 0 &&
            buttonOf('plain end', {key: 'end', onClick: end}, words.end),
    ];
}

/** The loading box. @param {Pick<Props, 't' | 'onSecond' | 'onSecondFiles'> & {onClose: () => void}} props */
function OtherModel({t, onSecond, onSecondFiles, onClose}) {
    const box = useLazy(() => import('../model/load_box.js'), true);
    return (
        box &&
        h(box.LoadBox, {
            ...{t, onClose, className: 'compared'},
            ...{onModel: onSecond, onFiles: onSecondFiles},
        })
    );
}

/** @param {Props} props */
export function SideBySide(props) {
    const {t, shown} = props;
    const words = useWords(t.code, 'dialogs', true)?.beside;
    const [loading, setLoading] = useState(false);
    if (!words) return null;
    const onOther = (/** @type {Event} */ event) => {
        const details = /** @type {Element} */ (event.currentTarget).closest('details');
        closeMenu(event);
        details?.querySelector('summary')?.focus(); // when the box closes, it is here
        setLoading(true);
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
            shown.imported
                ? h('p', {class: 'hint'}, words.ofFile)
                : h(Sheet, {...props, words, onOther}),
        ),
        loading && h(OtherModel, {key: 'box', ...props, onClose: () => setLoading(false)}),
    ];
}
