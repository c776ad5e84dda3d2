/* runs - runs studies and keeps their results: one run at a time, a newer one cancels it; the result of a study is replaced when
 * the new one is complete. Thresholds are asked anew without a run, at most once in ASK_MS.
 */
import {knownStudy} from '../../views/study/index.js';
import {setting} from '../../views/study/study.js';

/**
 * @typedef {import('../../core/state.js').State} State
 * @typedef {import('../../core/study.js').Handle} Handle
 * @typedef {import('../../core/study.js').Progress} Progress
 * @typedef {import('../../core/files.js').ModelSource} Source
 * @typedef {import('../../views/study/study.js').StudyView} StudyView
 * @typedef {import('./control.js').Running} Running
 * @typedef {{study: string, view: StudyView, held: import('./corpora.js').Held, source: Source, model: import('../../core/worker.js').Model,
 *   modelName: string, otherName: string, options: string, handles: Record<string, Handle>, answers: Record<string, any>,
 *   passes: import('../../views/study/study.js').Read[], asked: string, extra: Record<string, any>, seconds: number, workers: number}} Result
 *   options: what it was run with, as JSON; asked: what its answers answer; extra: added by the view
 */

const ASK_MS = 80;
const KEPT = 8;      // results
const DEFAULT_LIMIT = '1000';

/** How many items a run takes at most, 0 for all. @param {State} state */
export const limitOf = state => Number(setting(state, 'limit', DEFAULT_LIMIT)) || 0;

/** What a study is run with, apart from the corpus. @param {StudyView} view @param {State} state
 * @param {import('./corpora.js').Held} held */
export const optionsOf = (view, state, held) => ({...held.options, limit: limitOf(state), ...view.options?.(state, held.about)});

/** @param {Source} source @param {import('../app.js').Menu} menu @param {(id: string) => Source} sourceOf @returns {string} */
export function sourceName(source, menu, sourceOf) {
    if ('files' in source && source.files?.[0] instanceof File) {
        const [file] = /** @type {File[]} */ (source.files);
        return file.webkitRelativePath.split('/')[0] || file.name;
    }
    const entry = menu.find(({id}) => sourceOf(id) === source);
    return entry?.name ?? entry?.id ?? /** @type {{url: string}} */ (source).url.split('/').filter(Boolean).pop() ?? '';
}

/** The second model of a run: what the state names, else the first other one of the menu; null: none.
 * @param {State} state @param {Pick<import('./control.js').Parts, 'menu' | 'sourceOf' | 'session'>} parts
 * @param {Source | null} folder of the reader's @returns {Source | 'random' | null} */
export function otherOf(state, {menu, sourceOf, session}, folder) {
    const {second} = knownStudy(state.study);
    if (second === 'random') return state.otherModel === 'random' ? 'random' : null;
    if (second !== 'model') return null;
    if (folder) return folder;
    const id = state.otherModel && state.otherModel !== 'random' ? state.otherModel
        : menu.find(entry => sourceOf(entry.id) !== session.source())?.id;
    return id ? sourceOf(id) : null;
}

/** Waits until the page's own engine has its model: a second copy then comes from the browser's cache.
 * @param {import('../session.js').Session} session */
async function modelThere(session) {
    while (session.get().progress) await new Promise(done => { setTimeout(done, 100); });
}

