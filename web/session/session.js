/* session - results of the computation as the page shows them, and the steps after a change of
 * state: another model -> load; everything else -> compute what the view needs. A step that a newer
 * one has overtaken is cancelled. What is on the page stays until its successor is complete, also
 * when a step fails: then `problem` says so. No document here.
 */
import {loadView} from '../views/index.js';
import {allNeeds, needName, tourNeeds, wantOf, withoutValues} from '../views/needs.js';
import {Computer} from './compute.js';
import {createShown, NOTHING, SETTLED} from './shown.js';

/**
 * @typedef {import('../worker/worker.js').Model} Model
 * @typedef {import('../worker/worker.js').Pass} Pass
 * @import {Tensor} from '../worker/worker.js'
 * @import {State} from '../state/state.js'
 * @import {ModelSource as Source} from '../files/folder.js'
 * @typedef {import('../worker/passes.js').Fill} Fill
 * @import {Want} from '../worker/passes.js'
 * @import {Need} from '../views/needs.js'
 * @typedef {{model: Model | null, pass: Pass | null, tensors: Map<string, Tensor>, fills: Fill[],
 *   before: import('../views/needs.js').Before | null, progress:
 *   {file: string, done: number, total: number, failures?: number, layers?: number, whole?: number} | null, busy: boolean, problem:
 *   Problem | null, question: About | null, copy: string, picked: boolean, imported:
 *   ImportedShown | null, missing: boolean, precomputed: boolean}} Shown
 *   precomputed: made when the site was built (precomputed.js), until the model is there; picked:
 *   the model is a folder of the reader's; imported: attention from a file of the reader's; missing:
 *   the view needs more than that; question: what the reader is to agree to before the model is
 *   loaded; copy: of the model in this browser: '', 'keeping', 'kept', or why there is none
 * @import {About} from '../base/errors.js'
 * @typedef {{message: string, about?: About}} Problem
 * @import {ImportedSource} from './imported.js'
 * @typedef {Awaited<ReturnType<ImportedSource['compute']>>['imported']} ImportedShown
 * @typedef {{engine: import('../base/shared.js').TextEngine, store: {get: () => State}, sourceOf: (model:
 *     string) => Source,
 *   loader: import('./loader.js').Loader, first?: Partial<Shown>, makeEngine?: import('../base/shared.js').MakeEngine}} Parts   sourceOf gives the same
 *       object for the same model; first: what is shown before anything is computed; makeEngine: of
 *       another engine, which shares the passes of a question (deep.js)
 * @typedef {ReturnType<typeof createSession>} Session
 */

/** What goes when a model does not come whole: its layers that were shown. @param {Shown} shown
 * @returns {Partial<Shown>} */
const withdrawn = ({model}) =>
    model?.whole ? {model: null, pass: null, tensors: new Map(), fills: [], before: null} : {};

/** The same of a file of attention. @param {State} asked @param {ImportedSource} source
 * @param {Model | null} engineModel
 * @param {(patch: Partial<Shown>) => void} show */
async function showImported(asked, source, engineModel, show) {
    const view = await loadView(asked.view);
    const needsOf = (/** @type {Model} */ model) => {
        const state = withoutValues(asked, model);
        const later = view.later?.(state, model) ?? [];
        return [...view.needs(state, model), ...later, ...tourNeeds(state)];
    };
    const computed = await source.compute(asked.part, needsOf, engineModel, asked.view);
    show({...SETTLED, fills: [], before: null, progress: null, picked: false, ...computed});
}

/** Of a model that is on its way, is the layer there that the view shows?
 * @param {import('../views/view.js').View} view @param {State} state @param {Model} model */
const canShow = (view, state, {layers, whole = layers}) =>
    layers > Math.min(view.controls.includes('layer') ? state.layer : 0, whole - 1);

/** Does the newest of what comes, one after the other; a failure is no news, the whole comes later.
 * @template T @param {(one: T) => Promise<void>} action */
