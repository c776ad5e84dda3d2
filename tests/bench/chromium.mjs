/* chromium - milliseconds a forward pass in one page of Chromium, every attention map kept: both
 * .wasm files, precisions fine and fast, interleaved in rounds, with ratios to the first. `node
 * tests/bench/chromium.mjs [FOLDER] [ROUNDS] [LENGTHS] [WASM:PRECISION[:THREADS] ...]`; says also
 * whether all gave the same bits. Writes build/out/bench/chromium.json.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {createStaticServer, listen} from '../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';

const WASM = {
    plain: '/build/out/wasm/headlight.wasm',
    relaxed: '/build/out/wasm/headlight-relaxed.wasm',
};
const [folder = 'models/mini-en', rounds = '5', lengths = '16 64 128 512', ...asked] =
    process.argv.slice(2);
const ways = (
    asked.length ? asked : ['plain:fine', 'plain:fast', 'relaxed:fine', 'relaxed:fast']
).map(name => {
    const [wasm, precision, threads = '1'] = name.split(':');
    const file = WASM[wasm] ?? wasm;
    return {
        name,
        wasm: threads === '1' ? file : file.replace('.wasm', '-threads.wasm'),
        precision,
        threads: Number(threads),
    };
});
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];

/** In the page: what the worker measures. */
const measure = job =>
    new Promise((done, failed) => {
        const worker = new Worker('/tests/bench/forward_worker.js', {type: 'module'});
        worker.onerror = ({message}) => failed(new Error(message));
        worker.onmessage = ({data}) =>
            data.error ? failed(new Error(data.error)) : done(data.result);
        worker.postMessage(job);
    });

const server = createStaticServer(root);
const url = `http://127.0.0.1:${await listen(server, 20000 + Math.floor(Math.random() * 20000), () => {})}/`;
const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
try {
    const page = await browser.newPage();
    await page.goto(`${url}tests/bench/forward_page.js`);
    const texts = lengths.split(' ').map(Number);
    const result = await page.evaluate(measure, {
        folder: `/${folder}/`,
        ways,
        lengths: texts,
        rounds: Number(rounds),
    });
    console.log(
        `${folder} in Chromium ${browser.version()}, best of 3 in each of ${rounds} rounds: ms, median (least), times faster than ${ways[0].name}`,
    );
    const rows = [];
    for (const [t, tokens] of texts.entries()) {
        for (const [w, {name, precision}] of ways.entries()) {
            const {ms, bits} = result[w][t];
            const ratio = median(ms.map((value, round) => result[0][t].ms[round] / value));
            const like = ways.findIndex(
                (way, i) => way.precision === precision && result[i][t].bits === bits,
            );
            rows.push({tokens, name, median_ms: median(ms), min_ms: Math.min(...ms), ratio, bits});
            console.log(
                `T=${String(tokens).padEnd(4)} ${name.padEnd(13)} ${median(ms).toFixed(2).padStart(8)} (${Math.min(...ms).toFixed(2)})  ` +
                    `x${ratio.toFixed(2)}  bits of ${ways[like].name}`,
            );
        }
    }
    mkdirSync(join(root, 'build/out/bench'), {recursive: true});
    writeFileSync(
        join(root, 'build/out/bench/chromium.json'),
        JSON.stringify({folder, browser: browser.version(), rounds, rows}, null, 1),
    );
} finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
}
