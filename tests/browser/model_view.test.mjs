/* The model view in Chromium, with the real engine and the shipped model: the grid by mouse,
 * keyboard and touch, opening and closing a head, what is kept, sorted and tinted, and what a link
 * and the Back button restore. */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {menu, pieces, useSite, until} from './page.mjs';

const thumb = (layer, head) => `.thumb[data-index="${8 * layer + head}"]`;

const site = useSite();

/** @returns the page, once the thumbnails or the opened head are there */
async function open({hash = '#view=model', ...options} = {}) {
    const page = await site.open({hash, ready: false, ...options});
    await page.waitForSelector('.thumb, .opened-head .token');
    return page;
}

const order = page =>
    page.locator('.thumb').evaluateAll(all => all.map(({dataset}) => Number(dataset.index)));
const title = page => page.locator('.panel h2').textContent();
const focused = page =>
    page.evaluate(
        () =>
            document.activeElement?.getAttribute('aria-label') ??
            document.activeElement?.textContent,
    );
const hashOf = (page, wanted) =>
    until(
        () => page.evaluate(() => location.hash),
        now => wanted.test(now),
        `hash ${wanted}`,
    );

/** The pixel in the middle of a thumbnail's left edge, and how many colours the thumbnail has. */
const look = (page, layer, head) =>
    page.evaluate(
        index => {
            const {x, y} = document
                .querySelector(`.thumb[data-index="${index}"]`)
                .getBoundingClientRect();
            const tile = [...document.querySelectorAll('.canvas canvas.base')].find(canvas => {
                const box = canvas.getBoundingClientRect();
                return y >= box.top && y < box.bottom;
            });
            const {left, top} = tile.getBoundingClientRect();
            const {data} = tile
                .getContext('2d')
                .getImageData(Math.round(x - left), Math.round(y - top), 40, 40);
            const colours = new Set();
            for (let i = 0; i < data.length; i += 4) colours.add(data.slice(i, i + 3).join());
            return {corner: [...data.slice(0, 3)], colours: colours.size};
        },
        8 * layer + head,
    );

test('the grid has a thumbnail for each head, drawn with pixels of its own; pointing at one gives its numbers', async () => {
    const page = await open();
    assert.deepEqual(
        await order(page),
        Array.from({length: 48}, (_, i) => i),
    );
    assert.equal(
        await page.locator('[role=row]').count(),
        7,
        'six layers and the numbers of the heads',
    );
    for (const [layer, head] of [
        [0, 6],
        [5, 7],
    ]) {
        const {colours} = await until(
            () => look(page, layer, head),
            ({colours: count}) => count > 8,
            'ink',
        );
        assert.ok(colours > 8, `${layer}.${head}: ${colours} colours`);
    }
    await page.hover(thumb(0, 6));
    assert.match(await title(page), /L0·H6/);
    assert.match(
        await page.locator('.panel').textContent(),
        /Next token0\.9\d.*Strongest links.*(>0\.99|1\.00)/,
    );
    await page.hover(thumb(1, 0));
    await until(() => title(page), /L1·H0/, 'the next head');
    assert.match(await page.locator('.panel').textContent(), /Previous token0\.8\d/);
});

test('a click opens a head with hover as in the head view; Escape, the button and Back return to its thumbnail', async () => {
    const page = await open();
    await page.click(thumb(0, 6));
    await page.waitForSelector('.opened-head .token');
    assert.equal(await page.locator('.thumb').count(), 0);
    assert.match(await page.locator('.opened-head h2').textContent(), /L0·H6/);
    assert.equal(await focused(page), 'Back to all heads');
    await page.hover('.column.query [data-index="15"]');
    await until(
        () => page.locator('.panel h2').allTextContents(),
        ([now]) => /^straw looks at/.test(now ?? ''),
        'numbers of the token',
    );
    await page.keyboard.press('Escape');
    await page.waitForSelector('.thumb');
    await until(() => focused(page), 'L0·H6', 'the thumbnail that was opened');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.opened-head');
    await hashOf(page, /opened=0\.6/);
    await page.getByRole('button', {name: 'Back to all heads'}).click();
    await page.waitForSelector('.thumb');
    await hashOf(page, /view=model(?!.*opened)/);
    await page.click(thumb(1, 0));
    await hashOf(page, /opened=1\.0/);
    await page.goBack();
    await page.waitForSelector('.thumb');
    await page.goForward();
    await page.waitForSelector('.opened-head');
    assert.match(await page.locator('.opened-head h2').textContent(), /L1·H0/);
    await page.getByRole('button', {name: 'Open in head view'}).click();
    await page.waitForSelector('.chip[aria-pressed="false"]');
    assert.match(await page.locator('input[name=layer]:checked').inputValue(), /^1$/);
    assert.deepEqual(await page.locator('.chip[aria-pressed="true"]').allTextContents(), ['0']);
});

