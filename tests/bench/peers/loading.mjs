/* loading - from navigation to the drawn maps of the shipped model, in Chromium, from a server of
 * its own on this machine: when the weights' last byte has come, when the model is ready, when the
 * maps of the first real pass are drawn; the processor time of all of the browser's processes until
 * then, and the greatest resident memory of the page. The page is the built site as it is; its
 * messages to the worker are watched. Each first visit has a new browser and profile, which has
 * come to rest; the repeat follows in it, once the site is kept. `node
 * tests/bench/peers/loading.mjs [ROUNDS] [--base] [--against=SITE]`; --base: also a random
 * BERT-base (BF16) with a text of 512 tokens, and docs/bench.json is written; --against: another
 * built site (with its serve.mjs beside it) in turn with ours; --against=#model=mini-en: our own by that link.
 */
import {spawn} from 'node:child_process';
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
import {anyPort} from '../../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../../browser/page.mjs';
import {root} from '../../js/lib/model.mjs';
import {writeRandomModel} from '../random_model.mjs';
import {median, save} from './report.mjs';

const BARS = {ready_after_last_byte: 100, first_maps: 500};
const LIMIT_MS = 60000,
    STEP_MS = 20,
    REST = 0.15,
    REST_MS = 400;
const KEPT_MS = 3000; // the service worker has put everything aside
const BASE = {layers: 12, heads: 12, hidden: 768, inner: 3072, vocab: 30522, positions: 512};
const words = process.argv.slice(2).filter(word => !word.startsWith('--'));
const rounds = Number(words[0] ?? 5);
const against = process.argv.find(word => word.startsWith('--against='))?.split('=')[1];

/** In the page, before its scripts: notes when messages went to a worker, when their last answers
 * came, and when the figure of a real pass (below which stand its numbers) had been painted. */
function watch() {
    const calls = (window.workerCalls = []);
    window.Worker = class extends Worker {
        constructor(...args) {
            super(...args);
            this.addEventListener('message', ({data}) => {
                const call = calls.find(({id, to}) => to === this && id === data.id);
                if (call) call.end = performance.now();
            });
        }

        postMessage(message, transfer) {
            calls.push({to: this, id: message.id, op: message.op, start: performance.now()});
            super.postMessage(message, transfer);
        }
    };
    const painted = new MessageChannel();
    painted.port1.onmessage = () => {
        window.mapsDrawn = performance.now();
    };
    new MutationObserver((_, observer) => {
        if (!document.querySelector('.below')) return;
        observer.disconnect();
        requestAnimationFrame(() => painted.port2.postMessage(0));
    }).observe(document, {childList: true, subtree: true});
}

/** In page or worker: the weights' way over the network, in the time of the clock. */
const readWeights = () => ({
    origin: performance.timeOrigin,
    weights: performance
        .getEntriesByType('resource')
        .filter(({name}) => name.includes('safetensors'))
        .map(({requestStart, responseEnd}) => [requestStart, responseEnd]),
});

/** Processor time in ms of all processes of the browser, and the greatest resident bytes of a
 * page's. */
async function usage(session) {
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    const peak = ({id}) =>
        Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1] ?? 0) *
        1024;
    return {
        cpu: 1000 * processInfo.reduce((sum, {cpuTime}) => sum + cpuTime, 0),
        peak: Math.max(...processInfo.filter(({type}) => type === 'renderer').map(peak)),
    };
}

/** A new browser opens a page of its own, whose work is not ours. */
async function rest(session) {
    for (
        let last = (await usage(session)).cpu, quiet = 0, tries = 0;
        quiet < 2 && tries < 50;
        tries++
    ) {
        await new Promise(done => {
            setTimeout(done, REST_MS);
        });
        const {cpu} = await usage(session);
        quiet = cpu - last < REST * REST_MS ? quiet + 1 : 0;
        last = cpu;
    }
}

async function visit(context, session, url) {
    const page = await context.newPage();
    await page.addInitScript(watch);
    await rest(session);
    const before = await usage(session);
    await page.goto(url);
    for (
        const end = Date.now() + LIMIT_MS;
        !(await page.evaluate(() => window.mapsDrawn));
        await page.waitForTimeout(STEP_MS)
    ) {
        if (Date.now() > end) throw new Error(`no maps after ${LIMIT_MS / 1000} s`);
    }
    const after = await usage(session);
    const {calls, drawn, figure, origin} = await page.evaluate(() => ({
        drawn: window.mapsDrawn,
        origin: performance.timeOrigin,
        figure: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
        calls: window.workerCalls.map(({op, start, end}) => ({op, start, end})),
    }));
    // others wait in C for work and never answer
    const workers = page.workers().filter(worker => worker.url().includes('/worker.js'));
    const seen = await Promise.all([page, ...workers].map(place => place.evaluate(readWeights)));
    const times = seen.flatMap(({origin: other, weights}) =>
        weights.map(pair => pair.map(time => time + other - origin)),
    );
    const call = (...ops) => calls.find(({op}) => ops.includes(op));
    const [last, loaded] = [Math.max(...times.map(([, to]) => to)), call('loadEnd', 'load').end];
    await page.close();
    return {
        wasm_from: call('start').start,
        wasm_to: call('start').end,
        weights_from: Math.min(...times.map(([from]) => from)),
        weights_to: last,
        ready_after_last_byte: loaded - last,
        ready: loaded,
        run: call('run').end - call('run').start,
        first_maps: drawn,
        first_paint: figure,
        cpu: after.cpu - before.cpu,
        peak_mb: after.peak / 2 ** 20,
    };
}

