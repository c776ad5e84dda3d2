/* The card of a head and the glossary in Chromium: opened by pointing, by keys and by touch, from chips,
 * thumbnails, rankings and lessons; its numbers are those of the picture; its ways lead where they say; at
 * 390 px; nothing for axe, light and dark, in both languages.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {useSite, until} from './page.mjs';

const site = useSite();

const HASH = '#v=2&model=mini-en&layer=0&heads=6';
const card = page => page.locator('.head-card');
/** The page, once names open cards. */
async function opened(options) {
    const page = await site.open(options);
    await page.waitForSelector('[data-cards]', {state: 'attached'});
    return page;
}
const share = (page, measure) =>
    card(page).locator(`[data-measure="${measure}"] .number`).first().textContent();

test('from a chip by its mark and by I; its numbers; switched off; on to the neuron view and the corpus', async () => {
    const page = await opened({hash: HASH});
    const chip = page.locator('.chip').nth(6);
    await chip.hover();
    await page.locator('.card-mark').click();
    await card(page).locator('[data-measure]').first().waitFor();
    assert.equal(await card(page).getAttribute('aria-label'), 'About L0·H6');
    assert.equal(await share(page, 'next'), '0.90');
    assert.match(await card(page).textContent(), /Role on this text: local/);
    const work = card(page).getByRole('button', {name: 'Compute it'});
    if (await work.count()) await work.click();
    const moved = Number(await card(page).locator('[data-moved]').getAttribute('data-moved'));
    assert.ok(moved > 0.01 && moved < 0.69, `${moved}`);
    await page.keyboard.press('Escape');
    assert.equal(await card(page).count(), 0);

    await chip.focus();
    await page.keyboard.press('i');
    await until(
        () => page.evaluate(() => document.activeElement?.className),
        'head-card',
        'the focus is in the card',
    );
    await card(page).getByRole('button', {name: 'Switch off'}).click();
    await until(() => page.evaluate(() => window.location.hash), /off=0\.6/, 'the head is off');
    await card(page).getByRole('button', {name: 'Switch on'}).click();
    await card(page).getByRole('button', {name: 'Neurons'}).click();
    await page.waitForSelector('.neuron-view');
    assert.equal(await card(page).count(), 0);
});

test('from a thumbnail, a ranking and a lesson; to a head that acts alike; a press beside closes it', async () => {
    const page = await opened({hash: '#v=2&model=mini-en&view=model'});
    await page.locator('.thumb').nth(9).hover();
    await page.locator('.card-mark').click();
    await card(page).locator('.card-near button').first().waitFor();
    assert.equal(await card(page).getAttribute('aria-label'), 'About L1·H1');
    const other = (await card(page).locator('.card-near button').first().textContent()).split(
        ' ',
    )[0];
    await card(page).locator('.card-near button').first().click();
    await until(
        () => card(page).getAttribute('aria-label'),
        `About ${other}`,
        'the card of the other head',
    );
    await page.locator('.brand').click();
    assert.equal(await card(page).count(), 0);

    await page.goto(`${site.url}#v=2&model=mini-en&view=find&from=1&to=2`);
    await page.locator('.head-row[data-card="0.6"]').first().hover();
    await page.locator('.card-mark').click();
    assert.equal(await card(page).getAttribute('aria-label'), 'About L0·H6');
    await page.keyboard.press('Escape');

    await page.goto(`${site.url}#v=2&lang=en&lesson=vig1&step=1`);
    await page.locator('.seen-number .head-name').click();
    assert.equal(await card(page).getAttribute('aria-label'), 'About L4·H9');
});

test('a term says its sentence to the pointer, to the focus and to a touch', async () => {
    const page = await opened({hash: '#v=2&lang=en&lesson=inside&step=0'});
    const term = page.locator('.lesson .term').first();
    await term.hover();
    await page.locator('.term-tip').waitFor();
    assert.equal(await term.getAttribute('aria-describedby'), 'term-tip');
    const says = await page.locator('.term-tip').textContent();
    assert.ok(says.length > 20);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.term-tip').count(), 0);
    assert.equal(
        await page.locator('.lesson').count(),
        1,
        'Escape closes the sentence, not the lesson',
    );
    await page.locator('.lesson h2').focus();
    await page.keyboard.press('Tab');
    await page.locator('.term-tip').waitFor();
    const terms = await page
        .locator('.lesson .term')
        .evaluateAll(list => list.map(one => one.dataset.term));
    assert.equal(new Set(terms).size, terms.length, 'one mark a term');
});

test('Query and Key above the picture say what they are; a sentence stands above its term where there is room', async () => {
    const page = await opened({hash: HASH});
    const tip = page.locator('.term-tip');
    for (const [side, says] of [
        ['query', /^The token that looks\./],
        ['key', /^The token that is looked at\./],
    ]) {
        const axis = page.locator(`.axis.${side} > span`);
        await axis.hover();
        await until(
            async () => ((await tip.count()) ? tip.textContent() : ''),
            now => says.test(now),
            side,
        );
        const [own, at] = [await tip.boundingBox(), await axis.boundingBox()];
        assert.ok(own.y + own.height <= at.y, `${own.y} ${own.height} ${at.y}`);
        await page.keyboard.press('Escape');
        await tip.waitFor({state: 'detached'});
    }
});

test('a pressed term is closed by a second press, by one elsewhere or on the sentence, and by scrolling away', async () => {
    const page = await opened({hash: HASH, width: 1366, height: 500});
    await page.locator('.tools button', {hasText: '?'}).click();
    const term = page.locator('.how .term').first();
    const tip = page.locator('.term-tip');
    const isGone = () => tip.waitFor({state: 'detached'});
    const press = async () => {
        await term.click();
        await tip.waitFor();
        await page.mouse.move(2, 2); // it is not the pointer that keeps it
    };
    await press();
    await term.click();
    await isGone();
    for (const elsewhere of ['.brand', '.term-tip']) {
        await press();
        await page.locator(elsewhere).first().click();
        await isGone();
    }
    await press();
    await page.evaluate(() => window.scrollBy(0, 10));
    assert.equal(await tip.count(), 1, 'a little is not away');
    await page.evaluate(() => window.scrollBy(0, 200));
    await isGone();
});

for (const lang of ['en', 'zh'])
    test(`at 390 px, by touch: inside of the window, nothing for axe: ${lang}`, async () => {
        const page = await opened({
            hash: `#v=2&lang=${lang}&lesson=inside&step=0`,
            width: 390,
            height: 844,
            hasTouch: true,
            bypassCSP: true,
        });
        await page.locator('.seen-number .head-name').tap();
        await card(page).locator('[data-measure]').first().waitFor();
        const box = await card(page).boundingBox();
        assert.ok(box.x >= 0 && box.x + box.width <= 390 && box.y + box.height <= 844, `${box}`);
        const place = {include: [['[data-cards]'], ['.lesson']]};
        await nothingForAxe(page, {place});
        await card(page).locator('.card-top button').tap();
        assert.equal(await card(page).count(), 0);
        await page.locator('.lesson .term').first().tap();
        await page.locator('.term-tip').waitFor();
        await nothingForAxe(page, {place});
    });