function newest(action) {
    let next = /** @type {T | null} */ (null);
    let going = /** @type {Promise<void> | null} */ (null);
    const go = async () => {
        for (let one; (one = next);) {
            next = null;
            await action(one).catch(() => {});
        }
        going = null;
    };
    return {
        /** @param {T} one */
        add(one) {
            next = one;
            going ??= go();
        },
        /** Nothing more is begun. */
        done() {
            next = null;
            return going;
        },
    };
}

/** An engine with everything takes the place of the one there was, since two would hold the model twice; and who asks it
 * more (deep.js). @param {Pick<Parts, 'engine' | 'loader' | 'makeEngine'>} parts
 * @param {(patch: Partial<Shown>) => void} show @param {() => Shown} shown */
function createMore({engine, loader, makeEngine}, show, shown) {
    /** @type {Promise<ReturnType<typeof import('./deep.js').createDeep>> | undefined} */
    let deep;
    return {
        makesEngines: Boolean(makeEngine),
        /** @returns {boolean | undefined} it has everything now, and nothing loaded */
        fill() {
            const filled = engine.fill?.();
            if (filled) loader.stop();
            return filled;
        },
        more: () =>
            (deep ??= import('./deep.js').then(({createDeep}) =>
                createDeep(/** @type {any} */ (engine), makeEngine, show, shown),
            )),
        end: () => deep?.then(module => module.end()),
    };
}

/** What follows the state: its model is loaded and what its view needs computed, then shown; a view that
 * the first layers are enough for, already while the others come.
 * @param {Parts['loader']} loader @param {Computer} computer @param {(patch: Partial<Shown>) => void} show
 * @param {() => Shown} shown @param {ReturnType<typeof createMore>} everything */
function createFollow(loader, computer, show, shown, {makesEngines, fill, more, end}) {
    /** @param {State} state @param {Source} source @param {boolean} picked
     * @param {AbortSignal} signal */
    return async (state, source, picked, signal) => {
        const compute = async (/** @type {import('../engine/engine.js').Loaded} */ loaded) => {
            const view = await loadView(state.view);
            if (!canShow(view, state, loaded.info) || signal.aborted) return;
            await computer.compute(loaded, state, allNeeds(view, state, loaded.info), {
                signal,
                onRun: () => show({busy: true}),
                onComputed(computed) {
                    const kept = view.deep && computed.pass === shown().pass && shown().tensors;
                    const tensors = new Map([...(kept || []), ...computed.tensors]);
                    show({...SETTLED, model: loaded.info, ...computed, tensors, picked});
                },
            });
        };
        const some = newest(compute);
        const forget = () => computer.forget();
        const {deep} = await loadView(state.view);
        signal.throwIfAborted(); // a newer step's load would be stopped by this one's
        if (deep) fill();
        const loaded = await loader.load(source, signal, forget, one => {
            if (!shown().precomputed && !signal.aborted) some.add(one);
        });
        await some.done();
        if (loaded.info.second) return loaded;
        await compute(loaded);
        const view = await loadView(state.view);
        if (signal.aborted) return;
        if (view.deep && makesEngines)
            await (await more()).follow({deep: view.deep, loaded, state, source, signal});
        else end();
    };
}

/** What is shown after a step that failed, or that asks the reader first.
 * @param {Shown} shown @param {unknown} error @returns {Partial<Shown>} */
function failed(shown, error) {
    const {message, about, category} = /** @type {import('../base/errors.js').HeadlightError} */ (
        error
    );
    const asks = category === 'consent' && about;
    return {
        ...withdrawn(shown),
        progress: null,
        busy: false,
        question: asks || null,
        problem: asks ? null : {message: message ?? String(error), ...(about && {about})},
    };
}

/** What is shown of a model of two stacks. @param {Parts['engine']} engine */
const twoOf =
    engine =>
    async (/** @type {import('../engine/engine.js').Loaded} */ loaded, /** @type {any} */ asked) =>
        (await import('./two.js')).openTwo(engine, loaded, asked);

/** One step: what the state asks for is loaded and computed, then shown.
 * @param {Pick<Parts, 'engine' | 'loader' | 'makeEngine'>} parts
 * @param {(patch: Partial<Shown>) => void} show @param {() => Shown} shown */
