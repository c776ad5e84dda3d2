/* player - the panel of a lesson: one step at a time by buttons, arrow keys and the row of numbers, or
 * all steps below each other by scrolling. A step begins with its own text, view and heads, and without
 * what was pinned, masked or switched off before; what the reader had comes back when the lesson is
 * closed. Then the reader may look elsewhere: nothing is pulled back.
 */
import {h} from 'preact';
import {useEffect, useLayoutEffect, useRef, useState} from 'preact/hooks';
import {buttonOf} from '../draw/button.js';
import {defaults, defaultsOf, formatHash} from '../state/state.js';
import {HEIGHT, useLayer} from '../shell/use_layer.js';
import {begun} from './begin.js';
import {followFigure} from './light.js';
import {lessonOf, lessonsHere, stepsHere, titleOf} from './list.js';
import {isOfText} from './number.js';
import {isOwn} from './own.js';
import {keepPlace} from './places.js';
import {isWanted} from './published.js';
import {StepBody} from './step.js';

/**
 * @typedef {import('../base/shared.js').Shared} Shared
 * @typedef {import('./step.js').Lesson} Lesson
 * @typedef {import('./step.js').Step} Step
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('./pick.js').Answer} Answer
 * @typedef {Shared & {session: import('../session/session.js').Session, menu: import('../base/shared.js').Menu, words: import('../words/languages.js').Lessons, began:
 *     {current: State | null}, asked: import('./begin.js').Asked}} Props
 *   began: the state that the page began with, until a lesson has looked at it; asked: lesson_place.js
 * @typedef {{current: number}} Linked   the step of a link that says more than the lesson's place, until it
 *     has been shown, else -1
 */

/** What a link may say beside the place in a lesson. */
const SAYS = /** @type {const} */ ([
    ...['text', 'textB', 'view', 'layer', 'heads', 'picked', 'masked', 'off', 'without'],
    ...['swapped', 'beside'],
]);

/** The step that a link shows in its own way. Links to the tour of before named its text as well.
 * @param {State | null} began */
function linkedStep(began) {
    if (!began || isOwn(began.lesson)) return -1;
    const plain = [defaults, defaultsOf('2')];
    const says = SAYS.some(name => plain.every(one => String(began[name]) !== String(one[name])));
    return (began.lesson === '' ? began.heads.length > 0 : says) ? began.tour : -1;
}

/** In lesson.html there is nothing but the lesson, so it does not end. */
const isAlone = () => 'lesson' in document.documentElement.dataset;

/** @param {string} selector */
const focusOn = selector =>
    /** @type {HTMLElement | null} */ (document.querySelector(selector))?.focus();

/** The lesson's file, when it is here. @param {State} state @param {Props['menu']} menu
 * @returns {Lesson | null} */
function useLesson(state, menu) {
    const id = state.lesson;
    const [loaded, setLoaded] = useState(/** @type {{id: string, lesson: Lesson} | null} */ (null));
    useEffect(() => {
        let latest = true;
        lessonOf(id, state).then(one => latest && setLoaded({id, lesson: stepsHere(one, menu)}));
        return () => {
            latest = false;
        };
    }, [id]);
    return loaded?.id === id ? loaded.lesson : null;
}

/** The model of a step: its own, or that of the lesson. A lesson without one is of any model.
 * @param {Lesson} lesson @param {Step} step @returns {Partial<State>} */
const modelOf = (lesson, step) => (step.state?.model || !lesson.model ? {} : {model: lesson.model});

/** How often a link within the page, or the way back, has led here; the store has read it by then. */
function useArrivals() {
    const [arrivals, setArrivals] = useState(0);
    useEffect(() => {
        const arrived = () => setArrivals(count => count + 1);
        addEventListener('popstate', arrived);
        return () => removeEventListener('popstate', arrived);
    }, []);
    return arrivals;
}

/** A step puts its state in place when it begins, and when a link leads to it once more.
 * @param {Pick<Props, 'state' | 'set' | 'asked'> & {linked: Linked}} props @param {Lesson | null} lesson @param {number} at */
function useBeginning({linked, asked, state, set}, lesson, at) {
    const arrivals = useArrivals();
    useEffect(() => {
        // a step of the six patterns opens its head by itself (pattern.js), on each text
        if (arrivals && state.lesson !== '') linked.current = linkedStep(state);
        if (arrivals) asked.current.at = performance.now();
    }, [arrivals]);
    useEffect(() => {
        const step = lesson?.steps[at];
        if (!step || step.pattern) return;
        if (linked.current === at) linked.current = -1;
        else if (!isWanted(`${lesson.id}.${at}`))
            set({...begun(step), ...modelOf(lesson, step)}, asked.current.at);
    }, [lesson, at, arrivals]);
}

