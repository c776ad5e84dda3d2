/* hub - a Hugging Face hub as a build sees it (HUB=address takes another than huggingface.co): what
 * a repository holds at a revision, and its files. What the hub says is not trusted: sizes and, of
 * large files, SHA-256 are compared with what came. Every error is one sentence; nothing waits
 * longer than HUB_PATIENCE seconds (60) for the next byte.
 *
 *     GET /api/models/OWNER/NAME/revision/REVISION?blobs=true   the commit, and the files with
 *         their sizes
 *     GET /OWNER/NAME/resolve/COMMIT/FILE                       a file; redirects to another host
 */
import {createHash} from 'node:crypto';
import {open} from 'node:fs/promises';
import {join} from 'node:path';

export const HUB = (process.env.HUB ?? 'https://huggingface.co').replace(/\/+$/, '');
const PATIENCE = Number(process.env.HUB_PATIENCE) || 60;
const MOST_JSON = 64 << 20; // bytes of an answer of the hub that are read at all

/** @typedef {{size: number, sha256: string}} File   size -1, sha256 '' where the hub does not say
 * @typedef {{owner: string, name: string, commit: string, files: Map<string, File>}} Repository */

/** Why a fetch or a stream ended. @param {unknown} error */
function reasonOf(error) {
    const {cause, message} = /** @type {Error & {cause?: {code?: string}}} */ (error);
    return cause?.code ?? message;
}

/** Gives the body of an address piece by piece. A clock that each piece sets anew ends a server that
 * has fallen silent.
 * @param {string} url @param {(answer: Response) => void} check called before the first piece */
async function* piecesOf(url, check) {
    const control = new AbortController();
    const wait = () => setTimeout(() => control.abort(), PATIENCE * 1000);
    let clock = wait();
    let count = 0;
    try {
        const answer = await fetch(url, {signal: control.signal});
        check(answer);
        for await (const piece of /** @type {AsyncIterable<Uint8Array>} */ (
            /** @type {unknown} */ (answer.body ?? [])
        )) {
            clearTimeout(clock);
            clock = wait();
            count += piece.length;
            yield piece;
        }
    } catch (error) {
        if (/** @type {{said?: boolean}} */ (error).said) throw error;
        if (control.signal.aborted)
            throw refuse(
                `${url} has sent nothing for ${PATIENCE} s, after ${count} bytes; try again later`,
            );
        if (count)
            throw refuse(`${url} broke off after ${count} bytes (${reasonOf(error)}); try again`);
        throw refuse(`${url} cannot be reached (${reasonOf(error)})`);
    } finally {
        clearTimeout(clock);
        control.abort();
    }
}

/** An error whose sentence is for the reader. @param {string} sentence */
const refuse = sentence => Object.assign(new Error(`hub: ${sentence}`), {said: true});

const isPage = (/** @type {Response} */ answer) =>
    /^text\/html\b/i.test(answer.headers.get('content-type') ?? '');

/** @param {string} url
 * @param {{[status: number]: string}} sentences for statuses that mean something here */
async function fetchJson(url, sentences) {
    const pieces = [];
    let size = 0;
    const check = (/** @type {Response} */ answer) => {
        if (sentences[answer.status]) throw refuse(sentences[answer.status]);
        if (!answer.ok) throw refuse(`${url}: the server answered ${answer.status}`);
        if (isPage(answer))
            throw refuse(`${url} is a web page, not the answer of a hub; check the address in HUB`);
    };
    for await (const piece of piecesOf(url, check)) {
        pieces.push(piece);
        if ((size += piece.length) > MOST_JSON)
            throw refuse(`${url} has no end; check the address in HUB`);
    }
    return parseObject(Buffer.concat(pieces).toString('utf8'), url);
}

/** @param {string} text @param {string} what */
export function parseObject(text, what) {
    let value = null;
    try {
        value = JSON.parse(text);
    } catch {
        // Said below.
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw refuse(`${what} is not a JSON object`);
    return value;
}

/** @param {string} owner @param {string} name
 * @param {string} revision branch, tag, commit or refs/pr/N @returns {Promise<Repository>} */
export async function describe(owner, name, revision) {
    const full = `${owner}/${name}`;
    // The hub answers 401 for what does not exist as for what is closed.
    const closed = `there is no public ${full} on ${HUB}: it does not exist, or is private or gated; check the name`;
    const told = await fetchJson(
        `${HUB}/api/models/${full}/revision/${encodeURIComponent(revision)}?blobs=true`,
        {
            401: closed,
            403: closed,
            404: `${full} has no revision '${revision}' on ${HUB}, or does not exist; check the name`,
        },
    );
    const {sha, siblings} = told;
    if (!/^[0-9a-f]{40}$/.test(sha) || !Array.isArray(siblings))
        throw refuse(`${HUB} does not say the commit and the files of ${full}`);
    const files = new Map();
    for (const {rfilename, size, lfs} of siblings.filter(Boolean)) {
        const bytes = lfs?.size ?? size;
        files.set(String(rfilename), {
            size: Number.isSafeInteger(bytes) ? bytes : -1,
            sha256: /^[0-9a-f]{64}$/.test(lfs?.sha256) ? lfs.sha256 : '',
        });
    }
    return {owner, name, commit: sha, files};
}

/** Fetches a file of the repository into a folder. @param {Repository} repository
 * @param {string} file @param {string} folder */
export async function download({owner, name, commit, files}, file, folder) {
    const full = `${owner}/${name}`;
    if (!/^[\w-][\w.-]*$/.test(file))
        throw refuse(`${full}: '${file.slice(0, 60)}' is not a plain file name`);
    const expected = files.get(file);
    if (!expected) throw refuse(`${full} has no ${file}, which its index names`);
    const url = `${HUB}/${full}/resolve/${commit}/${file}`;
    const check = (/** @type {Response} */ answer) => {
        if (!answer.ok) throw refuse(`${url}: the server answered ${answer.status}`);
        if (isPage(answer))
            throw refuse(
                `${url} is a web page, not a file of a model; is there a login between here and the hub?`,
            );
    };
    const hash = createHash('sha256');
    let size = 0;
    const target = await open(join(folder, file), 'w');
    try {
        for await (const piece of piecesOf(url, check)) {
            hash.update(piece);
            size += piece.length;
            await target.writeFile(piece);
        }
    } finally {
        await target.close();
    }
    if (expected.size >= 0 && size !== expected.size)
        throw refuse(`${url} has ${size} bytes, the hub says ${expected.size}; try again`);
    if (expected.sha256 && hash.digest('hex') !== expected.sha256)
        throw refuse(`${url} has another SHA-256 than the hub says; try again`);
}