test('Escape lets a pinned token go before it closes the head, and one typed in a text field closes nothing', async () => {
    const page = await open({hash: '#view=model&opened=0.6'});
    assert.equal((await pieces(page)).length, 19);
    await page.click('.column.query [data-index="15"]');
    await page.mouse.move(5, 5);
    await page.keyboard.press('Escape');
    await until(() => page.locator('.panel').count(), 0, 'the token is let go');
    await page.press('#text', 'Escape');
    assert.equal(await page.locator('.opened-head').count(), 1);
    await page.click('footer', {position: {x: 400, y: 80}});
    await page.keyboard.press('Escape');
    await page.waitForSelector('.thumb');
});

test('an opened head: previous and next, pickers for layer and head, hidden delimiters; the focus stays', async () => {
    const page = await open({hash: '#view=model&opened=0.7'});
    const heading = () => page.locator('.opened-head h2').textContent();
    const shows = wanted => until(heading, now => now.includes(wanted), wanted);
    await page.getByRole('button', {name: 'Next head'}).click();
    await shows('L1·H0');
    assert.equal(await focused(page), 'Next head');
    await page.keyboard.press('Enter');
    await shows('L1·H1');
    await page.getByRole('button', {name: 'Previous head'}).click();
    await shows('L1·H0');
    await page.locator('input[name=opened-layer][value="4"]').check({force: true});
    await shows('L4·H0');
    await page.locator('input[name=opened-head][value="3"]').check({force: true});
    await shows('L4·H3');
    await hashOf(page, /opened=4\.3/);
    assert.equal((await pieces(page)).length, 19);
    await page.getByRole('checkbox', {name: /Hide \[CLS\] and \[SEP\]/}).check();
    await until(
        async () => (await pieces(page)).join(' '),
        now => now && !/\[(CLS|SEP)\]/.test(now),
        'no delimiters',
    );
    await page.getByRole('button', {name: 'Back to all heads'}).click();
    await page.waitForSelector('.thumb');
    await hashOf(page, /gridSpecials=false|gridSpecials=0/);
    assert.match(await page.locator('.model-legend').textContent(), /\[CLS\], \[SEP\] hidden/);
    await page.hover(thumb(2, 3));
    await until(
        () => page.locator('.strong-links').textContent(),
        now => now && !/\[(CLS|SEP)\]/.test(now),
        'links between the others',
    );
});

test('a thumbnail that has the focus and is pointed at has one ring, around its picture', async () => {
    const page = await open();
    await page.locator(thumb(0, 0)).focus();
    await page.keyboard.press('ArrowRight');
    const rings = await until(
        () =>
            page.evaluate(() => {
                const {outlineStyle} = getComputedStyle(document.activeElement);
                const ring = getComputedStyle(document.activeElement, '::after');
                const mark = document.querySelector('.thumb-mark')?.getBoundingClientRect();
                const {x, y} = document.activeElement.getBoundingClientRect();
                return {
                    outlineStyle,
                    own: [x, y, ring.width, ring.height].join(),
                    pointed: mark && [mark.x, mark.y, `${mark.width}px`, `${mark.height}px`].join(),
                };
            }),
        ({pointed}) => pointed,
        'the frame of what is pointed at',
    );
    assert.equal(rings.outlineStyle, 'none');
    assert.equal(rings.own, rings.pointed);
});

test('the grid is one tab stop; arrow keys, Home and End walk over it, Enter opens', async () => {
    const page = await open();
    assert.equal(await page.locator('.thumb[tabindex="0"]').count(), 1);
    await page.locator(thumb(0, 0)).focus();
    for (const [key, name] of [
        ['ArrowDown', 'L1·H0'],
        ['ArrowRight', 'L1·H1'],
        ['End', 'L1·H7'],
        ['ArrowRight', 'L1·H7'],
        ['Control+End', 'L5·H7'],
        ['Home', 'L5·H0'],
        ['ArrowUp', 'L4·H0'],
    ]) {
        await page.keyboard.press(key);
        assert.equal(await focused(page), name);
    }
    assert.match(await title(page), /L4·H0/);
    await until(
        () => page.locator('.thumb[tabindex="0"]').getAttribute('data-index'),
        '32',
        'the tab stop follows',
    );
    await page.keyboard.press('Enter');
    await page.waitForSelector('.opened-head');
    await page.keyboard.press('Enter');
    await until(() => focused(page), 'L4·H0', 'and back');
});

