/* Experiments by hand in Chromium: without position embeddings the heads of the next and the previous word
 * lose their aim, without segment embeddings the one of its own sentence does; two positions swapped; the
 * numbers before stay; links; and the way back.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {useSite, until} from './page.mjs';

const site = useSite();

const panel = page => page.locator('.experiments');
/** Of each pattern [before, now] as they are shown. */
const numbers = async page => {
    const rows = await panel(page).locator('tbody tr').all();
    const read = row => row.locator('.number').allTextContents();
    return Object.fromEntries(
        await Promise.all(
            rows.map(async row => [
                await row.getAttribute('data-pattern'),
                (await read(row)).map(Number),
            ]),
        ),
    );
};

test('what is taken away, and what breaks', async () => {
    const page = await site.open({hash: '#v=2&model=mini-en'});
    await panel(page).locator('summary').click();
    const plain = await until(
        () => numbers(page),
        now => now.own?.length === 1,
        'the strengths of this text',
    );
    for (const [pattern, least] of [
        ['next', 0.5],
        ['previous', 0.5],
        ['own', 0.3],
    ])
        assert.ok(plain[pattern][0] > least, `${pattern} is shown: ${plain[pattern]}`);

    await panel(page).getByLabel('No position embeddings').check();
    const unplaced = await until(
        () => numbers(page),
        now => now.next?.length === 2 && now.next[1] < now.next[0] / 2,
        'the next word is lost',
    );
    assert.equal(unplaced.next[0], plain.next[0], 'before is what it was');
    assert.ok(unplaced.previous[1] < unplaced.previous[0] / 2, `previous ${unplaced.previous}`);
    await until(
        () => page.evaluate(() => location.hash),
        now => now.includes('without=positions'),
        'the link',
    );

    await panel(page).getByLabel('No segment embeddings').check();
    await until(
        () => numbers(page),
        now => now.own?.[1] < now.own?.[0] - 0.1 && now.next[1] > unplaced.next[1],
        'without segments its own sentence is lost, and the next word found again',
    );
    await panel(page).getByLabel('No segment embeddings').uncheck();
    await panel(page).getByLabel('Swap two positions').check();
    await until(
        () => page.evaluate(() => decodeURIComponent(location.hash)),
        now => /swapped=\d+,\d+/.test(now) && !now.includes('without'),
        'two positions in the link',
    );
    await until(
        () => numbers(page),
        now => now.next?.[1] < now.next?.[0],
        'two words are out of their order',
    );
    await page.locator('.experiment button').click();
    await until(
        () => numbers(page),
        now => now.next?.length === 1 && now.next[0] === plain.next[0],
        'as it was',
    );
    for (const pattern of ['next', 'previous']) {
        await page.goto(`${site.url}#v=2&model=mini-en&view=find&ask=${pattern}`);
        await until(
            () => page.locator('.find-list .head-row .number').nth(1).textContent(),
            now => Number(now) === plain[pattern][0],
            `the number of ${pattern} that “find a head” ranks by`,
        );
    }
});

test('in Chinese at 390 px, opened by the reader: axe finds nothing, nothing scrolls to the side', async () => {
    const page = await site.open({
        hash: '#v=2&model=mini-en&lang=zh&without=positions',
        width: 390,
        bypassCSP: true,
    });
    await panel(page).locator('summary').click();
    await until(
        () => numbers(page),
        now => now.next?.length === 2,
        'the numbers',
    );
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await nothingForAxe(page, {place: '.experiments'});
});
