/* beside - two figures side by side, alike but for one thing (second.js): another head,
 * text, view or model, or one token instead of all. For two models, the signed difference of the
 * attention shown stands between them: before and after fine-tuning, say. Pointing at a token in
 * one figure points at it in the other; what is pinned, masked or switched off is so in both.
 * Another model has an engine of its own, so that its download does not hold up the page. It may be
 * a folder of the reader's, which stands in no link; dropped on its figure (.compared), one takes
 * its place. Saved, both stand on one sheet (save/save.js). Fetched when it is first asked for.
 * Not here: whole corpora (the study "Two models").
 */
import {h} from 'preact';
import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {differenceOf, whyNot} from '../views/head/difference.js';
import {Picture} from '../draw/blocks.js';
import {differenceDrawing} from '../views/change/map.js';
import {viewHas} from '../views/index.js';
import {beginAgainst, against} from '../views/change/numbers.js';
import {isReady, UNCHANGED} from '../views/needs.js';
import {MostMoved} from './most.js';
import {captionsOf, lackSaid, SecondHead, SecondText} from './bar.js';
import {isShuffled, randomLayers} from './control.js';
import {fitted, kindsOf, otherState, RANDOM} from './second.js';
import {Sides} from './sides.js';
import {Says, saysAnything} from '../figure/says.js';
import {Canvas} from '../figure/canvas.js';
import {useDrawable} from '../figure/drawable.js';
import {useSource, useWords} from '../shell/hooks.js';
import {Loader} from '../session/loader.js';
import {Notice, Progress} from '../model/progress.js';
import {createSession} from '../session/session.js';

/**
 * @import {Shared} from '../base/shared.js'
 * @import {State} from '../state/state.js'
 * @import {Drawable} from '../figure/figure.js'
 * @import {Session} from '../session/session.js'
 * @import {Dialogs} from '../words/languages.js'
 * @typedef {{drawable: Drawable, session: Session, shown: import('../session/session.js').Shown, captions: string[], titles:
 *     string[], own: boolean}} Other   the second figure, for files: what is said of each, and what each has
 *       read; own: by a model of its own
 * @typedef {{state: State, makeEngine: import('../base/shared.js').MakeEngine, sourceOf: (model: string) =>
 *     import('../files/folder.js').ModelSource, nameOf: (model: string) => string, session: Session,
 *     second: import('../model/models.js').Second | null}} Parts
 * @typedef {Shared & Parts & {Asking: import('preact').ComponentType<any>, modelName: string, drawable:
 *     Drawable, peek: number, help: boolean, sheet?: typeof import('../shell/use_layer.js').LayerHere | null, both: {current: Other | null}}} Props
 */

/** An engine and a loader of the second figure's own. @param {Parts} parts */
function ownEngine({makeEngine, sourceOf, state: {compareWith}, session}) {
    const engine = makeEngine();
    const of = compareWith === RANDOM ? () => randomLayers(session.source()) : sourceOf;
    return {engine, loader: new Loader(engine), sourceOf: of, end: () => engine.close()};
}

/** The page's engine and its model, for a second pass. @param {Parts} parts */
function sharedEngine({session}) {
    const {engine, loader} = session.beside();
    /** @type {any} */
    const lent = {
        follow: () => {},
        stop: () => {},
        get info() {
            return loader.info;
        },
        get model() {
            return loader.model;
        },
        load: (/** @type {any} */ source, /** @type {AbortSignal} */ signal) =>
            loader.load(source, signal, () => {}),
    };
    return {engine, loader: lent, sourceOf: session.source, end: () => {}};
}

/** A session of the second figure, which follows the page's state as far as its model can.
 * @param {State} wanted what it is asked for @param {boolean} own @param {Parts} parts */
function useOther(wanted, own, parts) {
    const asked = useRef(wanted);
    const {session, close} = useMemo(() => {
        const {end, ...engine} = (own ? ownEngine : sharedEngine)(parts);
        const made = createSession({
            ...engine,
            makeEngine: parts.makeEngine,
            store: {get: () => asked.current},
        });
        return {
            session: made,
            close() {
                made.close();
                end();
            },
        };
    }, []);
    useEffect(() => close, []);
    const shown = useSource(session);
    const {model} = shown;
    const state = useMemo(() => (model ? fitted(wanted, model) : wanted), [wanted, model]);
    asked.current = state;
    useEffect(() => {
        session.step();
    }, [state]);
    return {session, shown, state};
}

