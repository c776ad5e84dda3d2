/* hub - repositories of the Hugging Face hub as model folders (files.js), as a worker of a page
 * sees them. A page sends no credentials (what a program may send: options.headers), and what the hub
 * says is not trusted: the length of every file and the SHA-256 of large ones are compared with what came.
 *
 *     GET /api/models/OWNER/NAME/revision/REVISION?blobs=true   the commit, the files with their sizes,
 *                                                the SHA-256 of large ones
 *     GET /OWNER/NAME/resolve/COMMIT/FILE        a file; large ones are redirected to another host
 *     GET /api/models/OWNER/NAME/discussions     where conversions to safetensors are offered
 *
 * The hub answers for a repository that does not exist as for one that is closed; a name without an
 * organisation (gpt2) it redirects to where that model is now.
 */
import {fileError, networkError} from '../base/errors.js';
import {openUrl} from './fetch.js';
import {HUB, isFileName, splitRepository} from '../base/model_names.js';
import {openResumable, persist} from './resume.js';

/**
 * @import {HeadlightError} from '../base/errors.js'
 * @import {Opened} from './fetch.js'
 * @import {ResumeOptions} from './resume.js'
 * @typedef {{host: string, name: string, revision: string, otherwise?: string}} Reference   otherwise: what to do
 *     where the hub asks for a login
 * @typedef {Reference & {commit: string, files: Map<string, {size: number, sha256: string, oid: string}>}}
 *     Repository   size -1, sha256 '' and oid (git's SHA-1) '' where the hub does not say
 */

const MOST_JSON = 64 << 20; // bytes of an answer that are read at all
const WEIGHTS = 'model.safetensors';
const INDEX = `${WEIGHTS}.index.json`;
const PICKLE = /\.(bin|pt|pth|ckpt|pkl)$/;

/** @param {import('../base/model_names.js').HubSource} source @returns {Reference} */
export function referenceOf({hub, host = HUB}) {
    const parts = splitRepository(hub);
    if (parts) return {host, ...parts};
    const alone = splitRepository(`_/${hub}`);
    if (alone) return {host, ...alone, name: alone.name.slice(2)};
    throw fileError(
        `'${hub.slice(0, 100)}' is not the name of a repository; expected is org/name or org/name@revision`,
    );
}

/** As people write it. @param {Reference} reference */
export const fullName = ({name, revision}) => (revision === 'main' ? name : `${name}@${revision}`);

/** @param {string} host */
const hostName = host => new URL(host).host;

const BY_YOURSELF = 'download the files yourself and choose them from your disk';

/** What a status of the hub means for a repository. @param {Reference} reference
 * @param {number} status @returns {string} '' where it means what it does elsewhere */
function meaning(reference, status) {
    const {host, name, revision, otherwise = BY_YOURSELF} = reference;
    if (status === 401 || status === 403)
        return (
            `there is no public ${name} on ${hostName(host)}: it does not exist, or it is private or gated; ` +
            `check the name, or ${otherwise}`
        );
    if (status === 404)
        return `${name} does not exist on ${hostName(host)}, or has no revision '${revision}'; check the name`;
    return '';
}

/** @param {import('./fetch.js').Chunks} chunks @param {string} url */
async function readObject(chunks, url) {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of chunks) {
        text += decoder.decode(chunk, {stream: true});
        if (text.length > MOST_JSON) break;
    }
    try {
        const value = JSON.parse(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
    } catch {
        // said below
    }
    throw networkError(
        `${hostName(url)} did not answer as a hub does; is a login page in between? try again later`,
    );
}

/** @param {string} url @param {(status: number) => string} sentence for statuses that mean something
 * here @param {ResumeOptions} options @returns {Promise<any>} */
const fetchObject = (url, sentence, options) =>
    persist(async () => {
        try {
            const {chunks} = await openUrl(url, options);
            return await readObject(chunks, url);
        } catch (error) {
            const said = sentence(/** @type {HeadlightError} */ (error).status ?? 0);
            throw said ? networkError(said) : error;
        }
    }, options);

/** What a repository holds at a revision. @param {Reference} reference
 * @param {ResumeOptions} options @returns {Promise<Repository>} */
export async function describe(reference, options) {
    const {host, name, revision} = reference;
    const told = await fetchObject(
        `${host}/api/models/${name}/revision/${encodeURIComponent(revision)}?blobs=true`,
        status => meaning(reference, status),
        options,
    );
    const {sha, siblings} = told;
    if (!/^[0-9a-f]{40}$/.test(sha) || !Array.isArray(siblings))
        throw networkError(
            `${hostName(host)} does not say the commit and the files of ${name}; try again later`,
        );
    const files = new Map();
    for (const {rfilename, size, lfs, blobId} of siblings.filter(Boolean)) {
        const bytes = lfs?.size ?? size;
        files.set(String(rfilename), {
            size: Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : -1,
            sha256: /^[0-9a-f]{64}$/.test(lfs?.sha256) ? lfs.sha256 : '',
            oid: /^[0-9a-f]{40}$/.test(blobId) ? blobId : '',
        });
    }
    return {...reference, commit: sha, files};
}

/** The number of an open pull request that adds safetensors, 0 for none. It is only advice: where
 * it cannot be had, there is none. @param {Repository} repository @param {ResumeOptions} options */
async function conversionOf({host, name}, options) {
    try {
        const {discussions} = await fetchObject(
            `${host}/api/models/${name}/discussions?type=pull_request&status=open`,
            () => '',
            options,
        );
        const found = discussions.find(
            (/** @type {any} */ {title, isPullRequest, status}) =>
                isPullRequest && status === 'open' && /safetensors/i.test(title),
        );
        return Number.isSafeInteger(found?.num) ? found.num : 0;
    } catch {
        return 0;
    }
}

/** Why there are no weights that can be read. @param {Repository} repository
 * @param {ResumeOptions} options @returns {Promise<HeadlightError>} */
async function withoutWeights(repository, options) {
    const full = fullName(repository);
    const pickle = [...repository.files.keys()].find(name => PICKLE.test(name));
    const has = pickle
        ? `, only ${pickle}, a Python pickle, which can run code when opened`
        : ', and only safetensors are read';
    const number = await conversionOf(repository, options);
    const model = number ? `${repository.name}@refs/pr/${number}` : '';
    const advice = number
        ? `; a pull request on the hub offers it: load ${model}`
        : '; look for a conversion among the pull requests of the repository, and load org/name@refs/pr/NUMBER, ' +
          'or write one with save_pretrained';
    return fileError(`${full} has no ${WEIGHTS}${has}${advice}`, {
        about: model ? {model} : undefined,
    });
}

/** A file of the repository; null where it has none of that name.
 * @param {Repository} repository @param {string} file @param {ResumeOptions} options
 * @returns {Promise<Opened | null>} */
export async function openFile(repository, file, options) {
    const {host, name, commit, files, otherwise = BY_YOURSELF} = repository;
    const found = files.get(file);
    if (!found) {
        if (file === INDEX) throw await withoutWeights(repository, options);
        return null;
    }
    if (!isFileName(file)) throw fileError(`'${file.slice(0, 60)}' is not a plain file name`);
    const url = `${host}/${name}/resolve/${commit}/${file}`;
    try {
        return await openResumable({url, name: file, ...found}, options);
    } catch (error) {
        const said = [401, 403].includes(/** @type {HeadlightError} */ (error).status)
            ? `${name} is gated or private: ${hostName(host)} does not give out ${file} without a login; ${otherwise}`
            : '';
        throw said ? networkError(said) : error;
    }
}
