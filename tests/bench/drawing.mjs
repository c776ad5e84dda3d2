/* drawing - the cost of the head view on the page's thread in Chromium with 256 tokens and the
 * shipped model's 8 heads: another layer shown (numbers to lines to pixels, without motion; the
 * pass is there), and a move of the mouse to another token. Processor time, which other programs on
 * the machine do not lengthen. `node tests/bench/drawing.mjs [ROUNDS] [OTHER_SITE] [TOKENS]`:
 * another built site is measured in turns with this one. DPR=1: points a pixel. GPU=1: lines become
 * pixels in the browser's GPU process, as on a reader's machine (here SwiftShader's, on the
 * processor), not in the page's thread.
 */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {ARGS, serveToChromium} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';

const rounds = Number(process.argv[2] ?? 3);
const tokens = Number(process.argv[4] ?? 256);
const QUIET_MS = 350; // after a press: all that it causes is done
const GPU = ['--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist'];
const args = process.env.GPU ? [...ARGS.filter(arg => arg !== '--disable-gpu'), ...GPU] : ARGS;
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];
const words = readFileSync(join(root, 'docs/web.md'), 'utf8')
    .replace(/[^\p{L} ]+/gu, ' ')
    .split(/\s+/)
    .filter(Boolean);
const text = words.slice(0, tokens).join(' '); // of more than a token some: the rest is cut

/** Milliseconds of processor time of the page's thread since the last call. */
async function createMeter(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', {timeDomain: 'threadTicks'});
    let last = 0;
    return {
        session,
        async take() {
            const {metrics} = await session.send('Performance.getMetrics');
            const now = metrics.find(({name}) => name === 'ThreadTime').value;
            const ms = 1000 * (now - last);
            last = now;
            return ms;
        },
    };
}

async function openPage({browser, url}, hash) {
    const page = await browser.newPage({
        viewport: {width: 1440, height: 900},
        deviceScaleFactor: Number(process.env.DPR ?? 2),
        reducedMotion: 'reduce',
    });
    await page.goto(`${url}#v=2&text=${encodeURIComponent(text)}&${hash}`);
    await page.waitForSelector('.below', {state: 'attached', timeout: 60000});
    await page.waitForTimeout(1000);
    return page;
}

/** Layers are gone through by their radio buttons; the second time, when all are there, counts. */
async function measureLayers(side) {
    const page = await openPage(side, 'view=head&layer=0');
    const meter = await createMeter(page);
    const found = [];
    for (const layer of [1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 0]) {
        await meter.take();
        await page.evaluate(
            at => document.querySelector(`input[name=layer][value="${at}"]`).click(),
            layer,
        );
        await page.waitForTimeout(QUIET_MS);
        found.push(await meter.take());
    }
    await page.close();
    return found.slice(6); // all layers are there
}

async function measureHover(side) {
    const page = await openPage(side, 'view=head&layer=0');
    const meter = await createMeter(page);
    const boxes = await page.evaluate(() =>
        [...document.querySelectorAll('.column.query .token')]
            .map(element => element.getBoundingClientRect())
            .filter(({top, bottom}) => top > 0 && bottom < innerHeight)
            .map(({left, top, width}) => [left + width / 2, top + 13]),
    );
    await page.mouse.move(2, 2);
    await page.waitForTimeout(200);
    const found = [];
    for (let i = 0; i < 24; i++) {
        const [x, y] = boxes[(i * 7) % boxes.length];
        await meter.take();
        await meter.session.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
        await page.waitForTimeout(60);
        found.push(await meter.take());
    }
    await page.close();
    return found;
}

const sites = {
    here: join(root, 'build/out/site'),
    ...(process.argv[3] && {other: process.argv[3]}),
};
const sides = {};
for (const [name, site] of Object.entries(sites)) sides[name] = await serveToChromium(site, args);
const tasks = {'another layer': measureLayers, 'a token pointed at': measureHover};
const found = {};
for (let round = 0; round < rounds; round++)
    for (const [task, run] of Object.entries(tasks))
        for (const [name, side] of Object.entries(sides))
            ((found[task] ??= {})[name] ??= []).push(...(await run(side)));
for (const side of Object.values(sides)) await side.close();
console.log(`${tokens} tokens, 8 heads; ms of the page's thread, median and most`);
for (const [task, lists] of Object.entries(found))
    for (const [name, list] of Object.entries(lists))
        console.log(
            task.padEnd(20),
            name.padEnd(6),
            median(list).toFixed(1).padStart(7),
            Math.max(...list)
                .toFixed(1)
                .padStart(7),
        );