/** @import {Words} from '../views/head/difference.js' */

/** @param {{t: Shared['t'], words: Words, drawables: Drawable[], names: string[], why: string}} props   why:
 *     there is no difference */
function Between({t, words, drawables: [one, two], names, why}) {
    const [width, setWidth] = useState(0);
    const box = useRef(/** @type {HTMLElement | null} */ (null));
    useEffect(() => {
        const sizes = new ResizeObserver(([{contentRect}]) =>
            setWidth(Math.floor(contentRect.width)),
        );
        sizes.observe(/** @type {HTMLElement} */ (box.current));
        return () => sizes.disconnect();
    }, []);
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
        !why &&
            shown &&
            width > 0 &&
            h(Picture, {
                view: differenceDrawing,
                state: shown.state,
                data: /** @type {any} */ ({...one.data, ...shown.data, width}),
                on,
            }),
    );
}

/** To the difference, which stands below both. @param {{words: Dialogs['beside']}} props */
const ToDifference = ({words}) =>
    buttonOf(
        'plain',
        {onClick: () => document.querySelector('.between')?.scrollIntoView({block: 'nearest'})},
        words.toDifference,
    );

/** Of two models: what the second one lacks, why there is no difference, or where it stands. Above both: below
 * them it would be off the screen. Its line is there from the beginning, so that nothing moves.
 * @param {{text: string, children?: import('preact').ComponentChildren}} props */
const Said = ({text, children}) =>
    h('p', {class: 'hint why', role: 'status'}, text.trim(), children);

/** What each has read. @param {State} state of a figure */
const titleOf = ({text, textB}) => [text, textB].filter(Boolean).join(' / ');

/** Is it weights, which can be subtracted? @param {State} state */
const isMap = ({view, opened}) => viewHas(view, 'map') || (view === 'model' && opened !== '');

/** Both figures: `its` is what the second one shows. @param {Props} props */
function useBoth(props) {
    const {nameOf, modelName, drawable, t: page, state, set, theme, second, both} = props;
    const views = useWords(page.code, 'views', true);
    const t = useMemo(() => ({...page, ...views}), [page, views]);
    const asked = useMemo(() => otherState(state), [state]);
    const own = second !== null || state.compareWith !== '';
    const isItself = own && state.compareWith === state.model && second === null;
    useEffect(() => {
        if (isItself) set({compareWith: ''}, performance.now()); // the menu of the first model may lead there, or a link
    }, [isItself]);
    const {session, shown: its, state: mine} = useOther(asked, own, props);
    const other = useDrawable({t, state: mine, shown: its, theme});
    const words = useWords(t.code, 'dialogs', true)?.beside;
    const random = state.compareWith === RANDOM && words?.random;
    const names = [modelName, random || (own ? nameOf(state.compareWith) : modelName)];
    const lack = other && words ? lackSaid(other, asked, names[1], t, words) : '';
    const kinds = kindsOf(state, second !== null);
    if (lack && asked.view !== 'model' && !kinds.includes('head')) kinds.push('head');
    const captions = words ? captionsOf(kinds, [drawable, other], names, t, words) : ['', ''];
    useEffect(() => {
        const titles = [drawable.state, mine].map(titleOf);
        both.current = other && {drawable: other, session, shown: its, captions, titles, own};
        return () => {
            both.current = null;
        };
    });
    return {t, words, session, its, other, names, lack, kinds, captions, own, asked};
}

/** What stands above the other model's figure: the question before a large download, and what went
 * wrong. @param {{t: Shared['t'], set: Shared['set'], Asking: Props['Asking'], name: string, session:
 *     import('../session/session.js').Session, its: import('../session/session.js').Shown}} props */
const OtherSays = ({t, set, Asking, name, session, its}) => [
    its.question &&
        h(Asking, {
            key: 'question',
            t,
            asked: {name, ...its.question},
            onYes: session.agree,
            onNo: () => set({compareWith: ''}),
        }),
    h(Notice, {key: 'problem', t, shown: its, session}),
];

/** What stands at the second figure besides: what can be chosen of it, its model's download and what went
 * wrong with it. @param {Props} props @param {ReturnType<typeof useBoth>} both */
