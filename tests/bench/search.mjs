/* search - measures questions to an index of a corpus: 10 million tokens × 768 natively, from the
 * mapped file in the page cache (bar: 1 s; skipped under 12 GB of memory); 200,000 tokens × 256 in
 * wasm (bar: 10 ms and 600 MB), also by the processor's time, which a busy machine leaves; and building one of 20,000 tokens, natively and in the page with two workers
 * (bar: 6 s). Needs build/out/bench/search, the built site and Chromium.
 */
import {execFileSync} from 'node:child_process';
import {mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {availableParallelism, totalmem} from 'node:os';
import {pathToFileURL} from 'node:url';
import {openIndex} from '../../web/package/node.js';
import {startSite} from '../browser/page.mjs';

const root = new URL('../../', import.meta.url).pathname;
const folder = `${root}build/out/bench`;
const file = `${folder}/search.index`;
const tool = (...args) => execFileSync(`${folder}/search`, args.map(String), {encoding: 'utf8'});
const GB = 1e9;
const ROUNDS = 41;
const threads = Math.min(8, availableParallelism());
const median = list => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

function measureLarge(tokens, width) {
    if (totalmem() < 12 * GB)
        return console.log(`${tokens} tokens × ${width}: skipped, needs 12 GB of memory`);
    tool('make', file, tokens, width);
    for (const count of new Set([1, threads])) {
        const {open, words, ask} = JSON.parse(tool('ask', file, count, 7));
        const [first, ...later] = ask;
        const rate = (tokens * width) / GB / (median(later) / 1e3);
        console.log(
            `${tokens} tokens × ${width}, ${count} threads: opened ${open} ms, words ${words} ms; ` +
                `asked first ${first} ms, with the checks; then ${median(later)} ms, ${rate.toFixed(1)} GB/s`,
        );
    }
}

async function measureWasm(tokens, width) {
    tool('make', file, tokens, width);
    const wasmUrl = pathToFileURL(`${root}build/out/wasm/headlight-full.wasm`);
    const bytes = new Uint8Array(readFileSync(file));
    const index = await openIndex(bytes, {wasmUrl});
    for (const bars of ['none', 'all']) {
        const [times, spent] = [[], []];
        for (let i = 0; i < ROUNDS; i++) {
            const [begun, before] = [performance.now(), process.cpuUsage()];
            await index.search({ask: 'like', at: [5 + 3 * i, 3], bars});
            times.push(performance.now() - begun);
            const {user, system} = process.cpuUsage(before);
            spent.push((user + system) / 1e3);
        }
        const [first, ...later] = times;
        const fastest = Math.min(...spent.slice(1)).toFixed(1);
        console.log(
            `${tokens} tokens × ${width} in wasm, one thread, bars ${bars}: first ${first.toFixed(0)} ms, then ` +
                `${median(later).toFixed(1)} ms; processor ${fastest} ms at least, ` +
                `${median(spent.slice(1)).toFixed(1)} ms in the median; ${(process.resourceUsage().maxRSS / 1e3).toFixed(0)} MB`,
        );
    }
    await index.dispose();
}

/** The shipped treebank again and again: 20,000 tokens. @param {string} corpus */
function measureNative(corpus) {
    const begun = performance.now();
    const native = `${root}build/out/native/headlight`;
    execFileSync(native, [
        'index',
        `${root}models/mini2-en`,
        corpus,
        '--layers',
        '2,5',
        '-o',
        file,
    ]);
    rmSync(file);
    console.log(`20,000 tokens on mini2-en: built in ${(performance.now() - begun).toFixed(0)} ms`);
}

/** Seconds of the processor that the pages of a browser have taken so far: what a busy machine leaves as it is. */
async function spentBy(page) {
    const session = await page.context().browser().newBrowserCDPSession();
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.reduce(
        (sum, {type, cpuTime}) => sum + (type === 'renderer' ? cpuTime : 0),
        0,
    );
}

/** From the press to the answer: first with the workers' start and the model, then without. @param {string} corpus */
async function measurePage(corpus) {
    const site = await startSite();
    try {
        const page = await site.open({hash: '#v=4&model=mini2-en&desk=corpus', ready: false});
        await page.waitForSelector('.study-facts');
        await page.setInputFiles('.corpus-acts input[type="file"]', corpus);
        await page
            .locator('#corpus option:checked', {hasText: '(yours)'})
            .waitFor({state: 'attached'});
        await page.check('.study-list input[value="ask"]');
        await page.selectOption('#limit', '0');
        for (const how of ['first', 'again']) {
            const [begun, before] = [performance.now(), await spentBy(page)];
            await page.click('.run-row .main');
            await page.waitForSelector('.study-progress');
            await page.waitForSelector('.study-progress', {state: 'detached', timeout: 300000});
            await page.waitForSelector('.ask-rows');
            const said = (await page.textContent('.study-results > .hint')).trim();
            const took = ((performance.now() - begun) / 1e3).toFixed(1);
            const spent = ((await spentBy(page)) - before).toFixed(1);
            console.log(
                `20,000 tokens on mini2-en in the page, ${how}: ${took} s, of the processor ${spent} s; ${said}`,
            );
        }
    } finally {
        await site.close();
    }
}

mkdirSync(folder, {recursive: true});
const corpus = `${folder}/search.conllu`;
const [part = ''] = process.argv.slice(2);
try {
    if (part !== 'build') {
        await measureWasm(200_000, 256);
        measureLarge(10_000_000, 768);
    }
    const sentences = readFileSync(`${root}corpora/sentences.conllu`, 'utf8').trim().split('\n\n');
    const many = Array.from({length: 1450}, (_, i) => sentences[i % sentences.length]);
    writeFileSync(corpus, `${many.join('\n\n')}\n`);
    measureNative(corpus);
    await measurePage(corpus);
} finally {
    rmSync(file, {force: true});
    rmSync(corpus, {force: true});
}
