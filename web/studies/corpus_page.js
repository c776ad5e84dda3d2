/* corpus_page - the page of studies over a corpus: on the left the corpus, the model and the
 * study, on the right its run and its results. What it shows is kept in control.js, so that it is
 * all still there after a look at a single text. Fetched when first shown.
 */
import {h} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import {createIndexing} from '../engine/indexing.js';
import {createStudies} from '../engine/study.js';
import {overlay} from '../words/overlay.js';
import {Drop} from '../shell/drop.js';
import {useMedia, useSource} from '../shell/hooks.js';
import {ownSheet} from '../shell/page_files.js';
import {createControl} from './control.js';
import {Corpus} from './corpus.js';
import {ModelChoice, Studies} from './studies.js';
import {Stage} from './stage.js';

/**
 * @typedef {import('../words/languages.js').Studies} Words
 * @typedef {import('../app/app.js').Shared & {words: Words, session: import('../session/session.js').Session, menu:
 *     import('../app/app.js').Menu,
 *   store: ReturnType<typeof import('../state/store.js').createStore>, makeEngine:
 *   import('../app/boot.js').MakeEngine, sourceOf: (model: string) =>
 *   import('../files/folder.js').ModelSource}} PageProps
 * @typedef {{control: import('./control.js').Control, page:
 *     import('./control.js').PageShown} & PageProps} Props
 */

let made = /** @type {import('./control.js').Control | null} */ (null);

/** One for the page, made when the studies are first shown. @param {PageProps} props */
function controlOf({makeEngine, session, store, menu, sourceOf}) {
    made ??= createControl({
        studies: createStudies({makeEngine: () => makeEngine({has: ''})}),
        indexing: createIndexing({makeEngine: () => makeEngine({has: '-search'})}),
        ...{session, store, menu, sourceOf},
    });
    return made;
}

/** The sheet of the page's own style, fetched with it. */
export const loadStyle = () => ownSheet('study.css');

/** @param {PageProps} given */
export function CorpusPage(given) {
    const {mark} = given.t;
    const isTouch = useMedia('(pointer: coarse)');
    const words = useMemo(() => {
        const {touch, ...said} = given.words;
        return {...(isTouch ? overlay(said, touch) : said), touch, mark};
    }, [given.words, mark, isTouch]);
    const props = {...given, words};
    const [control] = useState(() => controlOf(props));
    const page = useSource(control);
    const all = {...props, control, page};
    return [
        h(
            'div',
            {key: 'intro', class: 'intro'},
            h('h1', null, words.heading),
            h('p', {class: 'lede'}, words.lede),
        ),
        h(
            'div',
            {class: 'workspace', key: 'workspace'},
            h(
                'section',
                {class: 'rail study-rail', 'aria-label': words.rail},
                h(Corpus, all),
                h(ModelChoice, all),
                h(Studies, all),
            ),
            h(Stage, all),
        ),
        h(Drop, {
            key: 'drop',
            say: words.drop,
            take: files => {
                if (files.length) control.corpora.openFile(files[0]);
            },
        }),
    ];
}
