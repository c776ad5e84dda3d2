/* parts - a study of the command line cut into parts, each in a file of its own, as several machines
 * would run it.
 */
import {join} from 'node:path';
import {run} from './model.mjs';

/** The files of the parts. @param {string} folder @param {number} count
 * @param {...string} args of `headlight study` */
export const inParts = (folder, count, ...args) =>
    Array.from({length: count}, (_, i) => {
        const path = join(folder, `${args[0]}-${count}-${i}.part`);
        run('study', ...args, '--shard', `${i + 1}/${count}`, '-o', path);
        return path;
    });
