/* app - the whole page: header, title, the controls, the figure with its numbers, and what follows below.
 * It joins the state (core/store.js), what is computed (ui/session.js) and the views.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {knownView, loadedView} from '../views/index.js';
import {isReady} from '../views/needs.js';
import {Figure} from './figure.js';
import {Header} from './header.js';
import {useMedia, useSource} from './hooks.js';
import {useTexts} from './languages.js';
import {Lens} from './lens.js';
import {Notice, Progress} from './progress.js';
import {Results} from './results.js';
import {saveSvg} from './save.js';
import {Numbers} from './table.js';
import {Texts} from './texts.js';
import {Views} from './views.js';

/**
 * @typedef {import('../views/view.js').Texts} Texts
 * @typedef {import('../core/state.js').State} State
 * @typedef {ReturnType<typeof import('../core/engine.js').createEngine>} Engine
 * @typedef {{id: string, name?: string, url: string, files: string[], bytes: number}[]} Menu   models/index.json
 * @typedef {{t: Texts, state: State, set: (patch: Partial<State>) => void, theme: string,
 *   shown: import('./session.js').Shown}} Shared   what most parts take; theme is 'light' or 'dark'
 */

const EXPORT_WIDTH = 640;

/** @param {string} model @param {Menu} menu */
const nameOf = (model, menu) => {
    const entry = model ? menu.find(({id}) => id === model) : menu[0];
    return entry?.name ?? entry?.id ?? model;
};

/** Writes what concerns the whole document: language, title, theme. @param {Texts} t @param {string} theme */
function useDocument(t, theme) {
    useEffect(() => {
        document.documentElement.lang = t.code;
        document.title = t.pageTitle;
        if (theme === 'auto') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
    }, [t, theme]);
}

/** @param {Shared} props */
function Status({t, shown: {pass, model, busy}}) {
    const cut = (pass?.dropped ?? []).map((count, sentence) => count > 0 && model
        ? h('p', {class: 'cut', key: sentence}, t.dropped(count, sentence, model.positions)) : null);
    const warnings = (model?.warnings ?? []).map(line => h('p', {key: line, lang: 'en'}, h('bdi', null, line)));
    const said = busy ? t.computing : pass ? t.ready(pass.tokens.length, pass.milliseconds) : '';
    return h('div', {class: 'status', role: 'status'}, h('p', null, said), cut, warnings);
}

/** The view with its data, once all that it needs is there; until then the one before stays.
 * @param {Shared} props */
function useDrawable({state, shown: {model, pass, tensors, fills, before}, theme}) {
    const last = useRef(/** @type {import('./figure.js').Drawable | null} */ (null));
    const view = loadedView(state.view);
    const data = model && pass ? {model, pass, tensors, fills, before, theme} : null;
    if (view && data && isReady(view, state, data)) last.current = {view, state, data};
    return last.current;
}

/** The figure with the numbers beside it.
 * @param {Shared & {modelName: string, peek: number, drawable: import('./figure.js').Drawable | null}} props */
function Stage({t, set, shown: {progress, busy}, modelName, drawable, peek}) {
    const kind = drawable ? drawable.view.wide ? ' wide' : '' : ' empty';
    return h('div', {class: `stage${kind}`},
        progress && h(Progress, {t, progress, name: modelName}),
        drawable && h(Figure, {...drawable, key: drawable.view.id, t, set, busy, peek}));
}

/** @param {{t: Texts, drawable: import('./figure.js').Drawable}} props */
function Below({t, drawable: {view, state, data}}) {
    const {pass, model, fills, theme} = data;
    const masks = fills.filter(({index}) => state.masked.includes(index) || pass.tokens[index]?.id === model.special.mask);
    const save = () => saveSvg(view.svg(state, data, {width: EXPORT_WIDTH, theme, focus: null}, t), 'headlight.svg');
    return h('div', {class: 'below'},
        !view.predicts && h(Results, {t, pass, fills: masks}),
        h(Numbers, {view, state, data, t}),
        h('button', {type: 'button', class: 'plain', onClick: save}, t.saveSvg));
}

/** @param {Shared & {session: import('./session.js').Session, menu: Menu}} props */
function Desk({session, menu, ...shared}) {
    const {t, state, shown} = shared;
    const [folder, setFolder] = useState('');
    const [peek, setPeek] = useState(-1);
    const onFiles = (/** @type {File[]} */ files) => {
        setFolder(files[0]?.webkitRelativePath.split('/')[0] || files[0]?.name || '');
        session.open(files);
    };
    const modelName = shown.picked ? folder : nameOf(state.model, menu);
    const drawable = useDrawable(shared);
    return [h('div', {class: 'desk', key: 'desk'},
        h('section', {class: 'rail', 'aria-label': t.controls},
            h(Texts, shared),
            h(Lens, {...shared, menu, drawable, onPeek: setPeek, picked: shown.picked ? folder : null, onFiles}),
            h(Status, shared)),
        h('section', {class: 'show', 'aria-label': t.viewTitles[knownView(state.view)]},
            shown.problem && h(Notice, {t, problem: shown.problem, kept: Boolean(shown.pass), onRetry: session.step,
                onClose: session.dismiss}),
            h(Stage, {...shared, modelName, drawable, peek}))),
        drawable && h(Below, {key: 'below', t, drawable})];
}

/** @param {{store: ReturnType<typeof import('../core/store.js').createStore>, menu: Menu, texts: Texts,
 *   session: import('./session.js').Session}} props   texts: of the language that the page starts in */
export function App({store, session, menu, texts}) {
    const state = useSource(store);
    const shown = useSource(session);
    const dark = useMedia('(prefers-color-scheme: dark)');
    const t = useTexts(state.lang, texts);
    useDocument(t, state.theme);
    const theme = state.theme === 'auto' ? (dark ? 'dark' : 'light') : state.theme;
    const shared = {t, state, set: store.set, theme, shown};
    return [
        h(Header, {key: 'top', ...shared, link: store.link}),
        h('main', {key: 'main'},
            h('div', {class: 'intro'}, h('h1', null, t.heading), h('p', {class: 'lede'}, t.lede)),
            h(Views, shared),
            h(Desk, {...shared, session, menu})),
        h('footer', {key: 'foot'}, t.footer),
    ];
}
