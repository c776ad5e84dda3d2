/* session - what the page shows of what has been computed, and the steps that follow a change of state: another model ->
 * load; everything else -> compute what the view needs. A step that a newer one has overtaken is cancelled. What is on the
 * page stays until its successor is complete, also when a step fails: then `problem` says so. No document here.
 */
import {loadView} from '../views/index.js';
import {needName, tourNeeds} from '../views/needs.js';
import {createComputer} from './compute.js';
import {createShown} from './shown.js';

/**
 * @typedef {import('../core/worker.js').Model} Model
 * @typedef {import('../core/worker.js').Pass} Pass
 * @typedef {import('../core/worker.js').Tensor} Tensor
 * @typedef {import('../core/state.js').State} State
 * @typedef {import('../core/files.js').ModelSource} Source
 * @typedef {import('./compute.js').Fill} Fill
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {{model: Model | null, pass: Pass | null, tensors: Map<string, Tensor>, fills: Fill[],
 *   before: import('./before.js').Before | null, progress: {file: string, done: number, total: number} | null, busy: boolean,
 *   problem: {message: string} | null, picked: boolean, own: OwnShown | null, lacks: boolean, early: boolean}} Shown
 *   early: made when the site was built (first.js), until the model is there; picked: the model is a folder of the reader's; own: attention from a file of the reader's; lacks: the view needs more
 * @typedef {import('./own.js').OwnSource} OwnSource
 * @typedef {Awaited<ReturnType<OwnSource['compute']>>['own']} OwnShown
 * @typedef {{engine: import('./app.js').TextEngine, store: {get: () => State}, sourceOf: (model: string) => Source,
 *   loader: import('./loader.js').Loader, first?: Partial<Shown>}} Parts   sourceOf gives the same object for the same model; first: what is shown before anything is computed
 * @typedef {ReturnType<typeof createSession>} Session
 */

/** @type {Shown} */
const NOTHING = {model: null, pass: null, tensors: new Map(), fills: [], before: null, progress: null, busy: false,
    problem: null, picked: false, own: null, lacks: false, early: false};

/** A step has come to its end. */
const SETTLED = {busy: false, problem: null, own: null, lacks: false, early: false};

/** @param {import('../views/view.js').View} view @param {State} state @param {Model} model */
const wantedOf = (view, state, model) => ({needs: [...view.needs(state, model), ...tourNeeds(state)], later: view.later?.(state, model) ?? [],
    fillsAll: view.fillsAll?.(state) ?? false});

/** @param {Need[]} needs @param {Map<string, Tensor>} tensors */
const isLacking = (needs, tensors) => needs.some(need => !tensors.has(needName(need)));

/** The same of a file of attention. @param {State} state @param {OwnSource} source @param {Model | null} engineModel
 * @param {(patch: Partial<Shown>) => void} show */
async function showOwn(state, source, engineModel, show) {
    const view = await loadView(state.view);
    const needsOf = (/** @type {Model} */ model) => [...view.needs(state, model), ...view.later?.(state, model) ?? [], ...tourNeeds(state)];
    const computed = await source.compute(state.part, needsOf, engineModel);
    show({...computed, fills: [], before: null, busy: false, problem: null, progress: null, picked: false, early: false});
}

/** One step: what the state asks for is loaded and computed, then shown. @param {Parts['engine']} engine @param {Parts['loader']} loader
 * @param {(patch: Partial<Shown>) => void} show @param {() => Shown} shown */
function createSteps(engine, loader, show, shown) {
    loader.follow(show);
    const computer = createComputer(engine);
    const take = async (/** @type {Need} */ need) => /** @type {[string, Tensor]} */ ([needName(need),
        await engine.tensor(/** @type {string} */ (need.tensor), need.layer)]);
    return {
        isEmpty: () => !loader.model,
        /** @param {State} state @param {Source} source @param {boolean} picked @param {AbortSignal} signal */
        async follow(state, source, picked, signal) {
            const model = await loader.load(source, signal, () => computer.forget());
            const {needs, ...rest} = wantedOf(await loadView(state.view), state, model);
            const options = {signal, onRun: () => show({busy: true})};
            const compute = async (/** @type {Need[]} */ first) => {
                const {pass, fills, tensors, before} = await computer.compute(state, model, {needs: first, ...rest}, options);
                if (!signal.aborted) show({...SETTLED, model, pass, fills, tensors, before, picked});
                return tensors;
            };
            if (isLacking(rest.later, await compute(needs)) && !signal.aborted) await compute([...needs, ...rest.later]);
        },
        followOwn: (/** @type {State} */ state, /** @type {OwnSource} */ source, /** @type {AbortSignal} */ signal) => {
            loader.stop();
            return showOwn(state, source, loader.model, patch => { if (!signal.aborted) show(patch); });
        },
        /** More tensors of what is shown. @param {Need[]} needs @param {OwnSource | null} own @param {State} state */
        async collect(needs, own, state) {
            const {pass} = shown();
            const found = own ? (await own.compute(state.part, () => needs, loader.model)).tensors
                : new Map(await Promise.all(needs.map(take)));
            if (shown().pass !== pass) throw new Error('another text has been computed meanwhile');
            return found;
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

/** What the reader has opened in place of the menu's models. @param {State} asked what was asked for last */
function createOpened(asked) {
    return {
        /** A folder counts until another model of the menu is chosen. @type {Source | null} */
        folder: null,
        /** A file of attention, until a text or a model is asked for. @type {OwnSource | null} */
        own: null,
        /** @param {State} state */
        follow(state) {
            const {model, text, textB} = asked;
            asked = state;
            if (model !== state.model) this.folder = null;
            if (model !== state.model || text !== state.text || textB !== state.textB) this.own = null;
            return this;
        },
    };
}

/** read and fill: what the engine holds of its last pass, which is the one shown unless it is busy. @param {Parts} parts */
export function createSession({engine, store, sourceOf, loader, first = {}}) {
    const {get, show, subscribe} = createShown({...NOTHING, ...first});
    const steps = createSteps(engine, loader, show, get);
    const opened = createOpened(store.get());
    let current = new AbortController();

    async function step() {
        current.abort();
        const {signal} = current = new AbortController();
        const state = store.get();
        const {own, folder} = opened.follow(state);
        try {
            if (own) await steps.followOwn(state, own, signal);
            else await steps.follow(state, folder ?? sourceOf(state.model), folder !== null, signal);
        } catch (error) {
            if (signal.aborted) return;
            steps.fail(error);
            if (steps.isEmpty()) opened.folder = null;   // next time, the model of the menu
        }
    }

    return {
        get, subscribe, step, read: engine.tensor, fill: engine.fill, dismiss: () => show({problem: null}),
        source: () => opened.folder ?? sourceOf(store.get().model),
        open: (/** @type {File[]} */ files) => {
            Object.assign(opened, {folder: {files}, own: null});
            return step();
        },
        /** @param {File | null} file null: back to the model */
        async openOwn(file) {
            try {
                opened.own = file && await (await import('./own.js')).openOwn(file, engine);
                await step();
            } catch (error) {
                show({problem: /** @type {Error} */ (error)});
            }
        },
        collect: (/** @type {Need[]} */ needs) => steps.collect(needs, opened.own, store.get()),
    };
}
