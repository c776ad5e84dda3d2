#!/usr/bin/env node
/* offline - makes build/out/headlight.html: the whole page, headlight-two.wasm, mini2-en (which it begins
 * with: most lessons are of it, and the site's first would be 16 MB more) and mini-en (of which the other
 * lessons and links of version 1 are) in one file that works from the disk
 * and makes no request; its policy forbids any. What stands between the two marks is the models:
 * `headlight bundle` (src/cli/ bundle.c) writes that part anew with one model, in the same form.
 */
import {createHash} from 'node:crypto';
import {mkdir, readFile, writeFile} from 'node:fs/promises';
import {codeForScript, jsonForScript} from '../web/save/texts.js';
import {bundleText, filesBelow, SAVED, styleText, TWO_WASM} from './bundle.mjs';
import {openModel} from './figure.mjs';
import {commentOf, noticesText} from './notices.mjs';
import {beginOf} from './first.mjs';

const OUT = 'build/out/headlight.html';
const [WASM] = TWO_WASM; // one file for the page, its studies, its indexes and any model that a bundle may have
const PIECE = 3 << 20; // bytes in one element, divisible by 3: a browser decodes them one by one
const MODELS = ['mini2-en', 'mini-en']; // the page begins with the first
const FILES = ['config.json', 'tokenizer_config.json', 'vocab.txt', 'model.safetensors'];

/** @param {string} name @param {Uint8Array} bytes */
function elements(name, bytes) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += PIECE) {
        pieces.push(
            `<script type="text/plain" data-file="${name}">${Buffer.from(bytes.subarray(at, at + PIECE)).toString('base64')}</script>`,
        );
    }
    return pieces.join('\n');
}

const hashOf = text => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

async function modelPart() {
    const parts = await Promise.all(
        MODELS.flatMap((name, i) =>
            FILES.map(async file =>
                elements(
                    `${i ? `${name}/` : 'model/'}${file}`,
                    await readFile(`models/${name}/${file}`),
                ),
            ),
        ),
    );
    // a licence that is not Headlight's own goes with its model, as text that can be read
    const licences = await Promise.all(
        MODELS.map(name => readFile(`models/${name}/LICENSE`, 'utf8').catch(() => '')),
    );
    const [name, ...others] = MODELS;
    const begin = await beginOf(await openModel(`models/${name}`, WASM));
    return [
        '<!--model-->',
        `<script type="application/json" data-file="model.json">${jsonForScript({name, files: FILES, begin, others})}</script>`,
        ...licences.flatMap((text, i) =>
            text ? commentOf(`The model ${MODELS[i]} is under this licence:\n\n${text}`) : [],
        ),
        ...parts,
        '<!--/model-->',
    ].join('\n');
}

function page({style, script, parts, notices}) {
    const policy =
        `default-src 'none'; script-src ${hashOf(script)} 'wasm-unsafe-eval'; style-src ${hashOf(style)}; ` +
        "img-src data: blob:; worker-src blob:; connect-src 'none'; base-uri 'none'; form-action 'none'";
    return `<!doctype html>
${notices}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="color-scheme" content="light dark">
<title>Headlight: see what BERT’s attention heads do</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<div id="app"><main><p>Headlight … 正在打开 …</p></main></div>
<noscript>Headlight needs JavaScript and WebAssembly, because the model runs in this page.</noscript>
${parts.join('\n')}
<script type="module">${script}</script>
</body>
</html>
`;
}

const [script, worker, saved, wasm, model, ...styles] = await Promise.all([
    bundleText('web/offline.js', 'esm'),
    bundleText('web/worker/worker.js', 'iife'),
    bundleText('web/save/saved.js', 'iife', SAVED),
    readFile(WASM),
    modelPart(),
    styleText(),
    styleText('web/studies/study.css'),
]);
const style = styles.join('\n');
if (/<\/style/i.test(style)) throw new Error('offline: the sheets must not contain </style');
const corpora = (await filesBelow('corpora')).filter(file => !file.endsWith('.md'));
const parts = [
    elements('headlight.wasm', wasm),
    elements('worker.js', Buffer.from(worker)),
    elements('saved.js', Buffer.from(saved)),
    elements('published/index.json', Buffer.from('[]')), // it may ask for no file
    ...(await Promise.all(corpora.map(async file => elements(file, await readFile(file))))),
    model,
];
await mkdir('build/out', {recursive: true});
const html = page({
    style,
    script: codeForScript(script),
    parts,
    notices: commentOf(`${await readFile('LICENSE', 'utf8')}\n${await noticesText()}`),
});
await writeFile(OUT, html);
console.log(
    `${OUT} is ready (${(Buffer.byteLength(html) / 1e6).toFixed(1)} MB); open it from the disk`,
);
