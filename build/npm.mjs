#!/usr/bin/env node
/* npm - makes build/out/npm, the package `head-light`: each entry of web/ as one file without
 * imports, headlight.wasm, types. Nothing is minified: who uses a package minifies it with the
 * rest, and may want to read it. Publish with npm publish build/out/npm.
 */
import {chmod, cp, mkdir, readFile, rm, writeFile} from 'node:fs/promises';
import {
    bundle,
    bundleText,
    FULL_THREADS_WASM,
    SAVED,
    FULL_WASM,
    styleText,
    TWO_WASM,
} from './bundle.mjs';
import {npmUrls, repositoryOf} from './metadata.mjs';
import {noticesText} from './notices.mjs';
import {codeForScript} from '../web/save/texts.js';

const OUT = 'build/out/npm';
const ENTRIES = [
    {in: 'web/package/index.js', out: 'index'},
    {in: 'web/worker/worker.js', out: 'worker'},
    {in: 'web/worker/helper.js', out: 'helper'},
    {in: 'web/package/node.js', out: 'node'},
    {in: 'web/package/node_worker.js', out: 'node_worker'},
];
const COPIES = {
    [FULL_WASM[0]]: 'headlight.wasm',
    [FULL_THREADS_WASM[0]]: 'headlight-threads.wasm',
    [TWO_WASM[0]]: 'headlight-two.wasm',
    'web/package/head-light.d.ts': 'head-light.d.ts',
    'web/package/head-light-element.d.ts': 'head-light-element.d.ts',
    'web/save/saved.schema.json': 'saved.schema.json',
    'web/README.md': 'README.md',
    LICENSE: 'LICENSE',
};

await rm(OUT, {recursive: true, force: true});
await mkdir(OUT, {recursive: true});
await bundle({
    entryPoints: ENTRIES,
    outdir: OUT,
    format: 'esm',
    minify: false,
    external: ['node:*'],
});
for (const [from, to] of Object.entries(COPIES)) await cp(from, `${OUT}/${to}`);
await writeFile(`${OUT}/NOTICES.txt`, await noticesText());
// the command, and the script of the pages that it writes: neither asks for the words of studies and
// lessons, which are half of all
const external = ['node:*', ...SAVED.external];
await bundle({entryPoints: ['web/package/figure.js'], outdir: OUT, format: 'esm', external});
const command = await readFile(`${OUT}/figure.js`, 'utf8');
await writeFile(`${OUT}/figure.js`, `#!/usr/bin/env node\n${command}`);
await chmod(`${OUT}/figure.js`, 0o755);
await writeFile(`${OUT}/style.css`, await styleText('web/style.css', {minify: false}));
const saved = await bundleText(SAVED.entryPoints[0], 'iife', {external: SAVED.external});
await writeFile(`${OUT}/saved.js`, codeForScript(saved));
// those are in the files, or not used
const inPackage = (await readFile('web/package.json', 'utf8')).replaceAll('./package/', './');
const {dependencies, ...own} = JSON.parse(inPackage);
const manifest = {...own, ...npmUrls(repositoryOf())};
await writeFile(`${OUT}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`);
console.log(`${OUT} is ready: head-light ${manifest.version}`);
