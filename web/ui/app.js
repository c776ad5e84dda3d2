/* app - the whole page: header, title, the controls, the figure with its numbers, and what follows below.
 * It joins the state (core/store.js), what is computed (ui/session.js) and the views. */

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

const EXPORT_WIDTH = 640;

function languageOf(lang, texts) {
    const wished = lang ? [lang] : navigator.languages;
    const codes = wished.map(tag => tag.slice(0, 2));
    return texts.find(({code}) => code === codes.find(wish => texts.some(text => text.code === wish))) ?? texts[0];
}

const nameOf = (model, menu) => (menu.find(({id}) => id === model) ?? (model ? null : menu[0]))?.name ?? (model || menu[0]?.id);

/* Writes what concerns the whole document: language, title, theme. */
function useDocument(t, theme) {
    useEffect(() => {
        document.documentElement.lang = t.code;
        document.title = t.pageTitle;
        if (theme === 'auto') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
    }, [t, theme]);
}

function Status({t, shown}) {
    const {pass, model, busy} = shown;
    const cut = pass ? pass.dropped.map((count, sentence) => count > 0 && t.dropped(count, sentence, model.positions)).filter(Boolean) : [];
    return h('div', {class: 'status', role: 'status'},
        h('p', null, busy ? t.computing : pass ? t.ready(pass.tokens.length, pass.milliseconds) : ''),
        cut.map(line => h('p', {class: 'cut', key: line}, line)),
        model?.warnings.map(line => h('p', {key: line, lang: 'en'}, h('bdi', null, line))));
}

/* The figure with the numbers beside it. While the tensors of a newly chosen layer are on their way, the layer
 * before stays. */
function Stage({t, state, shown, theme, modelName}) {
    const {model, pass, tensors, progress, busy} = shown;
    const view = viewOf(state.view);
    const data = {model, pass, tensors, theme};
    const last = useRef(state);
    if (pass && view.ready(state, data)) last.current = state;
    const drawn = {...state, layer: last.current.layer};
    return h('div', {class: pass ? 'stage' : 'stage empty'},
        progress && h(Progress, {t, progress, name: modelName}),
        pass && view.ready(drawn, data) && h(Figure, {view, state: drawn, data, t, busy, label: t.figureLabel}));
}

function Below({t, state, shown, theme}) {
    const view = viewOf(state.view);
    const data = {...shown, theme};
    if (!shown.pass || !view.ready(state, data)) return null;
    const look = {width: EXPORT_WIDTH, theme, focus: null};
    return h('div', {class: 'below'},
        h(Results, {t, pass: shown.pass, fills: shown.fills}),
        h(Numbers, {view, state, data, t}),
        h('button', {type: 'button', class: 'plain', onClick: () => saveSvg(view.svg(state, data, look, t), 'headlight.svg')}, t.saveSvg));
}

/* store, session: see above; menu: models/index.json; texts: list of languages; link(): the address to share. */
export function App({store, session, menu, texts, link}) {
    const state = useSource(store);
    const shown = useSource(session);
    const [folder, setFolder] = useState(null);
    const dark = useMedia('(prefers-color-scheme: dark)');
    const theme = state.theme === 'auto' ? (dark ? 'dark' : 'light') : state.theme;
    const t = languageOf(state.lang, texts);
    useDocument(t, state.theme);
    useEffect(() => setFolder(null), [state.model]);
    const set = patch => store.set(patch);
    const onFiles = files => {
        setFolder(files[0]?.webkitRelativePath.split('/')[0] || files[0]?.name || null);
        session.open(files);
    };
    const modelName = folder ?? nameOf(state.model, menu);
    const common = {t, state, shown, theme};
    return [
        h(Header, {key: 'top', t, texts, state, set, link}),
        h('main', {key: 'main'},
            h('div', {class: 'intro'}, h('h1', null, t.heading), h('p', {class: 'lede'}, t.lede)),
            h('div', {class: 'desk'},
                h('section', {class: 'rail', 'aria-label': t.controls},
                    h(Texts, {t, state, set}),
                    h(Lens, {...common, set, menu, picked: shown.picked ? folder : null, onFiles}),
                    h(Status, {t, shown})),
                h('section', {class: 'show', 'aria-label': viewOf(state.view).title(t)},
                    shown.problem && h(Notice, {t, problem: shown.problem, kept: Boolean(shown.pass), onRetry: session.step, onClose: session.dismiss}),
                    h(Stage, {...common, modelName}))),
            h(Below, common)),
        h('footer', {key: 'foot'}, t.footer),
    ];
}
