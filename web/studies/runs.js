/* runs - runs studies and keeps their results: one run at a time, a newer one cancels it; the
 * result of a study is replaced when the new one is complete. Thresholds are asked anew without a
 * run, at most once in ASK_MS.
 */
import {knownStudy} from '../views/study/index.js';
import {setting} from '../views/study/study.js';

/**
 * @typedef {import('../state/state.js').State} State
 * @typedef {import('../engine/study.js').Handle & {file?: () => Uint8Array<ArrayBuffer>}} Handle   file: of an index
 * @typedef {import('../engine/study.js').Progress} Progress
 * @typedef {import('../files/folder.js').ModelSource} Source
 * @typedef {import('../engine/study.js').Drawn} Drawn
 * @typedef {import('../views/study/study.js').StudyView} StudyView
 * @typedef {import('./control.js').Running} Running
 * @typedef {{study: string, view: StudyView, held: import('./corpora.js').Held, source: Source,
 *     model: import('../worker/worker.js').Model,
 *   modelName: string, otherName: string, options: string, handle: Handle, answer: any, asked:
 *   string, extra: Record<string, any>, seconds: number, workers: number}} Result options: what it
 *   was run with, as JSON; asked: what its answer answers; extra: added by the view
 */

/** Second models that are no model: the first one with random weights, as the state calls them.
 * @type {readonly Drawn[]} */
export const DRAWN = Object.freeze(['random', 'random-layers']);

const ASK_MS = 80;
const KEPT = 8; // results
const DEFAULT_LIMIT = '1000';

/** How many items a run takes at most, 0 for all. @param {State} state */
export const limitOf = state => Number(setting(state, 'limit', DEFAULT_LIMIT)) || 0;

/** What a study is run with, apart from the corpus. @param {StudyView} view @param {State} state
 * @param {import('./corpora.js').Held} held */
export const optionsOf = (view, state, held) => ({
    ...held.options,
    limit: limitOf(state),
    ...view.options?.(state, held.about),
});

/** How many items a run takes. @param {{limit: number}} options @param {{about: {items: number}}} held */
export const itemsOf = ({limit}, {about: {items}}) => (limit ? Math.min(limit, items) : items);

/** The same for an index, and about how many tokens they have: a line of CoNLL-U is a word.
 * @param {{limit: number}} options @param {import('./corpora.js').Held} held */
function sizesOf(options, held) {
    const items = itemsOf(options, held);
    const {format, items: all} = held.about;
    const tokens = (held.bytes.length / (format === 'conllu' ? 25 : 4)) * (items / all);
    return {items, tokens};
}

/** @param {Source} source @param {import('../app/app.js').Menu} menu
 * @param {(id: string) => Source} sourceOf @returns {string} */
export function sourceName(source, menu, sourceOf) {
    if ('files' in source && source.files?.[0] instanceof File) {
        const [file] = /** @type {File[]} */ (source.files);
        return file.webkitRelativePath.split('/')[0] || file.name;
    }
    const entry = menu.find(({id}) => sourceOf(id) === source);
    return (
        entry?.name ??
        entry?.id ??
        /** @type {{url: string}} */ (source).url.split('/').filter(Boolean).pop() ??
        ''
    );
}

/** Of the menu, what the model is compared with unless another is chosen: what was made from it or it
 * was made from, by their names (mini2-en, mini2-en-sst2), else the first other one.
 * @param {Pick<import('./control.js').Parts, 'menu' | 'sourceOf' | 'session'>} parts */
function besides({menu, sourceOf, session}) {
    const own = menu.find(({id}) => sourceOf(id) === session.source())?.id;
    const others = menu.filter(({id}) => sourceOf(id) !== session.source());
    const akin = others.find(({id}) => id.startsWith(`${own}-`) || own?.startsWith(`${id}-`));
    return (akin ?? others[0])?.id;
}

/** The second model of a run: what the state names, else one of the menu; null: none.
 * @param {State} state
 * @param {Pick<import('./control.js').Parts, 'menu' | 'sourceOf' | 'session'>} parts
 * @param {Source | null} folder of the reader's @returns {Source | Drawn | null} */
export function otherOf(state, {menu, sourceOf, session}, folder) {
    const {second} = knownStudy(state.study);
    if (second === 'random') return DRAWN.find(name => name === state.otherModel) ?? null;
    if (second !== 'model') return null;
    if (folder) return folder;
    const id =
        state.otherModel && !DRAWN.some(name => name === state.otherModel)
            ? state.otherModel
            : besides({menu, sourceOf, session});
    return id ? sourceOf(id) : null;
}

/** Waits until the page's own engine has its model: a second copy then comes from the browser's
 * cache.
 * @param {import('../session/session.js').Session} session */
async function modelThere(session) {
    while (session.get().progress)
        await new Promise(done => {
            setTimeout(done, 100);
        });
}

/** With the answer to what is asked now. @param {Result} result @param {State} state
 * @returns {Promise<Result>} */
async function answered(result, state) {
    const ask = {...result.view.ask?.(state), ...result.extra};
    return {...result, answer: await result.handle.answer(ask), asked: JSON.stringify(ask)};
}

/** The results with a new one in the place of an older one of the same study and corpus; what is
 * left out is closed.
 * @param {readonly Result[]} results @param {Result} result */
