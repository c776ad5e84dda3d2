#!/usr/bin/env node
/* wheel - makes build/out/wheel/head_light-<version>-py3-none-any.whl, the Python package of figures in
 * notebooks: the sources of python/, and in head_light/static what shows and computes them. `bundle.gz`
 * is four parts behind their sizes (four uint32): the script, the worker's, the page's sheet, the .wasm;
 * python/head_light/loader.js takes it apart. `figure.js` is the command of the npm package, for pictures
 * without a browser.
 */
import {createHash} from 'node:crypto';
import {execFileSync} from 'node:child_process';
import {cp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {gzipSync} from 'node:zlib';
import {headColour} from '../web/draw/colour.js';
import {views} from '../web/views/index.js';
import {repositoryOf, wheelUrls} from './metadata.mjs';
import {noticesText} from './notices.mjs';
import {
    bundle,
    bundleText,
    MENU,
    PAGE_WASM,
    SAVED,
    FULL_WASM,
    squeezed,
    styleText,
    TWO_WASM,
} from './bundle.mjs';

const OUT = 'build/out/wheel';
const STAGE = `${OUT}/stage`;
const STATIC = `${STAGE}/head_light/static`;

/** @param {Uint8Array[]} parts */
const packed = parts =>
    gzipSync(
        Buffer.concat([Buffer.from(Uint32Array.from(parts, one => one.length).buffer), ...parts]),
        {level: 9},
    );

async function scriptBundle() {
    const [script, worker, style, wasm] = await Promise.all([
        bundleText('web/notebook.js', 'esm', {external: SAVED.external}).then(squeezed),
        bundleText('web/worker/worker.js', 'iife').then(squeezed),
        styleText(),
        readFile(PAGE_WASM[0]),
    ]);
    return packed([script, worker, style].map(text => Buffer.from(text)).concat(wasm));
}

await rm(OUT, {recursive: true, force: true});
await mkdir(STATIC, {recursive: true});
await cp('python', STAGE, {
    recursive: true,
    filter: path => !/__pycache__|\.ipynb_checkpoints|tests$/.test(path),
});
const bundled = await scriptBundle();
const key = createHash('sha256').update(bundled).digest('hex').slice(0, 12);
await writeFile(`${STATIC}/bundle.gz`, bundled);
await writeFile(`${STATIC}/key`, key);
const colours = Array.from({length: 16}, (_, head) => headColour(head, 'light'));
await writeFile(`${STATIC}/colours.json`, JSON.stringify(colours));
await writeFile(`${STATIC}/menu.json`, JSON.stringify(MENU));
await writeFile(`${STATIC}/views.json`, JSON.stringify(views.map(({id}) => id)));
await cp(FULL_WASM[0], `${STATIC}/headlight.wasm`);
await cp(TWO_WASM[0], `${STATIC}/headlight-two.wasm`);
await bundle({
    entryPoints: ['web/package/figure.js', 'web/package/node_worker.js'],
    outdir: STATIC,
    format: 'esm',
    external: ['node:*', ...SAVED.external],
});
await writeFile(`${STATIC}/package.json`, '{"type": "module"}');
await writeFile(`${STAGE}/urls.json`, JSON.stringify(wheelUrls(repositoryOf())));
await cp('LICENSE', `${STAGE}/LICENSE`);
await writeFile(`${STAGE}/NOTICES.txt`, await noticesText());
const wheel = execFileSync('python3', ['build_wheel.py', '..'], {
    cwd: STAGE,
    encoding: 'utf8',
}).trim();
console.log(`${OUT}/${wheel} is ready; the bundle in a notebook has ${bundled.length} bytes`);
