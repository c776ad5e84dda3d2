/* runs - runs studies and keeps their results: one run at a time, a newer one cancels it; the
 * result of a study is replaced when the new one is complete. Thresholds are asked anew without a
 * run, at most once in ASK_MS.
 */
import {knownStudy} from '../views/study/index.js';
import {setting} from '../views/study/study.js';

/**
 * @import {State} from '../state/state.js'
 * @typedef {import('../engine/study.js').Handle & {file?: () => Uint8Array<ArrayBuffer>, kept?: boolean}} Handle   file, kept: of an
 *     index
 * @import {ModelSource as Source} from '../files/folder.js'
 * @import {Drawn} from '../engine/study.js'
 * @import {StudyView} from '../views/study/study.js'
 * @import {Running} from './control.js'
 * @typedef {{study: string, view: StudyView, held: import('./corpora.js').Held, source: Source,
 *     model: import('../worker/worker.js').Model,
 *   modelName: string, otherName: string, options: string, handle: Handle, answer: any, asked:
 *   string, extra: Record<string, any>, seconds: number, workers: number, isPart?: boolean, kept?: boolean}} Result
 *   options: what it was run with, as JSON; asked: what its answer answers; extra: added by the view; isPart: of
 *   an index that is still built; kept: of one that had been
 */

/** Second models that are no model: the first one with random weights, as the state calls them.
 * @type {readonly Drawn[]} */
export const DRAWN = Object.freeze(['random', 'random-layers']);

const ASK_MS = 80;
const KEPT = 8; // results

/** How many items a run takes unless another number is set. @param {State} state */
export const usualLimit = ({study}) => String(knownStudy(study).limit ?? 1000);

/** How many items a run takes at most, 0 for all. @param {State} state */
export const limitOf = state => Number(setting(state, 'limit', usualLimit(state))) || 0;

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

/** @param {Source} source @param {import('../base/shared.js').Menu} menu
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

/** The second model of a run: what the state names, else one of the menu where there must be one; null:
 * none.
 * @param {State} state
 * @param {Pick<import('./control.js').Parts, 'menu' | 'sourceOf' | 'session'>} parts
 * @param {Source | null} folder of the reader's @returns {Source | Drawn | null} */