function besides({Asking, set, state, shown, ...rest}, both) {
    const {t, words, session, its, other, names, kinds, own} = both;
    const asking = words && {...rest, t, state, set, words, kinds, drawable: other};
    const progress = (/** @type {any} */ how, /** @type {number} */ i) =>
        how && h(Progress, {key: 'progress', t, progress: how, name: names[i]});
    return {
        asks: [null, asking && h(SecondHead, asking)],
        above: [
            null,
            [
                asking && h(SecondText, {key: 'text', ...asking}),
                own && h(OtherSays, {key: 'says', t, set, Asking, name: names[1], session, its}),
            ],
        ],
        coming: [progress(shown.progress, 0), own && progress(its.progress, 1)],
    };
}

/** What a control beside says. @param {Props} props @param {State} asked of the second figure
 * @param {Dialogs['beside']} [words] */
function controlOf({state, second}, asked, words) {
    if (state.compareWith === RANDOM && !second) return words?.randomSays ?? '';
    const same = (/** @type {'text' | 'textB'} */ name) =>
        state[name] === asked[name] || isShuffled(state[name], asked[name]);
    const is = same('text') && same('textB') && titleOf(state) !== titleOf(asked);
    return (is && words?.shuffledSays) || '';
}

/** What each says about what it has read, under its figure.
 * @param {Pick<Props, 'drawable' | 'session'> & {pair: ReturnType<typeof useBoth>}} props */
const BothSay = ({drawable, session, pair: {t, other, session: its, captions}}) =>
    h(
        'div',
        {class: 'two-say'},
        [drawable, other].map(
            (one, i) =>
                one &&
                h(
                    'div',
                    {key: i},
                    saysAnything(one) && h('h2', {'data-letter': 'ab'[i]}, captions[i]),
                    h(Says, {t, drawable: one, session: i ? its : session}),
                ),
        ),
    );

/** To the head in which attention differs most between two texts, or why that is not known.
 * @param {Pick<Props, 'drawable' | 'set' | 'state'> & {both: ReturnType<typeof useBoth>}} props */
function Texts({drawable, set, state: {view, beside, textB}, both: {t, other, kinds, asked}}) {
    if (!other || kinds.join() !== 'text' || textB || asked.textB || !('change' in t)) return null;
    const {counts, replaced} = against(drawable.data.pass.tokens, other.data.pass.tokens, 0);
    if (!replaced) return h(Said, {text: t.change.uneven(counts)});
    const begin = () => ({...UNCHANGED, ...beginAgainst(replaced, {view, beside})});
    const put = () => set({...begin(), view: 'change', beside: ''});
    return replaced[0] && h(Said, {text: ''}, buttonOf('plain', {onClick: put}, t.change.most));
}

/** @param {Props} props */
export function Beside(props) {
    const {drawable, peek, help, sheet, set, state, shown, session} = props;
    const both = useBoth(props);
    const {t, words, its, other, names, lack, kinds, captions, own, asked} = both;
    const models = other && words && own;
    const differ = models ? whyNot(drawable.data, other.data, names, words) : '';
    const subtracts = models && isMap(drawable.state) && isMap(other.state) && 'change' in t;
    const why = subtracts ? differ : '';
    const saysTwo = other && (own || titleOf(drawable.state) !== titleOf(other.state));
    const control = controlOf(props, asked, words);
    const said = !(other || its.problem || its.question)
        ? t.loading(names[1])
        : [lack, lack && why ? words?.apart : why, control].join(' ');
    return h(
        'div',
        {class: 'beside'},
        !control && h(Texts, {drawable, set, state, both}),
        (own || control) && h(Said, {text: said}, subtracts && !why && h(ToDifference, {words})),
        h(Sides, {
            ...{t, state, set, captions, drawables: [drawable, other], ...besides(props, both)},
            told: [
                {help, peek, sheet, busy: shown.busy},
                {
                    help: false,
                    sheet,
                    peek: kinds.includes('head') || peek >= (its.model?.heads ?? 0) ? -1 : peek,
                    busy: its.busy,
                },
            ],
        }),
        saysTwo && h(BothSay, {drawable, session, pair: both}),
        models &&
            !differ &&
            h(MostMoved, {
                ...{words, state, set, drawables: [drawable, other]},
                sessions: [session, both.session],
            }),
        subtracts && h(Between, {t, words, drawables: [drawable, other], names, why}),
    );
}
