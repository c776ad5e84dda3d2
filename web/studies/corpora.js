/* corpora - the corpus that is open: one of those that come with the page, or the reader's: a file,
 * what was pasted, an address. The one before stays until the new one has been read. Format and
 * columns can be corrected.
 */
import {asUtf8, fetchCorpus, readCorpus} from '../files/corpus.js';
import {carriedText, ownText} from '../shell/page_files.js';

/**
 * @import {About} from '../views/study/study.js'
 * @typedef {{id: string, file: string}} Shipped   a row of corpora/index.json; its name is in the
 *                                                 texts
 * @typedef {{format?: string, columns?: Record<string, string>}} Reading   how it is to be read,
 *     where that is not guessed
 * @typedef {{id: string, yours: boolean, name: string, bytes: Uint8Array, options: Reading, wished:
 *     Reading, about: About}} Held
 * @typedef {Pick<Held, 'id' | 'yours' | 'name' | 'bytes' | 'wished'>} Asking   one that is refused as it is: how it
 *     is read can be said
 *   name: of a shipped one its id; options: how it is read, wished: what was asked for last, which
 *   may not have worked
 * @typedef {{get: () => import('./control.js').PageShown, show: (patch:
 *     Partial<import('./control.js').PageShown>) => void}} Shown
 * @typedef {{onProgress: (progress: {done: number, total: number}) => void, signal: AbortSignal}}
 *     Watch
 */

const FOLDER = 'corpora/';
const STEP_MS = 60;

/** @param {{yours: boolean, name: string}} corpus @param {import('./corpus_page.js').Words} words
 * @returns {string} */
export const corpusName = ({yours, name}, words) => (yours ? '' : words.corpora[name]) || name;

/** @returns {Promise<Shipped[]>} empty when there is none: one's own can still be opened */
async function readList() {
    try {
        return JSON.parse(await ownText(`${FOLDER}index.json`));
    } catch {
        return [];
    }
}

/** @param {string} file @param {Watch} watch @returns {Promise<{name: string, bytes: Uint8Array}>}
 */
async function readShipped(file, watch) {
    const text = carriedText(FOLDER + file);
    return text === null
        ? fetchCorpus(FOLDER + file, watch)
        : {name: file, bytes: new TextEncoder().encode(text)};
}

/** Opens corpora, the last one asked for: it is read and described, then shown in place of the one
 * before.
 * @param {import('./control.js').Parts} parts @param {Shown} page
 * @returns {(what: {id: string, yours: boolean, name: Held['name']}, read: (watch: Watch) =>
 *     Promise<{name: string, bytes: Uint8Array}>) =>
 *   Promise<void>} */
function createOpener({studies}, {show}) {
    let current = new AbortController();
    return async (what, read) => {
        current.abort();
        const {signal} = (current = new AbortController());
        let last = 0;
        let asking = /** @type {Asking | null} */ (null);
        const onProgress = (/** @type {{done: number, total: number}} */ bytes) => {
            if (signal.aborted || performance.now() - last < STEP_MS) return;
            last = performance.now();
            show({fetching: bytes});
        };
        try {
            show({fetching: {done: 0, total: 0}});
            const {name, bytes} = await read({onProgress, signal});
            const options = {};
            asking = {...what, name: what.name || name, bytes, wished: options};
            const about = await studies.about(bytes, options);
            const corpus = {...asking, options, about};
            if (!signal.aborted) show({corpus, fetching: null, asking: null, problem: null});
        } catch (error) {
            if (!signal.aborted)
                show({
                    fetching: null,
                    asking,
                    problem: {message: /** @type {Error} */ (error).message, of: 'corpus'},
                });
        }
    };
}

/** The same corpus, or the one that was refused, read otherwise; when that does not work it stays as it was.
 * @param {import('./control.js').Parts} parts @param {Shown} page @param {Reading} options */
async function correct({studies}, {get, show}, options) {
    const of = get().asking ? 'asking' : 'corpus';
    const before = get()[of];
    if (!before) return;
    const wished = /** @type {Held} */ ({...before, wished: options});
    show({[of]: wished, problem: null});
    try {
        const about = await studies.about(before.bytes, options);
        if (get()[of] === wished) show({corpus: {...wished, options, about}, asking: null});
    } catch (error) {
        if (get()[of] === wished)
            show({problem: {message: /** @type {Error} */ (error).message, of: 'corpus'}});
    }
}

/** The names of the columns of a table, from its first line: between tabs, commas or semicolons, or the members
 * of an object. @param {Uint8Array} bytes @returns {string[]} */
export function columnsOf(bytes) {
    // in files of old, lines end in \r alone
    const end = bytes.indexOf(bytes.includes(10) ? 10 : 13);
    const line = new TextDecoder()
        .decode(bytes.subarray(0, end < 0 ? bytes.length : end))
        .replace(/\r$/, '');
    if (line.startsWith('{')) {
        try {
            return Object.keys(JSON.parse(line));
        } catch {
            return [];
        }
    }
    const separator = ['\t', ',', ';'].find(one => line.includes(one));
    if (!separator) return [];
    if (separator === '\t') return line.split(separator);
    const cells = line.matchAll(
        new RegExp(`("(?:[^"]|"")*"|[^${separator}]*)(?:${separator}|$)`, 'g'),
    );
    return [...cells].slice(0, -1).map(([, cell]) =>
        cell
            .replace(/^"(.*)"$/, '$1')
            .replaceAll('""', '"')
            .trim(),
    );
}

/** @param {import('./control.js').Parts} parts @param {Shown} page */
export function createCorpora(parts, {get, show}) {
    const {store} = parts;
    const open = createOpener(parts, {get, show});
    const yours = {id: '', yours: true, name: ''};
    const openShipped = (/** @type {Shipped} */ {id, file}) =>
        open({id, yours: false, name: id}, watch => readShipped(file, watch));
    let asked = /** @type {string | null} */ (null); // id that was asked for last
    let list = /** @type {Promise<Shipped[]> | null} */ (null);

    return {
        /** The shipped corpus that the state names, when it is not the one that was asked for.
         * @param {string} id '' is the first */
        async follow(id) {
            list ??= readList();
            const entries = await list;
            if (get().list !== entries) show({list: entries});
            if (asked === id) return;
            asked = id;
            const entry = id ? entries.find(one => one.id === id) : entries[0];
            if (entry) await openShipped(entry);
            else if (id)
                show({
                    problem: {
                        message: `there is no corpus '${id}' here; choose another one or open your own`,
                        of: 'corpus',
                    },
                });
        },
        choose(/** @type {string} */ id) {
            const entry = get().list.find(one => one.id === id);
            if (store.get().corpus === id && entry) openShipped(entry);
            else store.set({corpus: id});
        },
        openFile: (/** @type {File} */ file) => open(yours, watch => readCorpus(file, watch)),
        openAddress: (/** @type {string} */ url) => open(yours, watch => fetchCorpus(url, watch)),
        openText: (/** @type {string} */ text, /** @type {string} */ name) =>
            open({...yours, name}, async () => ({
                name,
                bytes: asUtf8(new TextEncoder().encode(text), name),
            })),
        correct: (/** @type {Reading} */ options) => correct(parts, {get, show}, options),
    };
}
