/* figure - the figure of a notebook with its controls: the picture, the views that what was sent is
 * enough for, which attention (of an encoder and a decoder), layer and heads, numbers. The parts are
 * the page's own.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {Choice} from '../views/parts/choice.js';
import {loadedView, loadView} from '../views/index.js';
import {useDrawable} from '../figure/drawable.js';
import {Figure} from '../figure/figure.js';
import {useSource} from '../shell/hooks.js';
import {Controls} from '../figure/lens.js';
import {OwnText} from '../figure/own_words.js';
import {Notice, Progress} from '../model/progress.js';
import {Numbers} from '../figure/table.js';
import {Texts} from '../text/texts.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('../words/languages.js').Dialogs['imported']} Words
 * @typedef {{get: () => import('../session/session.js').Shown, subscribe: (listener: () => void) => () => void,
 *     step: () => void, dismiss: () => void, layers?: number[] | null, views: (part: string) => string[]}} Source
 *   layers: that were sent, null for all; views: that can be shown
 * @typedef {{t: import('../base/shared.js').Texts, words: Words, store: import('./store.js').Store, source: Source,
 *     theme: {get: () => string, subscribe: (listener: () => void) => () => void}, writes: boolean}} Props
 *   writes: the reader may type another text
 */

/** A press or Escape in another cell of the notebook lets no token go. */
class CellFigure extends Figure {
    /** @param {Figure['props']} props */
    constructor(props) {
        super(props);
        const {released, escape} = this;
        const own = () => /** @type {any} */ (this).base?.getRootNode();
        const isHere = (/** @type {Element} */ target) => target.getRootNode() === own();
        this.released = (/** @type {Element} */ target) =>
            void (isHere(target) && released(target));
        this.escape = (/** @type {Element} */ target, /** @type {boolean} */ writing) =>
            void (isHere(target) && escape(target, writing));
    }
}

/** The row of views. @param {Shared & {ids: string[]}} props */
const Views = ({t, state, set, ids}) =>
    h(
        'nav',
        {class: 'views', 'aria-label': t.views},
        h(Choice, {
            ...{name: 'view', legend: t.views, className: 'quiet', value: state.view},
            options: ids.map(value => ({
                value,
                label: t.viewTitles[value],
                title: t.viewTitles[value],
            })),
            onChoose: view => set({view}),
        }),
    );

/** Encoder, decoder, or what one looks at in the other. @param {Shared & {words: Words}} props */
function Part({set, shown: {imported}, words}) {
    if (!imported || imported.parts.length < 2) return null;
    return h(Choice, {
        ...{name: 'part', legend: words.part, value: imported.part},
        options: imported.parts.map(value => ({value, label: words.partName(value)})),
        onChoose: part => set({part}),
    });
}

/** @param {Shared & {source: Source, drawable: import('../figure/figure.js').Drawable | null, words: Words,
 *     writes: boolean, onPeek: (head: number) => void}} props */
function Workspace({source, drawable, words, writes, onPeek, ...shared}) {
    const {t, shown} = shared;
    const ids = source.views(shown.imported?.part ?? 'encoder');
    return h(
        'section',
        {class: 'workspace', 'aria-label': t.controls},
        writes && h(Texts, shared),
        ids.length > 1 && h(Views, {...shared, ids}),
        h(
            'div',
            {class: 'lens'},
            h(Part, {...shared, words}),
            h(Controls, {...shared, drawable, onPeek, layers: source.layers ?? undefined}),
        ),
        drawable && h(Numbers, {...drawable, t}),
    );
}

/** @param {Props & {onDrawn: () => void}} props   onDrawn: the first picture is there */
export function NotebookFigure({t, words, store, source, theme: themes, writes, onDrawn}) {
    const state = useSource(store);
    const shown = useSource(source);
    const theme = useSource(themes);
    const [peek, setPeek] = useState(-1);
    const [, redraw] = useState(0);
    useEffect(() => {
        loadView(state.view).then(() => redraw(n => n + 1));
    }, [state.view]);
    const drawable = useDrawable({t, state, shown, theme});
    useEffect(() => {
        if (drawable) onDrawn();
    }, [!drawable]);
    const shared = {t, state, set: store.set, theme, shown};
    const {problem, progress, busy} = shown;
    const wide = loadedView(state.view)?.wide;
    return h(
        'div',
        {class: `box live ${theme}`, lang: t.code},
        problem &&
            h(Notice, {t, problem, kept: true, onRetry: source.step, onClose: source.dismiss}),
        h(OwnText, {kind: 'heading', state}),
        h(
            'div',
            {class: wide ? 'stage wide' : 'stage', part: 'figure'},
            progress && h(Progress, {t, progress, name: state.model}),
            drawable &&
                h(CellFigure, {
                    ...{...drawable, key: drawable.view.id, t, set: store.set, busy, peek},
                    frozen: !writes,
                }),
        ),
        h(OwnText, {kind: 'note', state}),
        h(Workspace, {...shared, source, drawable, words, writes, onPeek: setPeek}),
    );
}
