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

export class Session {
    /** @type {Shown} */
    #shown = Object.freeze({model: null, pass: null, tensors: new Map(), fills: [], progress: null, busy: false,
        problem: null, picked: false});
    /** What the worker holds. @type {{source?: Source, text?: string, textB?: string}} */
    #held = {};
    /** A folder the reader has opened; it counts until another model of the menu is chosen. @type {Source | null} */
    #folder = null;
    #menuModel = '';
    #current = new AbortController();
    /** @type {Set<() => void>} */
    #listeners = new Set();

    /** @param {{engine: import('./app.js').Engine, store: {get: () => State},
     *   sourceOf: (model: string) => Source}} parts   sourceOf gives the same object for the same model */
    constructor({engine, store, sourceOf}) {
        this.engine = engine;
        this.store = store;
        this.sourceOf = sourceOf;
        this.#menuModel = store.get().model;
    }

    get = () => this.#shown;

    subscribe = (/** @type {() => void} */ listener) => {
        this.#listeners.add(listener);
        return () => { this.#listeners.delete(listener); };
    };

    dismiss = () => this.#show({problem: null});

    /** Takes a folder of the reader's in place of the model of the menu. @param {File[]} files */
    open(files) {
        this.#folder = {files};
        return this.step();
    }

    /** Does what the present state asks for, in place of what is under way. */
    step = async () => {
        this.#current.abort();
        this.#current = new AbortController();
        const {signal} = this.#current;
        const state = this.store.get();
        if (this.#menuModel !== state.model) this.#folder = null;
        this.#menuModel = state.model;
        try {
            await this.#follow(state, this.#folder ?? this.sourceOf(state.model), signal);
        } catch (error) {
            if (!signal.aborted) this.#fail(error);
        }
    };

    /** @param {Partial<Shown>} patch */
    #show(patch) {
        this.#shown = Object.freeze({...this.#shown, ...patch});
        for (const listener of [...this.#listeners]) listener();
    }

    /** @param {unknown} error */
    #fail(error) {
        const {source} = this.#held;
        if (!source) this.#folder = null;   // next time, the model of the menu
        this.#held = {source};
        const message = error instanceof Error ? error.message : String(error);
        this.#show({progress: null, busy: false, problem: {message}});
    }

    /** @param {Source} source @param {AbortSignal} signal */
    async #load(source, signal) {
        this.#held = {};
        this.#show({progress: {file: '', done: 0, total: 0}});
        const model = await this.engine.load(source, {signal, onProgress: progress => {
            if (!signal.aborted) this.#show({progress});
        }});
        this.#held = {source};
        if (!signal.aborted) this.#show({progress: null});
        return model;
    }

    /** @param {State} state @param {Source} source @param {AbortSignal} signal */
    async #follow(state, source, signal) {
        let {model, pass, fills} = this.#shown;
        if (!model || this.#held.source !== source) model = await this.#load(source, signal);
        const {text, textB} = state;
        if (!pass || this.#held.text !== text || this.#held.textB !== textB) {
            this.#show({busy: true});
            pass = await this.engine.run({text, textB}, {signal});
            fills = await fillings(this.engine, pass, model);
            this.#held = {source, text, textB};
        }
        const kept = pass === this.#shown.pass ? this.#shown.tensors : new Map();
        const tensors = await tensorsFor(this.engine, state, model, kept);
        if (signal.aborted) return;
        this.#show({model, pass, fills, tensors, busy: false, problem: null, picked: source === this.#folder});
    }
}
