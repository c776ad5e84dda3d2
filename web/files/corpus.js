/* corpus - the bytes of a corpus from a server, a file or pasted text, as UTF-8 and within a size
 * that a page can hold, with progress. What the bytes mean is decided in C (src/text/corpus/corpus.h).
 * Every failure is a sentence.
 */
import {fileError, networkError} from '../base/errors.js';
import {openLocal, openUrl} from './fetch.js';

/**
 * @typedef {{signal?: AbortSignal, onProgress?: (progress: {done: number, total: number}) => void}} Options   in
 *     bytes, total 0:
 *   not known
 * @typedef {{name: string, bytes: Uint8Array}} CorpusFile
 */

const MOST = 200e6; // bytes: each worker keeps a copy, and wasm has 4 GB for model and corpus
const MB = 1e6;

/** @param {string} name @param {number} bytes */
function checkSize(name, bytes) {
    if (bytes <= MOST) return;
    throw fileError(
        `${name} has more than ${MOST / MB} MB (${(bytes / MB).toFixed(0)} MB so far), the most this page ` +
            'takes as a corpus; cut it into parts, or use the command line: headlight study',
    );
}

/** @param {import('./fetch.js').Opened} opened @param {string} name @param {Options} options */
async function readAll(opened, name, {onProgress = () => {}}) {
    const parts = [];
    let done = 0;
    try {
        for await (const chunk of opened.chunks) {
            parts.push(chunk.slice());
            done += chunk.length;
            checkSize(name, done);
            onProgress({done, total: Math.max(0, opened.size)});
        }
    } finally {
        await opened.close();
    }
    const bytes = new Uint8Array(done);
    let at = 0;
    for (const part of parts) {
        bytes.set(part, at);
        at += part.length;
    }
    return bytes;
}

/** UTF-16 as Windows programs save it becomes UTF-8; anything else that is not UTF-8 is refused with
 * its place.
 * @param {Uint8Array} bytes @param {string} name */
export function asUtf8(bytes, name) {
    if (!bytes.length)
        throw fileError(
            `${name} is empty; a corpus is a text file with one sentence a line, or CoNLL-U, TSV`,
        );
    const mark = (bytes[0] << 8) | bytes[1];
    if (mark === 0xfffe || mark === 0xfeff) {
        const text = new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes);
        return new TextEncoder().encode(text);
    }
    if (bytes.subarray(0, 65536).includes(0)) {
        throw fileError(
            `${name} is not a text file; a corpus is a text file with one sentence a line, or CoNLL-U, TSV`,
        );
    }
    try {
        new TextDecoder('utf-8', {fatal: true}).decode(bytes);
    } catch {
        throw fileError(
            `${name} is not UTF-8; save it as UTF-8 in your editor and choose it again`,
        );
    }
    return bytes;
}

/** @param {string} url absolute or relative to the page; only http and https, as the page's policy
 *     allows
 * @param {Options} [options] @returns {Promise<CorpusFile>} */
export async function fetchCorpus(url, options = {}) {
    let address;
    try {
        address = new URL(new Request(url.trim()).url);
    } catch {
        throw networkError(
            `"${url}" is no address; write one like https://example.org/corpus.conllu`,
        );
    }
    if (!['http:', 'https:'].includes(address.protocol)) {
        throw networkError(
            `addresses of ${address.protocol} cannot be read; use one that starts with https://, or choose ` +
                'the file from your disk',
        );
    }
    const name = decodeURIComponent(address.pathname.split('/').pop() || address.host);
    const bytes = await readAll(await openUrl(address.href, options), name, options);
    return {name, bytes: asUtf8(bytes, name)};
}

/** @param {File} file @param {Options} [options] @returns {Promise<CorpusFile>} */
export async function readCorpus(file, options = {}) {
    checkSize(file.name, file.size);
    const bytes = await readAll(await openLocal(file, options), file.name, options);
    return {name: file.name, bytes: asUtf8(bytes, file.name)};
}
