/* notices - the licences of what others wrote and what stands in the bundles: every package that web/package.json
 * depends on, and what those depend on, with its text; and of what a compiler and build/unicode_data.c put into each
 * .wasm file. Goes into the npm package, the wheel, the site and headlight.html, as the licences ask. What only builds
 * or tests is in no product.
 */
import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {dirname, join, resolve} from 'node:path';

/** @param {string} path */
const readJson = async path => JSON.parse(await readFile(path, 'utf8'));

/** The folder of a package, as an import from `from` finds it. @param {string} name @param {string} from */
function folderOf(name, from) {
    for (let at = from; ; at = dirname(at)) {
        const folder = join(at, 'node_modules', name);
        if (existsSync(folder)) return folder;
        if (at === dirname(at)) throw new Error(`notices: ${name} is not installed; npm ci`);
    }
}

/** @param {string} name of a package @param {string} from where it is imported @param {Map<string, string>} found */
async function collect(name, from, found) {
    if (found.has(name)) return;
    const folder = folderOf(name, from);
    const {version, license, dependencies = {}} = await readJson(`${folder}/package.json`);
    const file = (await readdir(folder)).find(one => /^licen[cs]e/i.test(one));
    if (!file) throw new Error(`notices: ${name} has no licence in ${folder}`);
    const text = await readFile(`${folder}/${file}`, 'utf8');
    found.set(name, `${name} ${version} (${license})\n\n${text.trim()}\n`);
    for (const one of Object.keys(dependencies)) await collect(one, folder, found);
}

/** What stands in headlight*.wasm (the tables of characters also in the command line), and its text in build/licences.
 * compiler-rt asks for none (LLVM's exception), dlmalloc is in the public domain. */
const IN_WASM = {
    emscripten: "Emscripten's runtime (MIT)",
    musl: "musl, Emscripten's C library (MIT)",
    unicode: 'Unicode data, from which the tables of characters are made (Unicode-3.0)',
    utf8proc: 'utf8proc, by which they are made (MIT)',
};

/** @returns {Promise<string>} */
export async function noticesText() {
    const found = new Map();
    for (const name of Object.keys((await readJson('web/package.json')).dependencies))
        await collect(name, resolve('web'), found);
    const parts = [...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
    for (const [name, what] of Object.entries(IN_WASM))
        parts.push(`${what}\n\n${(await readFile(`build/licences/${name}.txt`, 'utf8')).trim()}\n`);
    const line = '-'.repeat(72);
    return [
        'Headlight is under the MIT licence (LICENSE). It contains, under their own licences:\n',
        ...parts,
    ].join(`\n${line}\n`);
}

/** A text as a comment of a page, which may have no two hyphens in a row. @param {string} text */
export const commentOf = text => `<!--\n${text.trim().replace(/-(?=-)/g, '- ')}\n-->`;
