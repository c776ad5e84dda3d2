/* model_view - the cost of drawing in Chromium with 12 layers x 12 heads: the first model view,
 * from the press on its name until its pictures are painted (pictures computed anew each time, the
 * pass is not), and a move of the mouse in each view that answers to it. Beside the clock stands
 * processor time, which other programs on the machine do not lengthen: of the page's thread, and of
 * its whole process with the worker. Random weights with a deviation that gives attention as uneven
 * as a trained model's, so that lines are not spared. Writes build/out/bench/model_view.json. `node
 * tests/bench/model_view.mjs [ROUNDS] [OTHER_SITE]`: another built site is measured in turns with
 * this one. After PROFILE=1, the functions that most time was spent in.
 */
import {cpSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {serveToChromium} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';
import {writeRandomModel} from './random_model.mjs';

const rounds = Number(process.argv[2] ?? 3);
const out = join(root, 'build/out/bench');
const MODEL = 'uneven-144';
const TOKENS = [128, 512];
const MOVES = 40;
const FRAME_MS = 50; // between two moves: what one causes is done before the next
const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];

/** Where the mouse moves, T = 512: the view, more of the address, and over which elements, or over
 * which one. */
const HOVERS = [
    {name: 'head: a token', hash: 'view=head&layer=5', over: '.column.query .token'},
    {
        name: 'head: a token, one head',
        hash: 'view=head&layer=5&heads=3',
        over: '.column.key .token',
    },
    {name: 'model: a thumbnail, lines', hash: 'view=model&picture=lines', over: '.thumb'},
    {name: 'model: a thumbnail, heat maps', hash: 'view=model&picture=heatmaps', over: '.thumb'},
    {name: 'neuron: a cell', hash: 'view=neuron&layer=5', inside: '.neuron-view .cells'},
    {
        name: 'neuron: a query',
        hash: 'view=neuron&layer=5',
        over: '.neuron-view .token[data-side=query]',
    },
    {
        name: 'steps: a cell of a matrix',
        hash: 'view=steps&layer=5&step=4&form=matrices',
        inside: '.matrix .cells',
    },
    {name: 'find: the map of heads', hash: 'view=find', inside: '.find-map .plot'},
    {
        name: 'change: a cell of the map',
        hash: 'view=change&masked=40',
        inside: '.change-map .surface',
    },
];

/** A built site with one more model in its menu. */
function makeSite(from, to) {
    const files = ['config.json', 'vocab.txt', 'model.safetensors'];
    const folder = join(out, MODEL);
    rmSync(to, {recursive: true, force: true});
    cpSync(from, to, {recursive: true});
    cpSync(folder, join(to, 'models', MODEL), {recursive: true});
    const menu = JSON.parse(readFileSync(join(to, 'models/index.json'), 'utf8'));
    menu.push({
        id: MODEL,
        url: `models/${MODEL}/`,
        files,
        bytes: files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0),
    });
    writeFileSync(join(to, 'models/index.json'), JSON.stringify(menu));
}

/** Seconds of processor time since the last call: of the page's thread, and of the process. */
async function createMeter(page) {
    const session = await page.context().newCDPSession(page);
    await session.send('Performance.enable', {timeDomain: 'threadTicks'});
    let last = {ThreadTime: 0, ProcessTime: 0};
    return {
        session,
        async take() {
            const {metrics} = await session.send('Performance.getMetrics');
            const now = Object.fromEntries(metrics.map(({name, value}) => [name, value]));
            const ms = {
                thread: 1000 * (now.ThreadTime - last.ThreadTime),
                process: 1000 * (now.ProcessTime - last.ProcessTime),
            };
            last = now;
            return ms;
        },
    };
}

/** In the page: presses the name of the view; milliseconds until the frame after its canvas has been
 * painted. */
const firstDrawing = page =>
    page.evaluate(
        () =>
            new Promise(done => {
                const start = performance.now();
                const look = () => {
                    if (document.querySelector('.grid canvas.base')?.width)
                        requestAnimationFrame(() => done(performance.now() - start));
                    else requestAnimationFrame(look);
                };
                document.querySelector('input[name=view][value=model]').click();
                requestAnimationFrame(look);
            }),
    );

/** A page on a text of so many tokens, ready. */
async function openPage(browser, url, tokens, hash) {
    const page = await browser.newPage({
        viewport: {width: 1600, height: 1000},
        deviceScaleFactor: 2,
    });
    const words = Array.from({length: tokens - 3}, (_, i) => `w${5 + ((i * 37) % 4000)}`);
    const [a, b] = [words.slice(0, words.length >> 1), words.slice(words.length >> 1)].map(part =>
        part.join(' '),
    );
    await page.goto(
        `${url}#model=${MODEL}&text=${encodeURIComponent(a)}&textB=${encodeURIComponent(b)}&${hash}`,
    );
    await page.waitForSelector('.below', {state: 'attached', timeout: 120000});
    return page;
}

async function measureFirst({browser, url}, tokens, picture) {
    const page = await openPage(browser, url, tokens, `view=head&picture=${picture}`);
    const shown = await page.locator('.column.query .token').count();
    if (shown !== tokens) throw new Error(`the text has ${shown} tokens, not ${tokens}`);
    const meter = await createMeter(page);
    const found = [];
    for (let round = 0; round < 3; round++) {
        await page.waitForTimeout(300);
        await meter.take();
        const ms = await firstDrawing(page);
        found.push({ms, ...(await meter.take())});
        await page.waitForTimeout(800); // what comes after the pictures
        await page.locator('input[name=view][value=head]').check({force: true});
        await page.waitForSelector('.column.query .token');
    }
    await page.close();
    return found;
}

