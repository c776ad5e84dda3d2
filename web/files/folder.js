/* files - a model folder as named files that are read chunk by chunk: on a server, in a repository
 * of the hub (hub_place.js), or chosen from the disk. It knows which names a folder may have and
 * refuses other formats by name (.bin, .gguf, ...), counts bytes for the progress bar, keeps copies
 * (cache.js) and downloads no more than the reader has agreed to. The order of reading is
 * load.js's; nothing here looks into a file beyond its first letters.
 */
import {createCache} from './cache.js';
import {INDEXES} from '../base/build.js';
import {fileError, HeadlightError, networkError} from '../base/errors.js';
import {missingPart} from '../base/missing.js';
import {openKept, openLocal, openUrl} from './fetch.js';
import {isFileName, POOLING} from '../base/model_names.js';

/**
 * @import {Opened} from './fetch.js'
 * @typedef {{most?: number, foreign?: boolean, random?: import('./load.js').Random}} Consent   most: bytes of
 *     weights that may be downloaded without asking the reader; foreign: not even a request without asking; random:
 *     what is drawn in place of them
 * @typedef {Consent & (import('../base/model_names.js').HubSource | {url: string, files?: string[], bytes?:
 *     number, two?: boolean} | {files: File[], paths?: string[]})} ModelSource
 *   a repository of the hub; a folder by its address, if known with its file names and size (an
 *   entry of models/index.json); or files from disk (paths: those of the files, which do not go
 *   along when files are posted)
 * @typedef {{loaded: number, size: number, here?: boolean, ended: boolean}} OfFile   bytes; size -1: not known; here:
 *     it lies on this machine
 * @typedef {(progress: {file: string, done: number, total: number, failures?: number, one?: OfFile}) => void}
 *     OnProgress   total 0: not known; failures: how often it has been asked for again in vain; one: of the file
 *     alone, for programs
 * @typedef {import('./fetch.js').FetchOptions & {storage?: CacheStorage, copies?: boolean, onPause?:
 *     (failures: number) => void}} PlaceOptions   copies: those kept of models of the hub may serve
 * @typedef {PlaceOptions & {onProgress: OnProgress}} FolderOptions
 * @typedef {{place: string, host?: string, name?: string, revision?: string, commit?: string}} Origin
 *     place: hub, copy, server or disk; name: of a repository, or the address
 * @typedef {{open: (name: string) => Promise<Opened | null>, missing: (what: string) => HeadlightError,
 *            forget: () => Promise<void>, kept: () => Promise<void>, notes: string[], prepare?: () =>
 *            Promise<void>, names?: string[], saved?: boolean, keeps?:
 *            boolean, sizeOf?: (files: string[]) => number,
 *            origin: () => Origin, finish?: () => void}} Place   open gives null where there is no
 *                such file; prepare: comes before all else; sizeOf: 0 when not known
 * @typedef {Awaited<ReturnType<typeof openFolder>>} Folder
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

/** The reader is to be asked first. @param {number} bytes */
const tooMuch = bytes =>
    new HeadlightError(
        'consent',
        `the model is a download of ${(bytes / 1e6).toFixed(0)} MB; choose it for a text first, where the page asks whether to begin`,
        {about: {bytes}},
    );

/** Bytes over all files, never more than the total that was announced, and downloaded never more
 * than `most`.
 * @param {OnProgress} onProgress @param {number} total 0: not known @param {number} most */
