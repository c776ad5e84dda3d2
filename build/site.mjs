#!/usr/bin/env node
/* site - makes the folder that any static host can serve: node build/site.mjs [build/out/site]. The
 * page bundled by esbuild, the worker, headlight.wasm and the models. All addresses in it are
 * relative. Says the gzipped sizes and fails above the budget. It is made beside the folder and takes
 * its place at the end, so that a site that cannot be made leaves the one before.
 */
import {createHash} from 'node:crypto';
import {cp, mkdir, readdir, readFile, rename, rm, stat, writeFile} from 'node:fs/promises';
import {basename} from 'node:path';
import {brotliCompressSync, gzipSync} from 'node:zlib';
import {transform} from 'esbuild';
import {STYLE} from '../web/element/style.js';
import {LANGUAGES} from '../web/words/languages.js';
import {codeForScript} from '../web/save/texts.js';
import {
    BUILD,
    ALL_WASM,
    bundle,
    bundleText,
    DEV,
    PAGE_WASM,
    SAVED,
    FULL_THREADS_WASM,
    FULL_WASM,
    squeeze,
    squeezed,
    TWO_WASM,
    WASM,
    WHOLE_WASM,
} from './bundle.mjs';
import {judged} from './budget.mjs';
import {openModel} from './figure.mjs';
import {patternsOf} from './first.mjs';
import {noticesText} from './notices.mjs';
import {makePrecomputed} from './precomputed.mjs';
import {writeGallery} from './gallery.mjs';
import {mergeChunks} from './merge.mjs';
import {makeInstallable} from './pwa.mjs';

/** Of indexes knows worker-full.js alone. */
const PAGE = {define: {HEADLIGHT_INDEXES: 'false'}};

const TARGET = (process.argv[2] ?? 'build/out/site').replace(/\/+$/, '');
if (TARGET.startsWith('-'))
    throw new Error(`site: ${TARGET} is no folder; usage: node build/site.mjs [FOLDER]`);
const SITE = `${TARGET}.new`;
const PUBLISHED = 'build/out/published';
const KB = 1000;
const PACK = {gzip: body => gzipSync(body, {level: 9}), brotli: body => brotliCompressSync(body)};
const COPIES = [
    {from: 'web/style.css', to: 'style.css'},
    {from: 'web/studies/study.css', to: 'study.css'},
    {from: 'web/embed.html', to: 'embed.html'},
    {from: 'web/embed.css', to: 'embed.css'},
    {from: 'web/lesson.css', to: 'lesson.css'},
    ...ALL_WASM.map(from => ({from, to: basename(from)})),
    {from: 'web/manifest.webmanifest', to: 'manifest.webmanifest'},
    {from: 'web/icons', to: 'icons'},
    {from: 'models', to: 'models'},
    {from: 'corpora', to: 'corpora'},
    {from: 'LICENSE', to: 'LICENSE'},
];
/** Where each language's words of the page begin. */
const PAGE_WORDS = LANGUAGES.map(({code}) => `web/words/${code}/page.js`);
const BUDGETS = [
    // WebAssembly: a visit fetches one of the page's, a study one of the whole ones. Those have 4 kB more since they
    // read CSV and JSON lines, and ask about tables that they once took for lines. The file with everything is
    // fetched by a press alone, and has the interventions; 6 kB more since it splits logits (measure/direct.c).
    ...PAGE_WASM.map(file => ({name: 'WebAssembly', files: [basename(file)], limit: 124 * KB})),
    ...WHOLE_WASM.map(file => ({name: 'with studies', files: [basename(file)], limit: 184 * KB})),
    ...[...FULL_WASM, ...FULL_THREADS_WASM].map(file => ({
        ...{name: 'with everything', files: [basename(file)], limit: 236 * KB},
    })),
    ...TWO_WASM.map(file => ({name: 'two stacks', files: [basename(file)], limit: 246 * KB})),
    // With what stands in the page, what main.js imports at once, and the words of one language. 67 since late answers
    // leave what was chosen meanwhile, and texts under a browser's translation follow: both must be there from the start.
    ...PAGE_WORDS.map(alsoFrom => ({
        name: 'page JavaScript',
        inPage: true,
        files: ['main.js', 'worker.js'],
        alsoFrom,
        limit: 67 * KB,
    })),
    // All that <head-light> fetches before a press, all languages included.
    {name: 'element', files: ['element.js'], packed: 'brotli', limit: 22 * KB},
];

