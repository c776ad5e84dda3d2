/* deep - answers for a view that the page's own engine lacks, since the file of a first visit has room for a part of
 * them: measures, and questions of many passes, which C runs (session/interventions.js). A second engine with
 * everything loads the model again, from the browser's cache; it ends with the view. The passes of a question are
 * shared with one more engine, where the machine has more than one core and the model is not large. Fetched with the
 * first such view.
 */
import {HeadlightError} from '../base/errors.js';
import {createInterventions} from './interventions.js';
import {deepName, isCut, isQuestion, missingOf} from '../views/asked.js';
import {Computer, inputOf} from './compute.js';
import {Loader} from './loader.js';

/**
 * @typedef {import('./session.js').Shown} Shown
 * @typedef {import('../views/asked.js').DeepNeed} DeepNeed
 * @typedef {import('../views/asked.js').Answer} Answer
 * @typedef {import('../views/needs.js').Need} Need
 * @typedef {import('./interventions.js').Asked} Asked
 * @typedef {NonNullable<import('../views/view.js').View['deep']>} Deep
 * @typedef {import('../engine/engine.js').Loaded} Loaded
 * @typedef {import('../state/state.js').State} State
 * @typedef {(name: string, answer: any) => void} OnFound
 */

const SHARED = 32; // passes from which on a second engine helps
const LARGE = 200e6; // bytes of a model of which a page should not hold more copies

/** Answers that several engines have of parts of one question. @param {Answer[]} parts @returns {Answer} */
const joined = ([first, ...others]) =>
    others.reduce(
        (all, one) =>
            'refused' in all || 'refused' in one
                ? all
                : {
                      ...all,
                      effects: [...all.effects, ...one.effects],
                      unchanged: (all.unchanged ?? 0) + (one.unchanged ?? 0),
                      steps: [all.steps[0] + one.steps[0], all.steps[1]],
                  },
        first,
    );

/** Measures together, then questions and texts, one after the other; what is refused is an answer, too.
 * @param {{ask: ReturnType<typeof createInterventions>, tokenize: import('../app/app.js').Engine['tokenize'],
 *     compute: (needs: Need[]) => Promise<Iterable<[string, any]>>}} by @param {Loaded} loaded @param {State} state @param {DeepNeed[]} needs @param {OnFound} onFound
 * @param {AbortSignal} [signal]
 * @param {(asked: Asked) => Promise<string | null>} [help] takes its part of the same passes; null: it takes none */
export async function answerEach(by, {model, info}, state, needs, onFound, signal, help) {
    const input = inputOf(state, info);
    const [questions, others] = [needs.filter(isQuestion), needs.filter(need => !isQuestion(need))];
    for (const {tokensOf: text} of others.filter(isCut))
        onFound(deepName({tokensOf: text}), await by.tokenize({model, text, textB: ''}, {signal}));
    const measures = /** @type {Need[]} */ (others.filter(need => !isCut(need)));
    if (measures.length)
        for (const [name, answer] of await by.compute(measures)) onFound(name, answer);
    for (const need of questions) {
        const name = deepName(need);
        const asked = {question: need.question, input, queue: {at: 0}, signal};
        const parts = /** @type {Answer[]} */ ([]);
        const show = (/** @type {Answer} */ answer, i = 0) => {
            parts[i] = answer;
            onFound(name, joined(parts.filter(Boolean)));
        };
        let helped = /** @type {Promise<string | null> | undefined} */ (undefined);
        const take = (/** @type {string} */ text) => {
            const answer = JSON.parse(text);
            show(answer);
            if (answer.steps[1] < SHARED || helped) return;
            helped = help?.({...asked, onAnswer: found => show(JSON.parse(found), 1)});
            helped?.catch(() => {}); // it is waited for below, unless this engine fails first
        };
        try {
            const own = await by.ask(model, {...asked, onAnswer: take});
            const others = await helped;
            if (others) show(JSON.parse(others), 1);
            take(own);
        } catch (error) {
            const refused = error instanceof HeadlightError && error.category !== 'engine';
            if (!refused || signal?.aborted) throw error;
            show({refused: error.message});
        }
    }
}

/** @param {import('../app/boot.js').MakeEngine} makeEngine */
function start(makeEngine) {
    const engine = makeEngine({has: '-full'});
    return {
        engine,
        loader: new Loader(engine),
        computer: new Computer(engine),
        ask: createInterventions(engine.link),
        tokenize: engine.tokenize,
    };
}

/** @param {ReturnType<typeof start>['computer']} computer @param {Loaded} loaded @param {State} state
 * @param {AbortSignal} signal */
const measuring = (computer, loaded, state, signal) => async (/** @type {Need[]} */ needs) => {
    let found = /** @type {Map<string, any>} */ (new Map());
    await computer.compute(loaded, state, needs, {
        ...{signal, onRun() {}},
        onComputed: ({tensors}) => (found = tensors),
    });
    return found;
};

/** Adds what a view wants to what is shown of its text.
 * @param {import('../app/boot.js').MakeEngine} makeEngine @param {(patch: Partial<Shown>) => void} show
 * @param {() => Shown} shown */
export function createDeep(makeEngine, show, shown) {
    let own = /** @type {ReturnType<typeof start> | null} */ (null);
    let second = /** @type {ReturnType<typeof start> | null} */ (null);

    /** Of passes of the second engine; none of a large model, or where there is one core. @param {Loaded} loaded
     * @param {import('../files/folder.js').ModelSource} source @param {AbortSignal} signal */
    const helper =
        ({info}, source, signal) =>
        async (/** @type {Asked} */ asked) => {
            const cores = globalThis.navigator?.hardwareConcurrency ?? 1;
            if (info.weight_bytes > LARGE || cores < 2) return null;
            const {ask, loader} = (second ??= start(makeEngine));
            const {model} = await loader.load(source, signal, () => {});
            return ask(model, asked);
        };

    const end = () => {
        for (const one of [own, second]) one?.engine.close();
        own = second = null;
    };

    /** Without `deep` its engines end. @param {Deep} [deep] @param {State} [state]
     * @param {import('../files/folder.js').ModelSource} [source] @param {AbortSignal} [signal] */
    return async (deep, state, source, signal) => {
        if (!deep || !state || !source || !signal) return end();
        const {pass, model} = shown();
        if (!pass || !model) return;
        const {computer, loader, ...by} = (own ??= start(makeEngine));
        const loaded = await loader.load(source, signal, () => computer.forget());
        const here = () => pass === shown().pass;
        const missing = () =>
            here() ? missingOf(deep, state, {model, pass, tensors: shown().tensors}) : [];
        const onFound = (/** @type {string} */ name, /** @type {any} */ answer) => {
            if (here()) show({tensors: new Map([...shown().tensors, [name, answer]])});
        };
        const compute = measuring(computer, loaded, state, signal);
        const help = helper(loaded, source, signal);
        for (let needs; (needs = missing()).length;)
            await answerEach({...by, compute}, loaded, state, needs, onFound, signal, help);
    };
}