export function otherOf(state, {menu, sourceOf, session}, folder) {
    const {second} = knownStudy(state.study);
    if (!second) return null;
    if (folder && second !== 'random') return folder;
    const drawn = DRAWN.find(name => name === state.otherModel);
    if (second === 'random' || (second === 'either' && drawn)) return drawn ?? null;
    const named = drawn ? '' : state.otherModel;
    const id = named || (second === 'model' ? besides({menu, sourceOf, session}) : '');
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
 * @param {{study: string, folder: Source | null, extra: Record<string, any>, alone: boolean}} more folder: the second
 *     model; extra: options beyond the settings; alone: without a second model
 * @param {{signal: AbortSignal, tell: (patch: Partial<Running>) => void, part?: (result: Result) => void}} watch
 * @returns {Promise<Result>} */
async function runStudy(parts, held, {study, folder, extra, alone}, watch) {
    const {studies, indexing, store, session, menu, sourceOf} = parts;
    const state = store.get();
    const entry = knownStudy(study);
    await modelThere(session);
    const view = await entry.load();
    const began = performance.now();
    const source = session.source();
    // draws of random layers are no second model: what is compared with these has none
    const other = extra.draws || alone ? null : otherOf(state, parts, folder);
    const own = optionsOf(view, state, held);
    // beside another study, no more items than are usual for it
    if (alone && entry.limit) own.limit = Math.min(own.limit || entry.limit, entry.limit);
    const modelName = sourceName(source, menu, sourceOf);
    const otherName =
        typeof other === 'string' ? other : other ? sourceName(other, menu, sourceOf) : '';
    // for the identity that answers carry
    const names = {model: modelName, ...(otherName ? {other: otherName} : {}), corpus: held.name};
    const job = {source, other, corpus: held.bytes, onProgress: watch.tell, signal: watch.signal};
    const options = {...own, ...extra, names};
    const of = {
        study: entry.id,
        view,
        held,
        source,
        modelName,
        otherName,
        options: JSON.stringify(own),
    };
    const resultOf = (/** @type {Handle} */ handle) =>
        answered(resultBy(handle, of, began), store.get());
    if (!entry.index) {
        const {trains, weights} = entry;
        const how = {...options, study: view.study};
        return resultOf(await studies.run({...job, options: how, trains, weights}));
    }
    const handle = await indexing.run({
        ...{...job, options, ...sizesOf(own, held), keeps: !held.yours},
        onPart: watch.part && (part => resultOf(part).then(watch.part, () => {})),
    });
    return resultOf(handle);
}

/** What a handle answers for, without an answer yet. @param {Handle} handle
 * @param {Pick<Result, 'study' | 'view' | 'held' | 'source' | 'modelName' | 'otherName' | 'options'>} of
 * @param {number} began */
function resultBy(handle, of, began) {
    const {model, workers, kept} = handle;
    if (!model) throw new Error('a study has run without a model');
    const seconds = (performance.now() - began) / 1000;
    return {...of, model, handle, answer: null, asked: '', extra: {}, workers, kept, seconds};
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
                const {answer, asked} = await answered(result, store.get());
                // the same one, which may have been asked for something else meanwhile
                const withAnswer = (/** @type {Result} */ one) =>
                    one.handle === result.handle ? {...one, answer, asked} : one;
                show({results: get().results.map(withAnswer)});
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

/** Keeps the account of a run. @param {string} study @param {string} at the one on whose page it is
 * @param {(running: Running) => void} show */
function createTeller(study, at, show) {
    let running = /** @type {Running} */ ({phase: 'wait', study, at, done: 0, total: 0, since: 0});
    return (/** @type {Partial<Running>} */ patch) => {
        const since = patch.phase === 'run' && !running.since ? performance.now() : running.since;
        show((running = {...running, ...patch, since}));
    };
}

/** Shows results of what is built so far, until the whole is there; none in the place of an older whole, which would
 * be lost where the run is cancelled. @param {import('./corpora.js').Shown} page @param {AbortSignal} signal
 * @param {string} study @param {() => void} refresh */
function partly({get, show}, signal, study, refresh) {
    let ended = false;
    const {results, corpus} = get();
    const isWhole = results.some(one => one.study === study && one.held === corpus && !one.isPart);
    return {
        take: isWhole
            ? undefined
            : (/** @type {Result} */ result) => {
                  if (ended || signal.aborted) return result.handle.close();
                  show({results: withResult(get().results, {...result, isPart: true})});
                  refresh();
              },
        end() {
            ended = true;
        },
    };
}

/** The run under way, at most one. @param {import('./control.js').Parts} parts
 * @param {import('./corpora.js').Shown} page @param {() => Source | null} folder of the second model
 * @param {() => void} refresh where what is asked has changed while it was answered */
function createCurrent(parts, {get, show}, folder, refresh) {
    let current = new AbortController();
    return {
        /** @param {Record<string, any>} extra options beyond those of the settings
         * @param {string} [beside] another study than that of the page, of which the page's view shows numbers */
        async run(extra, beside) {
            const {corpus: held} = get();
            const at = knownStudy(parts.store.get().study).id;
            const study = beside ?? at;
            if (!held || study === 'about') return;
            current.abort();
            const {signal} = (current = new AbortController());
            const showNow = (/** @type {Parameters<typeof show>[0]} */ patch) => {
                if (!signal.aborted) show(patch);
            };
            const tell = createTeller(study, at, running => showNow({running}));
            show({problem: null});
            tell({phase: 'wait'});
            try {
                const alone = Boolean(beside);
                const more = {study, folder: alone ? null : folder(), extra, alone};
                const part = partly({get, show}, signal, study, refresh);
                const watch = {signal, tell, part: part.take};
                const result = await runStudy(parts, held, more, watch);
                part.end();
                if (signal.aborted) return;
                const {results, said} = get();
                show({results: withResult(results, result), running: null, said: said + 1});
                refresh();
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
    const current = createCurrent(parts, {get, show}, () => folder, refresh);
    return {
        refresh,
        ...current,
        /** Other studies of this corpus, one after the other; their numbers come beside those that are shown.
         * @param {string[]} studies */
        async beside(studies) {
            for (const study of studies) await current.run({}, study);
        },
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