/** @param {string} code as in a Content-Security-Policy */
const hashOf = code => `sha256-${createHash('sha256').update(code).digest('base64')}`;

async function copy({from, to}) {
    if (!(await stat(from).catch(() => null)))
        throw new Error(`${from} is missing; it is part of the site`);
    // models/train is the recipe, not a model
    const filter = path => !path.endsWith('models/train');
    await cp(from, `${SITE}/${to}`, {recursive: true, filter});
    if (to.endsWith('.css')) await bundle({entryPoints: [from], outfile: `${SITE}/${to}`});
}

/** The attention of published models, where it was made (published.mjs); else a list of none, so that the
 * page asks for nothing that is not there. */
async function placePublished() {
    await mkdir(`${SITE}/published`);
    if (await stat(`${PUBLISHED}/index.json`).catch(() => null))
        await cp(PUBLISHED, `${SITE}/published`, {recursive: true});
    else await writeFile(`${SITE}/published/index.json`, '[]');
}

/** The menu must name folders that are there: a broken entry would show only on someone's page. */
async function checkMenu() {
    const menu = JSON.parse(await readFile('models/index.json', 'utf8'));
    for (const {id, url, files, bytes} of menu) {
        let size = 0;
        for (const file of files) size += (await stat(`${SITE}/${url}${file}`)).size;
        if (size !== bytes)
            throw new Error(
                `models/index.json says ${bytes} bytes for ${id}, its files have ${size}`,
            );
    }
    return menu;
}

/** Hints, so that what the scripts will ask for one after the other is asked for at once: the menu,
 * all that main.js imports, and what every language imports. What only one language needs stands
 * there with its code, without effect until web/app/boot.js knows that it will be read. `./` keeps the
 * addresses as the scripts have them (pwa.mjs stamps others). */
function hints(outputs) {
    const words = PAGE_WORDS.map(alsoFrom => withImports({files: [], alsoFrom}, outputs));
    const common = words[0].filter(file => words.every(files => files.includes(file)));
    const all = new Set([...withImports({files: ['main.js']}, outputs).slice(1), ...common]);
    const link = (file, more) => `<link ${more} href="./${file}">`;
    return [
        '<link rel="preload" href="./models/index.json" as="fetch" crossorigin>',
        ...[...all].map(file => link(file, 'rel="modulepreload"')),
        ...LANGUAGES.flatMap(({code}, i) =>
            words[i]
                .filter(file => !all.has(file))
                .map(file => link(file, `rel="words" hreflang="${code}"`)),
        ),
    ].join('\n');
}

/** lesson.html: the page with its own sheet and script over it, without the figure of a visit and what tells
 * others of the page. @param {string} page */
const lessonPage = page =>
    page
        .replace('<html ', '<html data-lesson ')
        .replace(/<script type="application\/json" id="first-figure">.*?<\/script>/s, '')
        .replace(/<(?:meta (?:property|name="description")|link rel="manifest").*>\n/g, '')
        .replace(
            '<script type="module" src="main.js">',
            '<meta name="robots" content="noindex">\n<link rel="stylesheet" href="lesson.css">\n' +
                '<script type="module" src="lesson.js"></script>\n$&',
        );

/** The page with the figure that a visit begins with, and its pictures beside it.
 * @param {object[]} menu @param {object} outputs of esbuild
 * @param {string} boot the script that stands in it */