function createSteps({engine, loader, makeEngine}, show, shown) {
    loader.follow(show);
    const computer = new Computer(engine);
    const everything = createMore({engine, loader, makeEngine}, show, shown);
    /** Answers of the pass that is shown. @param {Want[]} want
     * @param {{signal?: AbortSignal}} [options] @returns {Promise<any[]>} */
    const read = async (want, options) => {
        const {pass} = shown();
        const answers = await Promise.all(
            engine.read({pass: pass?.pass ?? 0, want}, options).answers,
        );
        if (shown().pass !== pass) throw new Error('another text has been computed meanwhile');
        return answers;
    };
    return {
        read,
        isEmpty: () => !loader.info,
        ...everything,
        follow: createFollow(loader, computer, show, shown, everything),
        followImported: (
            /** @type {State} */ state,
            /** @type {ImportedSource} */ source,
            /** @type {AbortSignal} */ signal,
        ) => {
            loader.stop();
            return showImported(state, source, loader.info, patch => {
                if (!signal.aborted) show(patch);
            });
        },
        two: twoOf(engine),
        /** More tensors of what is shown. @param {Need[]} needs
         * @param {ImportedSource | null} imported @param {State} state
         * @returns {Promise<Map<string, Tensor>>} */
        async collect(needs, imported, state) {
            if (imported)
                return (await imported.compute(state.part, () => needs, loader.info)).tensors;
            const found = await read(needs.map(wantOf));
            return new Map(needs.map((need, i) => [needName(need), found[i]]));
        },
        fail: (/** @type {unknown} */ error) => show(failed(shown(), error)),
        forget: () => computer.forget(),
    };
}

/** What the reader has opened in place of the menu's models.
 * @param {State} asked what was asked for last */
function createOpened(asked) {
    return {
        /** A folder counts until another model of the menu is chosen. @type {Source | null} */
        folder: null,
        /** A file of attention, until a text or a model is asked for. @type {ImportedSource | null}
         */
        imported: null,
        /** How often it has been asked for another figure: a file that is then read comes too late. */
        asks: 0,
        /** @param {State} state */
        follow(state) {
            const {model, text, textB} = asked;
            asked = state;
            if (model !== state.model && state.model) this.folder = null; // '': a folder's
            if (
                (model !== state.model && state.model) ||
                text !== state.text ||
                textB !== state.textB ||
                this.imported?.lost()
            )
                this.take(null);
            return this;
        },
        /** @param {ImportedSource | null} imported */
        take(imported) {
            this.asks++;
            if (this.imported !== imported) this.imported?.close();
            this.imported = imported;
        },
    };
}

/** More of what is shown.
 * @param {{steps: ReturnType<typeof createSteps>, opened: ReturnType<typeof createOpened>, state:
 *     () => State,
 *   revive: () => Promise<void>}} parts   revive: runs the input of what is shown again where its
 *                                         worker is gone */
const createReader = ({steps, opened, state, revive}) => ({
    /** Wants of the pass that is shown (worker/passes.js). @type {typeof steps.read} */
    async read(want, options) {
        await revive();
        return steps.read(want, options);
    },
    /** @param {Need[]} needs */
    async collect(needs) {
        await revive();
        return steps.collect(needs, opened.imported, state());
    },
});

/** What the reader opens.
 * @param {Pick<Parts, 'engine'> & {opened: ReturnType<typeof createOpened>, step: () =>
 *     Promise<void>,
 *   show: (patch: Partial<Shown>) => void}} parts */
const createOpening = ({engine, opened, step, show}) => ({
    open: (/** @type {File[]} */ files) => {
        opened.folder = {files};
        opened.take(null);
        return step();
    },
    /** @param {File | null} file null: back to the model */
    async openImported(file) {
        const asked = ++opened.asks;
        try {
            const read = file && (await (await import('./imported.js')).openImported(file, engine));
            if (opened.asks !== asked) return read?.close();
            opened.take(read);
            await step();
        } catch (error) {
            if (opened.asks === asked) show({problem: /** @type {Error} */ (error)});
        }
    },
});

