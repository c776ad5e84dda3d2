/* The switch between attention weights and what heads move, in Chromium: a press, the sentence about where
 * both differ, the link, the other views, value zeroing, and axe.
 */
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {startSite, until} from './page.mjs';

let site;
before(async () => {
    site = await startSite();
});
after(() => site.close());

const HASH =
    '#v=2&model=mini2-en&layer=2&heads=7&text=The%20cat%20was%20sad%20because%20it%20could%20not%20find%20food.&textB=';
const press = (page, value) => page.locator(`.shows input[value="${value}"]`).check();

for (const [locale, said] of [
    ['en-GB', /\[CLS\] gets \d\d\.\d % of the weight and \d\d\.\d % of what is moved/],
    ['zh-CN', /\[CLS\] 得到 \d\d\.\d % 的权重，占传递量的 \d\d\.\d %/],
])
    test(`a press shows what is moved and says where it differs; links keep it: ${locale}`, async () => {
        const page = await site.open({hash: HASH, locale});
        await page.waitForSelector('.head-view');
        await press(page, 'moved');
        const hint = page.locator('.shows .hint');
        await until(
            () => hint.textContent({timeout: 5000}).catch(() => ''),
            text => said.test(text),
            'the sentence',
        );
        await until(
            () => page.evaluate(() => location.hash),
            hash => hash.includes('show=moved'),
            'the link',
        );
        await nothingForAxe(page);
        await page.locator('.views input[value="heatmap"]').check();
        await page.waitForSelector('.shift-readout');
        const first = await page.locator('.shift-readout strong').textContent();
        await press(page, 'zeroing');
        await until(
            () => page.locator('.shift-readout strong').textContent(),
            number => number !== first,
            'another map',
        );
        assert.equal(await page.locator('.heads .chip').count(), 0, 'it is of no head');
        await nothingForAxe(page);
        await page.context().close();
    });
