/* beside - two models side by side: the same view on the same text, once by the model of the page
 * and once by another (the field compareWith of the state), and between them the signed difference
 * of the attention that is shown: before and after fine-tuning, say. Pointing at a token in one
 * figure points at it in the other; what is pinned, masked or switched off is so in both. The other
 * model has an engine of its own, so that its download does not hold up the page. It may be a folder
 * of the reader's, which stands in no link; dropped on its figure (.compared), one takes its place.
 * Fetched when it is first asked for. Not here: whole corpora (the study "Two models").
 */
import {h} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {update} from '../core/state.js';
import {differenceOf, whyNot} from '../views/head/difference.js';
import {Picture} from '../draw/blocks.js';
import {differenceDrawing} from '../views/change/map.js';
import {isReady} from '../views/needs.js';
import {Canvas} from './canvas.js';
import {useDrawable} from './drawable.js';
import {Figure} from './figure.js';
import {useSource, useWords} from './hooks.js';
import {Loader} from './loader.js';
import {Notice, Progress} from './progress.js';
import {createSession} from './session.js';

/**
 * @typedef {import('./app.js').Shared} Shared
 * @typedef {import('./app.js').State} State
 * @typedef {import('./figure.js').Drawable} Drawable
 * @typedef {import('../views/view.js').Focus} Focus
 * @typedef {{makeEngine: () => import('./app.js').Engine, sourceOf: (model: string) =>
 *     import('../core/files.js').ModelSource, nameOf: (model: string) => string}} Parts
 * @typedef {Shared & Parts & {Asking: import('preact').ComponentType<any>, modelName: string, drawable: Drawable, peek: number}} Props
 */

/** What the other model is asked for. @param {State} state */
export const otherState = state => update(state, {model: state.compareWith, compareWith: ''});

/** A session of the other model, which follows the page's state. @param {State} state
 * @param {Parts} parts */
function useOther(state, {makeEngine, sourceOf}) {
    const asked = useRef(state);
    asked.current = state;
    const {session, close} = useMemo(() => {
        const engine = makeEngine();
        const made = createSession({
            engine,
            loader: new Loader(engine),
            store: {get: () => asked.current},
            sourceOf,
        });
        return {
            session: made,
            close() {
                made.close();
                engine.close();
            },
        };
    }, []);
    useEffect(() => close, []);
    useEffect(() => {
        session.step();
    }, [state]);
    return {session, shown: useSource(session)};
}

/** Where the reader points, in one of the two figures. */
function useLink() {
    const [at, setAt] = useState(
        /** @type {{side: number, focus: Focus | null}} */ ({side: 0, focus: null}),
    );
    return (/** @type {number} */ side) => ({
        linked: at.side === side ? null : at.focus,
        onHover: (/** @type {Focus | null} */ focus) => setAt({side, focus}),
    });
}

/** @typedef {import('../views/head/difference.js').Words} Words */

/** @param {{t: Shared['t'], words: Words, drawables: Drawable[], names: string[]}} props */
function Between({t, words, drawables: [one, two], names}) {
    const [width, setWidth] = useState(0);
    const box = useRef(/** @type {HTMLElement | null} */ (null));
    useEffect(() => {
        const sizes = new ResizeObserver(([{contentRect}]) =>
            setWidth(Math.floor(contentRect.width)),
        );
        sizes.observe(/** @type {HTMLElement} */ (box.current));
        return () => sizes.disconnect();
    }, []);
    const why = whyNot(one.data, two.data, names, words);
    const last = useRef(/** @type {ReturnType<typeof differenceOf> | null} */ (null));
    const made = useMemo(
        () =>
            why || !isReady(one.view, one.state, two.data)
                ? null
                : differenceOf(one.state, one.data, two.data, names, t, words),
        [why, one.state, one.data.tensors, two.data.tensors, words],
    );
    if (made || why) last.current = made; // one of the two may be a step ahead
    const shown = last.current;
    const on = {Canvas, set: () => {}, several: () => {}};
    return h(
        'div',
        {class: 'between change-view', ref: box},
        why
            ? h('p', {class: 'hint', role: 'status'}, why)
            : shown &&
                  width > 0 &&
                  h(Picture, {
                      view: differenceDrawing,
                      state: shown.state,
                      data: /** @type {any} */ ({...one.data, ...shown.data, width}),
                      on,
                  }),
    );
}

/** Both models with what they have of the text: `its` is what the other one shows, `link` what a
 * figure is told of the pointer in the one beside it, none where the two cannot be compared.
 * @param {Props} props */
function useBoth({makeEngine, sourceOf, nameOf, modelName, drawable, t: page, state, theme}) {
    const views = useWords(page.code, 'views', true);
    const t = useMemo(() => ({...page, ...views}), [page, views]);
    const mine = useMemo(() => otherState(state), [state]);
    const {session, shown: its} = useOther(mine, {makeEngine, sourceOf, nameOf});
    const other = useDrawable({t, state: mine, shown: its, theme});
    const names = [modelName, nameOf(state.compareWith)];
    const words = useWords(t.code, 'dialogs', true)?.beside;
    const isLinked = other && words && !whyNot(drawable.data, other.data, names, words);
    const link = useLink();
    return {t, words, session, its, other, names, link: isLinked ? link : () => ({})};
}

/** What stands above the other model's figure: the question before a large download, and what went
 * wrong. @param {{t: Shared['t'], set: Shared['set'], Asking: Props['Asking'], name: string, session:
 *     import('./session.js').Session, its: import('./session.js').Shown}} props */
const OtherSays = ({t, set, Asking, name, session, its}) => [
    its.question &&
        h(Asking, {
            key: 'question',
            t,
            asked: {name, ...its.question},
            onYes: session.agree,
            onNo: () => set({compareWith: ''}),
        }),
    its.problem &&
        h(Notice, {
            key: 'problem',
            t,
            problem: its.problem,
            kept: Boolean(its.pass),
            onRetry: session.step,
            onClose: session.dismiss,
        }),
];

/** @param {Props} props */
export function Beside(props) {
    const {Asking, drawable, peek, set, shown} = props;
    const {t, words, session, its, other, names, link} = useBoth(props);
    const side = (
        /** @type {number} */ i,
        /** @type {import('./session.js').Shown} */ {progress, busy},
        /** @type {Drawable | null} */ what,
        /** @type {import('preact').ComponentChild} */ says,
    ) => {
        const name = names[i];
        const of = {suffix: `-${i}`, of: name, t, set, busy, peek};
        return h(
            'section',
            {class: i ? 'compared' : undefined, 'aria-label': name},
            h('h2', null, name),
            progress && h(Progress, {t, progress, name}),
            says,
            what && h(Figure, {...what, ...link(i), ...of, key: what.view.id}),
        );
    };
    const says = h(OtherSays, {t, set, Asking, name: names[1], session, its});
    return h(
        'div',
        {class: 'beside'},
        h('div', {class: 'two'}, side(0, shown, drawable, null), side(1, its, other, says)),
        other &&
            words &&
            'change' in t &&
            h(Between, {t, words, drawables: [drawable, other], names}),
    );
}
