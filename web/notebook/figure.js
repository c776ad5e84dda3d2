/* figure - the figure of a notebook with its controls: the picture, the views that what was sent is
 * enough for, which attention (of an encoder and a decoder), layer and heads, numbers. The parts are
 * the page's own.
 */
import {h} from 'preact';
import {useEffect, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {Compact} from '../views/parts/choice.js';
import {loadedView, loadView} from '../views/index.js';
import {useDrawable} from '../figure/drawable.js';
import {Figure} from '../figure/figure.js';
import {useSource} from '../shell/hooks.js';
import {Controls} from '../figure/controls.js';
import {OwnText} from '../figure/own_words.js';
import {Notice, Progress} from '../model/progress.js';
import {Numbers} from '../figure/table.js';
import {Texts} from '../text/texts.js';

/**
 * @import {Shared} from '../base/shared.js'
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

/** The views that there are. @param {Shared & {ids: string[]}} props */
const Views = ({t, state, set, ids}) =>
    h(Compact, {
        ...{name: 'view', legend: t.views, value: state.view},
        options: ids.map(value => ({value, label: t.viewTitles[value]})),
        onChoose: view => set({view}),
    });

/** Encoder, decoder, or what one looks at in the other. @param {Shared & {words: Words}} props */
function Part({set, shown: {imported}, words}) {
    if (!imported || imported.parts.length < 2) return null;
    return h(Compact, {
        ...{name: 'part', legend: words.part, value: imported.part},
        options: imported.parts.map(value => ({value, label: words.partName(value)})),
        onChoose: part => set({part}),
    });
}

/** Of the controls those that stand above the picture, in one row, and those that are asked for. */
const [ROW, MORE] = [
    ['layer', 'heads', 'head', 'filter'],
    ['show', 'options'],
];

/** @typedef {Shared & {source: Source, drawable: import('../figure/figure.js').Drawable | null, words: Words,
 *     onPeek: (head: number) => void}} Controlled */

/** @param {Controlled & {open: string, onOpen: (what: string) => void}} props   open: more controls and the numbers, or
 *     how the picture is read */
function Row({source, words, open, onOpen, ...shared}) {
    const {t, shown} = shared;
    const ids = source.views(shown.imported?.part ?? 'encoder');
    const layers = source.layers ?? undefined;
    const opener = (
        /** @type {string} */ id,
        /** @type {string} */ label,
        /** @type {string} */ title,
    ) =>
        buttonOf(
            id === 'help' ? 'help' : 'plain',
            {
                key: id,
                onClick: () => onOpen(open === id ? '' : id),
                ...{'aria-expanded': open === id, 'aria-label': title, title},
            },
            label,
        );
    return h(
        'section',
        {class: 'cell-row', 'aria-label': t.controls},
        ids.length > 1 && h(Views, {...shared, ids}),
        h(Part, {...shared, words}),
        h(Controls, {...shared, layers, One: Compact, only: ROW}),
        h(
            'span',
            {class: 'cell-open'},
            opener('more', words.more, words.more),
            opener('help', '?', t.help),
        ),
    );
}

/** @param {Controlled} props */
const More = ({source, words, ...shared}) =>
    h(
        'section',
        {class: 'cell-more', 'aria-label': words.more},
        h(
            'div',
            {class: 'lens'},
            h(Controls, {...shared, layers: source.layers ?? undefined, only: MORE}),
        ),
        shared.drawable && h(Numbers, {...shared.drawable, t: shared.t}),
    );

/** What is drawn, once it is there. @param {Props & {onDrawn: () => void}} props */
function useDrawn({t, store, source, theme: themes, onDrawn}) {
    const [state, shown, theme] = [useSource(store), useSource(source), useSource(themes)];
    const [, redraw] = useState(0);
    useEffect(() => {
        loadView(state.view).then(() => redraw(n => n + 1));
    }, [state.view]);
    const drawable = useDrawable({t, state, shown, theme});
    useEffect(() => {
        if (drawable) onDrawn();
    }, [!drawable]);
    return {drawable, shared: {t, state, set: store.set, theme, shown}};
}

/** @param {Props & {onDrawn: () => void}} props   onDrawn: the first picture is there */
export function NotebookFigure(props) {
    const {t, words, source, writes} = props;
    const {drawable, shared} = useDrawn(props);
    const {state, set, theme} = shared;
    const [peek, setPeek] = useState(-1);
    const [open, setOpen] = useState('');
    const {progress, busy} = shared.shown;
    const controlled = {...shared, source, drawable, words, onPeek: setPeek};
    const drawn = drawable && {...drawable, key: drawable.view.id, t, set, busy, peek};
    return h(
        'div',
        {class: `box live ${theme}`, lang: t.code},
        h(Notice, {t, shown: shared.shown, session: source}),
        h(OwnText, {kind: 'heading', state}),
        writes && h(Texts, shared),
        h(Row, {...controlled, open, onOpen: setOpen}),
        h(
            'div',
            {class: loadedView(state.view)?.wide ? 'stage wide' : 'stage', part: 'figure'},
            progress && h(Progress, {t, progress, name: state.model}),
            drawn && h(CellFigure, {...drawn, help: open === 'help', frozen: !writes}),
        ),
        h(OwnText, {kind: 'note', state}),
        open === 'more' && h(More, controlled),
    );
}
