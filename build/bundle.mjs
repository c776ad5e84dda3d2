/* bundle - shared by all builds of the page: esbuild's settings, the second minifier, and the name
 * of the build, a hash of everything that goes into it, which the bundles carry
 * (web/base/build.js).
 */
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readdir, readFile, writeFile} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {build} from 'esbuild';
import {minify} from 'terser';

export const WASM = 'build/out/wasm/headlight.wasm';
export const RELAXED = 'build/out/wasm/headlight-relaxed.wasm';
/** It takes clang 19, which not every system has. */
export const HAS_RELAXED = existsSync(RELAXED);
/** What the page begins with: no studies; for one thread, and for several. */
export const PAGE_WASM = [
    '-page',
    '-threads',
    ...(HAS_RELAXED ? ['-page-relaxed', '-relaxed-threads'] : []),
].map(which => WASM.replace('.wasm', `${which}.wasm`));
/** With studies, which their workers take. */
export const WHOLE_WASM = [WASM, ...(HAS_RELAXED ? [RELAXED] : [])];
/** With everything: what workers of indexes take, the page in their place where a view asks for more, and the packages. */
export const FULL_WASM = WHOLE_WASM.map(file => file.replace('headlight', 'headlight-full'));
/** The same for several threads; the package has the first. */
export const FULL_THREADS_WASM = FULL_WASM.map(file => file.replace('.wasm', '-threads.wasm'));
/** That with models of two stacks, too: fetched for such a model only. */
export const TWO_WASM = FULL_WASM.map(file => file.replace('-full', '-two'));
export const ALL_WASM = [
    ...PAGE_WASM,
    ...WHOLE_WASM,
    ...FULL_WASM,
    ...FULL_THREADS_WASM,
    ...TWO_WASM,
];
/** For build/dev.mjs: unminified, and as large as it gets. */
export const DEV = Boolean(process.env.HEADLIGHT_DEV);
const SOURCES = [
    'web',
    'models',
    'corpora',
    'build/bundle.mjs',
    'build/merge.mjs',
    'build/site.mjs',
    'package-lock.json',
    ...ALL_WASM,
];

/** @param {string | Uint8Array} bytes */
export const sha256 = bytes => createHash('sha256').update(bytes).digest('hex');

/** All files below a folder, in order; a file is itself. @param {string} path
 * @returns {Promise<string[]>} */
export async function filesBelow(path) {
    const entries = await readdir(path, {withFileTypes: true}).catch(() => null);
    if (!entries) return [path];
    const found = await Promise.all(
        entries
            .filter(({name}) => name !== 'node_modules')
            .map(({name}) => filesBelow(join(path, name))),
    );
    return found.flat().sort();
}

/** 12 hexadecimal digits. */
async function hashSources() {
    const files = (await Promise.all(SOURCES.map(filesBelow))).flat();
    const lines = await Promise.all(
        files.map(async file => `${sha256(await readFile(file))} ${file}`),
    );
    return sha256(lines.join('\n')).slice(0, 12);
}

export const BUILD = await hashSources();
const ownJson = async path => JSON.parse(await readFile(new URL(path, import.meta.url), 'utf8'));
const VERSION = (await ownJson('../web/package.json')).version;
/** The ids of the site's models, which are no names of the hub. */
export const MENU = (await ownJson('../models/index.json')).map(({id}) => id);

/** @param {import('esbuild').BuildOptions} options */
export const bundle = options =>
    build({
        bundle: true,
        target: 'es2022',
        charset: 'utf8', // Chinese escaped is twice as long
        minify: !DEV,
        logLevel: 'warning',
        ...options,
        define: {
            HEADLIGHT_BUILD: JSON.stringify(BUILD),
            HEADLIGHT_MENU: JSON.stringify(MENU),
            HEADLIGHT_RELAXED: JSON.stringify(HAS_RELAXED),
            HEADLIGHT_VERSION: JSON.stringify(VERSION),
            ...options.define,
        },
    });

/** The script of saved pages, without the words of studies and lessons: it never asks for them. */
export const SAVED = {
    entryPoints: ['web/save/saved.js'],
    external: ['*/studies.js', '*/lessons.js'],
};

/** The style of the page, and with its studies: one sheet of all those that it imports. @param {string} entry
 * @param {import('esbuild').BuildOptions} [more] */
export const styleText = (entry = 'web/style.css', more) => bundleText(entry, 'esm', more);

/** The bundle of one entry as text. @param {string} entry @param {'esm' | 'iife'} format
 * @param {import('esbuild').BuildOptions} [more] */
export async function bundleText(entry, format, more) {
    const {outputFiles} = await bundle({entryPoints: [entry], format, write: false, ...more});
    return outputFiles[0].text;
}

/** What esbuild has minified once more: packed it is 3 % smaller (element.js with brotli 22.8 kB, then
 * 22.0). Names of exports stay. @param {string} code
 * @param {import('terser').SourceMapOptions} [sourceMap] of esbuild */
const minified = (code, sourceMap) =>
    minify(code, {
        module: true,
        ecma: 2020,
        compress: {passes: 5, ecma: 2020, inline: 1, unsafe_arrows: true},
        format: {ecma: 2020},
        ...(sourceMap && {sourceMap}),
    });

/** The same of a text. @param {string} code */
export const squeezed = async code => (await minified(code)).code ?? '';

/** The same of a file, in its place, and of its map where it names one. @param {string} path */
export async function squeeze(path) {
    if (DEV) return;
    const before = await readFile(path, 'utf8');
    const [, url = ''] = /^\/\/# sourceMappingURL=(\S+)$/m.exec(before) ?? [];
    const mapFile = join(dirname(path), url);
    const {code = '', map} = await minified(
        before,
        url ? {content: await readFile(mapFile, 'utf8'), filename: basename(path), url} : undefined,
    );
    await writeFile(path, code);
    if (map) await writeFile(mapFile, String(map));
}
