/* text_page - the page of one text: on the left what is asked (the text, then layer, heads and what the
 * view asks besides), on the right the figure, under a row of what concerns it.
 */
import {h} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {knownView} from '../views/index.js';
import {UNCHANGED} from '../views/needs.js';
import {useDrawable} from '../figure/drawable.js';
import {Examples} from '../lessons/examples.js';
import {lazy} from '../views/parts/lazy.js';
import {useLazy, useWords} from '../shell/hooks.js';
import {Controls} from '../figure/controls.js';
import {useIntro} from './intro.js';
import {useRemembered} from './remembered.js';
import {isTwo, Notices, Stage} from './stage.js';
import {Texts} from '../text/texts.js';
import {Tools} from './tools.js';

/**
 * @import {Shared, Menu} from '../base/shared.js'
 * @import {Drawable} from '../figure/figure.js'
 * @typedef {Shared & {session: import('../session/session.js').Session, menu: Menu, link: () => string, refused:
 *     string, site: boolean, makeEngine: () => import('../base/shared.js').Engine, sourceOf: import('../base/shared.js').SourceOf}}
 *     Props
 */

const Below = lazy(() => import('./below.js').then(module => module.Below));
const Verdict = lazy(() => import('../figure/verdict.js').then(module => module.Verdict));
const OwnText = lazy(() => import('../figure/own_words.js').then(module => module.OwnText));

/** @param {string} model @param {Menu} menu */
const entryOf = (model, menu) => (model ? menu.find(({id}) => id === model) : menu[0]);

/** @param {string} model @param {Menu} menu @param {string} code the page's language */
const nameOf = (model, menu, code) => {
    const entry = entryOf(model, menu);
    return entry?.names?.[code] ?? entry?.name ?? entry?.id ?? model;
};

/** @param {Omit<Parameters<typeof import('../model/imported_view.js').Imported>[0], 'words'>} props */
function Imported(props) {
    const wanted = props.asking || props.shown.imported !== null;
    const module = useLazy(() => import('../model/imported_view.js'), wanted);
    const words = useWords(props.t.code, 'dialogs', wanted);
    return module && words && h(module.Imported, {...props, words});
}

/** How chosen files are called. @param {File[]} files */
const nameOfFiles = ([file]) => file?.webkitRelativePath.split('/')[0] || file?.name || '';

/** What stands beside the figure of the page: of a folder, until another model is asked for.
 * @param {Props} props */
function useSecond({t, state: {compareWith}, set, menu, sourceOf}) {
    const [second, setSecond] = useState(
        /** @type {import('../model/models.js').Second | null} */ (null),
    );
    useEffect(() => setSecond(null), [compareWith]);
    return {
        second,
        /** What stands beside the figure, for files. */
        both: useRef(null),
        sourceOf: second ? () => second.source : sourceOf,
        nameOf: (/** @type {string} */ id) => second?.name ?? nameOf(id, menu, t.code),
        onSecond(/** @type {string} */ model) {
            setSecond(null);
            set({compareWith: model});
        },
        onSecondFiles: (/** @type {File[]} */ files) =>
            setSecond({source: {files}, name: nameOfFiles(files)}),
    };
}

/** What opens, loads and gives up models. @param {Props} props */
function useModels({t, state, set, session, shown, menu}) {
    const [folder, setFolder] = useState('');
    const [opening, setOpening] = useState(/** @type {File[] | null} */ (null));
    const left = useRef(/** @type {typeof shown.model} */ (null)); // the model that a press has left
    // Where the new one has none of the heads that are shown, it would show them all.
    useEffect(() => {
        const {heads} = shown.model ?? {};
        if (!left.current || !heads || shown.model === left.current) return;
        left.current = null;
        if (state.heads.length && state.heads.every(head => head >= heads))
            set({heads: [heads - 1]}, performance.now());
    }, [shown.model]);
    const begin = (/** @type {Partial<typeof state>} */ patch) =>
        set({picked: [], token: -1, ...UNCHANGED, ...patch});
    const onModel = (/** @type {string} */ model) => {
        left.current = shown.model;
        const {shows, back} = entryOf(state.model, menu) ?? {};
        begin({model, ...(shows?.text === state.text && back), ...entryOf(model, menu)?.shows});
    };
    // What is of the model before, in the page's words and in the link, goes with it.
    useEffect(() => {
        if (shown.picked && state.model) begin({model: ''});
    }, [shown.picked]);
    const giveUp = () => {
        const model = session.giveUp();
        if (model === state.model) session.step();
        else onModel(model);
    };
    const picked = shown.picked ? folder : null;
    const modelName = picked ?? nameOf(state.model, menu, t.code);
    return {
        ...{modelName, picked, onModel, giveUp},
        /** The model that is being loaded. */
        coming: opening ? folder : modelName,
        onFiles(/** @type {File[]} */ files) {
            left.current = shown.model;
            setFolder(nameOfFiles(files));
            setOpening(files);
            session.open(files).then(() => setOpening(now => (now === files ? null : now)));
        },
        onCancel: session.former() === state.model ? null : giveUp,
    };
}

