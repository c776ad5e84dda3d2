/* chromium - milliseconds a forward pass in one page of Chromium, every attention map kept, and the
 * share of the limit: of what the innermost instruction alone reaches from registers, measured in
 * the same page (kernels.c). Both .wasm files, precisions fine and fast, interleaved in rounds.
 * `node tests/bench/chromium.mjs [FOLDER] [ROUNDS] [LENGTHS] [WASM:PRECISION[:THREADS] ...]`, WASM:
 * plain, relaxed, or the address of a file with either word in it. One thread: the processor's time
 * of the page (Linux), which other work on the machine disturbs least; more: the clock. Says also
 * whose bits are the same. Ends in one table of this machine, as docs/speed.md has it for others; writes
 * build/out/bench/chromium.json.
 */
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {cpus, loadavg} from 'node:os';
import {join} from 'node:path';
import {root} from '../js/lib/model.mjs';
import {serveToChromium} from '../browser/page.mjs';

const WASM = {
    plain: '/build/out/wasm/headlight.wasm',
    relaxed: '/build/out/wasm/headlight-relaxed.wasm',
};
const LIMITS = {
    plain: {file: '/build/out/bench/kernels.wasm', products: 96},
    relaxed: {file: '/build/out/bench/kernels-relaxed.wasm', products: 192},
};
const TURN_MS = 60,
    WARM_MS = 1500,
    LIMIT_ROUNDS = 1 << 22;
const [folder = 'models/mini-en', rounds = '5', lengths = '16 32 64 128 256 512', ...asked] =
    process.argv.slice(2);
const ways = (
    asked.length
        ? asked
        : ['plain:fast', 'plain:fine', 'relaxed:fast', 'relaxed:fine', 'relaxed:fast:2']
).map(name => {
    const [wasm, precision, threads = '1'] = name.split(':');
    const file = WASM[wasm] ?? wasm;
    return {
        name,
        limit: file.includes('relaxed') ? 'relaxed' : 'plain',
        wasm: threads === '1' ? file : file.replace('.wasm', '-threads.wasm'),
        precision,
        threads: Number(threads),
    };
});
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];

