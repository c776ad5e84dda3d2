/* live - <head-light> with its controls: the figure, below it the buttons, the text, the views,
 * heads and layer. Without a session there is no model, and only what the precomputed figure has
 * can be chosen.
 */
import {h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {isReady} from '../views/needs.js';
import {loadedView, loadView} from '../views/index.js';
import {useDrawable} from '../figure/drawable.js';
import {Figure} from '../figure/figure.js';
import {useLazy, useMedia, useSource, useWords} from '../shell/hooks.js';
import {Controls} from '../figure/controls.js';
import {canCompare} from '../model/models.js';
import {OwnText} from '../figure/own_words.js';
import {Notice, Progress} from '../model/progress.js';
import {Results} from '../figure/results.js';
import {Numbers} from '../figure/table.js';
import {Texts} from '../text/texts.js';
import {Views} from '../figure/views.js';
import {PageLink, sizeOf} from './shell.js';
import {saidTheme, watchAround} from './theme.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @import {Session} from '../session/session.js'
 * @typedef {{get: () => import('../session/session.js').Shown, subscribe: (listener: () => void) => () =>
 *     void}} Fixed
 * @typedef {{t: import('../base/shared.js').Texts, still: import('../words/element.js').ElementWords, store:
 *     import('./run.js').Store, fixed: Fixed,
 *   session: Session | null, page: URL, tag: Element, bytes: number, onRun: () => void}} Props
 */

/** Obeys only changes that can be shown. @param {Props} props
 * @returns {(patch: Partial<Shared['state']>) => void} */
const limited =
    ({store, fixed, session}) =>
    patch => {
        const state = {...store.get(), ...patch};
        const {model, tensors} = fixed.get();
        const view = loadedView(state.view);
        if (session || (view && model && isReady(view, state, {model, tensors}))) store.set(patch);
    };

/** @param {Shared} props */
function Status({t, shown: {pass, model, busy}}) {
    const cut = (pass?.dropped ?? []).map((count, sentence) =>
        count > 0 && model
            ? h('p', {class: 'cut', key: sentence}, t.dropped(count, sentence, model.positions))
            : null,
    );
    return h(
        'div',
        {class: 'status', role: 'status'},
        h(
            'p',
            null,
            busy ? t.computing : pass ? t.ready(pass.tokens.length, pass.milliseconds) : '',
        ),
        cut,
    );
}

/** The layers that the figure has, undefined for all. @param {Shared} shared @param {boolean} all
 */
function layersOf({state, shown: {model, tensors}}, all) {
    const view = loadedView(state.view);
    if (all || !model || !view) return undefined;
    return Array.from({length: model.layers}, (_, layer) => layer).filter(layer =>
        isReady(view, {...state, layer}, {model, tensors}),
    );
}

/** The texts; of a model of two stacks a source and a target, and which attention is shown. @param {Shared} shared */
function Asked(shared) {
    const {t, shown} = shared;
    const two = Boolean(shown.imported?.two);
    const panel = useLazy(() => import('../model/imported_view.js'), two);
    const words = useWords(t.code, 'dialogs', two);
    const parts = panel && words && {words: words.imported, two: words.two, onClose() {}};
    return [
        h(Texts, parts ? {...shared, t: {...t, ...parts.two.texts}} : shared),
        parts && h(panel.ImportedPanel, {...shared, ...parts}),
    ];
}

/** @param {Shared & {drawable: import('../figure/figure.js').Drawable | null, live: boolean, computed:
 *     boolean,
 *   onPeek: (head: number) => void}} props   live: there is a session; computed: what is shown
 *                                            comes from it */
function Workspace({drawable, live, computed, onPeek, ...shared}) {
    const {
        t,
        shown: {pass, fills, model},
        state,
    } = shared;
    const masks = fills.filter(
        ({index}) =>
            state.masked.includes(index) || pass?.tokens[index]?.id === model?.special.mask,
    );
    return h(
        'section',
        {class: 'workspace', 'aria-label': t.controls},
        live && h(Asked, shared),
        live && (computed ? h(Status, shared) : h('div', {class: 'status'})),
        live && h(Views, {...shared, session: null}),
        h(
            'div',
            {class: 'lens'},
            h(Controls, {...shared, drawable, onPeek, layers: layersOf(shared, live)}),
        ),
        live && pass && drawable && !drawable.view.predicts && h(Results, {t, pass, fills: masks}),
        drawable && h(Numbers, {...drawable, t}),
    );
}

/** No tag names a second model, so nothing needs an engine of its own. @returns {never} */
const noEngine = () => {
    throw new Error('engine: a tag has one model');
};

/** Two figures side by side, the second by the model of the first.
 * @param {Shared & {drawable: import('../figure/figure.js').Drawable, peek: number, session: Session}} props */
function Two({session, ...shared}) {
    const beside = useLazy(() => import('../compare/beside.js'), true);
    const both = useRef(null);
    return (
        beside &&
        h(beside.Beside, {
            ...{...shared, session, both, second: null, help: true},
            ...{sourceOf: session.source, makeEngine: noEngine, Asking: () => null},
            ...{modelName: shared.state.model, nameOf: String},
        })
    );
}

/** The figure, or how far its model has come; two where the tag says so and the model runs.
 * @param {Shared & {drawable: import('../figure/figure.js').Drawable | null, peek: number, session: Session | null,
 *     computed: boolean}} props */
function Stage({drawable, peek, session, computed, ...shared}) {
    const {t, state, set, shown} = shared;
    const two = state.beside !== '' && state.compareWith === '';
    if (session && computed && drawable && two && canCompare(drawable.state, shown))
        return h('div', {part: 'figure'}, h(Two, {...shared, drawable, peek, session}));
    const {busy, progress} = shown;
    const frozen = session === null;
    return h(
        'div',
        {class: drawable?.view.wide ? 'stage wide' : 'stage', part: 'figure'},
        progress && h(Progress, {t, progress, name: state.model || t.model}),
        drawable && h(Figure, {...drawable, key: drawable.view.id, t, set, busy, peek, frozen}),
    );
}

/** The button that loads the model, until it is pressed, and the link to the page.
 * @param {Props & {state: Shared['state']}} props */
const Bar = ({still, session, state, page, bytes, onRun}) =>
    h(
        'div',
        {class: 'bar-row', part: 'bar'},
        !session && buttonOf('main', {onClick: onRun}, still.element.run(sizeOf(bytes))),
        h(PageLink, {state, page}),
    );

/** What is computed, or what the page had, until the first result is there. @param {Props} props
 * @returns {import('../session/session.js').Shown} */
function useShown({fixed, session}) {
    const shown = useSource(session ?? fixed);
    const {progress, busy, problem} = shown;
    return shown.pass ? shown : {...fixed.get(), progress, busy, problem};
}

/** @param {Props} props */
export function LiveFigure(props) {
    const {t, store, session} = props;
    const state = useSource(store);
    const shown = useShown(props);
    const dark = useMedia('(prefers-color-scheme: dark)');
    const theme = saidTheme(props.tag, state.theme) ?? (dark ? 'dark' : 'light');
    const [peek, setPeek] = useState(-1);
    const [, redraw] = useState(0);
    useEffect(() => {
        const around = new MutationObserver(() => redraw(n => n + 1));
        watchAround(around);
        return () => around.disconnect();
    }, []);
    useEffect(() => {
        loadView(state.view).then(() => redraw(n => n + 1));
    }, [state.view]);
    const drawable = useDrawable({t, state, shown, theme});
    const set = limited(props);
    const computed = Boolean(session?.get().pass);
    const shared = {t, state, set, theme, shown};
    return h(
        'div',
        {class: `box live ${theme}`, lang: t.code},
        h(Notice, {t, shown, session}),
        !drawable && h('slot', null),
        h(OwnText, {kind: 'heading', state}),
        h(Stage, {...shared, drawable, peek, session, computed}),
        h(OwnText, {kind: 'note', state}),
        h(Bar, {...props, state}),
        h(Workspace, {...shared, drawable, live: session !== null, onPeek: setPeek, computed}),
    );
}