/** The reader agrees to what an error of category consent has asked. @param {Source} source
 * @param {import('../base/errors.js').About} about */
export function agree(source, {host, bytes}) {
    if (host) source.foreign = false;
    if (bytes) source.most = Infinity;
}

/** The reader's answers to what is asked before a download, and calling it off.
 * @param {{loader: Parts['loader'], opened: ReturnType<typeof createOpened>, source: () => Source,
 *   former: () => string, step: () => Promise<void>, get: () => Shown,
 *   show: (patch: Partial<Shown>) => void}} parts   former: the model that was shown last */
const createConsent = ({loader, opened, source, former, step, get, show}) => ({
    former,
    agree() {
        agree(source(), get().question ?? {});
        show({question: null});
        return step();
    },
    /** @returns {string} the model to go back to */
    giveUp() {
        opened.folder = null;
        loader.stop();
        show({...withdrawn(get()), question: null, progress: null});
        return former();
    },
});

const REVIVE_MS = 20000;

/** Takes the steps, the newest only: each cancels the one before. A worker that was ended from outside,
 * or lost a thread, gets a successor, which is asked the same; unless that one ends soon.
 * @param {Pick<Parts, 'store' | 'sourceOf'> & {steps: ReturnType<typeof createSteps>, opened:
 *     ReturnType<typeof createOpened>}} parts */
function createStepping({store, sourceOf, steps, opened}) {
    let current = new AbortController();
    let former = '';
    let revived = -Infinity;

    /** @returns {Promise<void>} */
    async function step() {
        current.abort();
        const {signal} = (current = new AbortController());
        const state = store.get();
        const {imported, folder} = opened.follow(state);
        try {
            const two = imported
                ? await steps.followImported(state, imported, signal)
                : await steps.follow(
                      state,
                      folder ?? sourceOf(state.model),
                      folder !== null,
                      signal,
                  );
            if (!imported && !folder) former = state.model;
            if (!two) return;
            const picked = folder !== null;
            opened.take(await steps.two(two, {state, picked, signal}));
            return step();
        } catch (error) {
            if (signal.aborted) return;
            steps.fail(error);
            if (/** @type {any} */ (error).ended && performance.now() - revived > REVIVE_MS) {
                revived = performance.now();
                return step();
            }
            if (steps.isEmpty()) opened.folder = null; // next time, the model of the menu
        }
    }
    return {step, former: () => former, stop: () => current.abort()};
}

/** @param {Parts} parts */
export function createSession({engine, store, sourceOf, loader, first = {}, makeEngine}) {
    const {get, show, subscribe} = createShown({...NOTHING, ...first});
    const steps = createSteps({engine, loader, makeEngine}, show, get);
    const opened = createOpened(store.get());
    const source = () => opened.folder ?? sourceOf(store.get().model);
    const {step, former, stop} = createStepping({store, sourceOf, steps, opened});
    return {
        get,
        subscribe,
        step,
        ...createReader({
            steps,
            opened,
            state: store.get,
            revive: async () => {
                if (!opened.imported && !engine.holds(get().pass?.pass)) await step();
            },
        }),
        /** The answer to a question of many passes about the text of a state, by an engine with everything: headlight.h,
         * "interventions". @param {{intervention: string, [member: string]: unknown}} question @param {State} state
         * @param {AbortSignal} [signal] @returns {Promise<any>} */
        async ask(question, state, signal) {
            if (steps.fill()) await step();
            return (await steps.more()).ask(
                {model: loader.model, info: /** @type {Model} */ (loader.info)},
                {question, state, signal},
            );
        },
        /** For passes beside the one that is shown. */
        beside: () => ({engine, loader, model: loader.model}),
        dismiss: () => show({problem: null}),
        ...createOpening({engine, opened, step, show}),
        source,
        ...createConsent({loader, opened, source, former, step, get, show}),
        /** What is held for this session in an engine that others share. */
        close() {
            stop();
            steps.forget();
            steps.end();
            opened.take(null);
        },
    };
}
