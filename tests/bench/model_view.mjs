/* model_view - how long the model view of 12 layers x 12 heads takes in Chromium: its first drawing (from the press on its
 * name until the canvas is painted: the pictures, measures and links are computed anew each time, the pass is not) and a frame
 * while pointing from thumbnail to thumbnail. Weights are random with a deviation that gives attention as uneven as a trained
 * model's, so that lines are not spared. Writes build/out/bench/model_view.json. `node tests/bench/model_view.mjs [ROUNDS]`.
 */
import {cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {createStaticServer, listen} from '../../build/serve.mjs';
import {ARGS, CHROMIUM} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';
import {writeRandomModel} from './random_model.mjs';

const rounds = Number(process.argv[2] ?? 7);
const out = join(root, 'build/out/bench');
const site = join(out, 'site');
const MODEL = 'uneven-144';
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];

/** The built site with one more model in its menu. */
function makeSite() {
    const files = ['config.json', 'vocab.txt', 'model.safetensors'];
    const folder = join(out, MODEL);
    writeRandomModel(folder, {layers: 12, heads: 12, hidden: 144, inner: 288, vocab: 4096, positions: 512}, 0.1);
    rmSync(site, {recursive: true, force: true});
    cpSync(join(root, 'build/out/site'), site, {recursive: true});
    cpSync(folder, join(site, 'models', MODEL), {recursive: true});
    const menu = JSON.parse(readFileSync(join(site, 'models/index.json'), 'utf8'));
    menu.push({id: MODEL, url: `models/${MODEL}/`, files,
        bytes: files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)});
    writeFileSync(join(site, 'models/index.json'), JSON.stringify(menu));
}

/** In the page: presses the name of the view; milliseconds until the frame after the canvas has been painted. */
const firstDrawing = page => page.evaluate(() => new Promise(done => {
    const start = performance.now();
    const look = () => {
        if (document.querySelector('.grid canvas.base')?.width) done(performance.now() - start);
        else requestAnimationFrame(look);
    };
    document.querySelector('input[name=view][value=model]').click();
    requestAnimationFrame(look);
}));

/** In the page: milliseconds of each frame (script, style, layout, paint) in which another thumbnail is pointed at. */
const hoverFrames = page => page.evaluate(async () => {
    const frame = thumb => new Promise(done => {
        requestAnimationFrame(() => {
            const start = performance.now();
            const channel = new MessageChannel();
            channel.port1.onmessage = () => done(performance.now() - start);
            channel.port2.postMessage(0);
        });
        thumb.dispatchEvent(new PointerEvent('pointermove', {bubbles: true, pointerType: 'mouse'}));
    });
    const times = [];
    for (const thumb of document.querySelectorAll('.thumb')) times.push(await frame(thumb));
    return times;
});

async function measure(browser, url, tokens, picture) {
    const page = await browser.newPage({viewport: {width: 1600, height: 1000}, deviceScaleFactor: 2});
    const words = Array.from({length: tokens - 3}, (_, i) => `w${5 + (i * 37) % 4000}`);
    const [a, b] = [words.slice(0, words.length >> 1), words.slice(words.length >> 1)].map(part => part.join(' '));
    await page.goto(`${url}#model=${MODEL}&picture=${picture}&text=${encodeURIComponent(a)}&textB=${encodeURIComponent(b)}`);
    const firsts = [], frames = [];
    for (let round = 0; round < rounds; round++) {
        await page.waitForSelector('.token', {timeout: 120000});
        const shown = await page.locator('.column.query .token').count();
        if (shown !== tokens) throw new Error(`the text has ${shown} tokens, not ${tokens}`);
        firsts.push(await firstDrawing(page));
        if (round < 3) frames.push(...await hoverFrames(page));
        await page.locator('input[name=view][value=head]').check({force: true});
    }
    await page.close();
    return {tokens, picture, first_ms: median(firsts), first_min_ms: Math.min(...firsts), frame_ms: median(frames),
        frame_max_ms: Math.max(...frames)};
}

makeSite();
const server = createStaticServer(site);
const url = `http://127.0.0.1:${await listen(server, 20000 + Math.floor(Math.random() * 20000), () => {})}/`;
const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
const rows = [];
for (const tokens of [128, 512]) for (const picture of ['lines', 'heatmaps']) rows.push(await measure(browser, url, tokens, picture));
await browser.close();
server.closeAllConnections();
server.close();
mkdirSync(out, {recursive: true});
writeFileSync(join(out, 'model_view.json'), JSON.stringify({rounds, rows}, null, 1));
console.log(`model view in Chromium, 144 heads, 2 points a pixel, ${rounds} rounds`);
console.log('T   | pictures | first drawing, ms: median, least (bar 500) | frame while pointing, ms: median, most (bar 16)');
for (const {tokens, picture, ...ms} of rows) {
    const number = key => ms[key].toFixed(1);
    console.log([String(tokens).padEnd(3), picture.padEnd(8), `${number('first_ms')}, ${number('first_min_ms')}`,
        `${number('frame_ms')}, ${number('frame_max_ms')}`].join(' | '));
}
