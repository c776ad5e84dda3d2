/* merge - one file in place of the many small ones that esbuild's splitting makes of what a page
 * imports at once: each would be a request of its own before the page can begin. esbuild cannot be
 * told which chunks belong together; its splitting alone gives the page 26 files of 50.5 kB gzipped
 * in place of 5 of 44.7 kB (English, November 2026). What is fetched later imports from that file,
 * under a name that changes with it, so that no cache mixes two builds. Works on esbuild's minified
 * output and its metafile, which is kept true for the budgets.
 */
import {readFile, rm, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {build} from 'esbuild';
import {sha256} from './bundle.mjs';

const IMPORT = /\b(import|export)\s*(?:(\{[^}]*\})\s*from)?\s*"\.\/(chunk-\w+\.js)"/g;

/** The chunks that an output imports at once, and those import. @param {string} entry
 * @param {object} outputs */
function chunksOf(entry, outputs) {
    const found = new Set([entry]);
    for (const path of found) {
        for (const {path: next, kind} of outputs[path].imports)
            if (kind === 'import-statement') found.add(next);
    }
    return [...found].filter(path => path !== entry);
}

const DIGITS = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** What chunk number i exports as `name` is called this in the merged file: one character more, not
 * `_` and a number, is 70 bytes less of the page. esbuild stops where two were called the same. */
const renamed = (i, name) => `${name}${DIGITS[i] ?? `_${i}`}`;

/** All chunks as one module; what it fetches later stays as it is. @param {string[]} chunks
 * @param {object} outputs */
async function joined(chunks, outputs, outfile) {
    const lines = chunks.map(
        (path, i) =>
            `export {${outputs[path].exports.map(name => `${name} as ${renamed(i, name)}`)}} from './${basename(path)}';`,
    );
    const later = {
        name: 'later',
        setup: ({onResolve}) =>
            onResolve({filter: /^\.\//}, ({kind, path}) =>
                kind === 'dynamic-import' ? {path, external: true} : undefined,
            ),
    };
    await build({
        stdin: {contents: lines.join('\n'), resolveDir: dirname(outfile)},
        outfile,
        bundle: true,
        format: 'esm',
        minify: true,
        target: 'es2022',
        sourcemap: true,
        logLevel: 'warning',
        plugins: [later],
    });
}

/** The names of an import or export list, as they are in the merged file.
 * @param {string} list `{a as b,c}` @param {number} i */
const relisted = (list, i) =>
    `{${list
        .slice(1, -1)
        .split(',')
        .filter(Boolean)
        .map(part => {
            const [name, as = name] = part.trim().split(/\s+as\s+/);
            return `${renamed(i, name)} as ${as}`;
        })}}`;

/** The scripts that import one of the chunks, or one that does, at once or later: what stands in
 * them changes.
 * @param {string[]} chunks @param {string[]} scripts @param {object} outputs */
function changedBy(chunks, scripts, outputs) {
    const changed = new Set(chunks);
    for (let size = 0; size < changed.size;) {
        size = changed.size;
        for (const path of scripts)
            if (outputs[path].imports.some(({path: to}) => changed.has(to))) changed.add(path);
    }
    return scripts.filter(path => changed.has(path));
}

/** Merges what `entry` imports at once. @param {{outputs: object}} metafile
 * @param {string} entry a path of an output
 * @param {string[]} fixed outputs whose names must not change */
export async function mergeChunks({outputs}, entry, fixed) {
    const folder = dirname(entry);
    const chunks = chunksOf(entry, outputs);
    const hash = sha256(chunks.join()).slice(0, 8);
    const page = join(folder, `page-${hash}.js`);
    await joined(chunks, outputs, page);
    const scripts = Object.keys(outputs).filter(
        path => path.endsWith('.js') && !chunks.includes(path),
    );
    const names = new Map(
        changedBy(chunks, scripts, outputs)
            .filter(path => !fixed.includes(path))
            .map(path => [path, path.replace(/\.js$/, `-${hash}.js`)]),
    );
    for (const path of [...scripts, page]) {
        let code = (await readFile(path, 'utf8')).replace(IMPORT, (all, word, list, chunk) => {
            const i = chunks.indexOf(join(folder, chunk));
            return i < 0
                ? all
                : `${word}${list ? `${relisted(list, i)}from` : ''}"./${basename(page)}"`;
        });
        for (const [from, to] of names)
            code = code.replaceAll(`"./${basename(from)}"`, `"./${basename(to)}"`);
        const left = path !== page && chunks.find(chunk => code.includes(basename(chunk)));
        if (left) throw new Error(`${path} still names ${left}; build/merge.mjs does not know how`);
        await rm(path);
        await writeFile(names.get(path) ?? path, code);
    }
    for (const path of chunks) await Promise.all([rm(path), rm(`${path}.map`)]);
    update(outputs, chunks, page, names);
}

/** @param {object} outputs @param {string[]} chunks @param {string} page
 * @param {Map<string, string>} names */
function update(outputs, chunks, page, names) {
    const dynamic = chunks
        .flatMap(path => outputs[path].imports)
        .filter(({kind}) => kind === 'dynamic-import');
    for (const path of chunks) delete outputs[path];
    outputs[page] = {imports: dynamic, exports: []};
    for (const [from, to] of names) {
        outputs[to] = outputs[from];
        delete outputs[from];
    }
    for (const output of Object.values(outputs)) {
        for (const one of output.imports ?? [])
            one.path = chunks.includes(one.path) ? page : (names.get(one.path) ?? one.path);
    }
}
