/* "What decides": from the predictions of a [MASK] to what they rest on, another word, the link; and a label.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {until, useSite} from './page.mjs';

const site = useSite();
const said = page => page.textContent('.decides-asked p');
const whole = page =>
    until(
        () => said(page),
        now => now.includes('Largest change'),
        'all passes',
    );

test('which tokens and heads matter for the word at [MASK], in one press', async () => {
    const text = encodeURIComponent('The capital of France is [MASK].');
    const page = await site.open({hash: `#v=4&model=mini2-en&text=${text}`});
    await page.click('.below button:text-is("What decides")');
    await page.waitForSelector('.terms');
    await whole(page);
    assert.match(await said(page), /“capital” at position 6 .* by 2 capital\./);
    const lists = await page.locator('.decides-lists h2').allTextContents();
    assert.deepEqual(lists, ['Tokens, masked', 'Heads, off', 'MLPs, off']);
    assert.equal(await page.locator('.decides-head li').count(), 10);
    const second = await page.locator('.decides-asked option').nth(1).getAttribute('value');
    await page.selectOption('.decides-asked select', second);
    await until(
        () => said(page),
        now => !now.includes('“capital” at'),
        'another word',
    );
    await whole(page);
    const hash = () => page.evaluate(() => location.hash);
    await until(hash, now => now.includes(`ask=${second}`), 'the link names it');
});

test('why a review is called negative', async () => {
    const text = encodeURIComponent('The film was dull and far too long.');
    const page = await site.open({
        hash: `#v=4&model=mini2-en-sst2&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await whole(page);
    assert.match(await said(page), /The label “negative” .* against “positive”/);
    assert.equal(await page.locator('.decides-token .name').first().textContent(), '4 dull');
});

test('patches from another text: shares of the difference, kept in the link', async () => {
    const text = encodeURIComponent('The film was dull.');
    const page = await site.open({
        hash: `#v=4&model=mini2-en-sst2&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await page.fill('.decides-patch input', 'The film was great.');
    await page.press('.decides-patch input', 'Enter');
    await until(
        () => said(page),
        now => now.includes('Most is brought along'),
        'all patches',
    );
    assert.match(await said(page), /“positive” less that of “negative”/);
    assert.match(await page.locator('.decides-parts li').first().textContent(), /dull/);
    const hash = () => page.evaluate(() => location.hash);
    await until(hash, now => now.includes('patch=The'), 'the link has the other text');
    await page.fill('.decides-patch input', '');
    await page.press('.decides-patch input', 'Enter');
    await page.waitForSelector('.decides-token');
});
