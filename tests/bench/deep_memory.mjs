/* deep_memory - the memory of a phone with a view open that asks the engine with everything, Why? and What decides,
 * beside what it was before (bar: 1.3 times): a page of 390 px, Chromium slowed down to a quarter, mini4-en. The proportional
 * share (PSS) of the page's renderer process, which holds its workers too: at rest, after collections, before the press and
 * after all answers, and the most that was seen between. Medians of the rounds, each with a browser of its
 * own, since Chromium gives back much of what it holds at times of its choosing.
 * `node tests/bench/deep_memory.mjs [ROUNDS]`, after `make site`; Linux.
 */
import {readFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {serveToChromium} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';

const rounds = Number(process.argv[2] ?? 3);
const BAR = 1.3;
const SLOWER = 4;
const READINGS = 4;
const MODEL = 'mini4-en';
const VIEWS = {
    why: {text: 'The cat was sad because it could not find food.', ready: '.terms'},
    decides: {text: 'The capital of France is [MASK].', ready: '.decides-readings'},
};

/** PSS of the page's renderer, MB: others are spare ones, and smaller. */
async function memory(browser) {
    const session = await browser.newBrowserCDPSession();
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    const ofOne = ({id}) => {
        const text = readFileSync(`/proc/${id}/smaps_rollup`, 'utf8');
        return Number(/^Pss:\s+(\d+) kB/m.exec(text)[1]) / 1000;
    };
    return Math.max(...processInfo.filter(({type}) => type === 'renderer').map(ofOne));
}

/** The same after collections, when READINGS of them, a second apart, are alike. */
async function atRest(browser, devtools) {
    const seen = [];
    for (;;) {
        await devtools.send('HeapProfiler.collectGarbage');
        await new Promise(done => setTimeout(done, 1000));
        seen.push(await memory(browser));
        const last = seen.slice(-READINGS);
        const least = Math.min(...last);
        if (last.length === READINGS && Math.max(...last) < 1.01 * least) return least;
    }
}

async function measure(view, {text, ready}) {
    const {browser, url, close} = await serveToChromium(join(root, 'build/out/site'));
    try {
        const page = await browser.newPage({
            ...{viewport: {width: 390, height: 844}, isMobile: true, hasTouch: true},
        });
        const devtools = await page.context().newCDPSession(page);
        await devtools.send('Emulation.setCPUThrottlingRate', {rate: SLOWER});
        const hash = `#v=4&model=${MODEL}&text=${encodeURIComponent(text)}&textB=`;
        await page.goto(url + hash);
        await page.waitForSelector('.below', {state: 'attached'});
        const before = await atRest(browser, devtools);
        let [most, open] = [before, false];
        const watch = (async () => {
            while (!open) most = Math.max(most, await memory(browser));
        })();
        await page.locator(`.views input[value="${view}"]`).evaluate(one => one.click());
        await page.waitForSelector(ready, {state: 'attached'});
        if (view === 'decides')
            await page.waitForSelector('.decides-asked progress', {state: 'detached'});
        open = true;
        await watch;
        return {before, most, rest: await atRest(browser, devtools)};
    } finally {
        await close();
    }
}

const found = new Map();
for (let round = 0; round < rounds; round++)
    for (const [view, of] of Object.entries(VIEWS)) {
        const one = await measure(view, of);
        found.set(view, [...(found.get(view) ?? []), one]);
    }
console.log(
    `${cpus()[0].model}, 390 px, slowed down ${SLOWER} times, ${MODEL}; MB, medians of ${rounds} rounds`,
);
for (const [view, all] of found) {
    const [before, most, rest] = ['before', 'most', 'rest'].map(
        name => all.map(one => one[name]).sort((a, b) => a - b)[all.length >> 1],
    );
    const times = rest / before;
    const over = times > BAR ? ` (over ${BAR})` : '';
    console.log(
        `${view.padEnd(8)} before ${before.toFixed(0)}, open ${rest.toFixed(0)}: ${times.toFixed(2)} times${over}; on the way ${most.toFixed(0)}`,
    );
}
