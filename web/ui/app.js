/* app - the whole page: header, title, the controls, the figure with its numbers, and what follows
 * below. It joins the state (core/store.js), what is computed (ui/session.js) and the views.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {knownView} from '../views/index.js';
import {UNCHANGED} from '../views/needs.js';
import {codeFor} from '../text/languages.js';
import {Choice} from '../views/choice.js';
import {useDrawable} from './drawable.js';
import {Drop, takeFiles} from './drop.js';
import {Examples} from './examples.js';
import {Export} from './export.js';
import {Figure} from './figure.js';
import {Header} from './header.js';
import {useLazy, useMedia, useSource, useWords} from './hooks.js';
import {Lens} from './lens.js';
import {TourPlace} from './patterns.js';
import {Notice, Progress, Refused} from './progress.js';
import {Status} from './status.js';
import {Numbers} from './table.js';
import {Texts} from './texts.js';
import {Update} from './update.js';
import {Views} from './views.js';

/**
 * @typedef {import('../views/view.js').Texts} Texts
 * @typedef {import('../core/state.js').State} State
 * @typedef {ReturnType<typeof import('../core/engine.js').createEngine>} Engine
 * @typedef {Pick<Engine, 'load' | 'run' | 'read' | 'adopt' | 'release' | 'holds' | 'close'>} TextEngine   one
 *     text
 * @typedef {(model: string) => import('../core/files.js').ModelSource} SourceOf
 * @typedef {{layer: number, heads: number[]}} Begin   of the default text, the heads with which a visit
 *     begins (build/precomputed.mjs)
 * @typedef {{id: string, name?: string, url: string, files?: string[], bytes?: number, begin?: Begin}[]}
 *     SiteMenu   models/index.json
 * @typedef {(SiteMenu[number] | {id: string, name?: string, files: File[], begin?: Begin})[]} Menu   the same, or
 *     what stands in the page itself
 * @typedef {{t: Texts, state: State, set: (patch: Partial<State>) => void, theme: string,
 *   shown: import('./session.js').Shown}} Shared   what most parts take; theme is 'light' or 'dark'
 */

/** @param {string} model @param {Menu} menu */
const nameOf = (model, menu) => {
    const entry = model ? menu.find(({id}) => id === model) : menu[0];
    return entry?.name ?? entry?.id ?? model;
};

/** Writes what concerns the whole document: language, title, theme. @param {Texts} t
 * @param {string} theme */
function useDocument(t, theme) {
    useEffect(() => {
        document.documentElement.lang = t.code;
        document.title = t.pageTitle;
        if (theme === 'auto') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
    }, [t, theme]);
}

/** The figure with the numbers beside it.
 * @param {Shared & {modelName: string, peek: number, onCancel: (() => void) | null, drawable:
 *     import('./figure.js').Drawable | null, menu: Menu, makeEngine: () => Engine, sourceOf:
 *     SourceOf}} props */
function Stage({modelName, drawable, peek, onCancel, menu, makeEngine, sourceOf, ...shared}) {
    const {
        t,
        set,
        state,
        shown: {progress, busy, missing, model},
    } = shared;
    const two =
        state.compareWith !== '' &&
        drawable?.view.id === 'head' &&
        !shared.shown.imported &&
        state.tour < 0;
    const beside = useLazy(() => import('./beside.js'), two);
    if (two && beside)
        return h(beside.Beside, {
            ...shared,
            key: state.compareWith,
            modelName,
            drawable,
            peek,
            makeEngine,
            sourceOf,
            Asking,
            nameOf: model => nameOf(model, menu),
        });
    const kind = drawable ? (drawable.view.wide ? ' wide' : '') : ' empty';
    return h(
        'div',
        {class: `stage${kind}${state.tour < 0 ? '' : ' touring'}`},
        h(TourPlace, shared),
        progress &&
            !shared.shown.precomputed &&
            h(Progress, {t, progress, name: modelName, above: Boolean(model?.whole), onCancel}),
        missing && h('p', {class: 'missing', role: 'status'}, t.imported.missing),
        drawable && h(Figure, {...drawable, key: drawable.view.id, t, set, busy, peek}),
    );
}

