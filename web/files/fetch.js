/* fetch - one file from a server or the disk as a stream of chunks, and every way in which that
 * fails as a sentence. Nothing is tried twice here: the reader is told and decides (files of the hub:
 * resume.js). A file is looked at before it is used, because servers answer with web pages of status
 * 200 where a file is missing.
 */
import {INDEXES} from '../base/build.js';
import {
    aborted,
    fileError,
    HeadlightError,
    networkError,
    reason,
    sizeSaid,
} from '../base/errors.js';

/**
 * @typedef {AsyncGenerator<Uint8Array, void, void>} Chunks
 * @typedef {{size: number, exact: boolean, validator: string, chunks: Chunks, close: () =>
 *     Promise<void>, here?: boolean, sha256?: string, resumed?: () => boolean}} Opened
 *   size in bytes, -1 not known; exact: it can be relied on (a server's number may be that of the
 *   compressed file); validator: changes when the file does, '' when the server gives none; close:
 *   ends it, also while a chunk is awaited; here: it lies on this machine; sha256: of the whole, as
 *   64 hexadecimal digits, where it is known; resumed: a part came by a second request
 * @typedef {(ms: number, call: () => void) => () => void} After   calls later; gives what calls it
 *     off. Tests have a clock of their own
 * @typedef {{signal?: AbortSignal, stallMs?: number, after?: After, headers?: Record<string, string>}} FetchOptions
 *   headers: sent along, by programs only
 */

const STALL_MS = 30000;
/** Fewer bytes are none: of a source that sends a few at a time, so many must come in the time of four
 * stalls. */
export const PROGRESS = 16 * 1024;
const STALLS = 4;

/** @type {After} */
export const onClock = (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
};

/** Status of an answer -> what it means and what to do. absent: some hosts answer 403
 * for what they do not have. to: from, where none is given.
 * @type {{from: number, to?: number, text: string, absent?: import('../base/errors.js').Absent}[]} */
const STATUSES = [
    {
        from: 204,
        to: 206,
        text: 'only a part or nothing of the file was sent; the server is at fault, try again later',
    },
    {
        from: 401,
        text:
            'the server asks for a login; download the files yourself and choose them ' +
            'from your disk',
    },
    {
        from: 403,
        text:
            'the server does not give out this file; a gated or private model must be ' +
            'downloaded by yourself and chosen from your disk',
        absent: 'perhaps',
    },
    {from: 404, text: 'there is no such file; check the address of the folder', absent: 'surely'},
    {
        from: 410,
        text: 'the file has been removed; check the address of the folder',
        absent: 'surely',
    },
    {from: 429, text: 'the server has had too many requests; wait some minutes and try again'},
    {from: 500, to: 599, text: 'the server is in trouble; try again later'},
];

const WEB_PAGE =
    'is a web page and not the file; servers answer so for addresses that do not exist, check the address';
/** Beginnings of what is sent in place of a file (in lower case).
 * @type {{start: string, text: string, absent?: import('../base/errors.js').Absent}[]} */
const IMPOSTORS = [
    {start: '<!doctype', text: WEB_PAGE, absent: 'perhaps'},
    {start: '<html', text: WEB_PAGE, absent: 'perhaps'},
    {
        start: '<?xml',
        text: 'is an XML message and not the file; check the address',
        absent: 'perhaps',
    },
    {
        start: 'version https://git-lfs',
        text:
            'is a Git LFS pointer and not the file itself; run "git lfs pull" in ' +
            'the folder or download the file again',
    },
];

/** What sentences call it: a file by its name, a repository that the hub is asked about by its own.
 * @param {string} url */
export function nameOf(url) {
    const {pathname} = new URL(url);
    const [, repository] = /^\/api\/models\/(.+)\/revision\//.exec(pathname) ?? [];
    return repository ?? (pathname.split('/').pop() || url);
}

/** How long may be waited, and whether that is for nothing at all or for too little; ms: of a stall.
 * @param {number} ms */
