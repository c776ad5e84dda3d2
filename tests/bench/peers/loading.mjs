/* loading - from navigation to the maps of the shipped model, in Chromium, from this machine: when the weights' last byte has come, when
 * the model is ready, when the first real pass is done, whether the .wasm file is compiled while weights come, and the greatest
 * resident memory of the page. The page is the built site as it is; its messages to the worker are watched. A new profile each time.
 * `node tests/bench/peers/loading.mjs [ROUNDS] [--base]`; --base: also a random BERT-base (BF16) with a text of 512 tokens.
 */
import {cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {createStaticServer, listen} from '../../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../../browser/page.mjs';
import {root} from '../../js/lib/model.mjs';
import {prepare} from './prepare.mjs';
import {median, save} from './report.mjs';

const BARS = {ready_after_last_byte: 100, first_maps: 500};
const LIMIT_MS = 60000, STEP_MS = 20;
const rounds = Number(process.argv.slice(2).find(word => !word.startsWith('--')) ?? 5);

/** In the page, before its scripts: notes when each message went to a worker and when its answer came. */
function watch() {
    const calls = window.workerCalls = [];
    window.Worker = class extends Worker {
        constructor(...args) {
            super(...args);
            this.addEventListener('message', ({data}) => {
                const call = calls.find(({id, to}) => to === this && id === data.id);
                if (call) call.end = performance.now();
            });
        }

        postMessage(message, transfer) {
            calls.push({to: this, id: message.id, op: message.op, name: message.args?.name, start: performance.now()});
            super.postMessage(message, transfer);
        }
    };
}

/** In the page: the calls and the weights' way over the network; null until the first map of a real pass is there. */
function readTimes() {
    const calls = window.workerCalls.map(({op, name, start, end}) => ({op, name, start, end}));
    if (!calls.some(({op, name, end}) => op === 'tensor' && name === 'attention' && end)) return null;
    const weights = performance.getEntriesByType('resource').filter(({name}) => name.includes('safetensors'));
    const figure = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
    return {calls, figure, from: Math.min(...weights.map(one => one.requestStart)), to: Math.max(...weights.map(one => one.responseEnd))};
}

/** Greatest resident bytes of the page's process so far. */
async function peakBytes(browser) {
    const {processInfo} = await (await browser.newBrowserCDPSession()).send('SystemInfo.getProcessInfo');
    const peak = ({id}) => Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1]) * 1024;
    return Math.max(...processInfo.filter(({type}) => type === 'renderer').map(peak));
}

async function visit(url) {
    const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
    try {
        const page = await browser.newPage({viewport: {width: 1280, height: 860}});
        await page.addInitScript(watch);
        await page.goto(url);
        let times = null;
        for (const end = Date.now() + LIMIT_MS; !times; await page.waitForTimeout(STEP_MS)) {
            times = await page.evaluate(readTimes);
            if (!times && Date.now() > end) throw new Error(`no maps after ${LIMIT_MS / 1000} s`);
        }
        const call = (op, name) => times.calls.find(one => one.op === op && (!name || one.name === name));
        const [start, loaded, run, first] = [call('start'), call('loadEnd'), call('run'), call('tensor', 'attention')];
        return {browser: browser.version(), wasm_from: start.start, wasm_to: start.end, weights_from: times.from, weights_to: times.to,
            ready_after_last_byte: loaded.end - times.to, ready: loaded.end, run: run.end - run.start, first_maps: first.end,
            first_paint: times.figure, peak_mb: await peakBytes(browser) / 2 ** 20};
    } finally {
        await browser.close();
    }
}

async function measure(url, what, times) {
    const visits = [];
    for (let i = 0; i < times; i++) visits.push(await visit(url));
    const all = key => visits.map(one => one[key]);
    const figures = Object.fromEntries(Object.keys(visits[0]).filter(key => key !== 'browser')
        .map(key => [key, {median: median(all(key)), min: Math.min(...all(key))}]));
    console.log(`${what}, ${times} visits: milliseconds after navigation (peak: MB), median and least`);
    for (const [key, {median: middle, min}] of Object.entries(figures)) {
        const bar = BARS[key] && times > 1 ? `   bar ${BARS[key]}` : '';
        console.log(`  ${key.padEnd(22)} ${middle.toFixed(0).padStart(6)} ${min.toFixed(0).padStart(6)}${bar}`);
    }
    return {figures, browser: visits[0].browser};
}

/** The built site with the random BERT-base in its menu. */
function makeSite() {
    const {folder} = prepare('base'), site = join(root, 'build/out/bench/peers/site'), files = ['config.json', 'vocab.txt', 'model.safetensors'];
    rmSync(site, {recursive: true, force: true});
    cpSync(join(root, 'build/out/site'), site, {recursive: true});
    mkdirSync(join(site, 'models/random-base'));
    for (const file of files) symlinkSync(join(root, folder, file), join(site, 'models/random-base', file));
    const menu = JSON.parse(readFileSync(join(site, 'models/index.json'), 'utf8'));
    const bytes = files.reduce((sum, file) => sum + statSync(join(root, folder, file)).size, 0);
    writeFileSync(join(site, 'models/index.json'), JSON.stringify([...menu, {id: 'random-base', url: 'models/random-base/', files, bytes}]));
    return site;
}

if (!existsSync(join(root, 'build/out/site/index.html'))) throw new Error('build/out/site is missing; make site builds it');
const base = process.argv.includes('--base');
const server = createStaticServer(base ? makeSite() : join(root, 'build/out/site'));
const url = `http://127.0.0.1:${await listen(server, 20000 + Math.floor(Math.random() * 20000), () => {})}/`;
try {
    const {figures: shipped, browser} = await measure(url, 'shipped model', rounds);
    const words = Array.from({length: 510}, (_, i) => `w${5 + (i * 37) % 4000}`).join(' ');
    const large = base && await measure(`${url}#model=random-base&text=${encodeURIComponent(words)}`, 'random BERT-base, 512 tokens', 1);
    save('loading', browser, {shipped, ...large && {base_512: large.figures}});
} finally {
    server.closeAllConnections();
    server.close();
}
