/* decides_page - the time of "What decides" in the page, T = 32, all changes: a BERT-base with random weights and
 * models of the menu; an isolated page, whose engine has threads. From the press that asks for another word until the first
 * answer stands in a list and until all do; `opened`: the same from the press that opens the view, with the engine that
 * has everything and loads the model again. Chromium, the clock's least of the rounds, and processor time of all of
 * Chromium. `node tests/bench/decides_page.mjs [ROUNDS [MODEL …]]`
 */
import {readFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {serveToChromium} from '../browser/page.mjs';
import {root} from '../js/lib/model.mjs';
import {writeRandomModel} from './random_model.mjs';

const [rounds = 3, ...only] = process.argv.slice(2);
const base = join(root, 'build/out/bench/base-masked');
writeRandomModel(base, {
    ...{layers: 12, heads: 12, hidden: 768, inner: 3072, vocab: 30522, positions: 512},
    masked: true,
});
const TOKENS = 32;
const LIMIT = 300000; // ms
// the old man went to the ...: words of one token each, in every vocabulary here
const WORDS = 'the old man went to the house and the young woman saw the man in the house'.split(
    ' ',
);
const cases = [
    {name: 'mini2-en', masked: true},
    {name: 'minilm-en', masked: true},
    {name: 'mini-gpt-en'},
    {name: 'BERT-base', masked: true, folder: base},
];

/** A text of TOKENS tokens: [CLS], [MASK] and [SEP] are three. */
function textOf({masked, folder}) {
    const count = TOKENS - (masked ? 3 : 0);
    const words = Array.from({length: count}, (_, i) =>
        folder ? `w${5 + i * 37}` : WORDS[i % WORDS.length],
    );
    return masked ? `${words.join(' ')} [MASK]` : words.join(' ');
}

/** In the page: does something, and how many ms until an answer is there, and until all are. */
const timed = (page, [selector, value]) =>
    page.evaluate(
        ([one, to]) =>
            new Promise(done => {
                const found = {};
                const start = performance.now();
                const old = document.querySelector('.decides-asked p')?.textContent;
                const end = () => clearInterval(timer) || done(found);
                const look = () => {
                    const said = document.querySelector('.decides-asked p')?.textContent;
                    if (said === undefined || said === old) return;
                    const now = performance.now() - start;
                    if (document.querySelector('.decides-lists li')) found.first ??= now;
                    if (!/What changes this most/.test(said)) return;
                    found.all = now;
                    end();
                };
                const timer = setInterval(look, 5);
                const element = document.querySelector(one);
                if (to === undefined) {
                    // of next words there is no such button: a link opens it
                    if (element) element.click();
                    else location.hash += '&view=decides';
                    return;
                }
                element.selectedIndex = to;
                element.dispatchEvent(new Event('change', {bubbles: true}));
            }),
        [selector, value],
    );

/** Seconds of the processor that the processes of Chromium have used. */
async function used(browser) {
    const session = await browser.newBrowserCDPSession();
    const {processInfo} = await session.send('SystemInfo.getProcessInfo');
    await session.detach();
    return processInfo.reduce((sum, {cpuTime}) => sum + cpuTime, 0);
}

async function measure({browser, url}, one) {
    const page = await browser.newPage({viewport: {width: 1280, height: 860}});
    page.setDefaultTimeout(LIMIT);
    const text = encodeURIComponent(textOf(one));
    const model = one.folder ? 'mini2-en' : one.name;
    await page.goto(`${url}#v=4&model=${model}&text=${text}&textB=`);
    await page.waitForSelector('.below', {state: 'attached'});
    if (!(await page.evaluate(() => crossOriginIsolated))) throw new Error('not isolated');
    const figure = '.below button:text-is("What decides")';
    if (one.masked) await page.waitForSelector(figure);
    if (one.folder) {
        await page.setInputFiles('.models input[type=file]', one.folder);
        await page
            .locator('#model option:checked', {hasText: 'base-masked'})
            .waitFor({state: 'attached'});
        await page.locator('.below', {hasText: 'w'}).waitFor();
        await page.waitForSelector(figure);
    }
    await page
        .locator('.below button', {hasText: 'What decides'})
        .evaluateAll(([one]) => one?.setAttribute('data-timed', ''));
    const opened = await timed(page, ['[data-timed]']);
    const before = await used(browser);
    const asked = await timed(page, ['.decides-asked select:not(.decides-ways)', 1]);
    const processor = 1000 * ((await used(browser)) - before);
    const changes = await page.locator('.decides-token .terms, .decides-removed .terms').count();
    if (!changes) throw new Error('no tokens were changed');
    await page.close();
    return {opened: opened.all, openedFirst: opened.first, ...asked, processor};
}

const site = await serveToChromium(join(root, 'build/out/site'));
const found = new Map();
for (let round = 0; round < rounds; round++)
    for (const one of cases.filter(({name}) => !only.length || only.includes(name))) {
        const all = found.get(one.name) ?? {};
        for (const [what, ms] of Object.entries(await measure(site, one)))
            all[what] = Math.min(all[what] ?? Infinity, ms);
        found.set(one.name, all);
    }
await site.close();
const cpu = /^model\t\t: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1];
console.log(`${cpus()[0].model} (model ${cpu}), T = ${TOKENS}, least of ${rounds} rounds, ms`);
for (const [key, all] of found)
    console.log(
        key.padEnd(24),
        Object.entries(all)
            .map(([what, ms]) => `${what} ${ms.toFixed(0)}`)
            .join('  '),
    );