function createPatience(ms) {
    const most = STALLS * ms;
    let [waited, bytes] = [0, 0]; // since there was progress
    return {
        left: () => Math.max(0, Math.min(ms, most - waited)),
        /** @param {number} count of bytes */
        came(count) {
            bytes += count;
            if (bytes >= PROGRESS) [waited, bytes] = [0, 0];
        },
        /** @param {number} time in ms */
        waited(time) {
            waited += time;
        },
        /** @param {string} name */
        error(name) {
            const slow = waited + ms > most;
            const what = slow
                ? `only ${sizeSaid(bytes)} came in ${most / 1000}`
                : `no data came for ${ms / 1000}`;
            return networkError(`${name}: ${what} seconds; check the connection and try again`, {
                unreachable: true,
                passing: !slow,
            });
        },
    };
}

/** A signal that also fires when `wait` has had to wait for longer than stallMs, or all in all for too
 * long for what `came`.
 * @param {FetchOptions} options */
export function createWatch({signal, stallMs = STALL_MS, after = onClock}) {
    const controller = new AbortController();
    const abort = () => controller.abort();
    const patience = createPatience(stallMs);
    let stalled = false;
    const ended = new Promise((_, reject) =>
        controller.signal.addEventListener('abort', () => reject(aborted())),
    );
    ended.catch(() => {});
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
    return {
        signal: controller.signal,
        came: patience.came,
        stop() {
            signal?.removeEventListener('abort', abort);
            abort();
        },
        /** A promise, or the error that ends the waiting for it.
         * @template T @param {Promise<T>} promise @param {string} name
         * @param {(error: unknown) => HeadlightError} explain
         * @returns {Promise<T>} */
        async wait(promise, name, explain) {
            const began = performance.now();
            const stop = after(patience.left(), () => {
                stalled = true;
                abort();
            });
            try {
                return await /** @type {Promise<T>} */ (Promise.race([promise, ended]));
            } catch (error) {
                if (signal?.aborted) throw aborted();
                throw stalled ? patience.error(name) : explain(error);
            } finally {
                stop();
                patience.waited(performance.now() - began);
            }
        },
    };
}

/** Some servers allow other sites to read their files, but not their answer that there is none.
 * @param {string} url @param {unknown} error */
export function unreachable(url, error) {
    const {host, origin} = new URL(url);
    const {navigator, location} = globalThis;
    const offline = navigator?.onLine === false;
    const isOwn = origin === location?.origin;
    const advice = offline
        ? 'there is no network connection, and without one only the first model of the menu is kept, and ' +
          'those that you have opened before'
        : isOwn
          ? 'check the connection'
          : 'check the address and the connection; another site may also not allow this page to read it (CORS)';
    return networkError(
        `${nameOf(url)} could not be reached at ${host} (${reason(error)}); ${advice}`,
        {unreachable: true, absent: offline || isOwn || !location ? '' : 'perhaps'},
    );
}

/** @param {string} url @param {number} status */
export function statusError(url, status) {
    const row = STATUSES.find(({from, to = from}) => from <= status && status <= to);
    return networkError(
        `${nameOf(url)}: the server answered ${status}: ` +
            `${row?.text ?? 'this was not expected; check the address'} (${url})`,
        {absent: row?.absent, status, passing: status === 408 || status === 429 || status >= 500},
    );
}

/** The size that the server announces; compressed answers announce another one.
 * @param {Response} response */
function announcedSize(response) {
    const size = Number(response.headers.get('content-length') ?? NaN);
    return Number.isSafeInteger(size) && size >= 0 && !response.headers.get('content-encoding')
        ? size
        : -1;
}

/** @param {Response} response */
function validatorOf({headers}) {
    const mark = headers.get('etag') ?? headers.get('last-modified');
    return mark ? `${mark} ${headers.get('content-length') ?? ''}` : '';
}

/** What errors call a file that was kept. */
export const STORED = 'the stored copy';

/** Where chunks come from -> the category and the sentences for a stream that breaks or ends early.
 */
const ORIGINS = {
    server: {
        category: 'network',
        broken: 'the connection broke',
        advice: 'the download is incomplete, try again',
    },
    disk: {
        category: 'file',
        broken: 'the file could not be read any more',
        advice: 'it has changed; choose the files again',
    },
    cache: {
        category: 'file',
        broken: `${STORED} could not be read`,
        advice: `${STORED} is damaged and is dropped now; try again`,
    },
};

