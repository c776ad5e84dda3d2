/* load_memory - memory that loading a model takes in Chromium: the wasm's when the model is ready
 * against its weights, the greatest resident memory of the page's process until then, and the rate.
 * Models: the shipped one, a random BERT-base as int8, and as F32 that becomes int8 while it streams
 * in, and one of the shape of SmolLM2-135M as BF16; the shipped one first, as what a page takes at
 * least. A new browser each, the built site with these models. `node tests/bench/load_memory.mjs`
 *
 * What the process takes beyond the weights is not the wasm's, which holds a few MB more than they
 * take: it is chunks of the stream that V8 has not collected yet. Of a BERT-base as F32, 105 MB went
 * when collection was forced every 40 ms, and 38 MB more without the Cache API, to which files of a
 * site are written while they are read (November 2026; those of the hub are not).
 */
import {execFileSync} from 'node:child_process';
import {
    cpSync,
    existsSync,
    mkdirSync,
    readFileSync,
    rmSync,
    statSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../browser/page.mjs';
import {headlight, root} from '../js/lib/model.mjs';
import {writeRandomLlama, writeRandomModel} from './random_model.mjs';

const out = join(root, 'build/out/bench'),
    site = join(out, 'load_memory');
const FILES = ['config.json', 'vocab.txt', 'model.safetensors'];
const SMOLLM2 = {
    layers: 30,
    heads: 9,
    keyHeads: 3,
    hidden: 576,
    inner: 1536,
    vocab: 49152,
    positions: 8192,
};
const MB = 1e6;

const MODELS = ['mini-en', 'base-q8', 'base-f32', 'smollm2'];

/** @param {object[]} menu @param {string} id @param {string} folder @param {string[]} files */
function addModel(menu, id, folder, files) {
    const url = `models/${id}/`;
    mkdirSync(join(site, url));
    for (const file of files) symlinkSync(join(folder, file), join(site, url, file));
    const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    menu.push({id, url, files, bytes});
}

/** The site with the random models in its menu. */
function makeSite() {
    const base = join(out, 'base');
    writeRandomModel(base, {
        layers: 12,
        heads: 12,
        hidden: 768,
        inner: 3072,
        vocab: 30522,
        positions: 512,
    });
    rmSync(site, {recursive: true, force: true});
    cpSync(join(root, 'build/out/site'), site, {recursive: true});
    const menu = JSON.parse(readFileSync(join(site, 'models/index.json'), 'utf8'));
    for (const store of ['q8', 'f32']) {
        const folder = join(out, `base-${store}`);
        if (!existsSync(join(folder, 'model.safetensors')))
            execFileSync(headlight, ['convert', base, folder, '--store', store]);
        addModel(menu, `base-${store}`, folder, FILES);
    }
    const smollm2 = join(out, 'smollm2');
    writeRandomLlama(smollm2, SMOLLM2);
    addModel(menu, 'smollm2', smollm2, ['config.json', 'tokenizer.json', 'model.safetensors']);
    writeFileSync(join(site, 'models/index.json'), JSON.stringify(menu));
    return MODELS.map(id => menu.find(entry => entry.id === id));
}

/** Put before the worker's script: keeps the wasm's memory, and its size when a model was ready. */
const HOOK = `{
const {instantiate} = WebAssembly;
WebAssembly.instantiate = async (...args) => {
    const made = await instantiate(...args);
    self.wasmMemory = made.exports?.memory ?? args[1]?.env?.memory ?? self.wasmMemory;
    return made;
};
const post = self.postMessage.bind(self);
self.postMessage = (message, transfer) => {
    if (message.value?.weight_bytes) self.ready = {memory: wasmMemory.buffer.byteLength, weights: message.value.weight_bytes};
    post(message, transfer);
};
}
`;

async function measure(url, {id, bytes}) {
    const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
    try {
        const page = await browser.newPage({serviceWorkers: 'block'});
        await page.route('**/worker.js*', async route => {
            const answer = await route.fetch();
            await route.fulfill({response: answer, body: HOOK + (await answer.text())});
        });
        const start = performance.now();
        await page.goto(`${url}#model=${id}&text=Cats%20sleep.`);
        await page.waitForSelector('.below', {state: 'attached', timeout: 120000});
        await page.waitForSelector('.progress', {state: 'detached', timeout: 120000});
        const seconds = (performance.now() - start) / 1000;
        const ready = await page
            .workers()
            .find(worker => worker.url().includes('/worker.js'))
            .evaluate(() => self.ready);
        const {processInfo} = await (
            await browser.newBrowserCDPSession()
        ).send('SystemInfo.getProcessInfo');
        const peaks = processInfo
            .filter(({type}) => type === 'renderer')
            .map(
                one =>
                    Number(
                        /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${one.id}/status`, 'utf8'))[1],
                    ) * 1024,
            );
        return {id, file: bytes, ...ready, resident: Math.max(...peaks), rate: bytes / seconds};
    } finally {
        await browser.close();
    }
}

const models = makeSite();
const server = createStaticServer(site);
const url = `http://127.0.0.1:${await listen(server, anyPort(), () => {})}/`;
console.log(
    'model    | files, MB | weights, MB | wasm memory when ready, MB | greatest resident memory of the page, MB | MB/s from the visit on',
);
for (const model of models) {
    const {id, ...sizes} = await measure(url, model);
    console.log(
        [
            id.padEnd(8),
            ...['file', 'weights', 'memory', 'resident', 'rate'].map(key =>
                (sizes[key] / MB).toFixed(1),
            ),
        ].join(' | '),
    );
}
server.closeAllConnections();
server.close();
