/* hub_cache - a repository of the hub as a place of files.js in Node: the cache that Python's huggingface_hub
 * keeps, so that what one has downloaded the other does not download again.
 *
 *     CACHE/models--org--name/refs/main                  the commit that the revision named last
 *                             snapshots/COMMIT/FILE      a link to
 *                             blobs/SHA                  the file, by the SHA-256 of large ones, git's SHA-1 of others
 *
 * The hub is asked once a load what the revision names now; where it cannot be reached, or HF_HUB_OFFLINE is set, the
 * commit in refs serves. A file comes into the cache when all of it has come and its hash is right. A
 * cache that cannot be written is no error: the model is loaded, and a sentence says why it was not kept.
 */
import {createHash, randomUUID} from 'node:crypto';
import {
    copyFile,
    mkdir,
    open,
    readdir,
    readFile,
    rename,
    rm,
    stat,
    symlink,
    writeFile,
} from 'node:fs/promises';
import {dirname, join, relative} from 'node:path';
import {fileError, HeadlightError, networkError, reason} from '../base/errors.js';
import {isFileName} from '../base/model_names.js';
import {openLocal} from '../files/fetch.js';
import {describe, fullName, openFile, referenceOf} from '../files/hub.js';
import {lacks, smallOf} from '../files/hub_place.js';
import {fileOn} from './disk.js';
import {hubEnvironment} from './hub_env.js';

/**
 * @import {Opened} from '../files/fetch.js'
 * @import {Place, PlaceOptions} from '../files/folder.js'
 * @import {Repository} from '../files/hub.js'
 */

const COMMIT = /^[0-9a-f]{40}$/;
const LEFT_MS = 600000; // nothing has been written for so long: the program is gone

/** Bytes of a file, -1 where there is none. @param {string} path */
const sizeOf = path =>
    stat(path).then(
        (/** @type {any} */ info) => (info.isFile() ? info.size : -1),
        () => -1,
    );

/** The file in the cache under its name. @param {string} blob @param {string} path */
async function link(blob, path) {
    await mkdir(dirname(path), {recursive: true});
    await rm(path, {force: true}); // a link to nothing, or a part
    await symlink(relative(dirname(path), blob), path).catch(async (/** @type {any} */ error) => {
        if (error.code === 'EEXIST') return; // by another program, meanwhile
        await copyFile(blob, path); // Windows without the right to make links
    });
}

/** The folder of a repository in the cache. @param {string} folder */
const folderAt = folder => ({
    /** @param {string} revision */
    async commitOf(revision) {
        if (COMMIT.test(revision)) return revision;
        const said = await readFile(join(folder, 'refs', revision), 'utf8').catch(() => '');
        return COMMIT.test(said.trim()) ? said.trim() : '';
    },
    /** @param {string} commit */
    async names(commit) {
        const at = join(folder, 'snapshots', commit);
        const top = await readdir(at).catch(() => []);
        const below = await readdir(join(at, '1_Pooling')).catch(() => []);
        return [...top, ...below.map((/** @type {string} */ name) => `1_Pooling/${name}`)];
    },
    /** @param {string} commit @param {string} name */
    file: (commit, name) => join(folder, 'snapshots', commit, ...name.split('/')),
    /** @param {string} key */
    blob: key => join(folder, 'blobs', key),
    /** @param {string} revision @param {string} commit */
    async note(revision, commit) {
        if (COMMIT.test(revision) || (await this.commitOf(revision)) === commit) return;
        const path = join(folder, 'refs', ...revision.split('/'));
        await mkdir(dirname(path), {recursive: true});
        await writeFile(path, commit);
    },
});

/** Takes away parts that programs which were ended have left: what still comes is written all the time.
 * @param {string} folder */
async function tidy(folder) {
    for (const name of await readdir(folder)) {
        if (!name.endsWith('.incomplete')) continue;
        const info = await stat(join(folder, name)).catch(() => null);
        if (info && Date.now() - info.mtimeMs > LEFT_MS)
            await rm(join(folder, name), {force: true});
    }
}

