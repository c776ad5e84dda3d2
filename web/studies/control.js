/* control - the state and the actions of the page of studies: the corpus that is open, the run
 * under way, the results so far. Results stay until a newer run of the same study has finished,
 * also while the reader looks at a single text. No document here.
 */
import {knownStudy} from '../views/study/index.js';
import {inHeadView} from '../views/study/study.js';
import {createShown} from '../session/shown.js';
import {createCorpora} from './corpora.js';
import {createRuns, optionsOf} from './runs.js';

/**
 * @import {State} from '../state/state.js'
 * @import {StudyView, Place} from '../views/study/study.js'
 * @import {Held} from './corpora.js'
 * @import {Result} from './runs.js'
 * @typedef {{message: string, of: 'corpus' | 'study'}} Problem
 * @typedef {{phase: 'wait' | 'load' | 'run', study: string, at: string, done: number, total: number, since:
 *     number}} Running   at: the study on whose page it is; since: when the first step began, by performance.now()
 * @typedef {{list: import('./corpora.js').Shipped[], corpus: Held | null, asking: import('./corpora.js').Asking | null, fetching: {done: number,
 *     total: number} | null,
 *   running: Running | null, problem: Problem | null, results: readonly Result[], view: StudyView |
 *   null, said: number, led: number}} PageShown results: newest first; view: of the study in the state; said:
 *   counts finished runs; led: counts the links and presses that led to a study
 * @typedef {{studies: ReturnType<typeof import('../engine/study.js').createStudies>, indexing:
 *     ReturnType<typeof import('../engine/indexing.js').createIndexing>, session:
 *     import('../session/session.js').Session,
 *   store: ReturnType<typeof import('../state/store.js').createStore>, menu:
 *   import('../base/shared.js').Menu, sourceOf: (model: string) =>
 *   import('../files/folder.js').ModelSource}} Parts
 * @typedef {ReturnType<typeof createControl>} Control
 */

const LOOKED_AT = 400; // items, for an example

/** @type {PageShown} */
const NOTHING = {
    list: [],
    corpus: null,
    asking: null,
    fetching: null,
    running: null,
    problem: null,
    results: [],
    view: null,
    said: 0,
    led: 0,
};

/** The result to show for a study: of this corpus, else its last one. @param {PageShown} shown
 * @param {string} study */
export const resultOf = ({results, corpus}, study) =>
    results.find(result => result.study === study && result.held === corpus) ??
    results.find(result => result.study === study) ??
    null;

/** The item of the highest score among the first LOOKED_AT; null when each is refused.
 * @param {Parts['studies']} studies @param {Held} held
 * @param {(item: import('../views/study/study.js').Item) => number} score */
async function bestItem(studies, held, score) {
    let best = null;
    let most = -1;
    for (let i = 0; i < Math.min(held.about.items, LOOKED_AT); i++) {
        const item = await studies.item(held.bytes, held.options, i);
        const own = score(item);
        if (own >= 0 && own > most) [best, most] = [item, own];
    }
    return best;
}

/** @param {Parts} parts @param {(patch: Partial<PageShown>) => void} show */
function createOpening({studies, store}, show) {
    /** @param {() => Promise<{a: string, b?: string} | null>} find @param {Place} place */
    async function open(find, place) {
        const asked = performance.now();
        try {
            const item = await find();
            const seen = item && inHeadView(item, {layer: place.layer, heads: [place.head]});
            if (seen) store.set(seen, asked, true);
        } catch (error) {
            show({problem: {message: /** @type {Error} */ (error).message, of: 'study'}});
        }
    }

    return {
        /** @param {Result} result @param {number} index @param {Place} place */
        openItem: ({held}, index, place) =>
            open(() => studies.item(held.bytes, held.options, index), place),
        /** The item that shows something best. @param {Result} result
         * @param {(item: import('../views/study/study.js').Item) => number} score
         * @param {Place} place */
        openWhere: ({held}, score, place) => open(() => bestItem(studies, held, score), place),
    };
}

/** Where a lesson is, '' without one. @param {State} state */
const stepOf = ({tour, lesson}) => (tour < 0 ? '' : `${lesson}.${tour}`);

/** Does one press lead from a text, or a lesson's next step from a study, to a study that it names? The tab
 * of the corpus alone names none. @param {State} before @param {State} now @param {string} step of the lesson
 *     that has led last */
const isLed = (before, now, step) =>
    (before.desk !== 'corpus' || ![step, ''].includes(stepOf(now))) &&
    now.desk === 'corpus' &&
    /** @type {const} */ (['study', 'corpus', 'settings', 'opened', 'tau']).some(
        name => String(before[name]) !== String(now[name]),
    );

/** The same from state to state, counted for the page, which then shows the study's place.
 * @param {State} before @param {{get: () => PageShown, show: (patch: Partial<PageShown>) => void}} page */
function createLed(before, {get, show}) {
    let step = stepOf(before);
    return (/** @type {State} */ now) => {
        const led = isLed(before, now, step);
        before = now;
        if (led) {
            step = stepOf(now);
            show({led: get().led + 1});
        }
        return led;
    };
}

/** Whether a link may run a study at once: it is one, and of a corpus that comes with the page.
 * @param {ReturnType<typeof knownStudy>} entry @param {Held | null} corpus */
const canRun = (entry, corpus) =>
    corpus !== null && !corpus.yours && entry.id !== 'about' && !entry.missing?.(corpus.about);

/** Has the study been run with what it would be run with now? @param {Parts} parts
 * @param {PageShown} shown @param {StudyView} view */
function hasRun({store, session}, {results, corpus, running}, view) {
    const options = corpus && JSON.stringify(optionsOf(view, store.get(), corpus));
    return results.some(
        result =>
            result.study === view.id &&
            (!result.isPart || running !== null) &&
            result.held === corpus &&
            result.source === session.source() &&
            result.options === options,
    );
}

/** @param {Parts} parts */
export function createControl(parts) {
    const {store} = parts;
    const {get, show, subscribe} = createShown({...NOTHING, led: Number(store.get().study !== '')});
    const corpora = createCorpora(parts, {get, show});
    const runs = createRuns(parts, {get, show});
    const isLedNow = createLed(store.get(), {get, show});
    let restore = store.get().study !== ''; // a link or a step to a study of a shipped corpus runs it once

    async function follow() {
        const state = store.get();
        restore = isLedNow(state) || restore;
        if (state.desk !== 'corpus') return;
        const entry = knownStudy(state.study);
        const [view] = await Promise.all([entry.load(), corpora.follow(state.corpus)]);
        if (store.get().study !== state.study) return;
        show({view});
        if (restore && canRun(entry, get().corpus) && !hasRun(parts, get(), view)) runs.run({});
        restore = restore && !get().corpus;
        runs.refresh();
    }

    /** A problem that a part of the page has met. @param {Error} error */
    const fail = error => show({problem: {message: error.message, of: 'study'}});
    const look = () => follow().catch(fail);
    store.subscribe(look);
    look();
    return {
        get,
        subscribe,
        corpora,
        step: look,
        ...runs,
        dismiss: () => show({problem: null, asking: null}),
        ...createOpening(parts, show),
        /** A study is run with what a JSON file of the reader's holds.
         * @type {import('../views/study/study.js').On['load']} */
        load(file, read) {
            file.text()
                .then(text => runs.run(read(JSON.parse(text))))
                .catch(fail);
        },
        fail,
    };
}
