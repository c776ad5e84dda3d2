/* stage - the study that is chosen: its settings, the button that runs it, how far it is, and its
 * results.
 */
import {Component, h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {knownStudy} from '../views/study/index.js';
import {termsIn} from '../views/parts/mark.js';
import {namesIn} from '../views/study/parts/sheet.js';
import {Numbers} from '../figure/table.js';
import {Track} from '../model/progress.js';
import {corpusName} from './corpora.js';
import {resultOf} from './control.js';
import {Refused} from './refused.js';
import {itemsOf, optionsOf} from './runs.js';
import {SaveRow} from './save_row.js';
import {missingOf, Settings} from './studies.js';

/**
 * @import {Props} from './corpus_page.js'
 * @import {Result} from './runs.js'
 * @typedef {{current: number}} Led
 * @import {Data} from '../views/study/study.js'
 */

const DRAWS = 5; // models of random layers: as many as a study asks for
const TICK_MS = 250;
const FIRST_MS = 1500; // before that the rate says little

/** The width of an element, 0 until it is known. */
function useWidth() {
    const ref = useRef(/** @type {HTMLDivElement | null} */ (null));
    const [width, setWidth] = useState(0);
    useEffect(() => {
        const sizes = new ResizeObserver(([entry]) => {
            const found = Math.floor(entry.contentRect.width);
            if (found) setWidth(found);
        });
        if (ref.current) sizes.observe(ref.current);
        return () => sizes.disconnect();
    }, []);
    return {ref, width};
}

/** How far a run is and how fast, in words. @param {import('./control.js').Running} running
 * @param {number} share @param {Props['words']} words */
function progressOf({phase, done, total, since}, share, words) {
    if (phase !== 'run')
        return done ? words.bytes(words.size(done), total ? words.size(total) : '') : '';
    const spent = since ? performance.now() - since : 0;
    const steps = words.steps(done, total);
    if (spent <= FIRST_MS || share <= 0) return steps;
    const left = (spent / share) * (1 - share);
    return `${steps}, ${words.rate((done / spent) * 1000, left / 1000)}`;
}

/** @param {Props & {running: import('./control.js').Running}} props */
function Running({words, control, running}) {
    const phases = {wait: words.waiting, load: words.loading, run: words.running};
    const [, tick] = useState(0);
    useEffect(() => {
        const timer = setInterval(() => tick(n => n + 1), TICK_MS);
        return () => clearInterval(timer);
    }, []);
    const share = running.total ? running.done / running.total : 0;
    const said = progressOf(running, share, words);
    return h(
        'div',
        {class: 'study-progress'},
        h(
            'p',
            {class: 'progress-says'},
            h('span', {id: 'run-label'}, phases[running.phase]),
            h('span', null, said),
        ),
        h(Track, {'aria-labelledby': 'run-label', share, amount: said || undefined}),
        buttonOf('page', {onClick: control.cancel}, words.cancel),
    );
}

/** What a view is given. @param {Props} props @param {Result} result @param {number} width
 * @returns {Data} */
function dataOf({theme, words, page}, result, width) {
    const {held, source, answer, model, modelName, otherName, options, isPart} = result;
    const alike = page.results.filter(one => one.held === held && one.source === source);
    const limit = options ? JSON.parse(options).limit : 0;
    const name = corpusName(held, words);
    return {
        answer,
        model,
        modelName,
        otherName: words.drawn[otherName]?.name ?? otherName,
        drawn: words.drawn[otherName] ? otherName : '',
        part: !isPart ? '' : page.running ? 'built' : 'stopped',
        theme,
        width,
        t: words,
        items: itemsOf({limit}, held),
        beside: Object.fromEntries(alike.map(one => [one.study, one.answer])),
        corpus: {
            id: held.yours ? '' : held.id,
            name,
            format: held.about.format,
            items: held.about.items,
            about: held.about,
        },
    };
}

/** The corpus itself as a study that needs no run. @param {Props} props @returns {Result | null} */
function aboutResult({page: {view, corpus}}) {
    if (!corpus || view?.id !== 'about') return null;
    return /** @type {Result} */ (
        /** @type {unknown} */ ({
            study: 'about',
            view,
            held: corpus,
            answer: corpus.about,
            model: null,
            modelName: '',
            otherName: '',
            handle: null,
            options: '',
        })
    );
}

/** A view that throws is a fault of ours: it is said, and the page stays.
 * @extends {Component<{children: any, say: string}, {error: Error | null}>} */
class Guard extends Component {
    state = {error: null};
    /** @param {Error} error */
    static getDerivedStateFromError(error) {
        return {error};
    }
    /** @param {{children: any, say: string}} props @param {{error: Error | null}} state */
    render({children, say}, {error}) {
        return error
            ? h('p', {class: 'study-problem', role: 'alert'}, `${say} ${error.message}`)
            : children;
    }
}

/** @param {Props & {result: Result}} props */
function Stale(props) {
    const {
        state,
        words,
        session,
        page: {corpus, view},
        result,
    } = props;
    if (!corpus || !view || result.study === 'about' || view.id !== result.study) return null;
    const other = result.held !== corpus || result.source !== session.source();
    const changed = JSON.stringify(optionsOf(view, state, corpus)) !== result.options;
    if (!other && !changed) return null;
    return h(
        'p',
        {class: 'hint stale'},
        other
            ? words.stale(`${corpusName(result.held, words)}, ${result.modelName}`)
            : words.staleSettings,
    );
}

/** What a view may do with its result. @param {Props} props @param {Result} result
 * @returns {import('../views/study/study.js').On} */
const actionsOf = ({set, control}, result) => ({
    set,
    load: control.load,
    openItem: (index, place) => control.openItem(result, index, place),
    openWhere: (score, place) => control.openWhere(result, score, place),
    ask: patch => control.ask(result, patch),
    beside: studies => control.beside(studies),
    async save(name, ask) {
        const {saveJson} = await import('./save.js');
        saveJson(name, await result.handle.answer(ask));
    },
});

/** What the results are of: items, corpus, models, and how long it took.
 * @param {{result: Result, data: Data}} props */
const Of = ({result, data}) =>
    h(
        'p',
        {class: 'hint'},
        data.t.of({
            items: result.isPart ? result.answer.about.sentences : data.items,
            kept: result.kept,
            corpus: data.corpus.name,
            model: result.otherName ? `${result.modelName} / ${data.otherName}` : result.modelName,
            seconds: result.seconds,
            workers: result.workers,
            cut: result.answer.cut ?? 0,
            tokens: result.answer.tokens ?? result.answer.about?.tokens ?? 0,
        }),
    );

/** Of an index that has not been built to its end. @param {{data: Data, words: Props['words']}} props */
const SoFar = ({data: {part, items, answer}, words}) =>
    part &&
    h(
        'p',
        {class: 'hint stale'},
        part === 'built'
            ? words.ask.soFar(items)
            : words.ask.stopped(answer.about.sentences, items),
    );

const isNarrow = () => matchMedia('(max-width: 759px)').matches;

/** Where a study has said what is better than a rule: a press compares with random layers as well.
 * @param {Props & {result: Result}} props */
function Judge({words, control, page, result}) {
    const judges = knownStudy(result.study).judges && !result.answer.options.draws;
    if (!judges || page.running || page.view?.id !== result.study) return null;
    return h(
        'div',
        {class: 'run-row'},
        buttonOf(
            'page',
            {'aria-describedby': 'judge-why', onClick: () => control.run({draws: DRAWS})},
            words.judged.press,
        ),
        h('p', {class: 'hint', id: 'judge-why'}, words.judged.pressHint),
    );
}

/** The figure that the lesson's step is about, if there is one. */
function figureOfLesson() {
    const {figure} =
        /** @type {HTMLElement | null} */ (document.querySelector('.lesson'))?.dataset ?? {};
    return figure ? document.querySelector(figure) : null;
}

/** The results in a sentence, in the window for who was led here: on a phone at its top, what it is of
 * below it. A lesson leads to the figure that it is about.
 * @param {{state: Props['state'], result: Result, data: Data, page: Props['page'], awaited: Led}} props */
function Says({state, result, data, page: {said, led}, awaited}) {
    const root = useRef(/** @type {HTMLElement | null} */ (null));
    useEffect(() => {
        if (awaited.current < 0) return;
        if (said > awaited.current) awaited.current = -1;
        const figure = figureOfLesson();
        const block = figure || isNarrow() ? 'start' : 'nearest';
        (figure ?? root.current)?.scrollIntoView({block});
    }, [result, said, led]);
    const marked = new Set();
    const says = namesIn(data.t, result.view.describe(state, data, data.t), state.oneBased, part =>
        termsIn(data.t, part, marked),
    );
    return h('p', {class: 'study-says', ref: root}, says);
}

/** @param {Props & {result: Result, awaited: Led}} props */
function Results(props) {
    const {t, state, words, result} = props;
    const {ref, width} = useWidth();
    const {view, held, answer} = result;
    const data = dataOf(props, result, width);
    const shown = {
        id: view.id,
        table: (/** @type {any} */ s, /** @type {any} */ d) => view.table(s, d, words),
    };
    return h(
        'div',
        {class: 'study-results', ref},
        result.study !== 'about' && h(Of, {result, data}),
        h(SoFar, {data, words}),
        answer.few && h('p', {class: 'hint stale'}, words.few(data.items)),
        h(Stale, props),
        width > 0 && [
            h(Guard, {
                key: `${view.id}${held.id}`,
                say: words.problem,
                children: h(
                    'div',
                    {class: 'study-view'},
                    h(Says, {state, result, data, page: props.page, awaited: props.awaited}),
                    h(Judge, props),
                    view.render(state, data, actionsOf(props, result)),
                ),
            }),
            h(SaveRow, {key: 'save', ...props, data}),
            h(Numbers, {
                key: 'numbers',
                view: /** @type {any} */ (shown),
                state,
                data: /** @type {any} */ (data),
                t,
            }),
        ],
    );
}

/** The button that runs the study, and why it cannot be run.
 * @param {Props & {id: string, again: boolean}} props */
function RunRow(props) {
    const {words, control, id, again} = props;
    const {corpus, view} = props.page;
    const missing = missingOf(props, id);
    return h(
        'div',
        {class: 'run-row'},
        buttonOf(
            'main',
            {
                disabled: !corpus || missing !== '' || view?.id !== id,
                'aria-describedby': 'run-why',
                onClick: () => control.run({}),
            },
            again ? words.again : knownStudy(id).index ? words.ask.run : words.run,
        ),
        h(
            'p',
            {class: 'hint', id: 'run-why'},
            !corpus ? words.noCorpus : missing ? words.missing[missing] : '',
        ),
    );
}

/** Who was led here by a link or from a text sees the study, which on a phone stands below all that can be
 * chosen, and its answer (Says). @param {{said: number, led: number}} page
 * @returns {Led}   current: how many runs had finished then, -1 where nothing is waited for */
function useLed({said, led}) {
    const awaited = useRef(-1);
    useEffect(() => {
        if (!led) return;
        awaited.current = said;
        if (isNarrow()) document.querySelector('.study-stage')?.scrollIntoView();
    }, [led]);
    return awaited;
}

/** The study that is chosen is in sight, also where the list is longer than the window: its heading, unless it is
 * below. @param {string} id */
function useInSight(id) {
    const heading = useRef(/** @type {HTMLElement | null} */ (null));
    useEffect(() => {
        const {current} = heading;
        if (current && current.getBoundingClientRect().top < 0) current.scrollIntoView();
    }, [id]);
    return heading;
}

/** @param {Props} props */
export function Stage(props) {
    const {state, words, control} = props;
    const {running, problem, said} = props.page;
    const awaited = useLed(props.page);
    const {id} = knownStudy(state.study);
    const {title, says} = words.studies[id];
    const result = id === 'about' ? aboutResult(props) : resultOf(props.page, id);
    const own = running?.at === id;
    const asked = id !== 'about' && [
        h(Settings, {key: 'settings', ...props}),
        !own && h(RunRow, {key: 'run', ...props, id, again: result !== null}),
    ];
    const found = result
        ? h(Results, {key: id, ...props, result, awaited})
        : id !== 'about' && !own && h('p', {class: 'nothing-yet', key: 'none'}, words.notYet);
    // a lesson is about the answer, and an index has been built once it answers: it is in sight
    const behind = state.tour >= 0 || Boolean(result && knownStudy(id).index);
    return h(
        'section',
        {class: 'show study-stage', 'aria-label': title},
        h('h2', {ref: useInSight(id)}, title),
        h('p', {class: 'study-lede'}, termsIn(words, says)),
        !behind && asked,
        running && own && h(Running, {...props, running}),
        h(
            'p',
            {class: 'hidden', role: 'status'},
            said > 0 && !running ? words.finished(title) : '',
        ),
        problem?.of === 'study' &&
            h(Refused, {words, message: problem.message, onClose: control.dismiss}),
        found,
        behind && asked,
    );
}
