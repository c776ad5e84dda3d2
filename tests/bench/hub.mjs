/* hub - loading a random BERT-base (440 MB, F32) in Chromium from a hub on this machine, through the
 * page's question: seconds and rate until all of it is there, seconds until the heads of the first
 * layers are drawn, the wasm's memory and the greatest
 * resident memory of the page's process against the int8 weights; then seconds of a second visit,
 * from the copy that was kept, with the hub gone. `node tests/bench/hub.mjs`, on the built site.
 */
import {execFileSync} from 'node:child_process';
import {
    cpSync,
    existsSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {HUB} from '../../web/base/model_names.js';
import {startSite} from '../browser/page.mjs';
import {startHub} from '../js/lib/hub.mjs';
import {headlight, root} from '../js/lib/model.mjs';
import {writeRandomModel} from './random_model.mjs';

const out = join(root, 'build/out/bench');
const MB = 1e6;

/** The files of a random BERT-base in F32. */
function baseFiles() {
    const [base, folder] = [join(out, 'base'), join(out, 'base-f32')];
    const shape = {layers: 12, heads: 12, hidden: 768, inner: 3072, vocab: 30522, positions: 512};
    writeRandomModel(base, shape);
    if (!existsSync(join(folder, 'model.safetensors')))
        execFileSync(headlight, ['convert', base, folder, '--store', 'f32']);
    const names = ['config.json', 'vocab.txt', 'model.safetensors'];
    const files = Object.fromEntries(names.map(name => [name, readFileSync(join(folder, name))]));
    return {...files, 'model.safetensors': byName(files['model.safetensors'])};
}

/** The tensors in the order of their names, as published files have them; convert has another.
 * @param {Buffer} file */
function byName(file) {
    const begin = 8 + Number(file.readBigUInt64LE(0));
    const table = JSON.parse(file.subarray(8, begin).toString());
    const names = Object.keys(table)
        .filter(name => name !== '__metadata__')
        .sort();
    let at = 0;
    const parts = names.map(name => {
        const [from, to] = table[name].data_offsets;
        table[name].data_offsets = [at, (at += to - from)];
        return file.subarray(begin + from, begin + to);
    });
    const header = Buffer.from(JSON.stringify(table));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(header.length));
    return Buffer.concat([length, header, ...parts]);
}

/** Put before the worker's script: the wasm's memory when a model was ready. */
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

/** A copy of the site that knows this hub. */
function siteWith(address) {
    const copy = mkdtempSync(join(tmpdir(), 'headlight-site-'));
    cpSync(join(root, 'build/out/site'), copy, {recursive: true});
    for (const name of readdirSync(copy).filter(file => file.endsWith('.js'))) {
        const text = readFileSync(join(copy, name), 'utf8').replaceAll(HUB, address);
        writeFileSync(join(copy, name), name === 'worker.js' ? HOOK + text : text);
    }
    return copy;
}

/** Greatest resident bytes of any page's process. */
async function resident(page) {
    const session = await page.context().browser().newBrowserCDPSession();
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    const peaks = processInfo
        .filter(({type}) => type === 'renderer')
        .map(({id}) => /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]);
    return Math.max(...peaks.map(Number)) * 1024;
}

const files = baseFiles();
const hub = await startHub({'org/base': {files}});
const copy = siteWith(hub.url);
const site = await startSite(copy);
const page = await site.open({hash: '#v=2&model=org%2Fbase&text=Cats+sleep.', ready: false});
const yes = page.locator('.question .main');
await yes.waitFor();
const plain = await resident(page);
let start = performance.now();
await yes.click();
await page.waitForSelector('.below', {state: 'attached', timeout: 300000});
const early = (performance.now() - start) / 1000;
await page.waitForSelector('.progress', {state: 'detached', timeout: 300000});
const seconds = (performance.now() - start) / 1000;
const ready = await page
    .workers()
    .find(worker => worker.url().includes('/worker.js'))
    .evaluate(() => self.ready);
const peak = await resident(page);
start = performance.now();
await page.getByText('A copy is kept in this browser').waitFor({timeout: 300000});
const keeping = (performance.now() - start) / 1000;
hub.close();
start = performance.now();
await page.reload();
await page.waitForSelector('.below', {state: 'attached', timeout: 60000});
await page.waitForSelector('.progress', {state: 'detached', timeout: 60000});
const again = (performance.now() - start) / 1000;
const from = await page.locator('.status .origin').textContent();
const bytes = files['model.safetensors'].length;
console.log(
    [
        `download ${(bytes / MB).toFixed(0)} MB: ${seconds.toFixed(1)} s, ${(bytes / MB / seconds).toFixed(0)} MB/s; heads of the first layer after ${early.toFixed(1)} s`,
        `int8 weights ${(ready.weights / MB).toFixed(0)} MB, wasm memory ${(ready.memory / MB).toFixed(0)} MB`,
        `page's process: ${(plain / MB).toFixed(0)} MB before, greatest ${(peak / MB).toFixed(0)} MB`,
        `kept ${keeping.toFixed(1)} s after the figure; second visit, without the hub: ${again.toFixed(2)} s (${from})`,
    ].join('\n'),
);
await site.close();
rmSync(copy, {recursive: true});