test('lines or heat maps, kept layers and heads, a measure with its scale and two orders; a link restores them', async () => {
    const page = await open();
    const plain = await until(
        () => look(page, 0, 6),
        ({colours}) => colours > 8,
        'ink',
    );
    await page.getByRole('radio', {name: 'Heat maps'}).check();
    await until(() => page.locator('.model-legend').textContent(), /Queries down/, 'heat maps');
    assert.equal(
        await page.getByRole('radio', {name: 'In each layer'}).isEnabled(),
        false,
        'no order without a measure',
    );
    await page.selectOption('#measure', 'next');
    await until(
        () => page.locator('.tint').textContent(),
        /^Next token0\.\d\d0\.9\d$/,
        'the scale',
    );
    const tinted = await until(
        () => look(page, 0, 6),
        ({corner}) => `${corner}` !== `${plain.corner}`,
        'a frame',
    );
    assert.deepEqual(tinted.corner, [0x1f, 0x5f, 0xbf], 'the most has the full tint');
    await page.getByRole('radio', {name: 'In each layer'}).check();
    await until(
        () => order(page),
        now => now[0] === 6 && now.length === 48 && now[8] >= 8 && now[8] < 16,
        'sorted in layers',
    );
    await page.getByRole('radio', {name: 'All', exact: true}).check();
    await until(
        () => order(page),
        now => now[0] === 6 && now[1] === 12,
        'ranked: 0.6, then 1.4',
    );
    assert.equal(await page.locator('.thumb').first().textContent(), 'L0·H6');
    const chips = page.locator('[aria-labelledby="keep-layers-label"] .chip');
    await chips.nth(0).click();
    await until(
        () => order(page),
        now => now.length === 40 && now[0] === 12,
        'without layer 0',
    );
    await chips.nth(3).dblclick();
    await until(
        () => order(page),
        now => now.length === 8 && now.every(id => id >= 24 && id < 32),
        'layer 3 alone',
    );
    await page.locator('[aria-labelledby="keep-heads-label"] .chip').nth(2).focus();
    await page.keyboard.press('Shift+Enter');
    await until(
        () => order(page),
        now => now.join() === '26',
        'head 2 of layer 3',
    );
    await hashOf(page, /picture=heatmaps&keepLayers=3&keepHeads=2&measure=next&order=all/);
    const again = await open({hash: await page.evaluate(() => location.hash)});
    assert.deepEqual(await order(again), [26]);
});

test('the table has a row for each head, and the picture saves as SVG', async () => {
    const page = await open({hash: '#view=model&measure=next&order=all'});
    await page.locator('.numbers summary').click();
    await until(() => page.locator('.numbers tbody tr').count(), 48, 'a row for each head');
    assert.match(
        await page.locator('.numbers tbody tr').first().textContent(),
        /^06.*(1\.00|>0\.99)$/,
    );
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        (await menu(page, '.export')).getByRole('button', {name: 'SVG', exact: true}).click(),
    ]);
    const svg = await readFile(await download.path(), 'utf8');
    assert.ok(svg.startsWith('<svg') && svg.length > 20000 && svg.length < 2e6, `${svg.length}`);
});

test('on a phone a tap opens, nothing overflows, and a head that the model lacks shows the grid', async () => {
    const page = await open({
        hash: '#view=model&opened=44.1',
        width: 360,
        height: 740,
        hasTouch: true,
        isMobile: true,
    });
    for (const width of [320, 360]) {
        await page.setViewportSize({width, height: 740});
        assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${width}`,
        );
        const box = await page.locator(thumb(2, 2)).boundingBox();
        assert.ok(box.width >= 24 && box.height >= 24, JSON.stringify(box));
    }
    await page.tap(thumb(2, 2));
    await page.waitForSelector('.opened-head');
    assert.match(await page.locator('.measures').textContent(), /Entropy\d\.\d\d nats/);
});

for (const [locale, hash] of [
    ['en-GB', '#view=model&measure=next'],
    ['zh-CN', '#view=model&measure=sep&order=all&picture=heatmaps'],
    ['en-GB', '#view=model&opened=1.0'],
]) {
    test(`axe finds nothing: ${locale}, ${hash}`, async () => {
        const page = await open({locale, bypassCSP: true, hash});
        await page.locator('.numbers summary').click();
        await page.locator('.thumb, .token').nth(9).hover();
        await nothingForAxe(page);
    });
}