/** What the reader had before the lesson, to come back to. @param {State} state */
function useFormer(state) {
    const {tour: _tour, lesson: _lesson, theme: _theme, lang: _lang, ...former} = state;
    return useRef(former).current;
}

/** @param {{lesson: Lesson, at: number, go: (to: number) => void, words: Props['words']['player'], code:
 *     string}} props */
const Places = ({lesson, at, go, words, code}) =>
    h(
        'ol',
        {class: 'pills patterns', 'aria-label': words.steps},
        lesson.steps.map(({title}, i) =>
            h(
                'li',
                {key: i},
                h(
                    'button',
                    {
                        type: 'button',
                        'aria-current': i === at ? 'step' : undefined,
                        title: titleOf(title, code),
                        'aria-label': `${i + 1}. ${titleOf(title, code)}`,
                        onClick: () => go(i),
                    },
                    i + 1,
                ),
            ),
        ),
    );

/** @param {{at: number, count: number, go: (to: number) => void, close: () => void, words:
 *     Props['words']['player']}} props */
const Turn = ({at, count, go, close, words}) =>
    h(
        'div',
        {class: 'turn'},
        buttonOf('page', {disabled: at === 0, onClick: () => go(at - 1)}, words.back),
        buttonOf(
            'page',
            {
                disabled: at + 1 === count && isAlone(),
                onClick: () => (at + 1 < count ? go(at + 1) : close()),
            },
            at + 1 < count || isAlone() ? words.next : words.close,
        ),
    );

/** Is there nothing left of the rail in the wheel's direction? Dialogs and the steps themselves are left alone.
 * @param {Element} part @param {number} deltaY */
const isAtEnd = (part, deltaY) =>
    part.matches('.rail') &&
    (deltaY < 0
        ? part.scrollTop <= 0
        : part.scrollTop + part.clientHeight >= part.scrollHeight - 1);

/** The wheel scrolls the steps wherever it is, but over what scrolls by itself; past their end, the page.
 * @param {{current: HTMLElement | null}} root */
function useWheel(root) {
    useEffect(() => {
        const turn = (/** @type {WheelEvent} */ event) => {
            const list = /** @type {HTMLElement} */ (root.current);
            const {target, deltaY, deltaMode, ctrlKey} = event;
            const inside = /** @type {Element} */ (target).closest('.lesson-scroll, .rail, dialog');
            if (ctrlKey || (inside && !isAtEnd(inside, deltaY))) return;
            const before = list.scrollTop;
            list.scrollTop += deltaY * (deltaMode ? 30 : 1); // px, or lines
            if (list.scrollTop !== before) event.preventDefault();
        };
        addEventListener('wheel', turn, {passive: false});
        return () => removeEventListener('wheel', turn);
    }, []);
}

/** All steps below each other: the one at the top of the panel is shown.
 * @param {Props & {lesson: Lesson, at: number, go: (to: number) => void, body: (step: Step, i: number) =>
 *     any}} props */
function Scroll({lesson, at, go, body, t}) {
    const root = useRef(/** @type {HTMLElement | null} */ (null));
    const own = useRef(-1); // the step that scrolling has asked for, until it is shown
    useWheel(root);
    useLayoutEffect(() => {
        if (own.current < 0) root.current?.children[at]?.scrollIntoView({block: 'nearest'});
        else if (own.current === at) own.current = -1;
    }, [at]);
    const onScroll = () => {
        const top = root.current?.getBoundingClientRect().top ?? 0;
        const list = [...(root.current?.children ?? [])];
        const first = list.findIndex(child => child.getBoundingClientRect().bottom > top + 60);
        if (first < 0 || first === (own.current < 0 ? at : own.current)) return;
        own.current = first;
        go(first);
    };
    return h(
        'div',
        {class: 'lesson-scroll', ref: root, onScroll, tabIndex: 0},
        lesson.steps.map((step, i) =>
            h(
                'section',
                {key: i, class: i === at ? 'now' : undefined},
                h('h3', null, `${i + 1}. ${titleOf(step.title, t.code)}`),
                i === at ? body(step, i) : h('p', {class: 'soft'}, firstSentence(step, t.code)),
            ),
        ),
    );
}

