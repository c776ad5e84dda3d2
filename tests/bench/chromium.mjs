/* chromium - milliseconds a forward pass in one page of Chromium, every attention map kept: both .wasm files, precisions fine and fast,
 * interleaved in rounds, with ratios to the first. `node tests/bench/chromium.mjs [FOLDER] [ROUNDS] [LENGTHS] [WASM:PRECISION ...]`;
 * says also whether all gave the same bits. Writes build/out/bench/chromium.json.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {createStaticServer, listen} from '../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';

const WASM = {plain: '/build/out/wasm/headlight.wasm', relaxed: '/build/out/wasm/headlight-relaxed.wasm'};
const [folder = 'models/mini-en', rounds = '5', lengths = '16 64 128 512', ...asked] = process.argv.slice(2);
const ways = (asked.length ? asked : ['plain:fine', 'plain:fast', 'relaxed:fine', 'relaxed:fast']).map(name => {
    const [wasm, precision] = name.split(':');
    return {name, wasm: WASM[wasm] ?? wasm, precision};
});
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];

/** In the page: [way][length] -> milliseconds of each round, and the bits after the last. */
async function measure({folder: at, ways: all, lengths: texts, rounds: times}) {
    const {bits, open, pass, setText} = await import('/tests/bench/forward_page.js');
    const opened = new Map();
    for (const {wasm} of all) if (!opened.has(wasm)) opened.set(wasm, await open(wasm, at, 'q8'));
    const result = all.map(() => texts.map(() => ({ms: [], bits: ''})));
    for (const [t, tokens] of texts.entries()) {
        for (const one of opened.values()) setText(one, tokens);
        for (let round = -1; round < times; round++) {   // the first warms up
            for (const [w, {wasm, precision}] of all.entries()) {
                const end = performance.now() + (round < 0 ? 1500 : 0);
                let best = Infinity;
                for (let i = 0; i < 4 || performance.now() < end; i++) best = Math.min(best, pass(opened.get(wasm), precision));
                if (round >= 0) result[w][t].ms.push(best);
                else result[w][t].bits = await bits(opened.get(wasm), precision);
            }
        }
    }
    return result;
}

const server = createStaticServer(root);
const url = `http://127.0.0.1:${await listen(server, 20000 + Math.floor(Math.random() * 20000), () => {})}/`;
const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
try {
    const page = await browser.newPage();
    await page.goto(`${url}tests/bench/forward_page.js`);
    const texts = lengths.split(' ').map(Number);
    const result = await page.evaluate(measure, {folder: `/${folder}/`, ways, lengths: texts, rounds: Number(rounds)});
    console.log(`${folder} in Chromium ${browser.version()}, best of 3 in each of ${rounds} rounds: ms, median (least), times faster than ${ways[0].name}`);
    const rows = [];
    for (const [t, tokens] of texts.entries()) {
        for (const [w, {name, precision}] of ways.entries()) {
            const {ms, bits} = result[w][t];
            const ratio = median(ms.map((value, round) => result[0][t].ms[round] / value));
            const like = ways.findIndex((way, i) => way.precision === precision && result[i][t].bits === bits);
            rows.push({tokens, name, median_ms: median(ms), min_ms: Math.min(...ms), ratio, bits});
            console.log(`T=${String(tokens).padEnd(4)} ${name.padEnd(13)} ${median(ms).toFixed(2).padStart(8)} (${Math.min(...ms).toFixed(2)})  ` +
                `x${ratio.toFixed(2)}  bits of ${ways[like].name}`);
        }
    }
    mkdirSync(join(root, 'build/out/bench'), {recursive: true});
    writeFileSync(join(root, 'build/out/bench/chromium.json'), JSON.stringify({folder, browser: browser.version(), rounds, rows}, null, 1));
} finally {
    await browser.close();
    server.closeAllConnections();
    server.close();
}
