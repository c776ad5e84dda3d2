/* gemm_share - the speed of the products with int8 weights in Chromium as a share of the tile peak:
 * of the same kernel on one tile (6 rows x 8 channels, K = 2048) that stays in the nearest cache.
 * Both are measured in turn in the same page, in short bursts of which the best counts, so that it
 * is the code that is compared and not the machine and what else runs on it. The shapes of
 * BERT-base; the weights of 4 layers are walked. `node tests/bench/gemm_share.mjs [MILLISECONDS a
 * case]`; writes build/out/bench/gemm_share.json.
 */
import {existsSync, writeFileSync} from 'node:fs';
import {chromium} from 'playwright-core';
import {createStaticServer, listen} from '../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';

const milliseconds = Number(process.argv[2] ?? 2000);
const files = {
    plain: 'build/out/bench/kernels.wasm',
    relaxed: 'build/out/bench/kernels-relaxed.wasm',
};
const SHAPES = [
    [768, 768],
    [3072, 768],
    [768, 3072],
];
const ROWS = [16, 64, 128, 512];
const BAR = {16: 0.75, 64: 0.85, 128: 0.85, 512: 0.85};

/** In the page: the most GMAC/s of the product and of the peak. */
async function measure({url, cases, times}) {
    const start = async () => {
        const imports = {
            wasi_snapshot_preview1: {proc_exit() {}},
            env: {emscripten_notify_memory_growth() {}},
        };
        const {exports} = (
            await WebAssembly.instantiate(await (await fetch(url)).arrayBuffer(), imports)
        ).instance;
        exports._initialize?.();
        return exports;
    };
    const speed = (wasm, macs, repeat) => {
        const before = performance.now();
        wasm.multiply(repeat);
        return (macs * repeat) / (performance.now() - before) / 1e6;
    };
    const repeats = (macs, ms) => Math.max(1, Math.round((ms * 5e7) / macs));
    const result = [];
    for (const {m, n, k, fast} of cases) {
        const [one, tile] = [await start(), await start()];
        one.prepare(m, n, k, 4, fast);
        tile.prepare(6, 8, 2048, 1, fast);
        const [macs, tileMacs] = [4 * m * n * k, 6 * 8 * 2048];
        const [a, b] = [repeats(macs, 3), repeats(tileMacs, 3)];
        const best = {gemm: 0, peak: 0};
        for (const end = performance.now() + times; performance.now() < end;) {
            best.gemm = Math.max(best.gemm, speed(one, macs, a));
            best.peak = Math.max(best.peak, speed(tile, tileMacs, b));
        }
        result.push(best);
    }
    return result;
}

const server = createStaticServer(root);
const url = `http://127.0.0.1:${await listen(server, 20000 + Math.floor(Math.random() * 20000), () => {})}/`;
const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
const rows = [];
for (const [wasm, file] of Object.entries(files)) {
    for (const fast of existsSync(file) ? [1, 0] : []) {
        const cases = ROWS.flatMap(m => SHAPES.map(([n, k]) => ({m, n, k, fast})));
        const page = await browser.newPage();
        await page.goto(`${url}tests/bench/forward_page.js`);
        const found = await page.evaluate(measure, {url: `/${file}`, cases, times: milliseconds});
        for (const [i, {m, n, k}] of cases.entries()) {
            const {gemm, peak} = found[i];
            rows.push({
                wasm,
                precision: fast ? 'fast' : 'fine',
                m,
                n,
                k,
                gmac_s: gemm,
                peak_gmac_s: peak,
                share: gemm / peak,
            });
        }
        await page.close();
    }
}
await browser.close();
server.closeAllConnections();
server.close();
writeFileSync('build/out/bench/gemm_share.json', JSON.stringify(rows, null, 1));
console.log(
    `products with int8 weights in Chromium, GMAC/s, and the share of the tile peak of the same page (best bursts of ${milliseconds} ms)`,
);
for (const {wasm, precision, m, n, k, gmac_s: speed, peak_gmac_s: peak, share} of rows) {
    console.log(
        `${wasm.padEnd(8)} ${precision} M=${String(m).padEnd(3)} ${`${n}x${k}`.padEnd(9)} ${speed.toFixed(1).padStart(6)} of ${peak.toFixed(1)}: ` +
            `${(100 * share).toFixed(0)} %${share < BAR[m] ? `, below the bar of ${100 * BAR[m]} %` : ''}`,
    );
}
