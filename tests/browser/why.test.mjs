/* "Why?": from the numbers of a pinned token to what wrote its strongest link, measured by a second engine; a
 * head switched off there; the link of the page; its files; back to the head view.
 */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {menu, pressUnfolded, until, useSite} from './page.mjs';

const site = useSite();
const TEXT = encodeURIComponent('The cat was sad because it could not find food.');
const PINNED = `#v=4&model=mini2-en&text=${TEXT}&layer=3&heads=1&picked=6&token=6&side=query`;
const said = page => page.textContent('.why-said');

test('by its tab: at the strongest link of the pinned token, else between two words of an instructive head', async () => {
    const page = await site.open({hash: PINNED});
    const tab = page.locator('.views input[value="why"]');
    await tab.check();
    await page.waitForSelector('.terms');
    const hash = () => page.evaluate(() => location.hash);
    await until(hash, /view=why.*from=6&to=2/, 'it to cat');
    const another = await site.open({hash: `#v=4&model=mini2-en&text=${TEXT}`});
    await another.locator('.views input[value="why"]').check();
    const of = () => another.evaluate(() => location.hash);
    await until(of, /heads=\d+&.*from=\d+&to=\d+/, 'a head and its link');
    const [, from, to] = /from=(\d+)&to=(\d+)/.exec(await of()).map(Number);
    assert.ok(from > 0 && to > 0 && from < 12 && to < 12 && from !== to, `${from} to ${to}`);
    await until(() => said(another), /looks from “\w+” to “\w+” with weight 0\.\d\d/, 'the words');
});

test('from a pinned token in one press: two lists, the exact effect of a head, and back', async () => {
    const page = await site.open({hash: PINNED});
    await page.click('.aside .actions button:text-is("Why?")');
    await page.waitForSelector('.terms');
    assert.match(
        await said(page),
        /L3·H1 looks from “it” to “cat” with weight 0\.48: 34 times a typical key/,
    );
    assert.equal(await page.locator('.terms').count(), 2);
    const totals = await page.locator('.terms .total .number').allTextContents();
    assert.deepEqual(totals, ['3.53', '3.53']);
    await page.click('.why-heads button[aria-label^="L2·H3"]');
    const changed = /With your changes the weight is 0\.40; without them 0\.48/;
    await until(
        () => said(page),
        now => changed.test(now),
        'the weight with the head off',
    );
    await until(
        () => page.locator('.terms .total .number').allTextContents(),
        now => now.join() === '2.40,2.40',
        'the lists are of the changed pass',
    );
    const hash = () => page.evaluate(() => location.hash);
    const linked = /view=why.*off=2\.3.*from=6&to=2/;
    await until(hash, now => linked.test(now), 'the link');
    await page.selectOption('.why-link .key select', '3');
    await until(
        () => said(page),
        now => now.includes('to “was”'),
        'another link',
    );
    await page.click('.why-link button');
    await page.waitForSelector('.aside .actions');
    assert.match(await hash(), /picked=6/);
});

test('a link to it, in Chinese; the saved table has every part', async () => {
    const page = await site.open({
        hash: `#v=4&model=mini-gpt-en&lang=zh&view=why&text=${encodeURIComponent(
            'The teacher read the book, and then the teacher read the',
        )}&layer=5&heads=4&from=12&to=5`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    assert.match(await said(page), /L5·H4 从“␣the”看向“␣book”，权重 0\.83/);
    const place = await menu(page, '.export');
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        pressUnfolded(place, 'CSV'),
    ]);
    const lines = (await readFile(await download.path(), 'utf8')).trim().split('\n');
    assert.equal(lines.length, 1 + 6 + 5 + 5 * 8);
    const sum = lines.slice(1).reduce((all, line) => all + Number(line.split(',').at(-4)), 0);
    assert.ok(Math.abs(sum - 4.63) < 0.01, `${sum}`);
});
