/* interventions - questions about one text that take many passes (headlight.h), as promises on an engine's link:
 * the page's first script has none of them.
 */

const PASSES = 8; // in one message: a signal is seen between two

/** @typedef {{question: object, settings?: object, signal?: AbortSignal,
 *     onProgress?: (progress: {done: number, total: number}) => void}} Asked   settings: of the answer */

/** A model's session has one at a time: the next one waits. @param {import('./indexes.js').Link} link */
export function createInterventions(link) {
    let last = /** @type {Promise<unknown>} */ (Promise.resolve());

    /** @param {number} model @param {Asked} asked */
    async function run(model, {question, settings = {}, signal, onProgress}) {
        const call = {signal};
        const total = await link.call('interveneBegin', {model, question}, call);
        for (let first = 0; first < total; first += PASSES) {
            const count = Math.min(PASSES, total - first);
            await link.call('interveneStep', {model, first, count}, call);
            onProgress?.({done: first + count, total});
        }
        return link.call('interveneAnswer', {model, settings}, call);
    }

    /** The answer as text. @param {number} model @param {Asked} asked @returns {Promise<string>} */
    return (model, asked) => {
        const answer = last.then(() => run(model, asked));
        last = answer.catch(() => {});
        return answer;
    };
}