async function writePage(menu, outputs, boot) {
    const {json, pictures, entrances, alt, begin, given} = await makePrecomputed(menu[0]);
    const figures = given.map(({texts}, i) => ({texts, url: `first/${menu[0].id}-${i}.json`}));
    const models = [];
    for (const entry of menu) {
        const reads = entry.languages?.includes('en'); // as the text of the patterns is
        const patterns = reads ? await patternsOf(await openModel(entry.url, WASM)) : undefined;
        models.push({...entry, patterns, ...(entry === menu[0] && {begin, figures})});
    }
    await writeFile(`${SITE}/models/index.json`, JSON.stringify(models));
    const [, width, height] = /width="(\d+)" height="(\d+)"/.exec(pictures.light);
    const parts = {
        "script-src 'self'": `script-src 'self' '${hashOf(boot)}'`,
        '<!--boot-->': `<script type="module" async>${boot}</script>\n${hints(outputs)}`,
        '<!--first-figure-->': `<script type="application/json" id="first-figure">${json}</script>`,
        '<!--first-picture-->':
            '<picture><source srcset="first-dark.svg" media="(prefers-color-scheme: dark)">' +
            `<img src="first-light.svg" width="${width}" height="${height}" alt="${alt.replaceAll('"', '&quot;')}"></picture>`,
    };
    let page = await readFile('web/index.html', 'utf8');
    for (const [mark, part] of Object.entries(parts)) {
        if (!page.includes(mark)) throw new Error(`web/index.html has no ${mark}`);
        page = page.replace(mark, () => part);
    }
    await writeFile(`${SITE}/index.html`, page);
    await writeFile(`${SITE}/lesson.html`, lessonPage(page));
    for (const [theme, picture] of Object.entries(pictures))
        await writeFile(`${SITE}/first-${theme}.svg`, picture);
    await mkdir(`${SITE}/first`, {recursive: true});
    for (const [i, {url}] of figures.entries()) await writeFile(`${SITE}/${url}`, given[i].json);
    for (const [name, picture] of entrances) await writeFile(`${SITE}/${name}`, picture);
}

/** The files, the chunk made from `alsoFrom`, and all that they import at once; views fetched later
 * do not count. */
function withImports({files, alsoFrom}, outputs) {
    const chunk = Object.keys(outputs).find(
        path => alsoFrom && outputs[path].entryPoint === alsoFrom,
    );
    const all = new Set(chunk ? [...files, chunk.slice(SITE.length + 1)] : files);
    for (const file of all) {
        for (const {path, kind} of outputs[`${SITE}/${file}`]?.imports ?? []) {
            if (kind === 'import-statement') all.add(path.slice(SITE.length + 1));
        }
    }
    return [...all];
}

async function checkBudget({name, limit, packed = 'gzip', inPage = false, ...what}, outputs, boot) {
    const files = withImports(what, outputs);
    const bodies = await Promise.all(files.map(file => readFile(`${SITE}/${file}`)));
    if (inPage) bodies.push(Buffer.from(boot));
    const size = bodies.reduce((sum, body) => sum + PACK[packed](body).length, 0);
    const shown = (size / KB).toFixed(1).padStart(7);
    console.log(
        `${name.padEnd(16)} ${shown} kB with ${packed} of ${limit / KB} kB (${files.join(', ')})` +
            (size > limit ? `: ${size - limit} bytes too many` : ''),
    );
    return size / limit;
}

/** <head-light>: one file without static imports, so that it can be pinned; what it fetches by a
 * press is element-run.js of the build above. And the worker as a classic script, which frames
 * without an origin of their own can start; and the one of a thread. */
