/* session - what the page shows of what has been computed, and the steps that follow a change of state: another model ->
 * load; everything else -> compute what the view needs. A step that a newer one has overtaken is cancelled. What is on the
 * page stays until its successor is complete, also when a step fails: then `problem` says so. No document here.
 */
import {loadView} from '../views/index.js';
import {needName, tourNeeds} from '../views/needs.js';
import {createComputer} from './compute.js';

/**
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../core/state.js').State} State
 * @typedef {import('../core/files.js').ModelSource} Source
 * @typedef {import('./compute.js').Fill} Fill
 * @typedef {{model: Model | null, pass: Pass | null, tensors: Map<string, Tensor>, fills: Fill[],
 *   progress: {file: string, done: number, total: number} | null, busy: boolean,
 *   problem: {message: string} | null, picked: boolean, own: OwnShown | null, lacks: boolean}} Shown
 *   picked: the model is a folder of the reader's; own: attention from a file of the reader's; lacks: the view needs more
 * @typedef {import('./own.js').OwnSource} OwnSource
 * @typedef {Awaited<ReturnType<OwnSource['compute']>>['own']} OwnShown
 * @typedef {{engine: import('./app.js').Engine, store: {get: () => State}, sourceOf: (model: string) => Source}} Parts
 *   sourceOf gives the same object for the same model
 * @typedef {ReturnType<typeof createSession>} Session
 */

/** A value that listeners hear of when it changes. @param {Shown} shown */
function createShown(shown) {
    /** @type {Set<() => void>} */
    const listeners = new Set();
    return {
        get: () => shown,
        /** @param {Partial<Shown>} patch */
        show(patch) {
            shown = Object.freeze({...shown, ...patch});
            for (const listener of [...listeners]) listener();
        },
        /** @param {() => void} listener */
        subscribe(listener) {
            listeners.add(listener);
            return () => { listeners.delete(listener); };
        },
    };
}

/** The model that the engine holds. @param {Parts['engine']} engine @param {(patch: Partial<Shown>) => void} show */
function createLoader(engine, show) {
    /** @type {{source: Source, model: Model} | null} */
    let held = null;
    return {
        forget() { held = null; },
        isEmpty: () => !held,
        model: () => held?.model ?? null,
        /** @param {Source} source @param {AbortSignal} signal @param {() => void} onOther called when it is another one */
        async load(source, signal, onOther) {
            if (held?.source === source) return held.model;
            held = null;
            onOther();
            show({progress: {file: '', done: 0, total: 0}});
            const model = await engine.load(source, {signal,
                onProgress: progress => { if (!signal.aborted) show({progress}); }});
            held = {source, model};
            if (!signal.aborted) show({progress: null});
            return model;
        },
    };
}

/** @param {Parts} parts */
export function createSession({engine, store, sourceOf}) {
    const {get, show, subscribe} = createShown({model: null, pass: null, tensors: new Map(), fills: [], progress: null,
        busy: false, problem: null, picked: false, own: null, lacks: false});
    const loader = createLoader(engine, show);
    const computer = createComputer(engine);
    /** A folder the reader has opened; it counts until another model of the menu is chosen. @type {Source | null} */
    let folder = null;
    /** A file of attention the reader has opened; it counts until a text or a model is asked for. @type {OwnSource | null} */
    let own = null;
    let asked = store.get();
    let current = new AbortController();

    /** @param {State} state @param {Source} source @param {AbortSignal} signal */
    async function follow(state, source, signal) {
        const model = await loader.load(source, signal, computer.forget);
        const view = await loadView(state.view);
        const needs = [...view.needs(state, model), ...tourNeeds(state)];
        const wanted = {needs, fillsAll: view.fillsAll?.(state) ?? false};
        const computed = await computer.compute(state, model, wanted, {signal, onRun: () => show({busy: true})});
        const {pass, fills, tensors} = computed;
        if (!signal.aborted) show({model, pass, fills, tensors, busy: false, problem: null, picked: source === folder,
            own: null, lacks: false});
    }

    /** @param {State} state @param {OwnSource} source @param {AbortSignal} signal */
    async function followOwn(state, source, signal) {
        const view = await loadView(state.view);
        const computed = await source.compute(state.part, model => [...view.needs(state, model), ...tourNeeds(state)],
            loader.model());
        if (!signal.aborted) show({...computed, fills: [], busy: false, problem: null, progress: null, picked: false});
    }

    /** @param {unknown} error */
    function fail(error) {
        const {category, message} = /** @type {{category?: string, message: string}} */ (error);
        if (category === 'engine') loader.forget();   // the worker is gone, and the model with it
        if (loader.isEmpty()) folder = null;          // next time, the model of the menu
        computer.forget();
        show({progress: null, busy: false, problem: {message: message ?? String(error)}});
    }

    async function step() {
        current.abort();
        current = new AbortController();
        const {signal} = current;
        const state = store.get();
        if (asked.model !== state.model) folder = null;
        if (['model', 'text', 'textB'].some(key => asked[/** @type {keyof State} */ (key)] !==
            state[/** @type {keyof State} */ (key)])) own = null;
        asked = state;
        try {
            await (own ? followOwn(state, own, signal) : follow(state, folder ?? sourceOf(state.model), signal));
        } catch (error) {
            if (!signal.aborted) fail(error);
        }
    }

    return {
        get, subscribe, step,
        /** @param {File[]} files */
        open(files) {
            folder = {files};
            own = null;
            return step();
        },
        /** @param {File} file */
        async openOwn(file) {
            try {
                own = await (await import('./own.js')).openOwn(file, engine);
            } catch (error) {
                return show({problem: {message: /** @type {Error} */ (error).message}});
            }
            return step();
        },
        closeOwn() {
            own = null;
            return step();
        },
        /** More tensors of what is shown now, for saving. @param {import('../views/needs.js').Need[]} needs */
        async collect(needs) {
            const {pass} = get();
            const found = own ? (await own.compute(store.get().part, () => needs, loader.model())).tensors
                : new Map(await Promise.all(needs.map(async need => /** @type {[string, Tensor]} */ ([needName(need),
                    await engine.tensor(/** @type {string} */ (need.tensor), need.layer)]))));
            if (get().pass !== pass) throw new Error('another text has been computed meanwhile');
            return found;
        },
        dismiss: () => show({problem: null}),
    };
}
