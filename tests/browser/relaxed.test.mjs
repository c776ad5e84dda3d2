/* Both .wasm files give the same bits in the browser, in both precisions; the probe takes the
 * relaxed one only where its dot product is right.
 */
import assert from 'node:assert/strict';
import {existsSync} from 'node:fs';
import {after, before, test} from 'node:test';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {launch} from './page.mjs';

const RELAXED = 'build/out/wasm/headlight-relaxed.wasm';
const missing = existsSync(RELAXED) ? false : `${RELAXED} is not here: it takes clang 19`;
const server = createStaticServer('.');
let browser, page;

before(async () => {
    const url = `http://127.0.0.1:${await listen(server, anyPort(), () => {})}/`;
    browser = await launch();
    page = await browser.newPage();
    await page.goto(`${url}tests/bench/forward_page.js`);
});
after(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
});

for (const model of ['tests/golden/models/bert-tiny-q8', 'models/mini-en']) {
    test(`${model}: the same bits from both files`, {skip: missing}, async () => {
        const found = await page.evaluate(async folder => {
            const {bits, open, pass, setText} = await import('/tests/bench/forward_page.js');
            const result = {};
            for (const wasm of ['headlight', 'headlight-relaxed']) {
                const opened = await open(`/build/out/wasm/${wasm}.wasm`, folder, 'q8');
                for (const tokens of [1, 5, 16, 31]) {
                    setText(opened, tokens);
                    for (const precision of ['fine', 'fast']) {
                        // Over and over: engines begin with a simple compiler and go on with
                        // another.
                        const seen = new Set();
                        for (let i = 0; i < 5; i++) {
                            for (let j = 0; j < 20; j++) pass(opened, precision);
                            seen.add(await bits(opened, precision));
                        }
                        (result[`${tokens} ${precision}`] ??= []).push([...seen]);
                    }
                }
            }
            return result;
        }, `/${model}/`);
        for (const [what, [plain, relaxed]] of Object.entries(found)) {
            assert.equal(plain.length, 1, `${what}: plain SIMD gives the same each time`);
            assert.deepEqual(relaxed, plain, what);
        }
        assert.notDeepEqual(found['16 fine'], found['16 fast'], 'the precisions differ');
    });
}

test('the probe takes relaxed SIMD where the dot product is exact', async () => {
    const {taken, valid} = await page.evaluate(async () => {
        const {canRelax, relaxedDot} = await import('/web/worker/relaxed.js');
        return {taken: canRelax(), valid: relaxedDot()?.(127, 127)};
    });
    if (taken) assert.equal(valid, 4 * 127 * 127 + 10);
});
