/* errors - errors of the page's side of the engine, in the same form as headlight.h: a category and
 * a sentence that says what was wrong, what was expected and what to do. Categories added to those
 * of headlight.h: network (fetching), file (what was chosen or found in the folder), consent (the
 * reader is to be asked first), storage (what the browser keeps), engine (the code itself; the
 * model is lost).
 */

/** @typedef {'' | 'surely' | 'perhaps'} Absent
 * @typedef {{host?: string, bytes?: number, model?: string}} About   what a page can act upon: the
 *     host or the size that is to be agreed to; a model to load instead */

export class HeadlightError extends Error {
    /** One of another script's copy of this class is one, too. @param {any} error */
    static [Symbol.hasInstance](error) {
        return error?.name === 'HeadlightError';
    }

    /** @param {string} category @param {string} sentence
     * @param {{absent?: Absent, unreachable?: boolean, passing?: boolean, seconds?: number, status?:
     *     number, about?: About}} [marks]
     *  absent: there is no such file, surely or perhaps; unreachable: nothing was answered at all;
     *  passing: to ask again may help, after so many seconds where the server says so; status: of an
     *  answer
     */
    constructor(
        category,
        sentence,
        {
            absent = '',
            unreachable = false,
            passing = unreachable,
            seconds = 0,
            status = 0,
            about,
        } = {},
    ) {
        super(sentence);
        this.name = 'HeadlightError';
        this.category = category;
        this.absent = absent;
        this.unreachable = unreachable;
        this.passing = passing;
        this.seconds = seconds;
        this.status = status;
        this.about = about;
    }
}

/** @typedef {(sentence: string, marks?: ConstructorParameters<typeof HeadlightError>[2]) => HeadlightError} Make */
/** @type {Make} */
export const fileError = (...said) => new HeadlightError('file', ...said);
/** @type {Make} */
export const networkError = (...said) => new HeadlightError('network', ...said);
/** @type {Make} */
export const stateError = (...said) => new HeadlightError('state', ...said);

/** @param {string} text "category: sentence" @param {About} [about] */
export function parseError(text, about) {
    const colon = text.indexOf(': ');
    return new HeadlightError(text.slice(0, colon), text.slice(colon + 2), {about});
}

export const aborted = () => new DOMException('The operation was cancelled.', 'AbortError');

/** What an unknown thrown thing says. @param {unknown} error */
export const reason = error => (error instanceof Error ? error.message : String(error));

/** A size in a sentence: 3.0 MB; all digits below a million bytes, and where another size of the
 * sentence would read the same. @param {number} bytes @param {number} [other] */
export function sizeSaid(bytes, other = bytes) {
    if (bytes >= 1e15) return 'over 1,000 TB'; // what a damaged or forged header says
    const of = (/** @type {number} */ n) =>
        n < 1e9 ? `${(n / 1e6).toFixed(1)} MB` : `${(n / 1e9).toFixed(1)} GB`;
    return bytes < 1e6 || (bytes !== other && of(bytes) === of(other))
        ? `${bytes.toLocaleString('en')} bytes`
        : of(bytes);
}