function createCounter(onProgress, total, most) {
    let done = 0;
    let fetched = 0;
    let file = '';
    /** @param {number} [failures] @param {OfFile} [one] */
    const report = (failures, one) =>
        onProgress({
            file,
            done: total ? Math.min(done, total) : done,
            total,
            ...(failures && {failures}),
            ...(INDEXES && one && {one}),
        });
    /** @param {string} name @param {Opened} opened @param {number} [size] */
    async function* counted(name, {chunks, here}, size) {
        const one = /** @type {any} */ (INDEXES && {loaded: 0, size, here, ended: false});
        for await (const chunk of chunks) {
            [file, done] = [name, done + chunk.length];
            if (!here && !total && (fetched += chunk.length) > most) throw tooMuch(fetched);
            if (INDEXES) report(0, {...one, loaded: (one.loaded += chunk.length)});
            else report();
            yield chunk;
        }
        if (INDEXES) report(0, {...one, ended: true});
    }
    return {
        /** @type {string[]} files that have been opened */
        files: [],
        /** @param {string} name @param {Opened} opened @returns {Opened} */
        watch(name, opened) {
            this.files.push(name);
            return {...opened, chunks: counted(name, opened, ...(INDEXES ? [opened.size] : []))};
        },
        /** @param {number} bytes still to come; not above 0 when not known
         * @param {boolean} [here] they lie on this machine */
        expect(bytes, here = false) {
            if (!here && bytes > most) throw tooMuch(bytes);
            if (bytes > 0 && !total) total = done + bytes;
        },
        report,
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
            throw fileError(
                `${name} is larger than 64 MB; this is not the file that belongs there`,
            );
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
        throw fileError(
            `'${url.slice(0, 100)}' is not an address of a model folder; expected is one like ` +
                'https://example.org/models/bert/',
        );
    }
    if (parsed.protocol === 'file:') {
        throw fileError(
            'a page opened from disk may not read other files by their address; ' +
                'choose the files of the model instead',
        );
    }
    if (!/^https?:$/.test(parsed.protocol)) {
        throw fileError(
            `models are fetched by http or https, not by '${parsed.protocol}'; check the address`,
        );
    }
    const refused = refusal(parsed.pathname.split('/').pop() ?? '');
    if (refused) throw fileError(refused);
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
    #answered = false; // to any request
    #base;
    #names;
    #options;
    #cache;

    /** @param {{url: string, files?: string[]}} source @param {PlaceOptions} options */
    constructor(source, options) {
        this.#base = folderUrl(source.url);
        this.#names = source.files;
        this.#options = options;
        this.#cache = createCache(options.storage);
    }

    /** @param {string} name */
    async open(name) {
        if (this.#names && !this.#names.includes(name)) return null;
        if (!isFileName(name)) throw fileError(`'${name.slice(0, 60)}' is not a plain file name`);
        const url = this.#base + name;
        let opened;
        try {
            opened = await openUrl(url, this.#options);
        } catch (error) {
            return this.#instead(name, url, error);
        }
        this.#answered = true;
        const copy = opened.validator ? await this.#openCopy(url, opened.validator) : null;
        if (!copy) return this.#cache.keep(url, opened);
        await opened.close();
        return copy;
    }

    /** @param {string} what */
    missing(what) {
        return (
            this.#doubt ??
            fileError(
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

    origin() {
        return {place: 'server', name: this.#base};
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
        if (!error.absent || (error.unreachable && !this.#answered)) throw error;
        this.#doubt = error.absent === 'perhaps' ? error : null;
        if (this.#doubt) this.notes.push(`${name} is taken as absent: ${error.message}`);
        return null;
    }
}

/** What says that a model, or something like one, lies in the folder. */
const SIGNS = /^(config|adapter_config|modules)\.json$|^model\.safetensors|\.gguf$/;
const LINKS =
    'a browser leaves out symbolic links, of which the cache of the hub consists; copy the model ' +
    '(cp -RL snapshots/COMMIT FOLDER), or fetch it as files (hf download NAME --local-dir FOLDER)';

/** @param {string} path */
const folderOf = path => path.slice(0, path.lastIndexOf('/') + 1);
/** @param {string} path */
const nameOf = path => path.slice(folderOf(path).length);

/** The folder of the model: the one nearest to the top that looks like one. What lies in another folder belongs to
 * another model: a checkpoint, a module. @param {string[]} paths */
function topOf(paths) {
    const depth = (/** @type {string} */ path) => path.split('/').length;
    const signs = paths.filter(path => SIGNS.test(nameOf(path)));
    const [first = ''] = [...(signs.length ? signs : paths)].sort((a, b) => depth(a) - depth(b));
    const top = folderOf(first);
    const other = signs.find(path => depth(path) === depth(first) && folderOf(path) !== top);
    if (!other) return top;
    const name = nameOf(other);
    const both = signs.filter(path => path.endsWith(name)).slice(0, 2);
    throw fileError(
        `${name} was chosen twice (${both.join(' and ')}); choose the folder of one model`,
    );
}

/** The files of the model's folder by their names, and POOLING by its whole name. @param {File[]} files
 * @param {string[]} paths */
function byName(files, paths) {
    const top = topOf(paths);
    /** @type {Map<string, File>} */
    const found = new Map();
    for (const [i, file] of files.entries()) {
        const name = paths[i].slice(top.length);
        if (!paths[i].startsWith(top) || (name.includes('/') && name !== POOLING)) continue;
        if (found.has(name) && /\.(json|txt|safetensors)$/.test(name))
            throw fileError(`${name} was chosen twice; choose the folder of one model`);
        found.set(name, file);
    }
    return {found, isCache: /(^|\/)(blobs|refs)\/$/.test(top)};
}

/** @param {{files: File[], paths?: string[]}} source @param {PlaceOptions} options @returns {Place}
 */
function localPlace(
    {files, paths = files.map(file => file.webkitRelativePath || file.name)},
    options,
) {
    const {found, isCache} = byName(files, paths);
    if (isCache) throw fileError(`this is a cache of the hub: ${LINKS}`);
    const names = [...found.keys()];
    const below = paths.map(nameOf);
    // what only training leaves says nothing of the model
    const refused = [...names, ...below]
        .filter(name => !/^(training_args|optimizer|scheduler|scaler|rng_state)/.test(name))
        .map(refusal)
        .find(text => text !== '');
    return {
        notes: [],
        async open(name) {
            const file = found.get(name);
            return file ? openLocal(file, options) : null;
        },
        missing(what) {
            if (!files.length) return fileError(`what was chosen has no files: ${LINKS}`);
            if (refused && (what.startsWith('model.') || what === 'config.json'))
                return fileError(refused);
            const some = names.slice(0, 5).join(', ') || 'none';
            return fileError(
                `${what} is missing among the chosen files (${some}); choose ` +
                    'the whole folder of the model: config.json, tokenizer.json or vocab.txt, and model.safetensors',
            );
        },
        async forget() {},
        async kept() {},
        origin: () => ({place: 'disk', name: folderName(paths)}),
    };
}

/** The top folder of chosen files, '' for files without one. @param {string[]} paths */
function folderName(paths) {
    const tops = new Set(paths.map(path => (path.includes('/') ? path.split('/')[0] : '')));
    return tops.size === 1 ? [...tops][0] : '';
}

/** Not even a request, before the reader has been asked. @param {{url: string}} source */
function askForHost({url}) {
    const {host} = new URL(folderUrl(url));
    throw new HeadlightError(
        'consent',
        `the model lies on ${host}; choose it for a text first, where the page asks whether to go there`,
        {about: {host}},
    );
}

/** What only a model of the hub needs: a file of its own beside the site's worker.js. */
export const hubPart = () =>
    import('./hub_place.js').catch(error => {
        throw networkError(missingPart(error));
    });

/** @param {ModelSource} source @param {PlaceOptions} options @returns {Promise<Place>} */
async function placeOf(source, options) {
    if ('hub' in source) return (await hubPart()).hubPlace(source, options);
    if (!('url' in source)) return localPlace(source, options);
    if (source.foreign) askForHost(source);
    return new RemotePlace(source, options);
}

/** @param {ModelSource} source @param {FolderOptions} options */
export async function openFolder(source, {onProgress, ...options}) {
    const {files, bytes = 0} = 'url' in source ? source : {files: undefined};
    const counter = createCounter(onProgress, bytes, source.most ?? Infinity);
    const place = await placeOf(source, {...options, onPause: counter.report});

    return {
        /** Before all else. */
        prepare: async () => place.prepare?.(),
        /** @param {string} name @returns {Promise<Opened | null>} null: there is no such file */
        async open(name) {
            options.signal?.throwIfAborted();
            const opened = await place.open(name);
            return opened && counter.watch(name, opened);
        },
        /** Files on a server that are surely there, and may be asked for at once. */
        names: () => place.names ?? files ?? [],
        missing: (/** @type {string} */ what) => place.missing(what),
        /** Bytes that are to be downloaded for these files, 0 when not known.
         * @param {string[]} names */
        sizeOf: names => place.sizeOf?.(names) ?? 0,
        /** May a copy of it be kept (copies.js)? Then the small files that have been taken. */
        keeps: () => place.keeps ?? false,
        /** @type {Map<string, Uint8Array<ArrayBuffer>>} */
        texts: new Map(),
        /** Are the weights those of hl_save_bytes, beside the config that they came with? */
        saved: () => place.saved ?? false,
        forget: () => place.forget(),
        /** Waits until what has been read is kept, or cannot be. */
        kept: () => place.kept(),
        notes: place.notes,
        expect: counter.expect,
        /** Where it comes from, and what has been read. */
        origin: () => ({...place.origin(), files: [...counter.files]}),
        finish() {
            place.finish?.();
            counter.finish();
        },
        /** Gives up what goes on aside. */
        leave: () => place.finish?.(),
    };
}
