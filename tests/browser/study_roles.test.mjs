/* The studies of roles, distances, two models and published claims in Chromium: τ answered at once
 * and refused below the ceiling, a head chosen by keyboard and opened on a text, combinations lit
 * on the map, and every one of them clean for axe and not too wide.
 */
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {inChinese, nothingForAxe} from './axe.mjs';
import {useSite, until} from './page.mjs';

const site = useSite();

before(async () => {});
after(async () => {});

const openStudy = async (study, more = '', options = {}) => {
    const page = await site.open({
        hash: `#desk=corpus&study=${study}${more}`,
        ready: false,
        ...options,
    });
    await page.waitForSelector(`.${study}-view`);
    return page;
};
const says = page => page.textContent('.study-says');
const setTau = (page, value) => page.locator('#tau').fill(String(value));

test('τ is answered at once without a run; a role whose ceiling lies below it is refused in words', async () => {
    const page = await openStudy('roles');
    const first = await says(page);
    assert.match(first, /^At τ = 3, \d+ of 48 heads/);
    await setTau(page, 1);
    const low = await until(
        () => says(page),
        text => text.startsWith('At τ = 1,'),
        'the answer for 1',
    );
    const count = text => Number(/, (\d+) of 48/.exec(text)[1]);
    assert.ok(count(low) > count(first), `${low} / ${first}`);
    assert.equal(await page.locator('.study-progress').count(), 0);
    await setTau(page, 4);
    await until(
        () => says(page),
        /^At τ = 4,.*local: not tested.*above 3\.1.*τ is 4/,
        'the refusal',
    );
    assert.match(await page.textContent('.refusals'), /local: not tested/);
    await until(() => page.evaluate(() => location.hash), /tau=4/, 'τ in the address');
    await page.selectOption('#correction', 'bh');
    await page.selectOption('#sd', 'sample');
    await until(
        () => page.evaluate(() => location.hash),
        hash => /correction=bh/.test(hash) && /sd=sample/.test(hash),
        'the test in the address',
    );
});

test('a head is chosen by keyboard, its scores follow the role, and it opens on the text where it is strongest', async () => {
    const page = await openStudy('roles');
    await page.focus('.role-cell[tabindex="0"]');
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await until(() => page.textContent('.role-panel h3'), 'L0·H0', 'the panel of the head');
    await page.click('.role-panel .role-pick >> text=nsubj');
    await until(() => page.textContent('.role-scores h4'), 'Its scores: nsubj', 'its scores');
    await page.click('.role-scores .plain');
    const hash = await until(
        () => page.evaluate(() => location.hash),
        now => !/desk=corpus/.test(now),
        'the view of one text',
    );
    assert.match(hash, /heads=0/);
});

test('a combination lights its heads, switches of roles change what is shown', async () => {
    const page = await openStudy('roles', '&tau=1');
    const button = page.locator('.upset tbody .plain').first();
    const count = Number(await button.textContent());
    await button.click();
    const faint = await page.locator('.role-cell.faint').count();
    assert.equal(faint, 48 - count, 'all others are faint');
    assert.equal(
        await page.locator('.upset-heads .head-name').count(),
        count,
        'and they are named',
    );
    await page.click('.role-legend .plain >> text=Coarse');
    await until(
        () => page.locator('.role-layers li').count(),
        4,
        'local, delimiter, syntactic and several roles; block is not tested',
    );
});

test('distances: the colours follow the choice, the number of clusters can be given, the canvas is painted', async () => {
    const page = await openStudy('distances');
    await page.selectOption('#clusters', '6');
    await until(() => page.locator('.clusters li').count(), 6, 'six clusters');
    await page.selectOption('#by', 'kind');
    await until(() => page.textContent('.point-legend'), /next token/, 'kinds');
    const colours = await page.evaluate(() => {
        const canvas = document.querySelector('.heat-box canvas');
        const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        const found = new Set();
        for (let i = 0; i < data.length; i += 404) found.add(data.slice(i, i + 3).join());
        return found.size;
    });
    assert.ok(colours > 20, `${colours} colours`);
    await page.focus('.heat-box');
    await page.keyboard.press('ArrowRight');
    assert.match(
        await page.textContent('.heat [role="status"]'),
        /^L\d·H\d and L\d·H\d: 0\.\d{3} nats$/,
    );
});

test('two models: attention to [SEP] falls with fine-tuning, and the measure can be chosen', async () => {
    const page = await openStudy('compare');
    assert.match(
        await says(page),
        /^Attention to \[SEP\], mean over all heads: 0\.\d+ before, 0\.\d+ after \(−0\.\d+\)/,
    );
    await page.selectOption('#measure', 'entropy');
    await until(() => page.textContent('.compare-view .hm-name >> nth=0'), /^Entropy/, 'entropy');
});

test('published claims: every row has a verdict, and those that this corpus cannot answer say what it takes', async () => {
    const page = await openStudy('claims');
    const verdicts = await page.locator('.claim .verdict').allTextContents();
    assert.ok(verdicts.length > 40);
    assert.ok(
        verdicts.every(text =>
            /found here(?: too|, not compared with random layers)|not found here|does not apply|not measured/.test(
                text,
            ),
        ),
        'on mini-en nothing agrees or differs',
    );
    assert.match(await page.textContent('.claim-list >> nth=2'), /marked mentions/);
    await page.click('.claim .plain >> nth=0');
    await page.waitForSelector('.token');
    assert.equal(await page.inputValue('#text'), 'I went to the store.');
});

test('axe finds nothing, and nothing is too wide, in either theme and on a phone', async () => {
    for (const study of ['roles', 'distances', 'compare', 'claims']) {
        const page = await openStudy(study, '', {bypassCSP: true});
        for (const narrow of [false, true]) {
            if (narrow) {
                await page.setViewportSize({width: 360, height: 860});
                await inChinese(page);
            }
            await nothingForAxe(page);
            const [wide, seen] = await page.evaluate(() => [
                document.documentElement.scrollWidth,
                innerWidth,
            ]);
            assert.ok(wide <= seen, `${study} is ${wide} px wide on ${seen}`);
        }
        await page.context().close();
    }
});