/** @param {import('./export.js').Props} props */
function Below(props) {
    const {
        t,
        drawable: {view, state, data},
    } = props;
    const {pass, model, fills} = data;
    const masks = fills.filter(
        ({index}) => state.masked.includes(index) || pass.tokens[index]?.id === model.special.mask,
    );
    const says =
        !view.predicts &&
        (masks.length > 0 || pass.said || pass.nextSentence || pass.sentenceOrder);
    const results = useLazy(() => import('./results.js'), Boolean(says));
    return h(
        'div',
        {class: 'below'},
        h(Export, props),
        says && results && h(results.Results, {t, pass, fills: masks}),
        h(Numbers, {view, state, data, t}),
    );
}

/** What is asked before a download, with its words.
 * @param {Omit<Parameters<typeof import('./question.js').Question>[0], 'words'>} props */
function Asking(props) {
    const module = useLazy(() => import('./question.js'), true);
    const words = useWords(props.t.code, 'dialogs', true)?.question;
    return module && words ? h(module.Question, {...props, words}) : null;
}

/** Imported attention: its panel while it is shown, and the help with the button that opens a
 * file.
 * @param {Shared & {session: import('./session.js').Session, asking: boolean, onClose: () => void}}
 *     props */
function Imported({session, asking, onClose, ...shared}) {
    const {
        t,
        shown: {imported},
    } = shared;
    const wanted = asking || imported !== null;
    const parts = useLazy(() => import('./imported_view.js'), wanted);
    const words = useWords(t.code, 'dialogs', wanted)?.imported;
    return (
        parts &&
        words && [
            imported &&
                h(parts.ImportedPanel, {
                    key: 'panel',
                    ...shared,
                    words,
                    onClose: () => session.openImported(null),
                }),
            asking &&
                h(parts.ImportedHelp, {key: 'help', words, onFile: session.openImported, onClose}),
        ]
    );
}

/** @param {Shared & {session: import('./session.js').Session, menu: Menu, link: () => string,
 *     refused: string, makeEngine: () => Engine, sourceOf: SourceOf}} props */
function TextPage({session, menu, link, refused, makeEngine, sourceOf, ...shared}) {
    const {t, state, shown} = shared;
    const [folder, setFolder] = useState('');
    const [peek, setPeek] = useState(-1);
    const [asking, setAsking] = useState(false);
    const onFiles = (/** @type {File[]} */ files) => {
        setFolder(files[0]?.webkitRelativePath.split('/')[0] || files[0]?.name || '');
        session.open(files);
    };
    const modelName = shown.picked ? folder : nameOf(state.model, menu);
    const drawable = useDrawable(shared);
    const onModel = (/** @type {string} */ model) =>
        shared.set({model, picked: [], token: -1, ...UNCHANGED});
    const giveUp = () => {
        const model = session.giveUp();
        if (model === state.model) session.step();
        else onModel(model);
    };
    return [
        h(
            'div',
            {class: 'workspace', key: 'workspace'},
            h(
                'section',
                {class: 'rail', 'aria-label': t.controls},
                h(Texts, shared),
                h(Examples, shared),
                h(Imported, {...shared, session, asking, onClose: () => setAsking(false)}),
                h(Lens, {
                    ...shared,
                    menu,
                    drawable,
                    onPeek: setPeek,
                    picked: shown.picked ? folder : null,
                    onModel,
                    onFiles,
                    onImported: () => setAsking(true),
                }),
                h(Status, {...shared, session, makeEngine}),
            ),
            h(
                'section',
                {class: 'show', 'aria-label': t.viewTitles[knownView(state.view)]},
                refused && h(Refused, {t, model: refused}),
                shown.problem &&
                    h(Notice, {
                        t,
                        problem: shown.problem,
                        kept: Boolean(shown.pass),
                        onRetry: session.step,
                        onClose: session.dismiss,
                        onModel,
                    }),
                shown.question &&
                    h(Asking, {
                        t,
                        asked: {name: modelName, ...shown.question},
                        onYes: session.agree,
                        onNo: giveUp,
                    }),
                h(Stage, {
                    ...shared,
                    modelName,
                    drawable,
                    peek,
                    onCancel: session.former() === state.model ? null : giveUp,
                    menu,
                    makeEngine,
                    sourceOf,
                }),
            ),
        ),
        drawable &&
            !shown.precomputed &&
            h(Below, {key: 'below', ...shared, drawable, modelName, link, menu, session}),
        state.desk === 'text' &&
            h(Drop, {
                key: 'drop',
                say: t.imported.drop,
                take: files => takeFiles(files, onFiles, session.openImported),
            }),
    ];
}