/** Of a page with one worker: call(name, options) in it, cpu(): ms of all the page's threads. */
async function openWorker({browser, url}) {
    const page = await browser.newPage();
    await page.goto(`${url}tests/bench/forward_page.js`);
    await page.evaluate(() => {
        globalThis.worker = new Worker('/tests/bench/forward_worker.js', {type: 'module'});
    });
    const call = (name, options) =>
        page.evaluate(
            message =>
                new Promise((done, failed) => {
                    const {worker} = globalThis;
                    worker.onerror = ({message: text}) => failed(new Error(text));
                    worker.onmessage = ({data}) =>
                        data.error ? failed(new Error(data.error)) : done(data.result);
                    worker.postMessage(message);
                }),
            {call: name, ...options},
        );
    const session = await browser.newBrowserCDPSession();
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    const ids = processInfo.filter(({type}) => type === 'renderer').map(({id}) => id);
    const used = (id, task) =>
        Number(readFileSync(`/proc/${id}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
    const cpu = () =>
        ids
            .flatMap(id => readdirSync(`/proc/${id}/task`).map(task => used(id, task)))
            .reduce((sum, ns) => sum + ns / 1e6, 0);
    return {call, cpu};
}

/** Products of a pass: of the maps of each layer, and of its attention. */
function productsOf({layers, hidden, inner, heads, head_width: width}, tokens) {
    const maps = 4 * hidden * heads * width + 2 * hidden * inner;
    return layers * tokens * (maps + 2 * tokens * heads * width);
}

/** Of each way the ms of every round, of each limit its products a ms. */
async function runRounds({call, cpu}, tokens, found) {
    for (const way of ways.keys()) {
        await call('setText', {way, tokens});
        await call('passes', {way, precision: ways[way].precision, least: WARM_MS});
        found.bits.push(await call('bits', {way, precision: ways[way].precision}));
    }
    const limits = new Set(ways.map(({limit}) => limit));
    for (const name of limits) await call('limit', {name, times: LIMIT_ROUNDS}); // compiled well from here on
    for (let round = 0; round < Number(rounds); round++) {
        for (const name of limits) {
            const before = cpu();
            await call('limit', {name, times: LIMIT_ROUNDS});
            const speed = (LIMITS[name].products * LIMIT_ROUNDS) / (cpu() - before);
            (found.limit[name] ??= []).push(speed);
        }
        for (const [way, {precision, threads}] of ways.entries()) {
            const before = cpu(),
                times = await call('passes', {way, precision, least: TURN_MS});
            const used = (cpu() - before) / times.length;
            (found.ms[way] ??= []).push(threads > 1 ? Math.min(...times) : used);
        }
    }
}

function rowsOf(model, tokens, {ms, limit, bits}) {
    return ways.map(({name, limit: kind, precision, threads}, way) => {
        const products = productsOf(model, tokens),
            least = Math.min(...ms[way]);
        const like = ways.findIndex(
            (other, i) => other.precision === precision && bits[i] === bits[way],
        );
        return {
            tokens,
            name,
            threads,
            median_ms: median(ms[way]),
            min_ms: least,
            ratio: median(ms[way].map((value, round) => ms[0][round] / value)),
            limit_gmac_s: Math.max(...limit[kind]) / 1e6,
            share: products / least / Math.max(...limit[kind]),
            median_share: products / median(ms[way]) / median(limit[kind]),
            bits_of: ways[like].name,
        };
    });
}

const percent = value => `${(100 * value).toFixed(0)} %`.padStart(5);

/** The processor, with what decides which file is faster. */
function machine() {
    const info = '/proc/cpuinfo';
    const dots = existsSync(info) && /\bavx_vnni\b/.test(readFileSync(info, 'utf8'));
    return `${cpus()[0].model}, ${cpus().length} cores, ${dots ? 'with' : 'without'} AVX-VNNI, a load of ${loadavg()[0].toFixed(0)}`;
}

/** Markdown: ms best (median), then the share of the limit by medians, or, with more threads, times as fast
 * as with one by bests. @param {ReturnType<typeof rowsOf>} rows */
function table(rows) {
    const at = (name, tokens) => rows.find(row => row.name === name && row.tokens === tokens);
    const gain = ({name, tokens, min_ms: ms}) => {
        const one = at(name.split(':').slice(0, 2).join(':'), tokens);
        return one ? `${(one.min_ms / ms).toFixed(2)} times` : '';
    };
    const cell = row =>
        `${row.min_ms.toPrecision(3)} (${row.median_ms.toPrecision(3)}) ${row.threads > 1 ? gain(row) : percent(row.median_share).trim()}`;
    const all = [...new Set(rows.map(({tokens}) => tokens))];
    const line = (first, cells) => `| ${[first, ...cells].join(' | ')} |`;
    return [
        line(
            '',
            all.map(tokens => `T = ${tokens}`),
        ),
        line(
            '---',
            all.map(() => '---'),
        ),
        ...ways.map(({name}) =>
            line(
                name,
                all.map(tokens => cell(at(name, tokens))),
            ),
        ),
    ].join('\n');
}

const {browser, url, close} = await serveToChromium(root);
const rows = [];
try {
    const page = await openWorker({browser, url});
    const kernels = Object.fromEntries(ways.map(({limit}) => [limit, LIMITS[limit].file]));
    const model = await page.call('begin', {folder: `/${folder}/`, ways, kernels});
    console.log(
        `${folder}, ${cpus()[0].model}, Chromium ${browser.version()}, ${rounds} rounds: ms best (median), times faster than ${ways[0].name}, share of the limit by bests (medians)`,
    );
    for (const tokens of lengths.split(' ').map(Number)) {
        const found = {ms: [], limit: {}, bits: []};
        await runRounds(page, tokens, found);
        for (const row of rowsOf(model, tokens, found)) {
            rows.push(row);
            console.log(
                `T=${String(tokens).padEnd(4)} ${row.name.padEnd(13)} ${row.min_ms.toFixed(2).padStart(8)} (${row.median_ms.toFixed(2)})  ` +
                    `x${row.ratio.toFixed(2)}  ${percent(row.share)} (${percent(row.median_share).trim()}) of ${row.limit_gmac_s.toFixed(0)} GMAC/s  bits of ${row.bits_of}`,
            );
        }
    }
    console.log(`\n${machine()}, ${new Date().toISOString().slice(0, 10)}\n\n${table(rows)}`);
    mkdirSync(join(root, 'build/out/bench'), {recursive: true});
    writeFileSync(
        join(root, 'build/out/bench/chromium.json'),
        JSON.stringify(
            {cpu: cpus()[0].model, folder, browser: browser.version(), rounds, rows},
            null,
            1,
        ),
    );
} finally {
    await close();
}
