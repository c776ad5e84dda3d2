/* session - what the page shows of what has been computed, and the steps that follow a change of state: another model ->
 * load; everything else -> compute what the view needs. A step that a newer one has overtaken is cancelled. What is on the
 * page stays until its successor is complete, also when a step fails: then `problem` says so. No document here.
 */
import {loadView} from '../views/index.js';
import {createComputer} from './compute.js';

/**
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../core/state.js').State} State
 * @typedef {import('../core/files.js').ModelSource} Source
 * @typedef {import('./compute.js').Fill} Fill
 * @typedef {{model: Model | null, pass: Pass | null, tensors: Map<string, Tensor>, fills: Fill[],
 *   before: import('./before.js').Before | null, progress: {file: string, done: number, total: number} | null, busy: boolean,
 *   problem: {message: string} | null, picked: boolean}} Shown   picked: the model is a folder of the reader's
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

/** One step: what the state asks for is loaded and computed, then shown. @param {Parts['engine']} engine
 * @param {(patch: Partial<Shown>) => void} show */
function createSteps(engine, show) {
    const loader = createLoader(engine, show);
    const computer = createComputer(engine);
    return {
        isEmpty: loader.isEmpty,
        /** @param {State} state @param {Source} source @param {boolean} picked @param {AbortSignal} signal */
        async follow(state, source, picked, signal) {
            const model = await loader.load(source, signal, () => computer.forget());
            const view = await loadView(state.view);
            const wanted = {needs: view.needs(state, model), fillsAll: view.fillsAll?.(state) ?? false};
            const onRun = () => show({busy: true});
            const {pass, fills, tensors, before} = await computer.compute(state, model, wanted, {signal, onRun});
            if (!signal.aborted) show({model, pass, fills, tensors, before, busy: false, problem: null, picked});
        },
        /** @param {unknown} error */
        fail(error) {
            const {category, message} = /** @type {{category?: string, message: string}} */ (error);
            if (category === 'engine') loader.forget();   // the worker is gone, and the model with it
            computer.forget();
            show({progress: null, busy: false, problem: {message: message ?? String(error)}});
        },
    };
}

/** @param {Parts} parts */
export function createSession({engine, store, sourceOf}) {
    const {get, show, subscribe} = createShown({model: null, pass: null, tensors: new Map(), fills: [], before: null,
        progress: null, busy: false, problem: null, picked: false});
    const steps = createSteps(engine, show);
    /** A folder the reader has opened; it counts until another model of the menu is chosen. @type {Source | null} */
    let folder = null;
    let menuModel = store.get().model;
    let current = new AbortController();

    async function step() {
        current.abort();
        current = new AbortController();
        const {signal} = current;
        const state = store.get();
        if (menuModel !== state.model) folder = null;
        menuModel = state.model;
        try {
            await steps.follow(state, folder ?? sourceOf(state.model), folder !== null, signal);
        } catch (error) {
            if (signal.aborted) return;
            steps.fail(error);
            if (steps.isEmpty()) folder = null;   // next time, the model of the menu
        }
    }

    return {
        get, subscribe, step,
        /** @param {File[]} files */
        open(files) {
            folder = {files};
            return step();
        },
        dismiss: () => show({problem: null}),
    };
}
