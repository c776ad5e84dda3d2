/* saved - the script of a saved page (save.js): the figure with its controls, its numbers
 * and its table, made from what stands in the page. There is no engine: a change that needs other
 * tensors than those in the page is not made.
 */
import {h, render} from 'preact';
import {useState} from 'preact/hooks';
import {createStore} from '../state/store.js';
import {allWords, words} from '../words/languages.js';
import {loadView} from '../views/index.js';
import {isReady} from '../views/needs.js';
import {otherState} from '../compare/second.js';
import {Sides} from '../compare/sides.js';
import {Figure} from '../figure/figure.js';
import {useMedia, useSource} from '../shell/hooks.js';
import {Controls} from '../figure/controls.js';
import {OwnText} from '../figure/own_words.js';
import {Numbers} from '../figure/table.js';
import {NOTHING} from '../session/shown.js';
import {keepTexts} from '../shell/translation.js';

/** @import {State} from '../state/state.js' */

/** @param {string} text base64 of float32 */
function numbersOf(text) {
    const bytes = Uint8Array.from(atob(text), c => c.charCodeAt(0));
    return new Float32Array(bytes.buffer);
}

/** Obeys only changes that can be shown. @param {ReturnType<typeof createStore>} store
 * @param {(state: State) => boolean} canShow */
const limited = (store, canShow) => (/** @type {Partial<State>} */ patch) => {
    if (canShow({...store.get(), ...patch})) store.set(patch);
};

/**
 * @typedef {{page: any, view: any, second: import('../figure/figure.js').Drawable | null, t: import('../words/languages.js').Page, said:
 *     import('../words/languages.js').Dialogs['saved'], store: ReturnType<typeof createStore>, shown:
 *     import('../session/session.js').Shown, set: (patch: Partial<State>) => void}} Props
 *   page: what save.js has written; second: the figure beside
 */

/** What stands in the page, as a session would show it. @param {any} page
 * @returns {import('../session/session.js').Shown} */
function shownOf(page) {
    const tensors = new Map(
        page.tensors.map((/** @type {any} */ {name, shape, numbers, answer}) => [
            name,
            answer ?? {shape, data: numbersOf(numbers)},
        ]),
    );
    const {pass, fills, before} = page;
    // no other words than those in the page
    const model = {...page.model, mlm: page.model.mlm && page.state.fillings};
    const imported = page.cross ? /** @type {any} */ ({part: 'cross', parts: ['cross']}) : null;
    return {...NOTHING, model, pass, fills, before, tensors, imported};
}

/** What is to the figure's side. @param {Parameters<typeof Controls>[0]} props */
const Rail = props =>
    h(
        'section',
        {class: 'rail text-rail', 'aria-label': props.t.controls},
        h('div', {class: 'lens'}, h(Controls, props)),
    );

/** The numbers, and where the page comes from.
 * @param {Pick<Props, 'page' | 't' | 'said'> & {drawable: import('../figure/figure.js').Drawable}} props */
const Below = ({page, t, said, drawable}) =>
    h(
        'div',
        {class: 'below'},
        h(Numbers, {...drawable, t}),
        h(
            'p',
            {class: 'hint'},
            h('bdi', {translate: true}, said.source(page.source, page.texts.join(' / '))),
            ` · ${said.madeWith}`,
        ),
    );

/** Two figures side by side. @param {Pick<Props, 'page' | 't' | 'set'> & {second: import('../figure/figure.js').Drawable, drawable:
 *     import('../figure/figure.js').Drawable, state: State, peek: number}} props */
function Two({page, second, drawable, t, state, set, peek}) {
    const {view, data} = second;
    const wished = otherState(state);
    const seen = isReady(view, wished, data) ? wished : second.state;
    const told = {frozen: true, busy: false};
    return h(
        'div',
        {class: 'beside'},
        h(Sides, {
            ...{t, state, set, captions: page.beside.captions},
            drawables: [drawable, {view, state: seen, data: {...data, theme: drawable.data.theme}}],
            told: [
                {...told, peek},
                {...told, peek: -1, help: false},
            ],
        }),
    );
}

/** @param {Props} props */
function Page({page, view, second, t, said, store, shown, set}) {
    const state = useSource(store);
    const [peek, setPeek] = useState(-1);
    const dark = useMedia('(prefers-color-scheme: dark)');
    const theme = state.theme === 'auto' ? (dark ? 'dark' : 'light') : state.theme;
    const {model, pass, tensors, fills, before} = /** @type {any} */ (shown);
    const data = {model, pass, tensors, fills, before, theme};
    const drawable = {view, state, data};
    const layers = Array.from({length: model.layers}, (_, layer) => layer).filter(layer =>
        isReady(view, {...state, layer}, data),
    );
    return h(
        'main',
        null,
        h('h1', {class: 'hidden'}, t.viewTitles[page.view]),
        h(
            'div',
            {class: 'workspace'},
            h(Rail, {...{t, state, set, theme, shown, drawable, layers}, onPeek: setPeek}),
            h(
                'section',
                {class: 'show', 'aria-label': t.viewTitles[page.view]},
                h(OwnText, {kind: 'heading', state}),
                second
                    ? h(Two, {page, second, drawable, t, state, set, peek})
                    : h(
                          'div',
                          {class: view.broad ? 'stage broad' : 'stage'},
                          h(Figure, {...drawable, t, set, busy: false, peek, frozen: true}),
                      ),
                h(OwnText, {kind: 'note', state}),
            ),
        ),
        h(Below, {page, t, said, drawable}),
    );
}

const root = /** @type {Element} */ (document.getElementById('app'));
const page = JSON.parse(document.getElementById('data')?.textContent ?? 'null');
Promise.all([
    loadView(page.view),
    allWords(page.code),
    words(page.code, 'dialogs'),
    page.beside && loadView(page.beside.view),
]).then(([view, t, dialogs, viewBeside]) => {
    if (page.state.theme !== 'auto') document.documentElement.dataset.theme = page.state.theme;
    root.replaceChildren();
    keepTexts(root);
    const store = createStore({initial: page.state});
    const shown = shownOf(page);
    const set = limited(store, state => state.view === page.view && isReady(view, state, shown));
    const second = page.beside && {
        view: viewBeside,
        state: otherState(store.get()),
        data: shownOf({...page, ...page.beside}),
    };
    render(h(Page, {page, view, second, t, said: dialogs.saved, store, shown, set}), root);
});