async function visits(url, again) {
    const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
    try {
        const [context, session] = [
            await browser.newContext({viewport: {width: 1280, height: 860}}),
            await browser.newBrowserCDPSession(),
        ];
        const first = await visit(context, session, url);
        await new Promise(done => {
            setTimeout(done, again ? KEPT_MS : 0);
        });
        return {
            first,
            repeat: again ? await visit(context, session, url) : null,
            browser: browser.version(),
        };
    } finally {
        await browser.close();
    }
}

function report(what, list) {
    const all = key => list.map(one => one[key]);
    const figures = Object.fromEntries(
        Object.keys(list[0]).map(key => [
            key,
            {median: median(all(key)), min: Math.min(...all(key))},
        ]),
    );
    console.log(
        `${what}, ${list.length} visits: milliseconds after navigation (peak: MB), median and least`,
    );
    for (const [key, {median: middle, min}] of Object.entries(figures)) {
        const bar = BARS[key] && list.length > 1 ? `   bar ${BARS[key]}` : '';
        console.log(
            `  ${key.padEnd(22)} ${middle.toFixed(0).padStart(6)} ${min.toFixed(0).padStart(6)}${bar}`,
        );
    }
    return figures;
}

/** The built site with the random BERT-base in its menu. */
function makeSite() {
    const folder = join(root, 'build/out/bench/base'),
        site = join(root, 'build/out/bench/peers/site');
    const files = ['config.json', 'vocab.txt', 'model.safetensors'];
    writeRandomModel(folder, BASE);
    rmSync(site, {recursive: true, force: true});
    cpSync(join(root, 'build/out/site'), site, {recursive: true});
    mkdirSync(join(site, 'models/random-base'));
    for (const file of files)
        symlinkSync(join(folder, file), join(site, 'models/random-base', file));
    const menu = JSON.parse(readFileSync(join(site, 'models/index.json'), 'utf8'));
    const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
    writeFileSync(
        join(site, 'models/index.json'),
        JSON.stringify([...menu, {id: 'random-base', url: 'models/random-base/', files, bytes}]),
    );
    return site;
}

/** A server in a process of its own, as `make run` starts it.
 * @returns {Promise<{url: string, end: () => void}>} */
function serve(site, script = join(root, 'build/serve.mjs')) {
    const server = spawn(process.execPath, [script, site, String(anyPort())], {
        stdio: ['ignore', 'pipe', 'inherit'],
    });
    return new Promise((resolve, reject) => {
        server.once('exit', code => reject(new Error(`the server ended (${code})`)));
        server.stdout.once('data', text =>
            resolve({url: /http:\S+/.exec(String(text))[0], end: () => server.kill()}),
        );
    });
}

if (!existsSync(join(root, 'build/out/site/index.html')))
    throw new Error('build/out/site is missing; make site builds it');
const base = process.argv.includes('--base');
const servers = [await serve(base ? makeSite() : join(root, 'build/out/site'))];
if (against?.startsWith('#')) servers.push({url: servers[0].url + against, end: () => {}});
else if (against) servers.push(await serve(against, join(against, '../serve.mjs')));
try {
    const all = servers.map(() => []);
    for (let round = -1; round < rounds; round++) {
        // the first one warms the servers
        for (const [i, {url}] of servers.entries()) {
            const one = await visits(url, round >= 0);
            if (round >= 0) all[i].push(one);
        }
    }
    const [figures] = all.map((list, i) => ({
        shipped: report(
            `${i ? against : 'shipped model'}, first visit`,
            list.map(({first}) => first),
        ),
        repeat: report(
            `${i ? against : 'shipped model'}, repeated`,
            list.map(({repeat}) => repeat),
        ),
    }));
    const text = Array.from({length: 510}, (_, i) => `w${5 + ((i * 37) % 4000)}`).join(' ');
    const large =
        base &&
        (await visits(
            `${servers[0].url}#model=random-base&text=${encodeURIComponent(text)}`,
            false,
        ));
    if (large)
        save('loading', all[0][0].browser, {
            ...figures,
            base_512: report('random BERT-base, 512 tokens', [large.first]),
        });
} finally {
    for (const server of servers) server.end();
}
