/* parts - a study of the command line cut into parts, each in a file of its own, as several machines
 * would run it.
 */
import {mkdtempSync} from 'node:fs';
import {join} from 'node:path';
import {run} from './model.mjs';

/** The file of one part, in a folder of its own. @param {string} folder @param {number} index from 1
 * @param {number} count @param {...string} args of `headlight study` */
export function onePart(folder, index, count, ...args) {
    const path = join(mkdtempSync(join(folder, `${args[0]}-`)), `${index}-${count}.part`);
    run('study', ...args, '--shard', `${index}/${count}`, '-o', path);
    return path;
}

/** The files of all parts. @param {string} folder @param {number} count @param {...string} args */
export const inParts = (folder, count, ...args) =>
    Array.from({length: count}, (_, i) => onePart(folder, i + 1, count, ...args));
