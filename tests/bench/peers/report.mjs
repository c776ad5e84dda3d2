/* report - docs/bench.json, the figures that README quotes: each benchmark puts its own part there,
 * with machine and browser.
 */
import {existsSync, readFileSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {root} from '../../js/lib/model.mjs';

export const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];

/** Three digits, for a file that people read. */
const short = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

/** @param {string} part @param {string} browser its version @param {object} figures */
export function save(part, browser, figures) {
    const path = join(root, 'docs/bench.json');
    const all = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
    all[part] = {
        date: new Date().toISOString().slice(0, 10),
        cpu: cpus()[0].model,
        cores: cpus().length,
        chromium: browser,
        ...figures,
    };
    // numbers of a list stay on a line
    const lines = JSON.stringify(all, short, 1).replace(/\n\s+(?=[^\s"{[}\]]|\})/g, '');
    writeFileSync(path, `${lines}\n`);
}
