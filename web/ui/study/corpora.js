/* corpora - the corpus that is open: one of those that come with the page, or the reader's: a file, what was pasted, an address.
 * The one before stays until the new one has been read. Format and columns can be corrected.
 */
import {asUtf8, fetchCorpus, readCorpus} from '../../core/corpus.js';

/**
 * @typedef {import('../../views/study/study.js').About} About
 * @typedef {{id: string, file: string, name: string | Record<string, string>, bytes?: number}} Shipped   a row of corpora/index.json;
 *   name in one or several languages
 * @typedef {{format?: string, columns?: Record<string, string>}} Reading   how it is to be read, where that is not guessed
 * @typedef {{id: string, own: boolean, name: string | Record<string, string>, bytes: Uint8Array, options: Reading, about: About}} Held
 * @typedef {{get: () => import('./control.js').DeskShown, show: (patch: Partial<import('./control.js').DeskShown>) => void}} Shown
 * @typedef {{onProgress: (progress: {done: number, total: number}) => void, signal: AbortSignal}} Watch
 */

const FOLDER = 'corpora/';
const STEP_MS = 60;

/** @param {string | Record<string, string>} name @param {string} code of the language */
export const corpusName = (name, code) => typeof name === 'string' ? name : name[code] ?? name.en ?? Object.values(name)[0] ?? '';

/** @returns {Promise<Shipped[]>} empty when there is none: one's own can still be opened */
async function readList() {
    try {
        const answer = await fetch(`${FOLDER}index.json`);
        return answer.ok ? await answer.json() : [];
    } catch {
        return [];
    }
}

/** @param {import('./control.js').Parts} parts @param {Shown} desk */
export function createCorpora({studies, store}, {get, show}) {
    let asked = /** @type {string | null} */ (null);   // id that was asked for last
    let current = new AbortController();
    /** @type {Promise<Shipped[]> | null} */
    let list = null;

    /** Reads and describes a corpus, then shows it in place of the one before.
     * @param {{id: string, own: boolean, name: Held['name']}} what @param {(watch: Watch) => Promise<{name: string, bytes: Uint8Array}>} read */
    async function open(what, read) {
        current.abort();
        const {signal} = current = new AbortController();
        let last = 0;
        const onProgress = (/** @type {{done: number, total: number}} */ bytes) => {
            if (signal.aborted || performance.now() - last < STEP_MS) return;
            last = performance.now();
            show({fetching: {name: '', ...bytes}});
        };
        try {
            show({fetching: {name: '', done: 0, total: 0}});
            const {name, bytes} = await read({onProgress, signal});
            const options = {};
            const about = await studies.about(bytes, options);
            if (!signal.aborted) show({corpus: {...what, name: what.name || name, bytes, options, about}, fetching: null, problem: null});
        } catch (error) {
            if (!signal.aborted) show({fetching: null, problem: {message: /** @type {Error} */ (error).message, of: 'corpus'}});
        }
    }

    /** @param {Shipped} entry */
    const openShipped = entry => open({id: entry.id, own: false, name: entry.name}, watch => fetchCorpus(FOLDER + entry.file, watch));
    const own = {id: '', own: true, name: ''};

    return {
        /** The shipped corpus that the state names, when it is not the one that was asked for. @param {string} id '' is the first */
        async follow(id) {
            list ??= readList();
            const entries = await list;
            if (get().list !== entries) show({list: entries});
            if (asked === id) return;
            asked = id;
            const entry = id ? entries.find(one => one.id === id) : entries[0];
            if (entry) await openShipped(entry);
            else if (id) show({problem: {message: `there is no corpus '${id}' here; choose another one or open your own`, of: 'corpus'}});
        },
        /** @param {string} id of a shipped one */
        async choose(id) {
            const entry = get().list.find(one => one.id === id);
            if (store.get().corpus === id && entry) await openShipped(entry);
            else store.set({corpus: id});
        },
        openFile: (/** @type {File} */ file) => open(own, watch => readCorpus(file, watch)),
        openAddress: (/** @type {string} */ url) => open(own, watch => fetchCorpus(url, watch)),
        /** @param {string} text @param {string} name */
        openText: (text, name) => open({...own, name}, async () => ({name, bytes: asUtf8(new TextEncoder().encode(text), name)})),
        /** The same corpus, read otherwise; when that does not work it stays as it was. @param {Reading} options */
        async correct(options) {
            const {corpus} = get();
            if (!corpus) return;
            try {
                const about = await studies.about(corpus.bytes, options);
                if (get().corpus === corpus) show({corpus: {...corpus, options, about}, problem: null});
            } catch (error) {
                show({problem: {message: /** @type {Error} */ (error).message, of: 'corpus'}});
            }
        },
    };
}
