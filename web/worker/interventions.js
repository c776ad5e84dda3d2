/* interventions - the worker's operations on questions about one text that take many passes: one at a time in
 * a model's session, its passes in portions, so that the mail is looked at between two.
 */
import {Refusal} from './wasm.js';

/** @param {() => import('./wasm.js').Exports} exports @param {import('./worker.js').Cores} cores */
export const interventionOperations = (exports, {core, passes}) => ({
    /** @param {{model: number, question: object, input?: import('./passes.js').Input}} args input: its text and changes
     *     are the session's then @returns {number} steps */
    interveneBegin({model, question, input}) {
        if (!exports().hl_intervention_begin)
            throw new Refusal('state: the .wasm file of this worker is one without interventions');
        if (input) passes(model).prepare(input);
        return core(model).interveneBegin(question);
    },
    /** @param {{model: number, first: number, count: number}} args */
    interveneStep: ({model, first, count}) => core(model).interveneStep(first, count),
    /** @param {{model: number, settings: object}} args @returns {string} */
    interveneAnswer: ({model, settings}) => core(model).interveneAnswer(settings),
    /** Its passes are given back, also where it was left in the middle. @param {{model: number}} args */
    interveneEnd: ({model}) => core(model).interveneEnd(),
});
