/* deep - answers for a view that the file of a first visit has no room for: measures, and questions of many passes, which
 * C runs (interventions.js). The page's engine has everything then (session.js). The passes of a question are shared
 * by its threads, or else with one more engine, which ends with the view. Fetched with the first such view.
 */
import {HeadlightError} from '../base/errors.js';
import {deepName, isCut, isQuestion, missingOf} from '../views/asked.js';
import {needName, wantOf} from '../views/needs.js';
import {createInterventions} from './interventions.js';
import {inputOf} from './compute.js';
import {Loader} from './loader.js';

/**
 * @import {Shown} from './session.js'
 * @import {DeepNeed, Answer} from '../views/asked.js'
 * @import {Need} from '../views/needs.js'
 * @import {Asked} from './interventions.js'
 * @typedef {NonNullable<import('../views/view.js').View['deep']>} Deep
 * @import {Loaded} from '../engine/engine.js'
 * @import {State} from '../state/state.js'
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
 * @param {{ask: ReturnType<typeof createInterventions>, tokenize: import('../base/shared.js').Engine['tokenize'],
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
            // numbers of all passes together cannot be joined
            if (answer.steps[1] < SHARED || 'compared' in answer || helped) return;
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

/** Is another engine worth its memory? With several cores, and no threads that share a pass; not on a phone, which
 * should not hold a model twice. @param {Loaded} loaded @param {number} [threads] */
const isWorth = ({info}, threads = 1) =>
    threads < 2 &&
    info.weight_bytes <= LARGE &&
    (globalThis.navigator?.hardwareConcurrency ?? 1) > 1 &&
    !globalThis.matchMedia?.('(hover: none)').matches;

/** @param {import('../base/shared.js').MakeEngine} makeEngine */
function start(makeEngine) {
    const engine = makeEngine({has: '-full'});
    return {engine, loader: new Loader(engine), ask: createInterventions(engine.link)};
}

/** Measures of a pass. @param {import('../base/shared.js').Engine} engine @param {number} pass @param {AbortSignal} signal */
const reading = (engine, pass, signal) => async (/** @type {Need[]} */ needs) => {
    const answers = engine.read({pass, want: needs.map(wantOf)}, {signal}).answers;
    const found = await Promise.all(answers);
    return needs.map((need, i) => /** @type {[string, any]} */ ([needName(need), found[i]]));
};

/** Adds what a view wants to what is shown of its text. @param {import('../base/shared.js').Engine} engine with everything
 * @param {import('../base/shared.js').MakeEngine | undefined} makeEngine @param {(patch: Partial<Shown>) => void} show
 * @param {() => Shown} shown */
export function createDeep(engine, makeEngine, show, shown) {
    const ask = createInterventions(engine.link);
    let other = /** @type {ReturnType<typeof start> | null} */ (null);
    const end = () => {
        other?.engine.close();
        other = null;
    };

    /** @param {{deep: Deep, loaded: Loaded, state: State, source: import('../files/folder.js').ModelSource, signal:
     *     AbortSignal}} asked */
    async function follow({deep, loaded, state, source, signal}) {
        const {pass, model} = shown();
        if (!pass?.pass || !model) return;
        const compute = reading(engine, pass.pass, signal);
        const here = () => pass === shown().pass;
        const missing = () =>
            here() ? missingOf(deep, state, {model, pass, tensors: shown().tensors}) : [];
        const onFound = (/** @type {string} */ name, /** @type {any} */ answer) => {
            if (here()) show({tensors: new Map([...shown().tensors, [name, answer]])});
        };
        const by = {ask, tokenize: engine.tokenize, compute};
        const help = async (/** @type {Asked} */ more) => {
            if (!makeEngine || !isWorth(loaded, pass.threads)) return null;
            other ??= start(makeEngine);
            const second = await other.loader.load(source, signal, () => {});
            return other.ask(second.model, more);
        };
        for (let needs; (needs = missing()).length;)
            await answerEach(by, loaded, state, needs, onFound, signal, help);
    }

    return {
        end,
        follow,
        /** @param {Loaded} loaded @param {{question: object, state: State, signal?: AbortSignal}} asked */
        ask: async ({model, info}, {state, ...asked}) =>
            JSON.parse(await ask(model, {...asked, input: inputOf(state, info)})),
    };
}
