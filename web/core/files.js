/* files - a model folder, on a server or chosen from the disk, as named files that are read chunk
 * by chunk. It knows which names are there, counts bytes for the progress bar and keeps copies
 * (cache.js); the order of reading is load.js's. Nothing here looks into a file beyond its first
 * letters.
 */
import {createCache} from './cache.js';
import {HeadlightError, throwIfAborted} from './errors.js';
import {openKept, openLocal, openUrl} from './fetch.js';

/**
 * @typedef {import('./fetch.js').Opened} Opened
 * @typedef {{url: string, files?: string[], bytes?: number} | {files: File[], paths?: string[]}}
 *     ModelSource
 *   a folder by its address, if known with its file names and size (an entry of models/index.json),
 *   or files from disk (paths: those of the files, which do not go along when files are posted)
 * @typedef {(progress: {file: string, done: number, total: number}) => void} OnProgress total 0:
 *     not known
 * @typedef {{signal?: AbortSignal, stallMs?: number, storage?: CacheStorage, onProgress:
 *     OnProgress}} FolderOptions
 * @typedef {{open: (name: string) => Promise<Opened | null>, missing: (what: string) => HeadlightError,
 *            forget: () => Promise<void>, kept: () => Promise<void>, notes: string[]}} Place   open
 *                gives null where there is no such file
 * @typedef {ReturnType<typeof openFolder>} Folder
 */

// of the files that are read whole; the largest tokenizer.json have about 20 MB
const TEXT_LIMIT = 64 * 1024 * 1024;

/** Formats of other programs -> why they are not read. */
const REFUSED = [
    {
        endings: ['.bin', '.pt', '.pth', '.ckpt', '.pkl'],
        why: 'is a Python pickle, which can run code when opened',
    },
    {
        endings: ['.h5', '.msgpack', '.onnx', '.gguf', '.ggml', '.tflite', '.zip'],
        why: 'is of a format that Headlight does not read',
    },
];

const FROM_COPIES = 'The server could not be reached; the copies stored earlier are used.';

/** @param {string} sentence */
const problem = sentence => new HeadlightError('file', sentence);

/** Why a file is refused by its name, or ''. @param {string} name */
function refusal(name) {
    const row = REFUSED.find(({endings}) =>
        endings.some(ending => name.toLowerCase().endsWith(ending)),
    );
    return row
        ? `${name} ${row.why}; use model.safetensors of the same model ` +
              '(Hugging Face has it for most models; save_pretrained writes it)'
        : '';
}

/** Bytes over all files, never more than the total that was announced.
 * @param {OnProgress} onProgress @param {number} total 0: not known */
function createCounter(onProgress, total) {
    let done = 0;
    let file = '';
    const report = () => onProgress({file, done: total ? Math.min(done, total) : done, total});
    /** @param {string} name @param {import('./fetch.js').Chunks} chunks */
    async function* counted(name, chunks) {
        for await (const chunk of chunks) {
            [file, done] = [name, done + chunk.length];
            report();
            yield chunk;
        }
    }
    return {
        /** @param {string} name @param {Opened} opened @returns {Opened} */
        watch: (name, opened) => ({...opened, chunks: counted(name, opened.chunks)}),
        /** @param {number} bytes still to come; not above 0 when not known */
        expect(bytes) {
            if (bytes > 0 && !total) total = done + bytes;
        },
        finish() {
            onProgress({file, done, total: done});
        },
    };
}

