/* errors - what may go wrong on the page's side of the engine, in the same form as headlight.h: a
 * category and a sentence that says what was wrong, what was expected and what to do. Categories
 * added to those of headlight.h: network (fetching), file (what was chosen or found in the folder),
 * engine (the code itself; the model is lost).
 */

/** @typedef {'' | 'surely' | 'perhaps'} Absent */

export class HeadlightError extends Error {
    /** @param {string} category @param {string} sentence
     * @param {{absent?: Absent, unreachable?: boolean}} [marks]
     *  absent: there is no such file, surely or perhaps; unreachable: nothing was answered at all
     */
    constructor(category, sentence, {absent = '', unreachable = false} = {}) {
        super(sentence);
        this.name = 'HeadlightError';
        this.category = category;
        this.absent = absent;
        this.unreachable = unreachable;
    }
}

/** @param {string} text "category: sentence" */
export function parseError(text) {
    const colon = text.indexOf(': ');
    return new HeadlightError(text.slice(0, colon), text.slice(colon + 2));
}

export const aborted = () => new DOMException('The operation was cancelled.', 'AbortError');

/** @param {AbortSignal | undefined} signal */
export function throwIfAborted(signal) {
    if (signal?.aborted) throw aborted();
}

/** What an unknown thrown thing says. @param {unknown} error */
export const reason = error => (error instanceof Error ? error.message : String(error));