/** One text, or studies over a corpus. @param {Shared} props */
function Modes({t, state, set}) {
    const options = /** @type {const} */ (['text', 'corpus']).map(value => ({
        value,
        label: t.modes[value],
        title: t.modes[value],
    }));
    return h(
        'nav',
        {class: 'modes', 'aria-label': t.modesLabel},
        h(Choice, {
            name: 'desk',
            legend: t.modesLabel,
            className: 'quiet',
            options,
            value: state.desk,
            onChoose: desk => set({desk}),
        }),
    );
}

/** The page of studies and its style. */
async function loadCorpusPage() {
    const module = await import('./study/corpus_page.js');
    await module.loadStyle();
    return module;
}

/** @param {{store: ReturnType<typeof import('../core/store.js').createStore>, menu: Menu, words:
 *     Texts,
 *   session: import('./session.js').Session, makeEngine: () => Engine,
 *   sourceOf: SourceOf, installer?: import('../core/install.js').Installer}} props */
export function App({store, session, menu, words, makeEngine, sourceOf, installer}) {
    const state = useSource(store);
    const shown = useSource(session);
    const dark = useMedia('(prefers-color-scheme: dark)');
    const wish = codeFor([state.lang, ...navigator.languages]);
    const t = useWords(wish, 'page', true, words) ?? words;
    useDocument(t, state.theme);
    const theme = state.theme === 'auto' ? (dark ? 'dark' : 'light') : state.theme;
    const shared = {t, state, set: store.set, theme, shown};
    const ofCorpus = state.desk === 'corpus';
    const studies = useLazy(loadCorpusPage, ofCorpus);
    const said = useWords(t.code, 'studies', ofCorpus);
    return [
        h(Header, {key: 'top', ...shared, link: store.link}),
        installer && h(Update, {key: 'update', t, installer, reload: store.reload}),
        h(
            'main',
            {key: 'main'},
            h(Modes, shared),
            // Hidden, not left: what is typed there and pinned there stays.
            h(
                'div',
                {hidden: ofCorpus},
                h(
                    'div',
                    {class: 'intro'},
                    h('h1', null, t.heading),
                    h('p', {class: 'lede'}, t.lede),
                ),
                h(Views, {...shared, session}),
                h(TextPage, {
                    ...shared,
                    session,
                    menu,
                    makeEngine,
                    sourceOf,
                    link: store.link,
                    refused: store.refused(),
                }),
            ),
            ofCorpus &&
                studies &&
                said &&
                h(studies.CorpusPage, {
                    ...shared,
                    words: said,
                    session,
                    store,
                    menu,
                    makeEngine,
                    sourceOf,
                }),
        ),
        // The gallery lies beside the site; a page from the disk has none.
        h(
            'footer',
            {key: 'foot'},
            t.footer,
            ' ',
            installer && h('a', {class: 'plain', href: t.gallery.file}, t.gallery.text),
        ),
    ];
}
