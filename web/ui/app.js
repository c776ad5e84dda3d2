/* app - the whole page: header, title, the controls, the figure with its numbers, and what follows below.
 * It joins the state (core/store.js), what is computed (ui/session.js) and the views.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {viewOf} from '../views/index.js';
import {Figure} from './figure.js';
import {Header} from './header.js';
import {useMedia, useSource} from './hooks.js';
import {Lens} from './lens.js';
import {Notice, Progress} from './progress.js';
import {Results} from './results.js';
import {saveSvg} from './save.js';
import {Numbers} from './table.js';
import {Texts} from './texts.js';

/**
 * @typedef {import('../views/view.js').Texts} Texts
 * @typedef {import('../core/state.js').State} State
 * @typedef {ReturnType<typeof import('../core/engine.js').createEngine>} Engine
 * @typedef {{id: string, name?: string, url: string, files: string[], bytes: number}[]} Menu   models/index.json
 * @typedef {{t: Texts, state: State, set: (patch: Partial<State>) => void, theme: string,
 *   shown: import('./session.js').Shown}} Shared   what most parts take; theme is 'light' or 'dark'
 */

const EXPORT_WIDTH = 640;

/** The first wish that there is a text for, else the first text.
 * @param {string} lang '' for the browser's @param {Texts[]} texts */
function textsFor(lang, texts) {
    const wishes = [lang, ...navigator.languages].map(tag => tag.slice(0, 2));
    const code = wishes.find(wish => texts.some(text => text.code === wish));
    return texts.find(text => text.code === code) ?? texts[0];
}

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

/** The figure with the numbers beside it. While the tensors of a newly chosen layer are on their way, the layer
 * before stays. @param {Shared & {modelName: string}} props */
function Stage({t, state, shown, theme, modelName}) {
    const {model, pass, tensors, progress, busy} = shown;
    const view = viewOf(state.view);
    const last = useRef(state);
    const data = model && pass ? {model, pass, tensors, theme} : null;
    if (data && view.ready(state, data)) last.current = state;
    const drawn = {...state, layer: last.current.layer};
    return h('div', {class: pass ? 'stage' : 'stage empty'},
        progress && h(Progress, {t, progress, name: modelName}),
        data && view.ready(drawn, data) && h(Figure, {view, state: drawn, data, t, busy}));
}

/** @param {Shared} props */
function Below({t, state, shown: {model, pass, tensors, fills}, theme}) {
    const view = viewOf(state.view);
    if (!model || !pass || !view.ready(state, {model, pass, tensors})) return null;
    const data = {model, pass, tensors};
    const save = () => saveSvg(view.svg(state, data, {width: EXPORT_WIDTH, theme, focus: null}, t), 'headlight.svg');
    return h('div', {class: 'below'},
        h(Results, {t, pass, fills}),
        h(Numbers, {view, state, data, t}),
        h('button', {type: 'button', class: 'plain', onClick: save}, t.saveSvg));
}

/** @param {Shared & {session: import('./session.js').Session, menu: Menu}} props */
function Desk({session, menu, ...shared}) {
    const {t, state, shown} = shared;
    const [folder, setFolder] = useState('');
    const onFiles = (/** @type {File[]} */ files) => {
        setFolder(files[0]?.webkitRelativePath.split('/')[0] || files[0]?.name || '');
        session.open(files);
    };
    const modelName = shown.picked ? folder : nameOf(state.model, menu);
    return h('div', {class: 'desk'},
        h('section', {class: 'rail', 'aria-label': t.controls},
            h(Texts, shared),
            h(Lens, {...shared, menu, picked: shown.picked ? folder : null, onFiles}),
            h(Status, shared)),
        h('section', {class: 'show', 'aria-label': viewOf(state.view).title(t)},
            shown.problem && h(Notice, {t, problem: shown.problem, kept: Boolean(shown.pass), onRetry: session.step,
                onClose: session.dismiss}),
            h(Stage, {...shared, modelName})));
}

/** @param {{store: ReturnType<typeof import('../core/store.js').createStore>, menu: Menu, texts: Texts[],
 *   session: import('./session.js').Session}} props */
export function App({store, session, menu, texts}) {
    const state = useSource(store);
    const shown = useSource(session);
    const dark = useMedia('(prefers-color-scheme: dark)');
    const t = textsFor(state.lang, texts);
    useDocument(t, state.theme);
    const theme = state.theme === 'auto' ? (dark ? 'dark' : 'light') : state.theme;
    const shared = {t, state, set: store.set, theme, shown};
    return [
        h(Header, {key: 'top', ...shared, texts, link: store.link}),
        h('main', {key: 'main'},
            h('div', {class: 'intro'}, h('h1', null, t.heading), h('p', {class: 'lede'}, t.lede)),
            h(Desk, {...shared, session, menu}),
            h(Below, shared)),
        h('footer', {key: 'foot'}, t.footer),
    ];
}
