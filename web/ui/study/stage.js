/* stage - the study that is chosen: its settings, the button that runs it, how far it is, and its
 * results.
 */
import {Component, h} from 'preact';
import {useEffect, useRef, useState} from 'preact/hooks';
import {knownStudy} from '../../views/study/index.js';
import {Numbers} from '../table.js';
import {corpusName} from './corpora.js';
import {resultOf} from './control.js';
import {optionsOf} from './runs.js';
import {SaveRow} from './save_row.js';
import {missingOf, Settings} from './studies.js';

/**
 * @typedef {import('./corpus_page.js').Props} Props
 * @typedef {import('./runs.js').Result} Result
 * @typedef {import('../../views/study/study.js').Data} Data
 * @typedef {import('../../views/study/study.js').StudyView} StudyView
 */

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

/** @param {Props & {running: import('./control.js').Running}} props */
function Running({words, control, running}) {
    const [, tick] = useState(0);
    useEffect(() => {
        const timer = setInterval(() => tick(n => n + 1), TICK_MS);
        return () => clearInterval(timer);
    }, []);
    const {phase, done, total, since} = running;
    const share = total ? done / total : 0;
    const spent = since ? performance.now() - since : 0;
    const said =
        phase === 'wait' ? words.waiting : phase === 'load' ? words.loading : words.running;
    const amount =
        phase === 'run'
            ? words.steps(done, total)
            : done
              ? words.bytes(words.size(done), total ? words.size(total) : '')
              : '';
    const rate =
        phase === 'run' && spent > FIRST_MS && share > 0
            ? words.rate((done / spent) * 1000, ((spent / share) * (1 - share)) / 1000)
            : '';
    return h(
        'div',
        {class: 'study-progress'},
        h(
            'p',
            {class: 'progress-says'},
            h('span', {id: 'run-label'}, said),
            h('span', null, [amount, rate].filter(Boolean).join(', ')),
        ),
        h(
            'div',
            {
                class: 'track',
                role: 'progressbar',
                'aria-labelledby': 'run-label',
                'aria-valuemin': 0,
                'aria-valuemax': 100,
                'aria-valuenow': Math.floor(100 * share),
                'aria-valuetext': [amount, rate].filter(Boolean).join(', ') || undefined,
            },
            h('i', {style: {width: `${100 * share}%`}}),
        ),
        h('button', {type: 'button', class: 'page', onClick: control.cancel}, words.cancel),
    );
}

/** What a view is given. @param {Props} props @param {Result} result @param {number} width
 * @returns {Data} */
function dataOf({theme, words}, {held, answer, model, modelName, otherName, options}, width) {
    const limit = options ? JSON.parse(options).limit : 0;
    const name = corpusName(held, words);
    return {
        answer,
        model,
        modelName,
        otherName: words.drawn[otherName]?.name ?? otherName,
        theme,
        width,
        t: words,
        items: limit ? Math.min(limit, held.about.items) : held.about.items,
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

/** @param {Props & {result: Result}} props */
function Results(props) {
    const {t, state, set, words, control, result} = props;
    const {ref, width} = useWidth();
    const {view, held, answer, handle} = result;
    const data = dataOf(props, result, width);
    const on = {
        set,
        load: (
            /** @type {File} */ file,
            /** @type {(object: any) => Record<string, any>} */ read,
        ) =>
            file
                .text()
                .then(text => control.run(read(JSON.parse(text))))
                .catch(control.fail),
        openItem: (
            /** @type {number} */ index,
            /** @type {import('../../views/study/study.js').Place} */ place,
        ) => control.openItem(result, index, place),
        openWhere: (
            /** @type {(item: any) => number} */ score,
            /** @type {import('../../views/study/study.js').Place} */ place,
        ) => control.openWhere(result, score, place),
        ask: (/** @type {Record<string, any>} */ patch) => control.ask(result, patch),
        save: async (/** @type {string} */ name, /** @type {object} */ ask) => {
            const {saveJson} = await import('./save.js');
            saveJson(name, await handle.answer(ask));
        },
    };
    const studyView = {
        id: view.id,
        table: (/** @type {any} */ s, /** @type {any} */ d) => view.table(s, d, words),
    };
    return h(
        'div',
        {class: 'study-results', ref},
        result.study !== 'about' &&
            h(
                'p',
                {class: 'hint'},
                words.of({
                    items: data.items,
                    corpus: data.corpus.name,
                    model: result.otherName
                        ? `${result.modelName} / ${data.otherName}`
                        : result.modelName,
                    seconds: result.seconds,
                    workers: result.workers,
                    cut: answer.cut ?? 0,
                    tokens: answer.tokens ?? 0,
                }),
            ),
        answer.few && h('p', {class: 'hint stale'}, words.few(data.items)),
        h(Stale, props),
        width > 0 &&
            h(Guard, {
                key: `${view.id}${held.id}`,
                say: words.problem,
                children: h(
                    'div',
                    {class: `study-view ${view.id}-view`},
                    h('p', {class: 'study-says'}, view.describe(state, data, words)),
                    view.render(state, data, on),
                ),
            }),
        width > 0 && h(SaveRow, {...props, data}),
        width > 0 &&
            h(Numbers, {
                view: /** @type {any} */ (studyView),
                state,
                data: /** @type {any} */ (data),
                t,
            }),
    );
}

/** @param {Props} props */
export function Stage(props) {
    const {
        state,
        words,
        control,
        page: {running, problem, corpus, view, said},
    } = props;
    const {id} = knownStudy(state.study);
    const {title, says} = words.studies[id];
    const missing = missingOf(props, id);
    const result = id === 'about' ? aboutResult(props) : resultOf(props.page, id);
    const own = running?.study === id;
    return h(
        'section',
        {class: 'show study-stage', 'aria-label': title},
        h('h2', null, title),
        h('p', {class: 'study-lede'}, says),
        id !== 'about' && h(Settings, props),
        id !== 'about' &&
            !own &&
            h(
                'div',
                {class: 'run-row'},
                h(
                    'button',
                    {
                        type: 'button',
                        class: 'main',
                        disabled: !corpus || missing !== '' || view?.id !== id,
                        'aria-describedby': 'run-why',
                        onClick: () => control.run({}),
                    },
                    result ? words.again : words.run,
                ),
                h(
                    'p',
                    {class: 'hint', id: 'run-why'},
                    !corpus ? words.noCorpus : missing ? words.missing[missing] : '',
                ),
            ),
        running && own && h(Running, {...props, running}),
        h(
            'p',
            {class: 'hidden', role: 'status'},
            said > 0 && !running ? words.finished(title) : '',
        ),
        problem?.of === 'study' &&
            h(
                'div',
                {class: 'study-problem', role: 'alert'},
                h(
                    'p',
                    null,
                    h('strong', null, words.problem),
                    ' ',
                    h('bdi', {lang: 'en'}, problem.message.replace(/\.?$/, '.')),
                ),
                h(
                    'button',
                    {type: 'button', class: 'plain', onClick: control.dismiss},
                    words.close,
                ),
            ),
        result
            ? h(Results, {key: id, ...props, result})
            : id !== 'about' && !own && h('p', {class: 'nothing-yet'}, words.notYet),
    );
}