/** A small file as a whole. @param {Opened} opened @param {string} name */
export async function readAll(opened, name) {
    /** @type {Uint8Array[]} */
    const parts = [];
    let size = 0;
    for await (const chunk of opened.chunks) {
        parts.push(chunk);
        size += chunk.length;
        if (size > TEXT_LIMIT)
            throw problem(`${name} is larger than 64 MB; this is not the file that belongs there`);
    }
    const bytes = new Uint8Array(size);
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

/** The folder's address, absolute and with a slash at its end. @param {string} url */
function folderUrl(url) {
    let parsed;
    try {
        parsed = new URL(new Request(url).url); // Request takes the page's base
    } catch {
        throw problem(
            `'${url.slice(0, 100)}' is not an address of a model folder; expected is one like ` +
                'https://example.org/models/bert/',
        );
    }
    if (parsed.protocol === 'file:') {
        throw problem(
            'a page opened from disk may not read other files by their address; ' +
                'choose the files of the model instead',
        );
    }
    if (!/^https?:$/.test(parsed.protocol)) {
        throw problem(
            `models are fetched by http or https, not by '${parsed.protocol}'; check the address`,
        );
    }
    const refused = refusal(parsed.pathname.split('/').pop() ?? '');
    if (refused) throw problem(refused);
    return parsed.origin + parsed.pathname.replace(/\/*$/, '/');
}

/** A folder on a server. @implements {Place} */
class RemotePlace {
    /** @type {string[]} */
    notes = [];
    /** @type {string[]} */
    #used = []; // addresses of the kept copies that this load has used
    /** @type {HeadlightError | null} */
    #doubt = null; // why the file asked for last may be there after all
    #base;
    #names;
    #options;
    #cache;

    /** @param {{url: string, files?: string[]}} source @param {FolderOptions} options */
    constructor(source, options) {
        this.#base = folderUrl(source.url);
        this.#names = source.files;
        this.#options = options;
        this.#cache = createCache(options.storage);
    }

    /** @param {string} name */
    async open(name) {
        if (this.#names && !this.#names.includes(name)) return null;
        if (!/^[\w-][\w.-]*$/.test(name))
            throw problem(`'${name.slice(0, 60)}' is not a plain file name`);
        const url = this.#base + name;
        let opened;
        try {
            opened = await openUrl(url, this.#options);
        } catch (error) {
            return this.#instead(name, url, error);
        }
        const copy = opened.validator ? await this.#openCopy(url, opened.validator) : null;
        if (!copy) return this.#cache.keep(url, opened);
        await opened.close();
        return copy;
    }

    /** @param {string} what */
    missing(what) {
        return (
            this.#doubt ??
            problem(
                `${what} is not in ${this.#base}; check the address: it must be that of a ` +
                    'folder with config.json, tokenizer.json or vocab.txt, and model.safetensors',
            )
        );
    }

    async forget() {
        for (const url of this.#used) await this.#cache.forget(url);
    }

    kept() {
        return this.#cache.kept();
    }

    /** @param {string} url @param {string | null} validator */
    async #openCopy(url, validator) {
        const kept = await this.#cache.find(url, validator);
        if (!kept) return null;
        this.#used.push(url);
        return openKept(kept.response, url, kept.size, this.#options);
    }

    /** Without a connection the kept copies serve; a file that was never kept then counts as absent.
     * @param {string} name @param {string} url @param {unknown} error */
    async #instead(name, url, error) {
        if (!(error instanceof HeadlightError)) throw error;
        if (error.unreachable) {
            const copy = await this.#openCopy(url, null);
            if (copy && !this.notes.includes(FROM_COPIES)) this.notes.push(FROM_COPIES);
            if (this.#used.length) return copy;
        }
        if (!error.absent) throw error;
        this.#doubt = error.absent === 'perhaps' ? error : null;
        if (this.#doubt) this.notes.push(`${name} is taken as absent: ${error.message}`);
        return null;
    }
}

/** Files by their names without folders; of two with one name the one nearer to the top counts.
 * @param {File[]} files @param {string[]} paths */
function byName(files, paths) {
    /** @type {Map<string, {file: File, path: string, depth: number}>} */
    const found = new Map();
    for (const [i, file] of files.entries()) {
        const path = paths[i];
        const name = path.split('/').pop() ?? '';
        const depth = path.split('/').length;
        const other = found.get(name);
        if (other && other.depth === depth && /\.(json|txt|safetensors)$/.test(name)) {
            throw problem(
                `${name} was chosen twice (${other.path} and ${path}); choose the folder of one model`,
            );
        }
        if (!other || depth < other.depth) found.set(name, {file, path, depth});
    }
    return found;
}

/** @param {{files: File[], paths?: string[]}} source @param {FolderOptions} options @returns {Place}
 */
function localPlace(
    {files, paths = files.map(file => file.webkitRelativePath || file.name)},
    options,
) {
    const found = byName(files, paths);
    const names = [...found.keys()];
    const refused = names.map(refusal).find(text => text !== '');
    return {
        notes: [],
        async open(name) {
            const entry = found.get(name);
            return entry ? openLocal(entry.file, options) : null;
        },
        missing(what) {
            if (refused && (what.startsWith('model.') || names.length === 1))
                return problem(refused);
            const some = names.slice(0, 5).join(', ') || 'none';
            return problem(
                `${what} is missing among the chosen files (${some}); choose ` +
                    'the whole folder of the model: config.json, tokenizer.json or vocab.txt, and model.safetensors',
            );
        },
        async forget() {},
        async kept() {},
    };
}

/** @param {ModelSource} source @param {FolderOptions} options */
export function openFolder(source, options) {
    const remote = 'url' in source;
    const place = remote ? new RemotePlace(source, options) : localPlace(source, options);
    const counter = createCounter(options.onProgress, remote ? (source.bytes ?? 0) : 0);

    return {
        /** @param {string} name @returns {Promise<Opened | null>} null: there is no such file */
        async open(name) {
            throwIfAborted(options.signal);
            const opened = await place.open(name);
            return opened && counter.watch(name, opened);
        },
        /** Of files on a server that are surely there. @type {string[]} */
        names: remote ? (source.files ?? []) : [],
        missing: (/** @type {string} */ what) => place.missing(what),
        forget: () => place.forget(),
        /** Waits until what has been read is kept, or cannot be. */
        kept: () => place.kept(),
        notes: place.notes,
        expect: counter.expect,
        finish: counter.finish,
    };
}
