/* resume - one file of the hub as a stream of chunks that resumes where it broke off: after a reset
 * or silent connection, a server error or an expired redirect, the address that redirects is
 * requested again, after a pause that doubles each time. What has been passed on is never passed on
 * twice. It ends with exactly as many bytes as the hub says, or with a sentence.
 *
 * `Range: bytes=a-b` alone needs no preflight, which the store refuses. After a redirect to another
 * host Content-Range may not be readable: status and length are what is checked; a server that
 * answers otherwise is asked for the whole once more, and its beginning is skipped.
 */
import {aborted, fileError, HeadlightError, networkError, sizeSaid} from '../base/errors.js';
import {createWatch, inspect, onClock, PROGRESS, statusError, unreachable} from './fetch.js';

/**
 * @import {FetchOptions} from './fetch.js'
 * @typedef {FetchOptions & {onPause?: (failures: number) => void, attempts?: number}} ResumeOptions   onPause: is told
 *     when it waits before it asks again; attempts: of a question, 3 unless told
 * @typedef {{url: string, name: string, size: number}} Wanted   size: in bytes, -1 not known
 */

const ATTEMPTS = 3; // of what has not begun
const ATTEMPTS_GOING_ON = 6; // without progress, of what has
const FIRST_PAUSE = 1000;
const LONGEST_PAUSE = 60000;

/** Waits. @param {number} ms @param {FetchOptions} options @returns {Promise<void>} */
function pause(ms, {signal, after = onClock}) {
    return new Promise((resolve, reject) => {
        const leave = () => {
            stop();
            reject(aborted());
        };
        const stop = after(ms, () => {
            signal?.removeEventListener('abort', leave);
            resolve();
        });
        signal?.addEventListener('abort', leave, {once: true});
        if (signal?.aborted) leave();
    });
}

/** Waits until it may be asked again; throws the error where that has no sense.
 * @param {unknown} error @param {number} failures in a row, 0: it has come on meanwhile
 * @param {number} attempts @param {ResumeOptions} options */
async function waitAfter(error, failures, attempts, options) {
    options.signal?.throwIfAborted();
    const passing = error instanceof HeadlightError && error.passing;
    if (!passing || failures >= attempts || globalThis.navigator?.onLine === false) throw error;
    if (!failures) return;
    options.onPause?.(failures);
    const ms = Math.max(FIRST_PAUSE * 2 ** (failures - 1), 1000 * error.seconds);
    await pause(Math.min(ms, LONGEST_PAUSE), options);
}

/** Does again what fails in passing.
 * @template T @param {() => Promise<T>} action @param {ResumeOptions} options @returns {Promise<T>}
 */
export async function persist(action, options) {
    for (let failures = 1; ; failures++) {
        try {
            return await action();
        } catch (error) {
            await waitAfter(error, failures, options.attempts ?? ATTEMPTS, options);
        }
    }
}

/** @param {Response} response @param {string} name of a header */
const numberIn = ({headers}, name) => {
    const text = headers.get(name) ?? '';
    return /^\d{1,15}$/.test(text) ? Number(text) : -1;
};

/** What an answer that is not the file means. @param {Response} response @param {Wanted} wanted */
function refused(response, {url, name, size}) {
    const {status} = response;
    if (status === 416)
        return networkError(
            `${name} is shorter on the server than the ${sizeSaid(size)} that the hub says; it may just be changing: try again later`,
        );
    // the redirect may have expired: the hub gives a new one
    if ([401, 403, 404, 410].includes(status) && response.redirected)
        return networkError(`${name}: the file store answered ${status}; try again`, {
            passing: true,
        });
    const error = statusError(url, status);
    error.seconds = Math.max(0, numberIn(response, 'retry-after'));
    return error;
}

/** One connection after the other for one file. */
class Download {
    /** Bytes passed on; and when it was last connected. */
    #at = 0;
    #since = 0;
    /** Bytes still to be left out of what comes. */
    #skip = 0;
    #failures = 0;
    /** Parts are not asked for: the server sends others. */
    #whole = false;
    /** Has a server sent a part? What it holds is the server's word. */
    resumed = false;
    #ended = new AbortController();
    /** @type {ReturnType<typeof createWatch> | null} */
    #watch = null;
    /** @type {ReadableStreamDefaultReader<Uint8Array> | null} */
    #reader = null;
    #wanted;
    #options;
    #outer;

