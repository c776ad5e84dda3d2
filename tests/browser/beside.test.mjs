/* Two models side by side in Chromium: mini-en and its fine-tuned twin, each with an engine of its
 * own; pointing at a token in one figure points at it in the other; the map of their difference; the
 * link; 390 px; and the way back to one model.
 */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {after, before, test} from 'node:test';
import {menu, startSite, until} from './page.mjs';

let site;
before(async () => {
    site = await startSite();
});
after(() => site.close());

const HASH = '#v=2&model=mini-en&layer=3&heads=5&text=A%20dull%20film.&textB=';
const figures = page => page.locator('.beside .two section');
const token = (page, side, index) =>
    figures(page).nth(side).locator('.column.query .token').nth(index);
const marks = (page, side) => figures(page).nth(side).locator('.mark.query').count();
const hash = page => page.evaluate(() => decodeURIComponent(window.location.hash));

/** The page, once both models have drawn. */
async function both(page) {
    await page.waitForSelector('.between .map-frame');
    assert.equal(await figures(page).locator('.head-view').count(), 2);
}

test('a second model is chosen, drawn beside and subtracted; pointing is linked; back to one', async () => {
    const page = await site.open({hash: HASH});
    await (
        await menu(page, '.more-models')
    )
        .getByLabel('Compare with')
        .selectOption('mini-en-sst2');
    await both(page);
    await until(
        () => hash(page),
        now => /&compareWith=mini-en-sst2/.test(now),
        'the link',
    );
    assert.deepEqual(await figures(page).locator('> h2').allTextContents(), [
        'mini-en, English',
        'mini-en, fine-tuned on film reviews',
    ]);
    const between = page.locator('.between');
    assert.match(
        await between.locator('h2').textContent(),
        /^L3·H5: mini-en, fine-tuned on film reviews minus mini-en, English$/,
    );
    assert.match(
        await between.textContent(),
        /0\.\d+ → 0\.\d+ [+−]0\.\d{3}.*Full colour: 0\.\d{3}/s,
    );

    for (const [side, other] of [
        [0, 1],
        [1, 0],
    ]) {
        await token(page, side, 3).hover();
        await until(
            () => Promise.all([marks(page, side), marks(page, other)]),
            now => now.join() === '1,1',
            'the token pointed at, in both',
        );
        await until(
            () => figures(page).locator('.panel').count(),
            now => now === 2,
            'with the numbers of each',
        );
    }
    await page.getByRole('button', {name: 'Head 2', exact: true}).click();
    await until(
        () => between.locator('h2').textContent(),
        now => now.startsWith('Layer 3, mean of heads 2, 5:'),
        'several heads: their mean',
    );
    await (await menu(page, '.more-models')).getByLabel('Compare with').selectOption('');
    await page.waitForSelector('.beside', {state: 'detached'});
    await page.waitForSelector('.stage .head-view');
    await until(
        () => hash(page),
        now => !/compareWith/.test(now),
        'the link',
    );
});

test('the heat map: both, their difference; the other model is not loaded again', async () => {
    const page = await site.open({hash: `${HASH}&compareWith=mini-en-sst2`, ready: false});
    await both(page);
    const asked = [];
    page.on('request', request => asked.push(request.url()));
    await page.locator('.views input[value="heatmap"]').check();
    await until(
        () => page.locator('.beside .two .map-frame').count(),
        count => count === 2,
        'two maps',
    );
    const title = page.locator('.between h2');
    assert.match(await title.textContent(), /^L3·H5: .* minus mini-en, English$/);
    await page.getByRole('button', {name: 'Head 2', exact: true}).click();
    await until(
        () => title.textContent(),
        now => now.startsWith('L3·H2:'),
        'the difference follows',
    );
    assert.deepEqual(
        asked.filter(url => /safetensors/.test(url)),
        [],
    );
});

test('the model view: the opened head of both; going to the next head goes in both', async () => {
    const hash = HASH.replace('layer=3&heads=5', 'view=model&opened=3.5');
    const page = await site.open({hash: `${hash}&compareWith=mini-en-sst2`, ready: false});
    await both(page);
    const title = page.locator('.between h2');
    assert.match(await title.textContent(), /^L3·H5: .* minus mini-en, English$/);
    await until(
        () => figures(page).locator('.opened-bar h2').allTextContents(),
        ([one, two]) => one && one === two,
        'the same head twice',
    );
    await figures(page).nth(1).getByRole('button', {name: 'Next head'}).click();
    await until(
        () => title.textContent(),
        now => now.startsWith('L3·H6:'),
        'the difference follows',
    );
    await page.locator('.opened-bar button').last().press('Escape');
    await page.waitForSelector('.beside', {state: 'detached'});
    await page.waitForSelector('.grid');
});

test('from a link, at 390 px: one below the other, no scrolling to the side; axe finds nothing', async () => {
    const page = await site.open({
        hash: `${HASH}&compareWith=mini-en-sst2&lang=zh`,
        width: 390,
        ready: false,
        bypassCSP: true,
    });
    await both(page);
    const [one, two] = await Promise.all([0, 1].map(side => figures(page).nth(side).boundingBox()));
    assert.ok(two.y >= one.y + one.height && Math.abs(two.x - one.x) < 1, 'stacked');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    assert.match(await page.locator('.between h2').textContent(), /^L3·H5：.* 减 /);
    await page.addScriptTag({content: await readFile('node_modules/axe-core/axe.min.js', 'utf8')});
    const {violations} = await page.evaluate(() => window.axe.run('.beside'));
    assert.deepEqual(
        violations.map(({id, nodes}) => `${id}: ${nodes[0].html}`),
        [],
    );
});

test('a second model that is not there: a sentence, and the first figure stays', async () => {
    const page = await site.open({
        hash: `${HASH}&compareWith=no-such`,
        ready: false,
        mayFail: true,
    });
    await page.waitForSelector('.beside .notice');
    assert.match(await page.locator('.beside .notice').textContent(), /no-such/);
    assert.equal(await figures(page).locator('.head-view').count(), 1);
});
