/* copies - keeps models of the hub, as quantised here, in the browser's Cache API, so that a second
 * visit needs no network. A copy is of one commit: the small files as they came, the int8 weights
 * as headlight.h saves them, and, written after all of them, a mark that says what belongs to it. A
 * copy without its mark, or whose files are not all there, is never used. Storage is a convenience:
 * where it is missing, forbidden or full, everything works as without it.
 */
import {browserStorage} from './cache.js';
import {HeadlightError, reason} from '../base/errors.js';
import {openKept} from './fetch.js';

const NAME = 'headlight-copies';
const FORM = 2; // raised when what is written changes: copies of another form are dropped
const MARK = 'headlight-mark.json';
const SIZE = 'x-headlight-size';

/**
 * @import {Opened} from './fetch.js'
 * @typedef {{form: number, host: string, name: string, commit: string, revisions: string[], bytes:
 *     number, at: string, files: {name: string, size: number}[]}} Mark   name: of the repository;
 *     revisions: that were asked for; at: when it was kept, ISO 8601
 * @typedef {{mark: Mark, open: (name: string, options: import('./fetch.js').FetchOptions) =>
 *     Promise<Opened | null>}} Copy
 * @typedef {{name: string, size: number, body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>}}
 *     Part
 * @typedef {Pick<Mark, 'host' | 'name' | 'commit'> & {revision: string}} Origin
 */

/** Every file has an address of its own, which no server has.
 * @param {Pick<Mark, 'host' | 'name' | 'commit'>} of @param {string} file */
const addressOf = ({host, name, commit}, file) =>
    `${host}/headlight-copy/${name}/${commit}/${encodeURIComponent(file)}`;

/** @param {unknown} value @returns {value is Mark} */
const isMark = value => {
    const {form, files, revisions} = /** @type {Mark} */ (value ?? {});
    return form === FORM && Array.isArray(files) && Array.isArray(revisions);
};

