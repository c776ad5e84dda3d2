/* gemm_share - the speed of the products with int8 weights in Chromium as a share of the limit: of
 * what the innermost instruction alone reaches from registers (kernels.c). Both are measured in
 * turn in the same page, in short bursts of which the best counts, so that it is the code that is
 * compared and not the machine and what else runs on it. The shapes of BERT-base; the weights of 4
 * layers are walked. Precision fine is two digits a code with relaxed SIMD: at most half.
 * `node tests/bench/gemm_share.mjs [MILLISECONDS a case]`; writes build/out/bench/gemm_share.json.
 */
import {existsSync, writeFileSync} from 'node:fs';
import {chromium} from 'playwright-core';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';

const milliseconds = Number(process.argv[2] ?? 2000);
const files = {
    plain: {file: 'build/out/bench/kernels.wasm', products: 96},
    relaxed: {file: 'build/out/bench/kernels-relaxed.wasm', products: 192},
};
const SHAPES = [
    [768, 768],
    [3072, 768],
    [768, 3072],
];
const ROWS = [16, 64, 128, 512];

/** In the page: the most GMAC/s of the product and of the limit. products: of a round of `limit` */
async function measure({url, products, cases, times}) {
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
    const speed = (work, macs, repeat) => {
        const before = performance.now();
        work(repeat);
        return (macs * repeat) / (performance.now() - before) / 1e6;
    };
    const repeats = (macs, ms) => Math.max(1, Math.round((ms * 5e7) / macs));
    const result = [];
    for (const {m, n, k, fast} of cases) {
        const one = await start();
        one.prepare(m, n, k, 4, fast);
        const macs = 4 * m * n * k;
        const best = {gemm: 0, limit: 0};
        for (const end = performance.now() + times; performance.now() < end;) {
            best.gemm = Math.max(best.gemm, speed(one.multiply, macs, repeats(macs, 3)));
            best.limit = Math.max(best.limit, speed(one.limit, products, repeats(products, 3)));
        }
        result.push(best);
    }
    return result;
}

const server = createStaticServer(root);
const url = `http://127.0.0.1:${await listen(server, anyPort(), () => {})}/`;
const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
const rows = [];
for (const [wasm, {file, products}] of Object.entries(files)) {
    for (const fast of existsSync(file) ? [1, 0] : []) {
        const cases = ROWS.flatMap(m => SHAPES.map(([n, k]) => ({m, n, k, fast})));
        const page = await browser.newPage();
        await page.goto(`${url}tests/bench/forward_page.js`);
        const found = await page.evaluate(measure, {
            url: `/${file}`,
            products,
            cases,
            times: milliseconds,
        });
        for (const [i, {m, n, k}] of cases.entries()) {
            const {gemm, limit} = found[i];
            rows.push({
                wasm,
                precision: fast ? 'fast' : 'fine',
                m,
                n,
                k,
                gmac_s: gemm,
                limit_gmac_s: limit,
                share: gemm / limit,
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
    `products with int8 weights in Chromium, GMAC/s, and the share of the limit in the same page (best bursts of ${milliseconds} ms)`,
);
for (const {wasm, precision, m, n, k, gmac_s: speed, limit_gmac_s: limit, share} of rows) {
    console.log(
        `${wasm.padEnd(8)} ${precision} M=${String(m).padEnd(3)} ${`${n}x${k}`.padEnd(9)} ${speed.toFixed(1).padStart(6)} of ${limit.toFixed(1)}: ${(100 * share).toFixed(0)} %`,
    );
}