/** What is asked. Examples are below the text.
 * @param {Shared & {menu: Menu, session: import('../session/session.js').Session, drawable: Drawable | null, asking:
 *     boolean, onClose: () => void, onPeek: (head: number) => void}} props */
function Rail({asking, onClose, drawable, onPeek, ...shared}) {
    const {pass, precomputed, imported} = shared.shown;
    const runs = pass !== null && !precomputed && !imported;
    // of a model of two stacks, the two texts are another pair
    const two = Boolean(imported?.two);
    const texts = useWords(shared.t.code, 'dialogs', two)?.two.texts;
    const experiments = useLazy(() => import('../figure/experiments.js'), runs);
    return h(
        'section',
        {class: 'rail text-rail', 'aria-label': shared.t.controls},
        h(Texts, two ? {...shared, t: {...shared.t, ...texts}} : shared),
        h(Examples, shared),
        h(Imported, {...shared, asking, onClose}),
        h(
            'div',
            {class: 'lens'},
            h(Controls, {...shared, drawable, onPeek}),
            runs && experiments && h(experiments.Experiments, shared),
        ),
    );
}

/** Files that are dropped on the page. @param {{say: string, onModel: (files: File[], on: Element) => void,
 *     onImported: (file: File) => void}} props */
function Dropped({say, onModel, onImported}) {
    const parts = useLazy(() => import('../shell/drop.js'), true);
    return (
        parts &&
        h(parts.Drop, {
            say,
            take: (files, on) => parts.takeFiles(files, found => onModel(found, on), onImported),
        })
    );
}

/** The figure between title and note of the reader's own. @param {Parameters<typeof Stage>[0]} props */
const Shown = props => [
    props.state.heading && h(OwnText, {kind: 'heading', state: props.state}),
    props.drawable &&
        !props.shown.precomputed &&
        !isTwo(props) &&
        h(Verdict, {...props, drawable: props.drawable}),
    h(Stage, props),
    props.state.note && h(OwnText, {kind: 'note', state: props.state}),
];

/** A view that is chosen further down begins at its top, as one that a link opens. @param {Shared['state']} state */
function useTop({view, tour}) {
    const before = useRef(view);
    useLayoutEffect(() => {
        if (before.current !== view && tour < 0) scrollTo(0, 0);
        before.current = view;
    }, [view]);
}

/** @param {Props} props */
export function TextPage({session, menu, link, refused, site, makeEngine, sourceOf, ...shared}) {
    const {t, state, shown} = shared;
    useTop(state);
    const [peek, setPeek] = useState(-1);
    const [asking, setAsking] = useState(false);
    const [help, onHelp] = useRemembered('help', false);
    const drawable = useDrawable({...shared, menu});
    const below = shown.precomputed ? null : drawable;
    const parts = {...shared, session, menu, link, refused, site, makeEngine, sourceOf};
    const [intro, ways] = useIntro({...parts, drawable});
    const {giveUp, ...models} = useModels(parts);
    const {onSecond, onSecondFiles, ...beside} = useSecond(parts);
    const seconds = {...beside, sourceOf, onSecond, onSecondFiles};
    const onImported = () => setAsking(true);
    return [
        h(
            'div',
            {class: 'workspace', key: 'workspace'},
            intro,
            h(Rail, {...parts, drawable, asking, onClose: () => setAsking(false), onPeek: setPeek}),
            h(
                'section',
                {class: 'show', 'aria-label': t.viewTitles[knownView(state.view)]},
                h(Tools, {...parts, ...models, ...seconds, drawable, help, onHelp, onImported}),
                h(Notices, {...parts, ...models, onNo: giveUp}),
                h(Shown, {...parts, ...models, ...{help, peek, ...beside, drawable}}),
            ),
            ways,
            below && h(Below, {...parts, ...models, ...beside, drawable: below}),
        ),
        state.desk === 'text' &&
            h(Dropped, {
                key: 'drop',
                say: t.imported.drop,
                onModel: (files, on) =>
                    (on.closest('.compared') ? onSecondFiles : models.onFiles)(files),
                onImported: session.openImported,
            }),
    ];
}
