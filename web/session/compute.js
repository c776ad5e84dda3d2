/* compute - has the engine compute what a state needs, and no more, in one message: a run when the
 * input is another one than that of the pass shown, else a reading of what is not here yet. What is
 * needed later than the rest comes with the same message, after it.
 */
import {
    askedPrecision,
    changesOf,
    fillsOf,
    needName,
    wantOf,
    wordsOf,
    writtenOf,
} from '../views/needs.js';

/**
 * @import {Loaded} from '../engine/engine.js'
 * @import {Model, Pass, Tensor} from '../worker/worker.js'
 * @import {Fill} from '../worker/passes.js'
 * @import {State} from '../state/state.js'
 * @import {Need, Before} from '../views/needs.js'
 * @typedef {{pass: Pass, fills: Fill[], tensors: Map<string, Tensor>, before: Before | null}}
 *     Computed
 */

/** Held of every pass: what most views read, and what a later pass can go on from. */
const KEEP = ['attention', 'hidden'];

/** What the engine is to run for a state.
 * @param {Pick<State, 'text' | 'textB' | 'precision' | 'masked' | 'off' | 'zeroed' | 'replaced'> &
 *     Partial<Pick<State, 'view' | 'without' | 'swapped' | 'written'>>} state @param {Model} model
 * @returns {import('../worker/passes.js').Input} */
export const inputOf = (state, model) => ({
    text: state.text,
    textB: state.textB,
    precision: askedPrecision(state, model),
    changes: changesOf(state, model),
    words: wordsOf(state),
    appended: model.predicts?.includes('next_word') ? writtenOf(state) : [],
});

/** The pass that is shown, and what has been answered of it. */
export class Computer {
    #key = '';
    /** @type {Pass | null} */
    #pass = null;
    /** @type {Map<string, any>} */
    #answers = new Map();
    #engine;

    /** @param {import('../base/shared.js').TextEngine} engine */
    constructor(engine) {
        this.#engine = engine;
    }

    /** Nothing of what was computed is shown any longer: another model. */
    forget() {
        this.#show('', null, new Map());
    }

    /** @param {Loaded} loaded @param {State} state
     * @param {Need[]} needs all that is shown; those that are `later` are not waited for
     * @param {{signal: AbortSignal, onRun: () => void, onComputed: (computed: Computed) => void}} options   onComputed:
     *     once, or twice when
     * something comes later */
    async compute(loaded, state, needs, {signal, onRun, onComputed}) {
        // of a model that is on its way, a pass has the layers that were there
        const {model, info} = loaded;
        const key = JSON.stringify([model, info.layers, inputOf(state, info)]);
        const same = this.#key === key && this.#engine.holds(this.#pass?.pass);
        const answers = new Map(
            same
                ? [...this.#answers].filter(([name]) => needs.some(need => needName(need) === name))
                : [],
        );
        const missing = [
            ...needs.filter(need => !need.later),
            ...needs.filter(need => need.later),
        ].filter(need => !answers.has(needName(need)));
        const soon = missing.filter(need => !need.later).length;
        if (!same || missing.some(need => need.predictions !== undefined)) onRun();
        const run = same ? null : this.#run(loaded, state, missing, signal);
        const coming = run?.answers ?? this.#read(missing, signal);
        const shown = {pass: this.#pass};
        /** @param {number} from @param {number} to of those missing */
        const take = async (from, to) => {
            const found = await Promise.all(coming.slice(from, to));
            found.forEach((answer, i) => answers.set(needName(missing[from + i]), answer));
            const pass = /** @type {Pass} */ (run ? await run.facts : this.#pass);
            if (signal.aborted) return;
            this.#show(key, pass, answers);
            shown.pass = pass;
            onComputed({pass, ...fillsOf(needs, answers), tensors: new Map(answers)});
        };
        try {
            await take(0, soon);
            if (soon < missing.length) await take(soon, missing.length);
        } finally {
            if (run && shown.pass?.pass !== run.pass) this.#engine.release({pass: run.pass});
        }
    }

    /** @param {Loaded} loaded @param {State} state @param {Need[]} needs @param {AbortSignal} signal
     */
    #run({model, info}, state, needs, signal) {
        const keep = KEEP.filter(name => info.tensors.some(tensor => tensor.name === name));
        return this.#engine.run(
            {
                model,
                input: inputOf(state, info),
                keep,
                want: needs.map(wantOf),
                over: this.#pass?.pass,
            },
            {signal},
        );
    }

    /** @param {Need[]} needs @param {AbortSignal} signal @returns {Promise<any>[]} */
    #read(needs, signal) {
        if (!needs.length) return [];
        return this.#engine.read(
            {pass: /** @type {number} */ (this.#pass?.pass), want: needs.map(wantOf)},
            {signal},
        ).answers;
    }

    /** @param {string} key
     * @param {Pass | null} pass in the place of the one before, which is given back
     * @param {Map<string, any>} answers */
    #show(key, pass, answers) {
        const before = this.#pass;
        [this.#key, this.#pass, this.#answers] = [key, pass, answers];
        if (before?.pass && before !== pass) this.#engine.release({pass: before.pass});
    }
}
