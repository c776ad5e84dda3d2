/* hub_place - a repository of the hub as a place of files.js: this browser's copy of it (copies.js)
 * if there is one, otherwise the hub's files at the commit that the revision names now (hub.js).
 * With a copy nothing waits for the network; whether the hub has a newer commit is asked on the
 * side, and said when it is known in time.
 */
import {createCopies} from './copies.js';
import {fileError} from '../base/errors.js';
import {describe, fullName, openFile, referenceOf} from './hub.js';
import {AROUND, TOKENIZERS, tokenizerFiles} from './tokenizer_files.js';
import {GENERATION, MODULES, POOLING, PROMPTS, SENTENCE} from '../base/model_names.js';

/**
 * @import {Repository} from './hub.js'
 * @import {PlaceOptions} from './folder.js'
 */

export {createCopies} from './copies.js'; // what folder.js fetches later is one file

const COMMIT = /^[0-9a-f]{40}$/;
// that are asked for at once; the weights only when config.json has been taken
const TOKENIZER = [...new Set([...Object.keys(AROUND), ...TOKENIZERS.flat()])];
const SMALL = [
    'config.json',
    'tokenizer_config.json',
    ...TOKENIZER,
    MODULES,
    POOLING,
    ...SENTENCE,
    PROMPTS,
    GENERATION,
];

/** @import {Place} from './folder.js' */

/** The files that are asked for at once, of those that are there. @param {string[]} there */
export function smallOf(there) {
    const small = SMALL.filter(name => there.includes(name));
    const read = tokenizerFiles(small);
    return small.filter(name => read.includes(name) || !TOKENIZER.includes(name));
}

/** @param {string} full org/name@revision @param {string} what @param {string} [where] */
export function lacks(full, what, where = '') {
    return fileError(
        `${full} has no ${what}${where}; Headlight reads repositories with config.json, ` +
            'tokenizer.json or vocab.txt, and model.safetensors',
    );
}

/** @implements {Place} */
export class HubPlace {
    /** @type {string[]} */
    notes = [];
    #copy = /** @type {import('./copies.js').Copy | null} */ (null);
    #repository = /** @type {Repository | null} */ (null);
    #aside = new AbortController();
    #reference;
    #options;
    #copies;

    /** @param {import('../base/model_names.js').HubSource} source @param {PlaceOptions} options */
    constructor(source, options) {
        this.#reference = referenceOf(source);
        this.#options = options;
        this.#copies = createCopies(options.storage);
    }

    async prepare() {
        const {revision} = this.#reference;
        if (this.#options.copies) this.#copy = await this.#copies.find(this.#reference, revision);
        if (this.#copy) return this.#lookForNewer(this.#copy.mark.commit);
        const repository = await describe(this.#reference, this.#options);
        this.#repository = repository;
        if (!this.#options.copies) return;
        this.#copy = await this.#copies.find(this.#reference, repository.commit);
        if (this.#copy) await this.#copies.also(this.#copy.mark, revision);
    }

    get names() {
        const {files} = this.#copy?.mark ?? {};
        return smallOf(files?.map(({name}) => name) ?? [...(this.#repository?.files.keys() ?? [])]);
    }

    /** @param {string} name */
    async open(name) {
        if (this.#copy) {
            const opened = await this.#copy.open(name, this.#options);
            const there = this.#copy.mark.files.some(file => file.name === name);
            if (opened || !there) return opened;
            throw fileError(`${name} is gone from the copy in this browser; try again`);
        }
        return openFile(/** @type {Repository} */ (this.#repository), name, this.#options);
    }

    /** @param {string[]} files @returns {number} bytes to be downloaded, 0 when not known */
    sizeOf(files) {
        const sizes = files.map(name => this.#repository?.files.get(name)?.size ?? 0);
        return this.#copy ? 0 : sizes.reduce((sum, size) => sum + Math.max(0, size), 0);
    }

    /** @param {string} what */
    missing(what) {
        return lacks(fullName(this.#reference), what);
    }

    /** A copy that was no good must not come back. */
    async forget() {
        if (this.#copy) await this.#copies.drop(this.#copy.mark);
    }

    /** Are the weights those that were kept, as headlight.h saves them? */
    get saved() {
        return this.#copy !== null;
    }

    /** Of what has come from the hub, in the store of copies. */
    get keeps() {
        return !this.saved && this.#options.copies === true;
    }

    origin() {
        const {host, name, revision} = this.#reference;
        const commit = (this.#copy?.mark ?? this.#repository)?.commit ?? '';
        return {place: this.#copy ? 'copy' : 'hub', host, name, revision, commit};
    }

    async kept() {}

    finish() {
        this.#aside.abort();
    }

    /** Copies of an earlier Headlight lack what it did not read. @param {Repository} found */
    #lookForSentence({files}) {
        const kept = this.#copy?.mark.files.map(({name}) => name) ?? [];
        if (files.has(MODULES) && !kept.includes(MODULES))
            this.notes.push(
                `The copy of ${fullName(this.#reference)} in this browser was kept without ${MODULES}, so sentences ` +
                    'are not compared; delete the copy and load the model again for that.',
            );
    }

    /** @param {string} commit */
    #lookForNewer(commit) {
        if (COMMIT.test(this.#reference.revision)) return;
        const {signal} = this.#aside;
        this.#options.signal?.addEventListener('abort', () => this.#aside.abort(), {once: true});
        describe(this.#reference, {...this.#options, onPause: undefined, signal}).then(
            found => {
                if (signal.aborted) return;
                if (found.commit === commit) return this.#lookForSentence(found);
                this.notes.push(
                    `The copy of ${fullName(this.#reference)} in this browser is of commit ${commit.slice(0, 7)}; ` +
                        `the hub has ${found.commit.slice(0, 7)} now: delete the copy to load that.`,
                );
            },
            () => {}, // no network, no news
        );
    }
}

/** @type {new (source: import('../base/model_names.js').HubSource, options: PlaceOptions) => Place} */
let Taken = HubPlace;

/** Node keeps what it fetches elsewhere (package/hub_cache.js). @param {typeof Taken} Other */
export const takePlace = Other => {
    Taken = Other;
};

/** @param {import('../base/model_names.js').HubSource} source @param {PlaceOptions} options */
export const hubPlace = (source, options) => new Taken(source, options);
