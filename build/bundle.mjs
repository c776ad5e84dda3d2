/* bundle - what all builds of the page share: esbuild's settings, and the name of the build, a hash
 * of everything that goes into it, which the bundles carry (web/core/build.js).
 */
import {createHash} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readdir, readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {build} from 'esbuild';

export const WASM = 'build/out/wasm/headlight.wasm';
export const RELAXED = 'build/out/wasm/headlight-relaxed.wasm';
/** It takes clang 19, which not every system has. */
export const HAS_RELAXED = existsSync(RELAXED);
const threaded = (/** @type {string} */ path) => path.replace('.wasm', '-threads.wasm');
/** All that a site has: one for a thread, one for several, of each kind. */
export const ALL_WASM = [WASM, ...(HAS_RELAXED ? [RELAXED] : [])].flatMap(path => [
    path,
    threaded(path),
]);
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

/** @param {import('esbuild').BuildOptions} options */
export const bundle = options =>
    build({
        bundle: true,
        target: 'es2022',
        charset: 'utf8', // Chinese escaped is twice as long
        minify: true,
        logLevel: 'warning',
        ...options,
        define: {
            HEADLIGHT_BUILD: JSON.stringify(BUILD),
            HEADLIGHT_RELAXED: JSON.stringify(HAS_RELAXED),
            ...options.define,
        },
    });

/** The script of saved pages, without the words of studies and lessons: it never asks for them. */
export const SAVED = {entryPoints: ['web/ui/saved.js'], external: ['*/studies.js', '*/lessons.js']};

/** The bundle of one entry as text. @param {string} entry @param {'esm' | 'iife'} format
 * @param {import('esbuild').BuildOptions} [more] */
export async function bundleText(entry, format, more) {
    const {outputFiles} = await bundle({entryPoints: [entry], format, write: false, ...more});
    return outputFiles[0].text;
}