/** @param {string} name */
const damaged = name =>
    fileError(`${name} arrived damaged: its hash differs from the hub's; try again`);

/** A file that comes, in the cache; where it cannot be written, the first reason is told and no more is tried.
 * @param {string} path @param {(error: any) => void} lost */
function createPart(path, lost) {
    /** @type {any} */
    let file = null;
    const attempt = async (/** @type {() => Promise<any>} */ act) => {
        try {
            await act();
        } catch (error) {
            await file?.close().catch(() => {});
            file = null;
            lost(error);
        }
    };
    return {
        begin: () =>
            attempt(async () => {
                await mkdir(dirname(path), {recursive: true});
                await tidy(dirname(path));
                file = await open(path, 'wx');
            }),
        /** @param {Uint8Array} chunk */
        write: async chunk => file && attempt(() => file.writeFile(chunk)),
        /** All of it is there. @param {string} blob its name @param {(blob: string) => Promise<void>} kept */
        end: async (blob, kept) =>
            file &&
            attempt(async () => {
                await file.close();
                file = null;
                await rename(path, blob);
                await kept(blob);
            }),
        async leave() {
            await file?.close();
            await rm(path, {force: true}).catch(() => {});
        },
    };
}

/** The same chunks, written into the cache on the way. @param {string} name
 * @param {Opened} opened @param {{size: number, sha256: string, oid: string}} said by the hub
 * @param {{blob: (key: string) => string, kept: (blob: string) => Promise<void>, lost: (error: any) => void}} to
 * @returns {AsyncGenerator<Uint8Array, void, void>} */
async function* keeping(name, {chunks}, {size, sha256, oid}, {blob, kept, lost}) {
    const hash = createHash(sha256 ? 'sha256' : 'sha1');
    if (!sha256) hash.update(`blob ${size}\0`); // as git does
    const own = randomUUID();
    const part = createPart(blob(`${sha256 || oid || own}.${own.slice(0, 8)}.incomplete`), lost);
    let count = 0;
    try {
        await part.begin();
        for await (const chunk of chunks) {
            count += chunk.length;
            hash.update(chunk);
            await part.write(chunk);
            yield chunk;
        }
        if (count !== size) return; // it has been given up
        const key = hash.digest('hex');
        if (key !== (sha256 || oid || key)) throw damaged(name);
        await part.end(blob(key), kept);
    } finally {
        await part.leave();
    }
}

/** @implements {Place} */
export class CachePlace {
    /** @type {string[]} */
    notes = [];
    /** @type {Repository | null} what the hub says now */
    #repository = null;
    #commit = '';
    /** @type {string[]} of the snapshot */
    #there = [];
    #fetched = false;
    #environment = hubEnvironment();
    #reference;
    #folder;
    /** @type {PlaceOptions} */
    #options;

    /** @param {import('../base/model_names.js').HubSource} source @param {PlaceOptions} options */
    constructor(source, options) {
        const {host, cache} = this.#environment;
        this.#reference = referenceOf({host, ...source});
        this.#options = options;
        this.#folder = folderAt(join(cache, `models--${this.#reference.name.replace('/', '--')}`));
    }