/** @param {Step} step @param {string} code */
const firstSentence = (step, code) =>
    (/^[^.。]*[.。]?/.exec(titleOf(step.say, code))?.[0] ?? '').replace(/\{\w+:([^}]+)\}|`/g, '$1');

/** @param {{right: number, asked: number, words: Props['words']['player']}} props */
const Score = ({right, asked, words}) =>
    asked > 0 ? h('p', {class: 'soft'}, words.score(right, asked)) : null;

/** Arrow keys turn the page; Escape ends the lesson when the focus is in it, and what is pinned stays.
 * @param {{at: number, count: number, go: (to: number) => void, close: () => void}} parts */
function useKeys({at, count, go, close}) {
    useLayer(true, {
        height: HEIGHT.lesson,
        escape: target => !isAlone() && target.closest('.lesson') !== null && (close(), true),
    });
    return (/** @type {KeyboardEvent} */ event) => {
        if (event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key === 'ArrowRight' && at + 1 < count) go(at + 1);
        if (event.key === 'ArrowLeft' && at > 0) go(at - 1);
    };
}

/** @param {Props} props */
export function Player(props) {
    const {state, words} = props;
    const lesson = useLesson(state, props.menu);
    const at = Math.min(Math.max(0, state.tour), (lesson?.steps.length ?? 1) - 1);
    const former = useFormer(state);
    const linked = useRef(-2);
    if (linked.current === -2) {
        linked.current = linkedStep(props.began.current);
        props.began.current = null;
    }
    useBeginning({...props, linked}, lesson, at);
    useEffect(followFigure, []);
    if (!lesson)
        return h('section', {class: 'tour lesson'}, h('p', {class: 'soft'}, words.player.waiting));
    return h(Panel, {...props, key: lesson.id, linked, lesson, at, former});
}

/** Where one is, and the way out: in someone's page, to the whole page.
 * @param {{place: string, page: string, close: () => void, words: Props['words']['player']}} props */
const Place = ({place, page, close, words}) =>
    h(
        'p',
        {class: 'place'},
        h('span', null, place),
        isAlone()
            ? h('a', {class: 'soft', href: `./${page}`, target: '_blank'}, 'Headlight')
            : buttonOf('plain', {onClick: close, 'aria-label': words.close}, '×'),
    );

/** The answers as a file to hand in. @param {{lesson: Lesson, answers: Record<number, Answer>, words:
 *     Props['words']['worksheet'], code: string}} props */
function Worksheet({lesson, answers, words, code}) {
    const name = useRef(/** @type {HTMLInputElement | null} */ (null));
    const save = (/** @type {'md' | 'csv' | 'json'} */ kind) => async () => {
        const {saveWorksheet} = await import('./worksheet.js');
        saveWorksheet(kind, {lesson, answers, words, code, name: name.current?.value.trim() ?? ''});
    };
    const button = (/** @type {'md' | 'csv' | 'json'} */ kind, /** @type {string} */ label) =>
        buttonOf('plain', {onClick: save(kind)}, label);
    const onKeyDown = (/** @type {Event} */ event) => event.stopPropagation(); // arrows turn the page
    const field = h('input', {ref: name, maxLength: 80, autocomplete: 'name', onKeyDown});
    const sheets = [words.label, button('md', 'Markdown'), button('csv', 'CSV')];
    const handIn = [h('label', null, words.name, ' ', field), button('json', words.handIn)];
    return [sheets, handIn].map((parts, key) => h('p', {key, class: 'ways'}, ...parts));
}

/** Below the last step: how many questions were answered rightly, and the lesson that follows.
 * @param {Pick<Props, 't' | 'set' | 'menu'> & {said: Props['words'], words: Props['words']['player'], lesson: Lesson, answers: Record<number, Answer>}} props */
function End({t, set, menu, said, words, lesson, answers}) {
    const given = Object.values(answers);
    const right = given.filter(({picked, best}) => picked === best).length;
    const next = lessonsHere(menu).find(({id}) => id === lesson.next);
    return [
        h(Score, {key: 'score', words, asked: given.length, right}),
        given.length > 0 &&
            h(Worksheet, {key: 'sheet', lesson, answers, words: said.worksheet, code: t.code}),
        next &&
            buttonOf(
                'plain',
                {key: 'next', onClick: () => set({lesson: next.id, tour: 0})},
                words.nextLesson(titleOf(next.title, t.code)),
            ),
    ];
}

/** All steps below each other, or one at a time.
 * @param {{scrolls: boolean, setScrolls: (scrolls: boolean) => void, words: Props['words']['player']}} props */
const ScrollButton = ({scrolls, setScrolls, words}) =>
    buttonOf(
        'plain soft',
        {'aria-pressed': scrolls, onClick: () => setScrolls(!scrolls)},
        words.scroll,
    );

const SETTLED_MS = 2000;

/** Takes the screen to the stage, or to the figure in it that a step is about, and keeps it there while parts above it
 * come and go, until the reader does something.
 * @param {Element} stage @param {string} figure @returns {() => void} ends it */
function toStage(stage, figure) {
    const place = () => (figure && document.querySelector(figure)) || stage;
    const sizes = new ResizeObserver(() => place().scrollIntoView());
    const done = new AbortController();
    const end = () => {
        sizes.disconnect();
        done.abort();
    };
    sizes.observe(document.body);
    for (const name of ['pointerdown', 'wheel', 'keydown'])
        addEventListener(name, end, {signal: done.signal});
    setTimeout(end, SETTLED_MS);
    return end;
}

/** A press that turns the page takes the focus to the new step. On a phone, where the panel is a sheet below
 * the picture, each step and each answer takes the screen to the picture, once it is of this text.
 * @param {number} at @param {boolean} scrolls @param {Answer | undefined} answer @param {boolean} ready
 * @param {string} [figure] that the step is about */
function useTurned(at, scrolls, answer, ready, figure = '') {
    useEffect(() => {
        if (!document.activeElement?.closest('.patterns, .offer-panel, .turn, body > *')) return;
        if (!scrolls) focusOn('.lesson h2');
    }, [at]);
    useEffect(() => {
        const stage = document.querySelector('.stage');
        if (!ready || !stage) return;
        const isPhone = matchMedia('(max-width: 759px)').matches;
        // elsewhere a step before, a study say, may have led further down
        if (!isPhone && stage.getBoundingClientRect().top >= 0) return;
        const end = toStage(stage, isPhone ? figure : '');
        const said = document.querySelector('.lesson .answer');
        if (isPhone && answer && said) said.scrollIntoView({block: 'nearest'});
        return end;
    }, [at, answer, ready]);
}

/** Is what stands in the picture's place of the text of this moment? @param {Pick<Props, 'state' | 'shown'>} props */
const isDrawn = props => props.state.desk === 'text' && isOfText(props);

/** The steps' bodies, with the answers that were given so far.
 * @param {Omit<Parameters<typeof StepBody>[0], 'step' | 'at' | 'answer' | 'onAnswer'>} props */
function useBodies(props) {
    const [answers, setAnswers] = useState(/** @type {Record<number, Answer>} */ ({}));
    const body = (/** @type {Step} */ step, /** @type {number} */ at) =>
        h(StepBody, {
            ...props,
            step,
            at,
            answer: answers[at] ?? null,
            onAnswer: answer => setAnswers({...answers, [at]: answer}),
        });
    return {answers, body};
}

/** Where one is, and the buttons that turn the page: before what changes with the step, so that they keep their
 * place. @param {{lesson: Lesson, at: number, count: number, go: (to: number) => void, close: () => void, words:
 *     Props['words']['player'], page: string, code: string}} props */
function Head({lesson, at, count, go, close, words, page, code}) {
    const place = `${titleOf(lesson.title, code)} · ${words.place(at + 1, count)}`;
    return [
        h(Place, {key: 'place', place, page, close, words}),
        h(Places, {key: 'places', lesson, at, go, words, code}),
        h(Turn, {key: 'turn', at, count, go, close, words}),
    ];
}

/** @param {Props & {linked: Linked, lesson: Lesson, at: number, former: Partial<State>}} props */
function Panel({lesson, at, former, ...props}) {
    const {t, set, linked} = props;
    const words = props.words.player;
    const {answers, body} = useBodies({...props, lesson: lesson.id});
    const [scrolls, setScrolls] = useState(false);
    const count = lesson.steps.length;
    const step = lesson.steps[at];
    const close = () => {
        focusOn('.example-chips button');
        set({...former, tour: -1, lesson: ''});
    };
    const go = (/** @type {number} */ to) => {
        linked.current = -1;
        set({tour: to});
    };
    useTurned(at, scrolls, answers[at], isDrawn(props), step.figure);
    useEffect(() => keepPlace(lesson.id, at, count), [at]);
    return h(
        'section',
        {
            class: `tour lesson${step.check && !answers[at] ? ' asking' : ''}`,
            'data-step': `${lesson.id}.${at}`,
            'data-figure': step.figure, // studies/stage.js leads there
            'aria-labelledby': 'tour-title',
            'aria-describedby': 'tour-keys',
            onKeyDown: useKeys({at, count, go, close}),
        },
        h(Head, {
            ...{lesson, at, count, go, close, words, code: t.code},
            page: formatHash({...defaults, lesson: lesson.id, tour: at, lang: props.state.lang}),
        }),
        h('h2', {id: 'tour-title', tabIndex: -1}, titleOf(step.title, t.code)),
        scrolls ? h(Scroll, {...props, lesson, at, go, body}) : body(step, at),
        at + 1 === count &&
            h(End, {t, set, menu: props.menu, said: props.words, words, lesson, answers}),
        h(ScrollButton, {scrolls, setScrolls, words}),
        !isAlone() && h('p', {class: 'soft'}, words.kept),
        !isAlone() && h('p', {class: 'hidden', id: 'tour-keys'}, words.keys),
    );
}