/** @param {Cache} cache @returns {Promise<Mark[]>} newest first */
async function marksOf(cache) {
    const marks = [];
    for (const {url} of await cache.keys()) {
        if (!url.endsWith(`/${MARK}`)) continue;
        const mark = await cache
            .match(url)
            .then(response => response?.json())
            .catch(() => null);
        if (isMark(mark)) marks.push(mark);
    }
    return marks.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** @param {Cache} cache @param {Mark} mark */
const putMark = (cache, mark) =>
    cache.put(addressOf(mark, MARK), new Response(JSON.stringify(mark)));

/** The mark goes first: what is left without it counts for nothing.
 * @param {Cache} cache @param {Pick<Mark, 'host' | 'name' | 'commit'>} of */
async function remove(cache, of) {
    await cache.delete(addressOf(of, MARK));
    const folder = addressOf(of, '');
    for (const {url} of await cache.keys()) if (url.startsWith(folder)) await cache.delete(url);
}

/** Drops the copies of other commits that were kept for the same revision, and what has no mark.
 * @param {Cache} cache @param {Mark} kept */
async function replace(cache, kept) {
    const [revision] = kept.revisions;
    for (const mark of await marksOf(cache)) {
        const same = mark.host === kept.host && mark.name === kept.name;
        if (!same || mark.commit === kept.commit || !mark.revisions.includes(revision)) continue;
        const revisions = mark.revisions.filter(other => other !== revision);
        await (revisions.length ? putMark(cache, {...mark, revisions}) : remove(cache, mark));
    }
}

/** @param {Cache} cache @param {Mark} mark @returns {Promise<Copy | null>} null: not all is there */
async function whole(cache, mark) {
    for (const {name, size} of mark.files) {
        const response = await cache.match(addressOf(mark, name));
        if (Number(response?.headers.get(SIZE) ?? -1) !== size) return null;
        await response?.body?.cancel();
    }
    return {
        mark,
        async open(name, options) {
            const response = await cache.match(addressOf(mark, name));
            const file = mark.files.find(one => one.name === name);
            if (!response || !file) return null;
            return openKept(response, addressOf(mark, name), file.size, options);
        },
    };
}

/** @param {Cache} cache @param {Mark} mark @param {Part[]} parts */
async function write(cache, mark, parts) {
    for (const {name, size, body} of parts) {
        const headers = {[SIZE]: String(size)};
        await cache.put(addressOf(mark, name), new Response(body, {headers}));
    }
    // A tab that cleans up may have taken a file for a left-over meanwhile.
    if (!(await whole(cache, mark))) throw new Error('the files are gone again');
    await putMark(cache, mark);
}

/** The newest whole copy of a repository at a revision or a commit. @param {Cache} cache
 * @param {Pick<Mark, 'host' | 'name'>} of @param {string} revision
 * @returns {Promise<Copy | null>} */
async function newest(cache, {host, name}, revision) {
    for (const mark of await marksOf(cache)) {
        if (mark.host !== host || mark.name !== name) continue;
        if (mark.commit !== revision && !mark.revisions.includes(revision)) continue;
        const copy = await whole(cache, mark);
        if (copy) return copy;
    }
    return null;
}

/** Deletes what belongs to no copy: of pages that were left in the middle. Not while another one may
 * be writing. @param {Cache} cache */
async function tidy(cache) {
    const folders = (await marksOf(cache)).map(mark => addressOf(mark, ''));
    for (const {url} of await cache.keys())
        if (!folders.some(folder => url.startsWith(folder))) await cache.delete(url);
}

/** @param {Mark} mark @param {unknown} error */
function notKept({name, bytes}, error) {
    const full = /** @type {Error} */ (error)?.name === 'QuotaExceededError';
    const why = full ? `there is no room for its ${(bytes / 1e6).toFixed(0)} MB` : reason(error);
    return new HeadlightError(
        'storage',
        `${name} could not be kept (${why}), so it is downloaded again next time; ` +
            'delete copies of other models to make room',
    );
}

/** @param {CacheStorage | undefined} [storage] */
export function createCopies(storage = browserStorage()) {
    /** Gives nothing when storage fails.
     * @template T @param {(cache: Cache) => Promise<T>} use @returns {Promise<T | null>} */
    async function attempt(use) {
        try {
            return storage ? await use(await storage.open(NAME)) : null;
        } catch {
            return null;
        }
    }

    return {
        /** @param {Pick<Mark, 'host' | 'name'>} of @param {string} revision */
        find: (of, revision) => attempt(cache => newest(cache, of, revision)),
        /** Notes that a copy is also what a revision names. @param {Mark} mark
         * @param {string} revision */
        also: (mark, revision) =>
            attempt(cache => putMark(cache, {...mark, revisions: [revision, ...mark.revisions]})),
        /** Keeps a model. @param {Origin} origin @param {Part[]} parts @returns {Promise<Mark>} */
        async keep({revision, ...of}, parts) {
            const files = parts.map(({name, size}) => ({name, size}));
            const bytes = files.reduce((sum, {size}) => sum + size, 0);
            const at = new Date().toISOString();
            const mark = {form: FORM, ...of, revisions: [revision], bytes, at, files};
            if (!storage)
                throw new HeadlightError(
                    'storage',
                    `this browser keeps no files for this page, so ${of.name} is downloaded again next time`,
                );
            try {
                const cache = await storage.open(NAME);
                await write(cache, mark, parts);
                await replace(cache, mark);
                return mark;
            } catch (error) {
                await attempt(cache => remove(cache, mark));
                throw notKept(mark, error);
            }
        },
        /** What is kept and whole, newest first. @returns {Promise<Mark[]>} */
        list: async () => (await attempt(marksOf)) ?? [],
        /** @param {Pick<Mark, 'host' | 'name' | 'commit'>} of */
        drop: of => attempt(cache => remove(cache, of)),
        tidy: () => attempt(tidy),
    };
}
