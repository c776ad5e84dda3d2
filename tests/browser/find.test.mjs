/* "Find a head" in Chromium, with the real engine and the shipped model: choosing the pair, the
 * ranking, the map, the neighbours, and axe.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nothingInTwoLanguages} from './axe.mjs';
import {useSite, until} from './page.mjs';

const site = useSite();

async function open(hash, options = {}) {
    const page = await site.open({hash: `#view=find${hash}`, ready: false, ...options});
    await page.waitForSelector('.find-view');
    return page;
}
const asked = page => page.locator('.asked').textContent();
const word = (page, index) => page.locator('.find-text .word').nth(index);
const rows = page => page.locator('.find-list .head-row').allTextContents();

test('query, then key, by mouse and by keyboard: heads are ranked, and swapping asks the other way round', async () => {
    const page = await open('');
    assert.match(await asked(page), /^i looks at went/);
    await word(page, 15).click();
    await until(() => asked(page), /^straw looks at …/, 'a key is asked for');
    assert.equal((await rows(page)).length, 0);
    await word(page, 16).focus();
    await page.keyboard.press('Enter');
    const list = await until(
        () => rows(page),
        now => now.length === 10,
        'a ranking',
    );
    assert.match(list[0], /^1L0·H6>0\.99×19$/, 'the head that looks at the next token');
    await page.getByRole('button', {name: 'Swap direction'}).click();
    await until(
        () => rows(page),
        now => now.length === 10 && now[0] !== list[0],
        'the other direction',
    );
    assert.match(await asked(page), /^##berries looks at straw/);
    await page.getByRole('button', {name: 'Show all 48 heads'}).click();
    const all = await rows(page);
    assert.equal(all.length, 48);
    const weights = all.map(row =>
        Number(row.match(/H\d+?(?: \(shown\))?([<>]?[01]\.\d\d)×/)[1].replace(/[<>]/, '')),
    );
    weights.forEach((weight, i) => assert.ok(!i || weight <= weights[i - 1]));
});

test('a row opens its head in the head view, with the query pinned', async () => {
    const page = await open('&from=15&to=16');
    await page.locator('.find-list .head-row').first().click();
    await page.waitForSelector('.head-view');
    assert.deepEqual(await page.locator('.chip[aria-pressed="true"]').allTextContents(), ['6']);
    await until(
        () => page.evaluate(() => window.location.hash),
        now => /heads=6/.test(now) && /picked=15/.test(now),
        'the link',
    );
    assert.equal(
        await page.locator('.token[data-side="query"][aria-pressed="true"]').textContent(),
        'straw',
    );
    await page.goBack();
    await page.waitForSelector('.find-view');
    // the way back shows that head: marked in the list, on the map, and those that act like it
    await until(
        () => page.locator('.find-list .head-row[aria-current]').allTextContents(),
        now => now.length === 1 && /^1L0·H6/.test(now[0]),
        'the chosen row',
    );
    assert.match(await page.locator('.find-list [aria-current]').textContent(), /\(shown\)/);
    assert.match(await page.locator('.tag').textContent(), /^L0·H6:/);
    assert.equal(
        await page.locator('.find-alike h2').textContent(),
        'Heads that attend like L0·H6',
    );
    await page.locator('summary', {hasText: 'Save'}).click();
    const hint = page.locator('.menu li', {hasText: 'SVG'}).locator('.hint');
    assert.equal(await hint.textContent(), 'A vector picture: the list of heads and the map');
});

test('the map names the point under the pointer or the arrow keys, and Enter chooses it', async () => {
    const page = await open('&layer=0&heads=6');
    const map = page.locator('.plot svg');
    const tag = () => page.locator('.tag').textContent();
    assert.match(await tag(), /^L0·H6: next token/);
    await map.focus();
    await page.keyboard.press('ArrowDown');
    const next = await until(tag, now => !/H6: next/.test(now), 'another point');
    const named = await map.getAttribute('aria-activedescendant');
    assert.equal(await page.locator(`#${named}`).getAttribute('aria-label'), next);
    await page.keyboard.press('Enter');
    const [layer, head] = next.match(/\d+/g);
    await until(
        () => page.locator('.find-alike h2').textContent(),
        `Heads that attend like L${layer}·H${head}`,
        'chosen',
    );
    const list = await page.locator('.find-alike .head-row').allTextContents();
    assert.equal(list.length, 8);
    await page.locator('.find-alike .head-row').first().click();
    await until(
        () => page.locator('.find-alike h2').textContent(),
        now => now !== `Heads that attend like L${layer}·H${head}`,
        'a neighbour',
    );
    assert.match(
        await page.locator('.find-map').textContent(),
        /show \d\d\.\d % of how the heads differ.*stress 0\.\d\d.*axes have no meaning/s,
    );
});

test('a token pinned in the head view goes along by the tab', async () => {
    const page = await site.open({hash: '#v=2&layer=0&heads=6&picked=15&side=query&token=15'});
    await page.locator('.views input[value="find"]').check();
    await page.waitForSelector('.find-view');
    assert.match(await asked(page), /^straw looks at ##berries/, 'its strongest link');
    assert.match((await rows(page))[0], /^1L0·H6/);
});

test('a head pointed at in a list is named on the map, and one on the map stands out in the lists', async () => {
    const page = await open('&from=15&to=16');
    const row = page.locator('.find-list .head-row').nth(1);
    const name = await row.locator('.name').textContent();
    await row.hover();
    await until(
        () => page.locator('.tag').textContent(),
        now => now.startsWith(`${name}:`),
        'its point',
    );
    const index = await page.locator('.find-alike .head-row').first().getAttribute('data-index');
    await page.locator(`#map-${index}`).hover({force: true});
    await until(() => page.locator('.find-alike .head-row.at').count(), 1, 'its row');
});

test('the text is one tab stop, and the arrow keys walk through it', async () => {
    const page = await open('&from=15&to=16');
    assert.equal(await page.locator('.find-text .word[tabindex="0"]').count(), 1);
    await word(page, 15).focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Enter');
    await until(() => asked(page), /^\. looks at …/, 'the token after the next');
});

test('colours by pattern come with a legend and stay in the link', async () => {
    const page = await open('');
    await page.getByLabel('by pattern').click();
    await until(
        () => page.locator('.legend li').allTextContents(),
        now => now.includes('next token') && now.length === 8,
        'legend',
    );
    await until(() => page.evaluate(() => window.location.hash), /mapColour=pattern/, 'the link');
});

test('a forged pair is cut to the text', async () => {
    const page = await open('&from=9999&to=9999');
    assert.match(await asked(page), /^\[SEP\] looks at \[SEP\]/);
    assert.equal((await rows(page)).length, 10);
    assert.equal(await page.locator('.notice').count(), 0);
});

test('axe finds nothing: en, zh', async () => {
    const page = await open('&from=15&to=16&mapColour=pattern', {bypassCSP: true});
    await page.locator('.numbers summary').click();
    await nothingInTwoLanguages(page);
});

test('at 360 px nothing is wider than the window', async () => {
    const page = await open('', {width: 360, height: 800});
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
});

test('the words keep their place when they are pressed, at both widths', async () => {
    for (const [width, height] of [
        [1280, 800],
        [390, 823],
    ]) {
        const page = await open('&v=2&model=mini2-en', {width, height});
        await word(page, 15).waitFor();
        const top = () => word(page, 5).evaluate(one => one.offsetTop);
        const before = await top();
        for (const [index, text] of [
            [3, /looks at …/],
            [5, /looks at \S+Swap/],
            [6, /looks at …/],
        ]) {
            await word(page, index).click();
            await until(
                () => asked(page),
                now => text.test(now),
                'the press is taken',
            );
            assert.equal(await top(), before, `${width} px, word ${index}`);
        }
        await page.getByRole('button', {name: 'previous token', exact: true}).click();
        await until(() => asked(page), /previous/, 'a pattern');
        assert.equal(await top(), before, `${width} px, a pattern`);
        await page.context().close();
    }
});

test('a GPT is called one, and is not asked about [CLS] and [SEP], which it has none of', async () => {
    const patterns = page => page.locator('.find-patterns button').allTextContents();
    const gpt = await open('&v=4&model=mini-gpt-en');
    await gpt.waitForSelector('.find-patterns');
    const chips = await patterns(gpt);
    assert.ok(
        chips.includes('previous token') && !chips.some(chip => /\[|special/i.test(chip)),
        chips,
    );
    assert.equal(await gpt.title(), 'Headlight: see what a GPT’s attention heads do');
    assert.equal(await gpt.locator('h1').textContent(), 'What a GPT pays attention to');
    const bert = await open('&v=4&model=mini2-en&ask=sep');
    await bert.waitForSelector('.find-answer');
    assert.ok((await patterns(bert)).includes('[SEP]'));
    assert.equal(await bert.locator('h1').textContent(), 'What BERT pays attention to');
    assert.match(
        await bert.locator('.find-answer').textContent(),
        /^No head does this .*\. In this model \[CLS\] has that place: \d\d of 72 heads give it more than 3 × uniform attention\. Another model on the menu has such a head: .*, L\d·H\d, 0\.\d\d on/,
    );
    await bert.getByRole('button', {name: 'Load it'}).click();
    await until(
        () => bert.locator('.find-answer').textContent(),
        /^L\d·H\d does this/,
        'the other model has such a head',
    );
    const [, head, count] = /(L\d·H\d) is one of (\d\d) heads/.exec(
        await bert.locator('.find-matters').textContent(),
    );
    assert.equal(count, '48');
    await bert.locator('.find-matters button').click();
    await until(
        () => bert.url(),
        now =>
            now.includes('view=change') &&
            now.includes(`off=${head.replace(/[LH]/g, '').replace('·', '.')}`),
        'it leads to the model without that head',
    );
});

test('the answer is the darkest line above the list, and the largest, of a pair as of a pattern', async () => {
    for (const hash of ['&from=5&to=2', '&ask=previous']) {
        const page = await open(`&v=4&model=mini2-en${hash}`);
        await page.waitForSelector('.find-list .head-row');
        const [ink, answer, ...below] = await page.evaluate(() =>
            [document.body, ...document.querySelectorAll('.find-list > p')].map(element => {
                const {color, fontSize} = getComputedStyle(element);
                return {color, size: parseFloat(fontSize)};
            }),
        );
        assert.equal(answer.color, ink.color, hash);
        assert.ok(below.length >= 2);
        for (const {color, size} of below) assert.ok(color !== ink.color && size < answer.size);
    }
});