/** @param {import('./control.js').Parts} parts @param {import('./corpora.js').Shown} desk */
export function createRuns(parts, {get, show}) {
    const {studies, store, session, menu, sourceOf} = parts;
    let current = new AbortController();
    let otherFolder = /** @type {Source | null} */ (null);
    let timer = /** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined);

    /** @param {StudyView} view @param {object} job @param {(patch: Partial<Running>) => void} tell @param {AbortSignal} signal */
    async function runAll(view, job, tell, signal) {
        const names = view.surveys ?? [view.survey];
        /** @type {Record<string, Handle>} */
        const handles = {};
        for (const [part, study] of names.entries()) {
            const onProgress = (/** @type {Progress} */ progress) => tell({...progress, part, parts: names.length});
            try {
                const {options, ...rest} = /** @type {any} */ (job);
                handles[study] = await studies.run({...rest, options: {...options, study}, onProgress, signal});
            } catch (error) {
                // Of several surveys one may not fit the corpus; of one alone that is the answer.
                if (signal.aborted || names.length === 1 || /** @type {any} */ (error).category !== 'state') throw error;
            }
        }
        return handles;
    }

    /** @param {Result} result @returns {Promise<Result>} */
    async function answered(result) {
        const ask = {...result.view.ask?.(store.get()), ...result.extra};
        const entries = await Promise.all(Object.entries(result.handles).map(async ([name, handle]) =>
            [name, await handle.answer(ask)]));
        return {...result, answers: Object.fromEntries(entries), asked: JSON.stringify(ask)};
    }

    /** @param {Result} result in place of an older one of the same study and corpus */
    function keep(result) {
        const others = get().results.filter(({study, held}) => study !== result.study || held !== result.held);
        const gone = get().results.filter(one => !others.includes(one) && one.handles !== result.handles);
        for (const {handles} of [...gone, ...others.slice(KEPT - 1)]) for (const handle of Object.values(handles)) handle.close();
        return [result, ...others.slice(0, KEPT - 1)];
    }

    /** @param {Record<string, any>} extraOptions @param {State} state @param {AbortSignal} signal */
    async function start(extraOptions, state, signal) {
        const {corpus: held} = get();
        const entry = knownStudy(state.study);
        if (!held || entry.id === 'about') return;
        let running = /** @type {Running} */ ({phase: 'wait', study: entry.id, done: 0, total: 0, part: 0, parts: 1, since: 0});
        const tell = (/** @type {Partial<Running>} */ patch) => {
            if (signal.aborted) return;
            const since = patch.phase === 'run' && !running.since ? performance.now() : running.since;
            show({running: running = {...running, ...patch, since}});
        };
        show({running, problem: null});
        await modelThere(session);
        const view = await entry.load();
        const began = performance.now();
        const [source, other] = [session.source(), otherOf(state, parts, otherFolder)];
        const own = optionsOf(view, state, held);
        const handles = await runAll(view, {source, other, corpus: held.bytes, options: {...own, ...extraOptions}, trains: entry.trains},
            tell, signal);
        const read = view.texts ? await studies.read({source, texts: view.texts, signal}) : null;
        const [handle] = Object.values(handles);
        const model = handle?.model ?? read?.model;
        if (!model) throw new Error('this corpus fits none of the surveys that the study needs');
        const result = await answered({study: entry.id, view, held, source, model, modelName: sourceName(source, menu, sourceOf),
            otherName: other === 'random' ? 'random' : other ? sourceName(other, menu, sourceOf) : '', options: JSON.stringify(own), handles,
            answers: {}, passes: read?.passes ?? [], asked: '', extra: {}, workers: handle?.workers ?? 1,
            seconds: (performance.now() - began) / 1000});
        if (!signal.aborted) show({results: keep(result), running: null, said: get().said + 1});
    }

    async function refresh() {
        const ask = (/** @type {Result} */ {view, extra}) => JSON.stringify({...view.ask?.(store.get()), ...extra});
        const stale = get().results.filter(result => result.study === knownStudy(store.get().study).id && result.asked !== ask(result));
        for (const result of stale) {
            try {
                const next = await answered(result);
                show({results: get().results.map(one => one === result ? next : one)});
            } catch (error) {
                if (get().results.includes(result)) show({problem: {message: /** @type {Error} */ (error).message, of: 'study'}});
            }
        }
    }

    return {
        /** @param {Record<string, any>} extraOptions beyond those of the settings */
        async run(extraOptions) {
            current.abort();
            const {signal} = current = new AbortController();
            try {
                await start(extraOptions, store.get(), signal);
            } catch (error) {
                if (!signal.aborted) show({running: null, problem: {message: /** @type {Error} */ (error).message, of: 'study'}});
            }
        },
        cancel() {
            current.abort();
            show({running: null});
        },
        refresh() {
            clearTimeout(timer);
            timer = setTimeout(refresh, ASK_MS);
        },
        /** @param {Result} result @param {Record<string, any>} patch */
        ask(result, patch) {
            show({results: get().results.map(one => one === result ? {...one, extra: {...one.extra, ...patch}} : one)});
            refresh();
        },
        otherFolder: () => otherFolder,
        /** The second model from a folder of the reader's. @param {File[] | null} files */
        other(files) {
            otherFolder = files && {files};
            show({said: get().said});
        },
    };
}
