/* published_kept - files of published models' attention that an earlier run has made (published.mjs), in a folder or at an
 * address such as that of a release: so that a build without the hub has them, too. A file is taken if its SHA-256
 * is the one in the index beside it, and if the index says that it was made for the same row and the same figures.
 */
import {createHash} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';

/** Of all files together, and of one answer. */
const PATIENCE = 60_000;

/** @typedef {{name: string, sha256: string, asked: string}} Entry   of the index; asked: what it was made for
 * @typedef {{entry: Entry, bytes: Buffer}} Kept */

/** @param {string | Buffer} content */
export const sha256 = content => createHash('sha256').update(content).digest('hex');

/** What a file is made for: its row of the list and what its figures read of it. @param {object} row
 * @param {object[]} figures */
export const askedOf = (row, figures) => sha256(JSON.stringify([row, figures])).slice(0, 16);

/** @param {string} place a folder, or an address @returns {(name: string) => Promise<Buffer>} */
const readerOf = place =>
    /^https?:/.test(place)
        ? async name => {
              const address = `${place.replace(/\/+$/, '')}/${name}`;
              const answer = await fetch(address, {signal: AbortSignal.timeout(PATIENCE)});
              if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
              return Buffer.from(await answer.arrayBuffer());
          }
        : name => readFile(join(place, name));

/** The files of a place that are whole, by name; none, with a line that says why, where there are none.
 * @param {string} place @param {(line: string) => void} say @returns {Promise<Map<string, Kept>>} */
export async function keptAt(place, say) {
    const kept = new Map();
    if (!place) return kept;
    const read = readerOf(place);
    try {
        for (const entry of JSON.parse(String(await read('index.json')))) {
            const bytes = await read(`${entry.name}.safetensors`);
            if (sha256(bytes) === entry.sha256) kept.set(entry.name, {entry, bytes});
            else say(`${entry.name} at ${place} is not the file of its index, and is made anew`);
        }
    } catch (error) {
        const {message, cause} = /** @type {Error & {cause?: Error}} */ (error);
        say(`what is kept at ${place} cannot be had: ${cause?.message ?? message}`);
    }
    return kept;
}