/** @param {ReadableStreamDefaultReader<Uint8Array>} reader @param {string} name @param {number} size
 * @param {keyof typeof ORIGINS} origin @param {ReturnType<typeof createWatch>} watch
 * @returns {Chunks} */
async function* readChunks(reader, name, size, origin, watch) {
    const {category, broken, advice} = ORIGINS[origin];
    let done = 0;
    const explain = (/** @type {unknown} */ error) =>
        new HeadlightError(
            category,
            `${name}: ${broken} after ${sizeSaid(done)} (${reason(error)}); ${advice}`,
        );
    try {
        for (;;) {
            const part = await watch.wait(reader.read(), name, explain);
            if (part.done) break;
            done += part.value.length;
            watch.came(part.value.length);
            if (part.value.length) yield part.value;
        }
    } finally {
        watch.stop();
        reader.cancel().catch(() => {});
    }
    if (done < size) {
        throw new HeadlightError(
            category,
            `${name} ended after ${sizeSaid(done, size)} of ${sizeSaid(size, done)}; ${advice}`,
        );
    }
    if (!done) throw fileError(`${name} is empty; the file itself was expected, check its source`);
}

/** Reads far enough to see what it is, and gives the same chunks from the start.
 * @param {Chunks} chunks @param {string} name @param {{stop: () => void}} watch
 * @returns {Promise<{chunks: Chunks, close: () => Promise<void>}>} */
export async function inspect(chunks, name, watch) {
    /** @type {Uint8Array[]} */
    const head = [];
    let text = '';
    while (text.trimStart().length < 32 && head.length < 64) {
        const part = await chunks.next();
        if (part.done) break;
        head.push(part.value);
        text += String.fromCharCode(...part.value.subarray(0, 256)).toLowerCase();
    }
    const close = async () => {
        watch.stop(); // first, so that a read under way ends
        await chunks.return();
    };
    const row = IMPOSTORS.find(({start}) => text.trimStart().startsWith(start));
    if (row) {
        await close();
        throw fileError(`${name} ${row.text}`, {absent: row.absent});
    }
    const again = async function* () {
        try {
            yield* head;
            yield* chunks;
        } finally {
            await close();
        }
    };
    return {chunks: again(), close};
}

/** @param {Response} response @param {string} name @param {number} size
 * @param {'server' | 'cache'} origin
 * @param {ReturnType<typeof createWatch>} watch */
async function openBody(response, name, size, origin, watch) {
    if (!response.body) throw networkError(`${name}: the server sent nothing; try again later`);
    return inspect(readChunks(response.body.getReader(), name, size, origin, watch), name, watch);
}

/** @param {string} url absolute @param {FetchOptions} [options] @returns {Promise<Opened>} */
export async function openUrl(url, options = {}) {
    const name = nameOf(url);
    const watch = createWatch(options);
    try {
        const response = await watch.wait(
            fetch(url, {signal: watch.signal, ...(INDEXES && {headers: options.headers})}),
            name,
            error => unreachable(url, error),
        );
        if (response.status !== 200) throw statusError(url, response.status);
        const size = announcedSize(response);
        const body = await openBody(response, name, size, 'server', watch);
        return {size, exact: false, validator: validatorOf(response), ...body};
    } catch (error) {
        watch.stop();
        throw error;
    }
}

/** A response that the cache has kept. @param {Response} response @param {string} url
 * @param {number} size
 * @param {FetchOptions} [options] @returns {Promise<Opened>} */
export async function openKept(response, url, size, options = {}) {
    const body = await openBody(response, nameOf(url), size, 'cache', createWatch(options));
    return {size, exact: false, validator: '', here: true, ...body};
}

/** @param {File} file @param {FetchOptions} [options] @returns {Promise<Opened>} */
export async function openLocal(file, options = {}) {
    const reader = /** @type {ReadableStreamDefaultReader<Uint8Array>} */ (
        file.stream().getReader()
    );
    const watch = createWatch(options);
    const body = await inspect(
        readChunks(reader, file.name, file.size, 'disk', watch),
        file.name,
        watch,
    );
    return {size: file.size, exact: true, validator: '', here: true, ...body};
}