    /** @param {Wanted} wanted @param {ResumeOptions} options */
    constructor(wanted, options) {
        this.#wanted = wanted;
        this.#outer = options.signal;
        this.#options = {...options, signal: this.#ended.signal};
        this.#outer?.addEventListener('abort', this.stop);
        if (this.#outer?.aborted) this.stop();
    }

    /** Ends it, also while a chunk or a pause is awaited. */
    stop = () => {
        this.#outer?.removeEventListener('abort', this.stop);
        this.#ended.abort();
        this.#disconnect();
    };

    /** @returns {AsyncGenerator<Uint8Array, void, void>} */
    async *chunks() {
        try {
            for (;;) {
                const chunk = await this.#next().catch(error => this.#fail(error));
                if (chunk === null) break;
                if (chunk) yield chunk;
            }
        } finally {
            this.stop();
        }
    }

    /** @param {unknown} error */
    async #fail(error) {
        this.#disconnect();
        this.#failures = this.#at - this.#since >= PROGRESS ? 0 : this.#failures + 1;
        const attempts = this.#at ? ATTEMPTS_GOING_ON : ATTEMPTS;
        await waitAfter(error, this.#failures, attempts, this.#options);
    }

    #disconnect() {
        this.#watch?.stop();
        this.#reader?.cancel().catch(() => {});
        this.#reader = null;
    }

    /** The next chunk, null at the end. @returns {Promise<Uint8Array | null>} */
    async #next() {
        const {name, size} = this.#wanted;
        for (;;) {
            const reader = this.#reader ?? (await this.#connect());
            const part = await /** @type {ReturnType<typeof createWatch>} */ (this.#watch).wait(
                reader.read(),
                name,
                () => this.#broken('the connection broke'),
            );
            if (part.done) return this.#end();
            this.#watch?.came(part.value.length);
            const chunk = part.value.subarray(Math.min(this.#skip, part.value.length));
            this.#skip -= part.value.length - chunk.length;
            if (!chunk.length) continue;
            if (size >= 0 && this.#at + chunk.length > size) throw this.#tooLong();
            this.#at += chunk.length;
            return chunk;
        }
    }

    #end() {
        const {name, size} = this.#wanted;
        this.#disconnect();
        if (this.#skip > 0 || this.#at < size) throw this.#broken('it ended');
        if (!this.#at)
            throw fileError(`${name} is empty; the file itself was expected, check its source`);
        return null;
    }

    /** @param {string} what */
    #broken(what) {
        const {name, size} = this.#wanted;
        const of = size >= 0 ? ` of ${sizeSaid(size, this.#at)}` : '';
        return networkError(
            `${name}: ${what} after ${sizeSaid(this.#at, size)}${of}; the download is incomplete, try again`,
            {passing: true},
        );
    }

    #tooLong() {
        const {name, size} = this.#wanted;
        return fileError(
            `${name} is longer than the ${sizeSaid(size)} that the hub says; something else is sent in its place, try again later`,
        );
    }

    async #connect() {
        const {url, name, size} = this.#wanted;
        this.#since = this.#at;
        this.#watch = createWatch(this.#options);
        const part = this.#at > 0 && size > 0 && !this.#whole;
        const response = await this.#watch.wait(
            fetch(url, {
                signal: this.#watch.signal,
                credentials: 'omit',
                headers: {
                    ...this.#options.headers,
                    ...(part && {range: `bytes=${this.#at}-${size - 1}`}),
                },
            }),
            name,
            error => unreachable(url, error),
        );
        this.#skip = this.#at;
        if (part && response.status === 206) this.#checkPart(response);
        else if (response.status !== 200) throw refused(response, this.#wanted);
        else if (this.#at && /^text\/html\b/.test(response.headers.get('content-type') ?? ''))
            throw this.#broken('a web page was sent');
        if (!response.body) throw this.#broken('nothing was sent');
        return (this.#reader = response.body.getReader());
    }

    /** Is it the part that was asked for, as far as it says? Else the whole is asked for.
     * @param {Response} response */
    #checkPart(response) {
        const {size} = this.#wanted;
        const length = numberIn(response, 'content-length');
        const range = response.headers.get('content-range');
        const right =
            (length < 0 || length === size - this.#at) &&
            (!range || [size, '*'].some(of => range === `bytes ${this.#at}-${size - 1}/${of}`));
        if (!right) {
            this.#whole = true;
            throw this.#broken('another part than asked for was sent');
        }
        this.#skip = 0;
        this.resumed = true;
    }
}

/** A file that is read to its end whatever happens to the connections, unless it is closed.
 * @param {Wanted & {sha256?: string}} wanted @param {ResumeOptions} options
 * @returns {Promise<import('./fetch.js').Opened>} */
export async function openResumable({sha256 = '', ...wanted}, options) {
    const download = new Download(wanted, options);
    const body = await inspect(download.chunks(), wanted.name, download);
    const {size} = wanted;
    const resumed = () => download.resumed;
    return {size, exact: size >= 0, validator: '', sha256, resumed, ...body};
}
