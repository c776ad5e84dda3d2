/* node_engine - an engine in Node (18 or newer): the worker is a thread, headlight.wasm is read from the
 * disk, and a model may be a folder there. A thread that has nothing to do keeps no program from
 * ending. For node.js, the package, and figure.js, its command.
 */
import {access, open, readdir, readFile} from 'node:fs/promises';
import {availableParallelism, cpus} from 'node:os';
import {fileURLToPath} from 'node:url';
import {Worker} from 'node:worker_threads';
import {createEngine} from '../engine/engine.js';
import {fileError, HeadlightError, stateError} from '../base/errors.js';
import {loadInPage} from '../engine/load_in_page.js';
import {fileOn} from './disk.js';
import {isOfMenu, sourceOf} from './options.js';

const THREADS = Math.min(4, availableParallelism?.() ?? cpus().length); // Node 18.13 or older: cpus
const WORKER = new URL('./node_worker.js', import.meta.url);

/** @returns {import('../engine/engine.js').WorkerLike} */
function startThread() {
    const thread = new Worker(WORKER);
    let asked = 0; // answers that are awaited
    /** @type {import('../engine/engine.js').WorkerLike} */
    const like = {
        onmessage: null,
        onerror: null,
        onmessageerror: null,
        postMessage(/** @type {any} */ message, /** @type {any} */ transfer) {
            if (message.op !== 'cancel') asked++;
            thread.ref();
            thread.postMessage(message, transfer);
        },
        terminate() {
            thread.terminate();
        },
    };
    thread.unref();
    thread.on('message', (/** @type {any} */ data) => {
        // else the answer goes on
        if (('value' in data || 'error' in data) && --asked === 0) thread.unref();
        like.onmessage?.call(/** @type {any} */ (like), /** @type {any} */ ({data}));
    });
    thread.on('error', (/** @type {Error} */ error) =>
        like.onerror?.call(
            /** @type {any} */ (like),
            /** @type {any} */ ({message: error.message}),
        ),
    );
    thread.on('exit', (/** @type {number} */ code) =>
        like.onerror?.call(
            /** @type {any} */ (like),
            /** @type {any} */ ({message: `the thread has ended with ${code}`}),
        ),
    );
    return like;
}

/** The files of a folder in the form that files/folder.js takes from a browser. @param {string} folder
 */
async function filesOf(folder) {
    const top = await readdir(folder).catch((/** @type {any} */ error) => {
        const menu = isOfMenu(folder)
            ? `; this is a model of Headlight's menu, which lies in models/${folder} of its source and of every site`
            : '';
        throw fileError(
            `${folder} cannot be opened (${error.code})${menu}; a model is a folder with config.json, ` +
                'tokenizer.json or vocab.txt, and model.safetensors, the http address of one, or org/name of the Hugging Face hub',
        );
    });
    // of sentence-transformers; else there is none
    /** @type {string[]} */
    const below = await readdir(`${folder}/1_Pooling`).catch(() => []);
    const files = [];
    for (const name of [...top, ...below.map(one => `1_Pooling/${one}`)]) {
        const file = await open(`${folder}/${name}`);
        const info = await file.stat().finally(() => file.close());
        if (info.isFile()) files.push(fileOn(`${folder}/${name}`, name, info.size));
    }
    return files;
}

/** A folder on the disk comes before a repository of that name. @param {import('./head-light').Source} source
 * @returns {Promise<import('../files/folder.js').ModelSource>} */
export async function folderOf(source) {
    const found = sourceOf(source);
    if (typeof source !== 'string' && !(source instanceof URL)) return found;
    const text = String(source);
    if (/^https?:/i.test(text)) return found;
    const path = text.startsWith('file:') ? fileURLToPath(text) : text;
    const isThere = () =>
        access(path).then(
            () => true,
            () => false,
        );
    return 'hub' in found && !(await isThere()) ? found : {files: await filesOf(path)};
}

/** @param {string | URL} given */
async function readWasm(given) {
    const url = String(given);
    if (!/^file:/i.test(url))
        throw stateError(
            `wasmUrl is ${url}; in Node a file: address was expected, or the file's bytes as wasmBytes`,
        );
    return readFile(fileURLToPath(url)).catch((/** @type {any} */ error) => {
        throw new HeadlightError(
            'engine',
            `${url.split('/').pop()} cannot be read at ${url} (${error.code}); it belongs beside the package's files`,
        );
    });
}

/** With a .wasm file or a worker of the caller's there is one thread, since the file for several is
 * another.
 * @param {{wasmUrl?: string | URL, wasmBytes?: BufferSource, threads?: number, makeWorker?: () =>
 *     import('../engine/engine.js').WorkerLike}} [given] */
export async function engineFor({wasmUrl, wasmBytes, makeWorker, threads = THREADS} = {}) {
    const besides = (/** @type {string} */ name) => new URL(`./${name}`, import.meta.url);
    const own = !(wasmUrl ?? wasmBytes ?? makeWorker) && threads > 1;
    const [bytes, shared] = await Promise.all([
        wasmBytes ?? readWasm(wasmUrl ?? besides('headlight.wasm')),
        own && readWasm(besides('headlight-threads.wasm')),
    ]);
    return createEngine({
        wasmBytes: new Uint8Array(/** @type {any} */ (bytes)),
        makeWorker: makeWorker ?? startThread,
        loadInPage,
        ...(!(wasmUrl ?? wasmBytes) && {
            two: async () => ({
                wasmBytes: new Uint8Array(await readWasm(besides('headlight-two.wasm'))),
            }),
        }),
        ...(shared && {
            threads: {wasmUrl: new Uint8Array(shared), helperUrl: WORKER, most: threads},
        }),
    });
}
