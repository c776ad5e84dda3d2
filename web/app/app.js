/* app - the whole page: the header, then the page of one text (text_page.js) or the one of studies. It
 * joins the state (state/store.js), what is computed (session/session.js) and the views.
 */
import {h} from 'preact';
import {useEffect, useMemo, useState} from 'preact/hooks';
import {codeFor} from '../words/languages.js';
import {Header} from './header.js';
import {useLazy, useMedia, useSource, useWords} from '../shell/hooks.js';
import {TextPage} from './text_page.js';
import {isCausal} from '../views/parts/select.js';

/**
 * @typedef {import('../base/shared.js').Texts} Texts
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('../state/state.js').State} State
 */

/** Writes what concerns the whole document: language, title, theme. @param {Texts} t
 * @param {string} theme @param {boolean} causal */
function useDocument(t, theme, causal) {
    const title = t.pageTitle(causal);
    // Each when it changes: a translation writes its own language and title there.
    useEffect(() => {
        document.documentElement.lang = t.code;
    }, [t.code]);
    useEffect(() => {
        document.title = title;
    }, [title]);
    useEffect(() => {
        if (theme === 'auto') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = theme;
    }, [theme]);
}

/** The page of studies and its style. */
async function loadCorpusPage() {
    const module = await import('../studies/corpus_page.js');
    await module.loadStyle();
    return module;
}

/** Language, theme and words of the state. @param {State} state @param {Texts} words of the language
 * that the page began with @param {boolean} causal of the model @returns {{t: Texts, theme: string}} */
function useLook(state, words, causal) {
    const dark = useMedia('(prefers-color-scheme: dark)');
    const wish = codeFor([state.lang, ...navigator.languages]);
    const page = useWords(wish, 'page', true, words) ?? words;
    const views = useWords(wish, 'views', state.view !== 'head' || state.show !== 'weight');
    const touch = useWords(wish, 'touch', useMedia('(pointer: coarse)'));
    const t = useMemo(() => {
        const all = {...page, ...views};
        return touch?.over(all) ?? all;
    }, [page, views, touch]);
    useDocument(t, state.theme, causal);
    return {t, theme: state.theme === 'auto' ? (dark ? 'dark' : 'light') : state.theme};
}

/** Studies over a corpus, fetched when first asked for. @param {Parts} props */
function Corpus(props) {
    const wanted = props.state.desk === 'corpus';
    const studies = useLazy(loadCorpusPage, wanted);
    const words = useWords(props.t.code, 'studies', wanted);
    return wanted && studies && words ? h(studies.CorpusPage, {...props, words}) : null;
}

/** @typedef {Shared & {store: ReturnType<typeof import('../state/store.js').createStore>, menu:
 *     import('../base/shared.js').Menu, session: import('../session/session.js').Session, makeEngine:
 *     import('../base/shared.js').MakeEngine, sourceOf: import('../base/shared.js').SourceOf}} Parts */

/** @param {Omit<Parts, keyof Shared> & {words: Texts, site: boolean}} props */
export function App({words, site, ...given}) {
    const {store, session} = given;
    const state = useSource(store);
    const shown = useSource(session);
    const look = useLook(state, words, Boolean(shown.model && isCausal(shown.model)));
    const computes = shown.pass !== null && !shown.precomputed;
    const cards = useLazy(() => import('../cards/cards.js'), computes);
    const kept = useLazy(() => import('./update.js'), site && computes);
    // What marks the names of heads and the glossary's terms in the page's words.
    const [mark, lend] = useState(() => (/** @type {Texts} */ plain) => plain);
    const t = useMemo(() => mark(look.t), [look.t, mark]);
    const shared = {t, state, set: store.set, theme: look.theme, shown};
    const parts = {...given, ...shared};
    return [
        h(Header, {key: 'top', ...shared, session, link: store.link}),
        kept && h(kept.Update, {key: 'update', t, reload: store.reload}),
        h(
            'main',
            {key: 'main'},
            // Hidden, not left: what is typed there and pinned there stays.
            h(
                'div',
                // In a lesson, which goes on beside a study, studies/study.css leaves nothing else of it.
                {hidden: state.desk === 'corpus' && state.tour < 0},
                h(TextPage, {...parts, site, link: store.link, refused: store.refused()}),
            ),
            h(Corpus, parts),
            cards && h(cards.Marked, {...shared, session, lend}),
        ),
        // The gallery lies beside the site; a page from the disk has none.
        h(
            'footer',
            {key: 'foot'},
            t.footer,
            ' ',
            site && h('a', {class: 'plain', href: t.gallery.file}, t.gallery.text),
        ),
    ];
}