function withResult(results, result) {
    const others = results.filter(
        ({study, held}) => study !== result.study || held !== result.held,
    );
    const gone = [...results.filter(one => !others.includes(one)), ...others.slice(KEPT - 1)];
    for (const {handle} of gone) handle.close();
    return [result, ...others.slice(0, KEPT - 1)];
}

/** A run from beginning to end. @param {import('./control.js').Parts} parts
 * @param {import('./corpora.js').Held} held
 * @param {{folder: Source | null, extra: Record<string, any>}} more folder: the second model;
 *     extra: options beyond the settings
 * @param {{signal: AbortSignal, tell: (patch: Partial<Running>) => void}} watch
 * @returns {Promise<Result>} */
async function runStudy(parts, held, {folder, extra}, watch) {
    const {studies, indexing, store, session, menu, sourceOf} = parts;
    const state = store.get();
    const entry = knownStudy(state.study);
    await modelThere(session);
    const view = await entry.load();
    const began = performance.now();
    const source = session.source();
    // draws of random layers are no second model: what is compared with these has none
    const other = extra.draws ? null : otherOf(state, parts, folder);
    const own = optionsOf(view, state, held);
    const modelName = sourceName(source, menu, sourceOf);
    const otherName =
        typeof other === 'string' ? other : other ? sourceName(other, menu, sourceOf) : '';
    // for the identity that answers carry
    const names = {model: modelName, ...(otherName ? {other: otherName} : {}), corpus: held.name};
    const job = {source, other, corpus: held.bytes, onProgress: watch.tell, signal: watch.signal};
    const options = {...own, ...extra, names};
    const handle = entry.index
        ? await indexing.run({...job, options, ...sizesOf(own, held)})
        : await studies.run({
              ...job,
              options: {...options, study: view.study},
              trains: entry.trains,
              weights: entry.weights,
          });
    if (!handle.model) throw new Error('a study has run without a model');
    const result = {
        ...{study: entry.id, view, held, source, model: handle.model, modelName, otherName},
        ...{options: JSON.stringify(own), handle, answer: null, asked: '', extra: {}},
        workers: handle.workers,
        seconds: (performance.now() - began) / 1000,
    };
    return answered(result, store.get());
}

/** Asks the results of the study that is shown again when what is asked has changed.
 * @param {import('./control.js').Parts} parts @param {import('./corpora.js').Shown} page */
function createRefresh({store}, {get, show}) {
    const isStale = (/** @type {Result} */ {study, view, extra, asked}) =>
        study === knownStudy(store.get().study).id &&
        asked !== JSON.stringify({...view.ask?.(store.get()), ...extra});
    let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);

    async function refresh() {
        for (const result of get().results.filter(isStale)) {
            try {
                const next = await answered(result, store.get());
                show({results: get().results.map(one => (one === result ? next : one))});
            } catch (error) {
                if (get().results.includes(result))
                    show({problem: {message: /** @type {Error} */ (error).message, of: 'study'}});
            }
        }
    }

    return () => {
        clearTimeout(timer);
        timer = setTimeout(refresh, ASK_MS);
    };
}

/** Keeps the account of a run. @param {string} study @param {(running: Running) => void} show */
function createTeller(study, show) {
    let running = /** @type {Running} */ ({phase: 'wait', study, done: 0, total: 0, since: 0});
    return (/** @type {Partial<Running>} */ patch) => {
        const since = patch.phase === 'run' && !running.since ? performance.now() : running.since;
        show((running = {...running, ...patch, since}));
    };
}

/** The run under way, at most one. @param {import('./control.js').Parts} parts
 * @param {import('./corpora.js').Shown} page @param {() => Source | null} folder of the second model */
function createCurrent(parts, {get, show}, folder) {
    let current = new AbortController();
    return {
        /** @param {Record<string, any>} extra options beyond those of the settings */
        async run(extra) {
            const {corpus: held} = get();
            const study = knownStudy(parts.store.get().study).id;
            if (!held || study === 'about') return;
            current.abort();
            const {signal} = (current = new AbortController());
            const showNow = (/** @type {Parameters<typeof show>[0]} */ patch) => {
                if (!signal.aborted) show(patch);
            };
            const tell = createTeller(study, running => showNow({running}));
            show({problem: null});
            tell({phase: 'wait'});
            try {
                const more = {folder: folder(), extra};
                const result = await runStudy(parts, held, more, {signal, tell});
                if (signal.aborted) return;
                const {results, said} = get();
                show({results: withResult(results, result), running: null, said: said + 1});
            } catch (error) {
                const {message} = /** @type {Error} */ (error);
                showNow({running: null, problem: {message, of: 'study'}});
            }
        },
        cancel() {
            current.abort();
            show({running: null});
        },
    };
}

/** @param {import('./control.js').Parts} parts @param {import('./corpora.js').Shown} page */
export function createRuns(parts, {get, show}) {
    let folder = /** @type {Source | null} */ (null); // of the second model
    const refresh = createRefresh(parts, {get, show});
    return {
        refresh,
        ...createCurrent(parts, {get, show}, () => folder),
        /** @param {Result} result @param {Record<string, any>} patch */
        ask(result, patch) {
            show({
                results: get().results.map(one =>
                    one === result ? {...one, extra: {...one.extra, ...patch}} : one,
                ),
            });
            refresh();
        },
        otherFolder: () => folder,
        other(/** @type {File[] | null} */ files) {
            folder = files && {files};
            show({said: get().said});
        },
    };
}
