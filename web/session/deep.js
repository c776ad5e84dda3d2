/* deep - measures for a view that the page's own engine lacks, since the file of a first visit has room for
 * a part of them. A second engine with all of them loads the model again, from the browser's cache, and runs
 * the text; it ends with the view. What a need has `also` is a pass of its own over the text's; many of them are
 * shared with one more engine, where the machine has more than one core and the model is not large. Fetched with
 * the first such view.
 */
import {deepName, isElse, missingOf} from '../views/also.js';
import {wantOf} from '../views/needs.js';
import {Computer, inputOf} from './compute.js';
import {Loader} from './loader.js';

/**
 * @typedef {import('./session.js').Shown} Shown
 * @typedef {import('../worker/worker.js').Tensor} Tensor
 * @typedef {import('../views/also.js').DeepNeed} DeepNeed
 * @typedef {NonNullable<import('../views/view.js').View['deep']>} Deep
 * @typedef {import('../engine/engine.js').Loaded} Loaded
 * @typedef {import('../state/state.js').State} State
 */

const SHOWN_MS = 250; // what comes one by one is shown so often
const SHARED = 32; // passes from which on a second engine helps
const LARGE = 200e6; // bytes of a model of which a page should not hold more copies

/** What one of them is of. @param {import('../worker/passes.js').Input} input @param {DeepNeed} need
 * @returns {import('../worker/passes.js').Input} */
function ofNeed(input, {also, source, alone}) {
    const more = also ? [also] : [];
    if (alone && source) return {...source, precision: input.precision, changes: more, words: []};
    return {...input, changes: [...input.changes, ...more], ...(source && {source})};
}

/** Needs with a change each: one pass after the other, over the one before; the pass of the text stays, whose
 * lower layers each one goes on from; so does that of a text by itself that is changed. @param {Pick<import('../app/app.js').Engine, 'run' | 'release'>} engine
 * @param {Loaded} loaded @param {State} state @param {Iterable<DeepNeed>} needs
 * @param {(name: string, answer: any) => void} onFound @param {AbortSignal} [signal] */
export async function runEach(engine, {model, info}, state, needs, onFound, signal) {
    const input = inputOf(state, info);
    let [over, base, of] = [0, 0, ''];
    const end = () => {
        for (const pass of [over, base]) if (pass) engine.release({pass});
        over = base = 0;
    };
    try {
        for (const one of needs) {
            const {also, source, alone, tokens, ...need} = one;
            const text = (alone && also && source?.text) || '';
            if (text !== of) end();
            if (text && text !== of) {
                const asked = {input: ofNeed(input, {source, alone}), keep: ['hidden'], want: []};
                base = engine.run({model, ...asked}, {signal}).pass;
            }
            of = text;
            const want = tokens ? [] : [wantOf(need)];
            const asked = {input: ofNeed(input, one), keep: ['hidden'], want};
            const before = over;
            const run = engine.run({model, ...asked, ...(before && {over: before})}, {signal});
            over = run.pass; // given back at the end, also where it is cancelled
            try {
                const found = tokens ? run.facts.then(facts => facts.tokens) : run.answers[0];
                onFound(deepName(one), await found);
            } finally {
                if (before) engine.release({pass: before});
            }
        }
    } finally {
        end();
    }
}

/** @param {import('../app/boot.js').MakeEngine} makeEngine */
function start(makeEngine) {
    const engine = makeEngine({has: ''});
    return {engine, loader: new Loader(engine), computer: new Computer(engine)};
}

/** Answers that come one by one: the first is shown at once, then several together. @param {(tensors: Map<string, Tensor>) => void} show */
function gather(show) {
    let [found, last] = [new Map(), -SHOWN_MS];
    const end = () => {
        show(found);
        [found, last] = [new Map(), performance.now()];
    };
    const add = (/** @type {string} */ name, /** @type {any} */ answer) => {
        found.set(name, answer);
        if (performance.now() - last >= SHOWN_MS) end();
    };
    return {add, end};
}

/** Takes from the same queue as the first engine, over a plain pass of its own, once it has the model.
 * @param {ReturnType<typeof start>} helper @param {import('../files/folder.js').ModelSource} source
 * @param {State} state @param {Iterable<DeepNeed>} queue @param {(name: string, answer: any) => void} onFound
 * @param {AbortSignal} signal */
async function help({engine, loader}, source, state, queue, onFound, signal) {
    const loaded = await loader.load(source, signal, () => {});
    const {model, info} = loaded;
    const asked = {input: inputOf(state, info), keep: ['hidden'], want: []};
    const plain = engine.run({model, ...asked}, {signal});
    try {
        await plain.facts;
        await runEach(engine, loaded, state, queue, onFound, signal);
    } finally {
        engine.release({pass: plain.pass});
    }
}

/** Is it worth a second engine? @param {DeepNeed[]} needs @param {Loaded} loaded */
const isShared = (needs, {info}) =>
    needs.length >= SHARED &&
    info.weight_bytes <= LARGE &&
    (globalThis.navigator?.hardwareConcurrency ?? 1) > 1;

/** Adds what a view wants to what is shown of its text.
 * @param {import('../app/boot.js').MakeEngine} makeEngine @param {(patch: Partial<Shown>) => void} show
 * @param {() => Shown} shown */
export function createDeep(makeEngine, show, shown) {
    let own = /** @type {ReturnType<typeof start> | null} */ (null);
    let second = /** @type {ReturnType<typeof start> | null} */ (null);
    /** Without `deep` its engines end. @param {Deep} [deep] @param {State} [state]
     * @param {import('../files/folder.js').ModelSource} [source] @param {AbortSignal} [signal] */
    return async (deep, state, source, signal) => {
        if (!deep || !state || !source || !signal) {
            for (const one of [own, second]) one?.engine.close();
            own = second = null;
            return;
        }
        const {pass, model} = shown();
        if (!pass || !model) return;
        const {engine, loader, computer} = (own ??= start(makeEngine));
        const loaded = await loader.load(source, signal, () => computer.forget());
        const here = () => pass === shown().pass;
        const missing = () =>
            here() ? missingOf(deep, state, {model, pass, tensors: shown().tensors}) : [];
        const add = (/** @type {Map<string, Tensor>} */ tensors) => {
            if (here()) show({tensors: new Map([...shown().tensors, ...tensors])});
        };
        const onComputed = (/** @type {{tensors: Map<string, Tensor>}} */ {tensors}) =>
            add(tensors);
        for (let needs; (needs = missing()).length;) {
            const once = needs.filter(need => !isElse(need));
            if (once.length)
                await computer.compute(loaded, state, once, {signal, onRun() {}, onComputed});
            const found = gather(add);
            const others = needs.filter(isElse);
            const queue = others.values();
            const shared = isShared(others, loaded) && (second ??= start(makeEngine));
            await Promise.all([
                runEach(engine, loaded, state, queue, found.add, signal),
                shared && help(shared, source, state, queue, found.add, signal),
            ]);
            found.end();
        }
    };
}
