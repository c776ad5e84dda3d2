/* interventions - the worker's operations on questions about one text that take many passes: one at a time in
 * a model's session, its passes in portions, so that the mail is looked at between two.
 */
import {Refusal} from './wasm.js';

/** @param {() => import('./wasm.js').Exports} exports
 * @param {(model: number) => import('./passes.js').Core} core */
export const interventionOperations = (exports, core) => ({
    /** @param {{model: number, question: object}} args @returns {number} steps */
    interveneBegin({model, question}) {
        if (!exports().hl_intervention_begin)
            throw new Refusal('state: the .wasm file of this worker is one without interventions');
        return core(model).interveneBegin(question);
    },
    /** @param {{model: number, first: number, count: number}} args */
    interveneStep: ({model, first, count}) => core(model).interveneStep(first, count),
    /** @param {{model: number, settings: object}} args @returns {string} */
    interveneAnswer: ({model, settings}) => core(model).interveneAnswer(settings),
});