    async prepare() {
        const {revision} = this.#reference;
        const commit = await this.#folder.commitOf(revision);
        const there = commit ? await this.#folder.names(commit) : [];
        const {offline, cache} = this.#environment;
        if (!offline) await this.#ask(there.includes('config.json'));
        else if (!there.length)
            throw networkError(
                `${fullName(this.#reference)} is not in the cache of the hub, ${cache}, and HF_HUB_OFFLINE is set, so ` +
                    'the hub is not asked; unset it, or name the cache by HF_HOME or HF_HUB_CACHE',
            );
        this.#commit = this.#repository?.commit ?? commit;
        this.#there = commit === this.#commit ? there : await this.#folder.names(this.#commit);
        if (this.#there.length && this.#repository)
            await this.#folder.note(revision, this.#commit).catch(() => {});
    }

    /** @param {boolean} kept what is in the cache serves where the hub does not answer */
    async #ask(kept) {
        const {host, token} = this.#environment;
        const reference = this.#reference;
        // a token of the one hub is not for another
        const said = reference.host === host ? await token() : '';
        if (said) this.#options = {...this.#options, headers: {authorization: `Bearer ${said}`}};
        reference.otherwise = said
            ? 'see on the hub that the token of HF_TOKEN may read it'
            : 'set HF_TOKEN to a token that may read it';
        try {
            const options = {...this.#options, ...(kept && {attempts: 1})};
            this.#repository = await describe(reference, options);
        } catch (error) {
            if (!kept || !(error instanceof HeadlightError && error.passing)) throw error;
            this.notes.push(
                `${new URL(reference.host).host} could not be reached; ${fullName(reference)} is as it was downloaded last.`,
            );
        }
    }

    get names() {
        return smallOf([...(this.#repository?.files.keys() ?? this.#there)]);
    }

    /** @param {string} name */
    async open(name) {
        const found = await this.#kept(name);
        if (found) return found;
        if (!this.#repository) return null;
        const opened = await openFile(this.#repository, name, this.#options);
        const said = this.#repository.files.get(name);
        if (!opened || !said || said.size < 0) return opened;
        this.#fetched = true;
        const chunks = keeping(name, opened, said, {
            blob: this.#folder.blob,
            kept: blob => this.#link(blob, name),
            lost: error => this.#lost(error),
        });
        return {...opened, chunks};
    }

    /** From the cache, null where it is not there. @param {string} name @returns {Promise<Opened | null>} */
    async #kept(name) {
        if (!isFileName(name)) return null;
        const path = this.#folder.file(this.#commit, name);
        const said = this.#repository?.files.get(name);
        if (this.#repository && !said) return null;
        const is = (/** @type {number} */ size) =>
            size >= 0 && (!said || said.size < 0 || size === said.size);
        let size = await sizeOf(path);
        const key = said?.sha256 || said?.oid;
        // another commit had the same file
        if (!is(size) && key && is(await sizeOf(this.#folder.blob(key)))) {
            await this.#link(this.#folder.blob(key), name).catch(() => {});
            size = await sizeOf(path);
        }
        return is(size) ? openLocal(fileOn(path, name, size), this.#options) : null;
    }

    /** @param {string} blob @param {string} name */
    async #link(blob, name) {
        await link(blob, this.#folder.file(this.#commit, name));
        await this.#folder.note(this.#reference.revision, this.#commit);
        this.#there.push(name);
    }

    /** @param {any} error */
    #lost(error) {
        const sentence =
            `${fullName(this.#reference)} could not be kept in ${this.#environment.cache} (${error.code ?? reason(error)}), ` +
            'so it is downloaded again next time; HF_HUB_CACHE names another folder.';
        if (!this.notes.includes(sentence)) this.notes.push(sentence);
    }

    /** @param {string[]} files @returns {number} bytes to be downloaded, 0 when not known */
    sizeOf(files) {
        const coming = files.filter(name => !this.#there.includes(name));
        const sizes = coming.map(name => this.#repository?.files.get(name)?.size ?? 0);
        return sizes.reduce((sum, size) => sum + Math.max(0, size), 0);
    }

    /** @param {string} what */
    missing(what) {
        const {cache, offline} = this.#environment;
        const why = offline ? 'HF_HUB_OFFLINE is set' : 'the hub could not be reached';
        const where = this.#repository ? '' : ` in the cache of the hub, ${cache}, and ${why}`;
        return lacks(fullName(this.#reference), what, where);
    }

    /** The cache is not ours alone: what is in it stays. */
    async forget() {}

    async kept() {}

    origin() {
        const {host, name, revision} = this.#reference;
        const place = this.#fetched ? 'hub' : 'cache';
        return {place, host, name, revision, commit: this.#commit};
    }
}
