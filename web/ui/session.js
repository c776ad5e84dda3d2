/* session - what the page has computed so far, and the steps that follow a change of state:
 * another model -> load; another text -> run; another layer or view -> copy the tensors it needs.
 * A step that a newer one has overtaken is cancelled. What is on the page stays until its successor is complete,
 * also when a step fails: then `problem` says so. No document here; ui/app.js draws it.
 */
import {viewOf} from '../views/index.js';

/**
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../core/state.js').State} State
 * @typedef {import('../core/files.js').ModelSource} Source
 * @typedef {{index: number, words: {id: number, piece: string, probability: number}[]}} Fill   at a [MASK]
 * @typedef {{model: Model | null, pass: Pass | null, tensors: Map<string, Tensor>, fills: Fill[],
 *   progress: {file: string, done: number, total: number} | null, busy: boolean,
 *   problem: {message: string} | null, picked: boolean}} Shown   picked: the model is a folder of the reader's
 * @typedef {ReturnType<typeof createSession>} Session
 */

const FILLINGS = 5;
const MOST_MASKS = 8;

/** The fillings of the first masks. @param {import('./app.js').Engine} engine
 * @param {Pass} pass @param {Model} model */
function fillings(engine, pass, model) {
    const {mlm, special: {mask}} = model;
    const masks = pass.tokens.flatMap((token, index) => token.id === mask ? [index] : []);
    if (!mlm || mask < 0) return [];
    return Promise.all(masks.slice(0, MOST_MASKS).map(async index =>
        ({index, words: await engine.fill(index, FILLINGS)})));
}

/** The tensors that the view needs; those in `kept` are not copied again.
 * @param {import('./app.js').Engine} engine @param {State} state @param {Model} model
 * @param {Map<string, Tensor>} kept */
async function tensorsFor(engine, state, model, kept) {
    const wanted = viewOf(state.view).needs(state, model).map(({tensor, layer}) =>
        ({tensor, layer, name: `${tensor}.${layer}`}));
    if (kept.size === wanted.length && wanted.every(({name}) => kept.has(name))) return kept;
    const copies = await Promise.all(wanted.map(({tensor, layer, name}) =>
        kept.get(name) ?? engine.tensor(tensor, layer)));
    return new Map(wanted.map(({name}, i) => [name, copies[i]]));
}

/** @param {{engine: import('./app.js').Engine, store: {get: () => State}, sourceOf: (model: string) => Source}} parts
 *  sourceOf gives the same object for the same model */
export function createSession({engine, store, sourceOf}) {
    /** @type {Shown} */
    let shown = {model: null, pass: null, tensors: new Map(), fills: [], progress: null, busy: false,
        problem: null, picked: false};
    /** What the worker holds. @type {{source?: Source, text?: string, textB?: string}} */
    let held = {};
    /** A folder the reader has opened; it counts until another model of the menu is chosen. @type {Source | null} */
    let folder = null;
    let menuModel = store.get().model;
    let current = new AbortController();
    /** @type {Set<() => void>} */
    const listeners = new Set();

    /** @param {Partial<Shown>} patch */
    function show(patch) {
        shown = Object.freeze({...shown, ...patch});
        for (const listener of [...listeners]) listener();
    }

    /** @param {Source} source @param {AbortSignal} signal */
    async function load(source, signal) {
        held = {};
        show({progress: {file: '', done: 0, total: 0}});
        const model = await engine.load(source, {signal,
            onProgress: progress => { if (!signal.aborted) show({progress}); }});
        held = {source};
        if (!signal.aborted) show({progress: null});
        return model;
    }

    /** @param {State} state @param {Source} source @param {AbortSignal} signal */
    async function follow(state, source, signal) {
        let {model, pass, fills} = shown;
        if (!model || held.source !== source) model = await load(source, signal);
        const {text, textB} = state;
        if (!pass || held.text !== text || held.textB !== textB) {
            show({busy: true});
            pass = await engine.run({text, textB}, {signal});
            fills = await fillings(engine, pass, model);
            held = {source, text, textB};
        }
        const tensors = await tensorsFor(engine, state, model, pass === shown.pass ? shown.tensors : new Map());
        if (!signal.aborted) show({model, pass, fills, tensors, busy: false, problem: null, picked: source === folder});
    }

    async function step() {
        current.abort();
        current = new AbortController();
        const {signal} = current;
        const state = store.get();
        if (menuModel !== state.model) folder = null;
        menuModel = state.model;
        try {
            await follow(state, folder ?? sourceOf(state.model), signal);
        } catch (error) {
            if (signal.aborted) return;
            if (!held.source) folder = null;   // next time, the model of the menu
            held = {source: held.source};
            const message = error instanceof Error ? error.message : String(error);
            show({progress: null, busy: false, problem: {message}});
        }
    }

    return {
        get: () => shown,
        step,
        /** @param {File[]} files */
        open(files) {
            folder = {files};
            return step();
        },
        dismiss: () => show({problem: null}),
        /** @param {() => void} listener */
        subscribe(listener) {
            listeners.add(listener);
            return () => { listeners.delete(listener); };
        },
    };
}