async function buildElement() {
    const later = {
        name: 'later',
        setup({onResolve, onLoad}) {
            // its style sheet is text to esbuild, so it is minified here
            onLoad({filter: /element\/style\.js$/}, async ({path}) => {
                const {code} = await transform(STYLE, {loader: 'css', minify: true});
                const text = await readFile(path, 'utf8');
                return {contents: text.replace(/`[^]*`/, () => JSON.stringify(code.trim()))};
            });
            onResolve({filter: /^\.\/(run|odd|own|dismiss)\.js$/}, ({path}) => ({
                path: `./element-${path.slice(2)}`,
                external: true,
            }));
        },
    };
    await bundle({
        entryPoints: ['web/element.js'],
        outfile: `${SITE}/element.js`,
        define: {HEADLIGHT_FILES: 'false'},
        format: 'esm',
        plugins: [later],
    });
    for (const part of ['element/odd', 'element/own', 'shell/dismiss'])
        await bundle({
            entryPoints: [`web/${part}.js`],
            outfile: `${SITE}/element-${basename(part)}.js`,
            format: 'esm',
            external: ['./data/*.json'], // lessons, of which only the names are needed
        });
    for (const [name, defined] of [
        ['worker-classic', PAGE],
        ['worker-full-classic', {}], // of models of two stacks
    ])
        await bundle({
            entryPoints: ['web/worker/worker.js'],
            outfile: `${SITE}/${name}.js`,
            ...defined,
            format: 'iife',
        });
    await bundle({
        entryPoints: ['web/worker/helper.js'],
        outfile: `${SITE}/helper.js`,
        format: 'esm',
    });
    for (const name of ['embed', 'lesson'])
        await bundle({
            entryPoints: [`web/${name}.js`],
            outfile: `${SITE}/${name}.js`,
            format: 'esm',
        });
}

/** In one file, since what it would import would be asked for later; but for what only a model of the
 * hub needs. */
async function buildWorker() {
    const later = {
        name: 'later',
        setup: ({onResolve}) =>
            onResolve({filter: /^\.\/hub_place\.js$/}, ({kind}) => ({
                path: `./worker-hub.js?v=${BUILD}`,
                external: kind === 'dynamic-import',
            })),
    };
    for (const [name, defined] of [
        ['worker', PAGE],
        ['worker-full', {}],
    ])
        await bundle({
            entryPoints: ['web/worker/worker.js'],
            outfile: `${SITE}/${name}.js`,
            ...defined,
            format: 'esm',
            sourcemap: true,
            plugins: [later],
        });
    await bundle({
        entryPoints: ['web/files/hub_place.js'],
        outfile: `${SITE}/worker-hub.js`,
        format: 'esm',
    });
}

async function main() {
    await rm(SITE, {recursive: true, force: true});
    await mkdir(SITE, {recursive: true});
    const {metafile} = await bundle({
        entryPoints: [
            {in: 'web/main.js', out: 'main'},
            {in: 'web/element/run.js', out: 'element-run'},
        ],
        outdir: SITE,
        ...PAGE,
        splitting: true,
        metafile: true,
        format: 'esm',
        sourcemap: true,
    });
    await mergeChunks(
        metafile,
        `${SITE}/main.js`,
        ['main', 'element-run'].map(name => `${SITE}/${name}.js`),
    );
    await buildWorker();
    await buildElement();
    // Before saved.js: who saves a page waits for no network, and it is the longest.
    for (const name of await readdir(SITE))
        if (name.endsWith('.js')) await squeeze(`${SITE}/${name}`);
    // The script of saved pages: one file without imports, fetched when a page is saved and written
    // into it.
    await bundle({...SAVED, outfile: `${SITE}/saved.js`, format: 'iife'});
    for (const row of COPIES) await copy(row);
    await writeFile(`${SITE}/NOTICES.txt`, await noticesText());
    await placePublished();
    const menu = await checkMenu();
    const boot = codeForScript(await squeezed(await bundleText('web/boot.js', 'esm')));
    await writePage(menu, metafile.outputs, boot);
    await writeGallery(SITE, `${SITE}/headlight.wasm`);
    await makeInstallable(SITE, menu);
    const shares = [];
    for (const budget of BUDGETS) shares.push(await checkBudget(budget, metafile.outputs, boot));
    const {said, refused} = judged(Math.max(...shares), Boolean(process.env.CI));
    if (refused && !DEV) throw new Error(said);
    if (said) console.warn(`site: ${said}`);
    await rm(TARGET, {recursive: true, force: true});
    await rename(SITE, TARGET);
    console.log(`${TARGET} is ready; make run shows it`);
}

await main().catch(async error => {
    await rm(SITE, {recursive: true, force: true});
    const before = (await stat(TARGET).catch(() => null)) ? `; ${TARGET} is as it was before` : '';
    console.error(`site: ${error.message}${before}`);
    process.exit(1);
});
