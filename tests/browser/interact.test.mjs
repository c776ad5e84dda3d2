/* The head view's interactions in Chromium, with the real engine and the shipped model: pinning,
 * masking, previews, averages, levels, and the same by keyboard and touch. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {inkedRows, pieces, show, shownHeads, useSite, until} from './page.mjs';

const query = index => `.column.query [data-index="${index}"]`;
const key = index => `.column.key [data-index="${index}"]`;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const site = useSite();

const pinned = page =>
    page
        .locator('.token[aria-pressed="true"]')
        .evaluateAll(all => all.map(token => `${token.dataset.side} ${token.dataset.index}`));
const pins = (page, ...wanted) =>
    until(
        () => pinned(page),
        now => same(now, wanted),
        `pinned: ${wanted}`,
    );
const struck = page => page.locator('.column.query .was').allTextContents();
const masks = (page, ...wanted) =>
    until(
        () => struck(page),
        now => same(now, wanted),
        `masked: ${wanted}`,
    );
const panel = page => page.locator('.panel').textContent();
const pause = page => page.waitForTimeout(450);

test('a click pins, Shift+click sums several, a click elsewhere lets go; a link keeps them', async () => {
    const page = await site.open({hash: '#layer=0&heads=6'});
    await page.click(query(5));
    await pins(page, 'query 5');
    await pause(page);
    await page.click(query(15), {modifiers: ['Shift']});
    await pins(page, 'query 5', 'query 15');
    assert.match(await panel(page), /^×store, straw look at/);
    assert.match(await panel(page), /sum of 2 tokens.*Sum over all keys of the text: 2\.00/s);
    await page.mouse.move(5, 5);
    await until(
        () => inkedRows(page, 'overlay', 'query'),
        now => same(now, [5, 15]),
        'the lines of both',
    );
    await until(() => page.url(), /picked=5%2C15/, 'in the link');
    const other = await site.open({hash: page.url().slice(site.url.length)});
    await pins(other, 'query 5', 'query 15');
    await page.click(key(3), {modifiers: ['Shift']});
    await pins(page, 'key 3');
    await page.locator('.share').getByRole('button', {name: 'Copy link'}).click();
    await pins(page, 'key 3');
    await page.click('footer', {position: {x: 400, y: 80}});
    await pins(page);
});

test('a double-click masks, shows the original struck through, recomputes, and leaves the pins as they were', async () => {
    const page = await site.open();
    await page.click(query(2));
    await pause(page);
    const before = await panel(page);
    await page.dblclick(query(5));
    await masks(page, 'store');
    await pins(page, 'query 2');
    await until(
        () => page.locator(query(5)).textContent(),
        /^house \d\.\d %store\[MASK\]$/,
        'the row says what is predicted',
    );
    await page.mouse.move(5, 5);
    await until(
        () => panel(page),
        now => now !== before,
        'other numbers',
    );
    await until(() => page.locator('.results').textContent(), /position 5/, 'fillings of the mask');
    await pause(page);
    await page.dblclick(key(5));
    await masks(page);
    await pins(page, 'query 2');
    await page.mouse.move(5, 5);
    await until(() => panel(page), before, 'the numbers of before');
    await pause(page);
    await page.dblclick(query(2));
    await masks(page, 'went');
    await pins(page, 'query 2');
    await page.getByRole('button', {name: 'Unmask'}).first().click();
    await masks(page);
});

test('by keyboard: Enter pins, Shift+Enter adds, M masks, Escape lets go', async () => {
    const page = await site.open();
    await page.locator(query(0)).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await pins(page, 'query 1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+Enter');
    await pins(page, 'query 1', 'query 2');
    await page.keyboard.press('m');
    await masks(page, 'went');
    assert.equal(
        await page.evaluate(() => document.activeElement.dataset.index),
        '2',
        'the focus stays',
    );
    await page.keyboard.press('M');
    await masks(page);
    await page.keyboard.press('Escape');
    await pins(page);
});

test('by touch: the buttons beside the numbers pin, add and mask', async () => {
    const page = await site.open({width: 360, height: 740, hasTouch: true, isMobile: true});
    await page.tap(query(3));
    await page.getByRole('button', {name: 'Add others'}).tap();
    await page.tap(query(1));
    await pins(page, 'query 1', 'query 3');
    await page.getByRole('button', {name: 'Mask', exact: true}).tap();
    await masks(page, 'i', 'to');
    await page.locator('.panel').getByRole('button', {name: 'Unmask'}).tap();
    await masks(page);
    await page.getByRole('button', {name: 'Unpin'}).tap();
    await pins(page);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
});

test('pointing at a head previews it alone and changes nothing; leaving brings all back', async () => {
    const page = await site.open();
    const all = await shownHeads(page);
    const hash = page.url();
    await page.locator('.chip').nth(6).hover();
    await until(
        () => inkedRows(page, 'base', 'query'),
        now => now.length === 0,
        'the others are hidden',
    );
    assert.ok((await inkedRows(page, 'overlay', 'query')).length > 0);
    assert.deepEqual(await shownHeads(page), all);
    await page.mouse.move(5, 5);
    await until(
        () => inkedRows(page, 'base', 'query'),
        now => now.length > 0,
        'all again',
    );
    assert.equal(page.url(), hash);
});

test('averages and rollout: said above the figure, one number a token, the controls without a say rest', async () => {
    const page = await site.open({hash: '#layer=2&picked=5'});
    await page.getByRole('radio', {name: 'Mean of heads'}).check();
    await until(
        () => page.locator('.figure-caption').textContent(),
        /^mean of L2·H0–7($| · )/,
        'the mean',
    );
    await page.getByRole('radio', {name: 'Mean of layers'}).check();
    await until(
        () => page.locator('.figure-caption').textContent(),
        /mean over all layers/,
        'all layers',
    );
    assert.equal(await page.locator('input[name=layer]').first().isEnabled(), false);
    await page.getByRole('radio', {name: 'Rollout'}).check();
    await until(
        () => page.locator('.figure-caption').textContent(),
        /^rollout from the input to layer 2($| · )/,
        'rollout',
    );
    assert.equal(await page.locator('.chip').first().isEnabled(), false);
    assert.match(await panel(page), /Sum over all keys of the text: 1\.00/);
});

test('under "Display options": the strongest, no specials, words for every position, counting from 1', async () => {
    const page = await site.open({hash: '#picked=5'});
    await page.locator('.more:not(.experiments) > summary').click();
    await page.locator('#top').fill('50');
    await until(() => page.locator('.figure-caption').textContent(), /strongest 50 %/, 'said');
    const shown = Number(/shown: ([\d.]+)/.exec(await panel(page))[1]);
    assert.ok(shown >= 0.5 && shown < 0.75, `${shown}`);
    await until(() => page.url(), /top=50/, 'in the link');
    await page.getByLabel('Hide [CLS] and [SEP]').check();
    await until(
        () => pieces(page),
        now => now.length === 16 && !now.includes('[SEP]'),
        'hidden',
    );
    assert.match(await page.locator('.figure-caption').textContent(), /not rescaled/);
    await page.getByLabel('Predicted words').check();
    await until(
        () => page.locator('.column.query .filling').count(),
        16,
        'a word beside each query',
    );
    assert.equal(await page.locator('.panel .expected li').count(), 5);
    await page.getByLabel('Count layers and heads from 1').check();
    await until(
        () => shownHeads(page),
        now => same(now, ['1', '2', '3', '4', '5', '6', '7', '8']),
        'heads from 1',
    );
    assert.equal(
        await page
            .locator('.picks .pick')
            .filter({has: page.locator('input[name=layer]')})
            .first()
            .textContent(),
        '1',
    );
    assert.deepEqual(
        await page
            .locator('.panel .dot')
            .allTextContents()
            .then(all => all[0]),
        'head 1',
    );
});

test('words as typed in five scripts; masking a word masks its pieces; [UNK] is said', async () => {
    const page = await site.open({hash: '#level=words'});
    assert.ok((await pieces(page)).includes('strawberries'));
    await page.dblclick(query(15));
    await masks(page, 'strawberries');
    assert.match(await page.locator(query(15)).textContent(), /\[MASK\] ×2$/);
    await show(page, '我喜欢自然语言处理。', 'أحب القراءة. אני אוהב 👩‍👩‍👧 ❤️ naïve');
    const wanted = [
        '[CLS]',
        '我喜欢自然语言处理',
        '。',
        '[SEP]',
        'أحب',
        'القراءة',
        '.',
        'אני',
        'אוהב',
        '👩‍👩‍👧',
        '❤️',
        'naïve',
        '[SEP]',
    ];
    await until(
        () => pieces(page),
        now => same(now, wanted),
        'words',
    );
    assert.match(await page.locator('#level-hint').textContent(), /spaces/);
    await page.hover(query(1));
    await until(() => panel(page), /Not in the vocabulary.*喜/, '[UNK] is explained');
    const left = selector =>
        page.locator(selector).evaluate(element => getComputedStyle(element).textAlign);
    assert.deepEqual(
        [await left(query(1)), await left(key(1))],
        ['right', 'left'],
        'query left, key right, in any script',
    );
    assert.equal(await page.locator('#textB').getAttribute('dir'), 'auto');
    assert.equal(
        await page.locator('#textB').evaluate(element => element.matches(':dir(rtl)')),
        true,
    );
});

test('axe finds nothing with everything on', async () => {
    const page = await site.open({
        bypassCSP: true,
        hash: '#layer=1&level=words&picked=5,7&masked=2,5&fillings=1&top=80&specials=0',
    });
    for (const summary of await page.locator('summary').all()) await summary.click();
    for (const hash of ['picked', 'rollout']) {
        if (hash === 'rollout') await page.getByRole('radio', {name: 'Rollout'}).check();
        await pause(page);
        await nothingForAxe(page);
    }
});

test('a menu opens within the window and moves nothing; a view that is chosen further down begins at its top', async () => {
    for (const [width, height] of [
        [1440, 900],
        [1000, 800],
        [390, 844],
    ]) {
        const page = await site.open({hash: '', width, height});
        await page.locator('.entrance').first().waitFor();
        const menus = page.locator('details.menu:visible');
        const count = await menus.count();
        assert.ok(count >= 3, `${count} menus`);
        for (let i = 0; i < count; i++) {
            const summary = menus.nth(i).locator('summary').first();
            await summary.click();
            const {left, right, wide, x} = await menus.nth(i).evaluate(async one => {
                await new Promise(done => {
                    if (one.open) requestAnimationFrame(() => requestAnimationFrame(done));
                });
                const box = one.lastChild.getBoundingClientRect();
                const wide = document.documentElement.clientWidth;
                return {left: box.left, right: box.right, wide, x: scrollX};
            });
            const name = await summary.textContent();
            assert.ok(left >= 0 && right <= wide, `${width} px, ${name}: ${left} to ${right}`);
            assert.equal(x, 0, `${width} px, ${name}`);
            await summary.click();
        }
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        assert.ok((await page.evaluate(() => scrollY)) > 100);
        await page.getByRole('button', {name: 'Step by step'}).last().click();
        await page.waitForSelector('.steps-view');
        assert.equal(await page.evaluate(() => scrollY), 0, `${width} px`);
        await page.context().close();
    }
});