/** The points that the mouse visits. */
async function pointsOf(page, {over, inside}) {
    await page
        .locator(over ?? inside)
        .first()
        .waitFor({timeout: 60000});
    await page
        .locator(over ?? inside)
        .first()
        .scrollIntoViewIfNeeded();
    await page.waitForTimeout(800);
    return page.evaluate(
        ([selector, isMany, moves]) => {
            const boxes = [...document.querySelectorAll(selector)]
                .map(element => element.getBoundingClientRect())
                .filter(({top, bottom}) => (isMany ? top > 0 && bottom < innerHeight : bottom > 0));
            const at = i =>
                isMany
                    ? {...boxes[i % boxes.length].toJSON(), u: 0.5, v: 0.5}
                    : {...boxes[0].toJSON(), u: (i * 0.381) % 1, v: (i * 0.618) % 1};
            return Array.from({length: moves}, (_, i) => at(i * 7)).map(
                ({left, top, width, height, u, v}) => [
                    left + 1 + u * (width - 2),
                    top + 1 + v * (Math.min(height, innerHeight - top) - 2),
                ],
            );
        },
        [over ?? inside, Boolean(over), MOVES],
    );
}

async function measureHover({browser, url}, what) {
    const page = await openPage(browser, url, 512, what.hash);
    const meter = await createMeter(page);
    const points = await pointsOf(page, what);
    const {session} = meter;
    if (process.env.PROFILE)
        await session.send('Profiler.enable').then(() => session.send('Profiler.start'));
    await page.mouse.move(2, 2);
    await page.waitForTimeout(200);
    const found = [];
    for (const [x, y] of points) {
        await meter.take();
        await session.send('Input.dispatchMouseEvent', {type: 'mouseMoved', x, y});
        await new Promise(done => {
            setTimeout(done, FRAME_MS);
        });
        found.push((await meter.take()).thread);
    }
    if (process.env.PROFILE) printProfile(what.name, (await session.send('Profiler.stop')).profile);
    await page.close();
    return found;
}

/** Where the time went: own time of functions. */
function printProfile(name, {nodes, samples, timeDeltas}) {
    const own = new Map();
    const byId = new Map(nodes.map(node => [node.id, node.callFrame]));
    samples.forEach((id, i) => {
        const {functionName, url, lineNumber, columnNumber} = byId.get(id);
        const key = `${functionName || '(anonymous)'} ${url.split('/').pop()}:${lineNumber}:${columnNumber}`;
        own.set(key, (own.get(key) ?? 0) + timeDeltas[i] / 1000);
    });
    console.log(
        name,
        [...own]
            .sort((a, b) => b[1] - a[1])
            .slice(0, 14)
            .map(([key, ms]) => `\n   ${ms.toFixed(0)} ms ${key}`)
            .join(''),
    );
}

const asked = process.env.ONLY ?? '';
const firsts = TOKENS.flatMap(tokens =>
    ['lines', 'heatmaps'].map(picture => ({
        name: `first model view, T=${tokens}, ${picture}`,
        tokens,
        picture,
    })),
);
const tasks = [
    ...firsts.map(task => ({...task, run: side => measureFirst(side, task.tokens, task.picture)})),
    ...HOVERS.map(task => ({...task, run: side => measureHover(side, task)})),
].filter(({name}) => name.includes(asked));

writeRandomModel(
    join(out, MODEL),
    {layers: 12, heads: 12, hidden: 144, inner: 288, vocab: 4096, positions: 512},
    0.1,
);
const sites = {
    here: join(root, 'build/out/site'),
    ...(process.argv[3] && {other: process.argv[3]}),
};
const sides = {};
for (const [name, site] of Object.entries(sites)) {
    makeSite(site, join(out, `site-${name}`));
    sides[name] = await serveToChromium(join(out, `site-${name}`));
}
const found = {};
for (let round = 0; round < rounds; round++) {
    for (const {name, run} of tasks) {
        for (const [side, opened] of Object.entries(sides))
            ((found[name] ??= {})[side] ??= []).push(...(await run(opened)));
    }
}
for (const side of Object.values(sides)) await side.close();
const rows = tasks.flatMap(({name, tokens}) =>
    Object.entries(found[name]).map(([side, list]) =>
        tokens
            ? {
                  name,
                  side,
                  ms: median(list.map(({ms}) => ms)),
                  min_ms: Math.min(...list.map(({ms}) => ms)),
                  thread_ms: median(list.map(({thread}) => thread)),
                  process_ms: median(list.map(({process: all}) => all)),
              }
            : {name, side, thread_ms: median(list), thread_max_ms: Math.max(...list)},
    ),
);
writeFileSync(join(out, 'model_view.json'), JSON.stringify({rounds, rows}, null, 1));
const number = value => (value === undefined ? '' : value.toFixed(1).padStart(7));
console.log(
    `drawing in Chromium, 144 heads, 2 points a pixel, ${rounds} rounds; bars: first 200 ms, a move 8 ms`,
);
console.log(
    "ms: processor time of the page's thread, median and most | of the process | clock, median and least",
);
for (const row of rows) {
    console.log(
        [
            row.name.padEnd(38),
            row.side.padEnd(5),
            number(row.thread_ms),
            number(row.thread_max_ms),
            '|',
            number(row.process_ms),
            '|',
            number(row.ms),
            number(row.min_ms),
        ].join(' '),
    );
}
