/* corpus_page - the page of studies over a corpus: on the left the corpus, the model and the
 * study, on the right its run and its results. What it shows is kept in control.js, so that it is
 * all still there after a look at a single text. Fetched when first shown.
 */
import {h} from 'preact';
import {useMemo, useState} from 'preact/hooks';
import {createIndexing} from '../engine/indexing.js';
import {createStudies} from '../engine/study.js';
import {createKeptIndexes} from '../files/kept_indexes.js';
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
 * @typedef {import('../base/shared.js').Shared & {words: Words, session: import('../session/session.js').Session, menu:
 *     import('../base/shared.js').Menu,
 *   store: ReturnType<typeof import('../state/store.js').createStore>, makeEngine:
 *   import('../base/shared.js').MakeEngine, sourceOf: (model: string) =>
 *   import('../files/folder.js').ModelSource}} PageProps
 * @typedef {{control: import('./control.js').Control, page:
 *     import('./control.js').PageShown} & PageProps} Props
 */

let made = /** @type {import('./control.js').Control | null} */ (null);

/** One for the page, made when the studies are first shown. @param {PageProps} props */
function controlOf({makeEngine, session, store, menu, sourceOf}) {
    made ??= createControl({
        studies: createStudies({makeEngine: () => makeEngine({has: ''})}),
        indexing: createIndexing({
            makeEngine: () => makeEngine({has: '-full'}),
            kept: createKeptIndexes(),
        }),
        ...{session, store, menu, sourceOf},
    });
    return made;
}

/** The sheet of the page's own style, fetched with it. */
export const loadStyle = () => ownSheet('study.css');

/** The words as they are for this reader's hand, with terms and heads marked. @param {PageProps} given */
function useSaid(given) {
    const {mark} = given.t;
    const isTouch = useMedia('(pointer: coarse)');
    return useMemo(() => {
        const {touch, ...said} = given.words;
        return {...(isTouch ? overlay(said, touch) : said), touch, mark};
    }, [given.words, mark, isTouch]);
}

/** @param {PageProps} given */
export function CorpusPage(given) {
    const words = useSaid(given);
    const props = {...given, words};
    const [control] = useState(() => controlOf(props));
    const page = useSource(control);
    const all = {...props, control, page};
    const rail = h(
        'section',
        {class: 'rail study-rail', 'aria-label': words.rail, key: 'rail'},
        h(Corpus, all),
        h(ModelChoice, all),
        h(Studies, all),
    );
    const stage = h(Stage, {...all, key: 'stage'});
    // A lesson is about the answer: what can be chosen follows it.
    const touring = props.state.tour >= 0;
    return [
        !touring &&
            h(
                'div',
                {key: 'intro', class: 'intro'},
                h('h1', null, words.heading),
                h('p', {class: 'lede'}, words.lede),
            ),
        h(
            'div',
            {class: touring ? 'beside-lesson' : 'workspace', key: 'workspace'},
            touring ? [stage, rail] : [rail, stage],
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
