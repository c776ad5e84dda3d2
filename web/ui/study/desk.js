/* desk - the corpus desk: on the left the corpus, the model and the study, on the right its run and
 * its results. What it shows is kept in control.js, so that it is all still there after a look at a
 * single text. Fetched when first shown.
 */
import {h} from 'preact';
import {useState} from 'preact/hooks';
import {createStudies} from '../../core/study.js';
import {Drop} from '../drop.js';
import {useSource} from '../hooks.js';
import {ownSheet} from '../own_text.js';
import {createControl} from './control.js';
import {Corpus} from './corpus.js';
import {ModelChoice, Studies} from './studies.js';
import {Stage} from './stage.js';

/**
 * @typedef {import('../../text/languages.js').Studies} Words
 * @typedef {import('../app.js').Shared & {words: Words, session: import('../session.js').Session, menu:
 *     import('../app.js').Menu,
 *   store: ReturnType<typeof import('../../core/store.js').createStore>, makeEngine: () =>
 *   import('../app.js').Engine, sourceOf: (model: string) =>
 *   import('../../core/files.js').ModelSource}} DeskProps
 * @typedef {{control: import('./control.js').Control, desk:
 *     import('./control.js').DeskShown} & DeskProps} Props
 */

let made = /** @type {import('./control.js').Control | null} */ (null);

/** One for the page, made when the desk is first shown. @param {DeskProps} props */
function controlOf({makeEngine, session, store, menu, sourceOf}) {
    made ??= createControl({studies: createStudies({makeEngine}), session, store, menu, sourceOf});
    return made;
}

/** The sheet of the desk's own style, fetched with it. */
export const loadStyle = () => ownSheet('study.css');

/** @param {DeskProps} props */
export function CorpusDesk(props) {
    const [control] = useState(() => controlOf(props));
    const desk = useSource(control);
    const all = {...props, control, desk};
    const {words} = props;
    return [
        h(
            'div',
            {key: 'intro', class: 'intro'},
            h('h1', null, words.heading),
            h('p', {class: 'lede'}, words.lede),
        ),
        h(
            'div',
            {class: 'desk', key: 'desk'},
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
