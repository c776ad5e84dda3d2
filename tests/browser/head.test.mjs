/* The page in Chromium, with the real engine and the shipped model: what a reader sees and does
 * with the head view.
 */
import assert from 'node:assert/strict';
import {mkdtemp, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {nothingInTwoLanguages} from './axe.mjs';
import {inkedRows, pieces, show, shownHeads, useSite, until} from './page.mjs';

const STORE = [
    '[CLS]',
    'i',
    'went',
    'to',
    'the',
    'store',
    '.',
    '[SEP]',
    'at',
    'the',
    'store',
    ',',
    'i',
    'bought',
    'fresh',
    'straw',
    '##berries',
    '.',
    '[SEP]',
];
const ALL = ['0', '1', '2', '3', '4', '5', '6', '7'];
const query = index => `.column.query [data-index="${index}"]`;
const key = index => `.column.key [data-index="${index}"]`;
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const site = useSite();

const heads = (page, wanted) =>
    until(
        () => shownHeads(page),
        now => same(now, wanted),
        `heads ${wanted}`,
    );
const rows = (page, layer, side, wanted, what) =>
    until(
        () => inkedRows(page, layer, side),
        now => same(now, wanted),
        what,
    );

test('loading shows bytes and per cent, then the head view of two sentences; nothing moves meanwhile', async () => {
    const page = await site.open({ready: false});
    await page.route('**/model.safetensors', async route => {
        await new Promise(done => {
            setTimeout(done, 300);
        });
        await route.continue();
    });
    await page.addInitScript(() => {
        window.seen = [];
        window.shift = 0;
        new MutationObserver(() => {
            const bar = document.querySelector('[role=progressbar]');
            if (bar)
                window.seen.push(
                    `${bar.getAttribute('aria-valuenow')} % ${bar.getAttribute('aria-valuetext')}`,
                );
        }).observe(document, {
            subtree: true,
            childList: true,
            characterData: true,
            attributes: true,
        });
        new PerformanceObserver(list =>
            list.getEntries().forEach(entry => {
                window.shift += entry.value;
            }),
        ).observe({type: 'layout-shift', buffered: true});
    });
    await page.reload();
    await page.waitForSelector('.below'); // the first figure is there before the model is
    const seen = await page.evaluate(() => window.seen);
    assert.ok(
        seen.some(line => /^\d+ % [\d.]+ MB of 7\.\d MB$/.test(line)),
        `${seen}`,
    );
    assert.deepEqual(await pieces(page), STORE);
    assert.deepEqual(await pieces(page, 'key'), STORE);
    assert.deepEqual(await page.locator('.axis').allTextContents(), [
        'Querylooks',
        'Keyis looked at',
    ]);
    assert.equal(await page.locator('[role=progressbar]').count(), 0);
    assert.ok((await page.evaluate(() => window.shift)) <= 0.1);
});

test('Enter computes the typed text, Escape brings the shown one back, and both heads of the model speak', async () => {
    const page = await site.open();
    await until(
        () => page.locator('.results').textContent(),
        /B follows A9\d\.\d %/,
        'the predictions',
    );
    await show(page, 'The president of the United [MASK] said on [MASK].', '');
    await until(
        () => pieces(page),
        now => now.length === 12,
        'the new tokens',
    );
    await until(
        () => page.locator('.results').textContent(),
        /position 6states7\d\.\d %.*position 9/,
        'the predictions',
    );
    await page.fill('#text', 'half a thought');
    await page.press('#text', 'Escape');
    assert.equal(
        await page.inputValue('#text'),
        'The president of the United [MASK] said on [MASK].',
    );
    assert.equal(
        await page.locator('input[name=filter]').first().isEnabled(),
        false,
        'no pairs without B',
    );
});

test('a click toggles a head, the last one stays on, a double-click solos and restores', async () => {
    const page = await site.open();
    const chip = head => page.locator('.chip').nth(head);
    const pause = () => page.waitForTimeout(450);
    await heads(page, ALL);
    await chip(3).click();
    await heads(
        page,
        ALL.filter(head => head !== '3'),
    );
    await pause();
    await chip(6).dblclick();
    await heads(page, ['6']);
    await pause();
    await chip(6).click();
    await pause();
    await heads(page, ['6']);
    await chip(6).dblclick();
    await heads(page, ALL);
    await page.getByRole('button', {name: 'Only one'}).click();
    await heads(page, ['0']);
    await chip(2).focus();
    await page.keyboard.press('Shift+Enter');
    await heads(page, ['2']);
    await page.getByRole('button', {name: 'All', exact: true}).click();
    await heads(page, ALL);
});

test('pointing at a query shows its outgoing lines only, at a key its incoming lines only', async () => {
    const page = await site.open({hash: '#layer=0&heads=6'});
    const everyRow = STORE.map((_, i) => i);
    await rows(page, 'base', 'query', everyRow, 'all lines at first');
    await page.hover(query(15));
    await rows(page, 'overlay', 'query', [15], 'one query');
    await rows(page, 'base', 'query', [], 'the others are hidden');
    assert.deepEqual(
        await inkedRows(page, 'overlay', 'key'),
        [16],
        'straw looks at ##berries, and no more',
    );
    assert.match(
        await page.locator('.panel').textContent(),
        /straw looks at.*##berries(1\.00|>0\.99)/,
    );
    await page.hover(key(16));
    await rows(page, 'overlay', 'key', [16], 'one key');
    assert.ok((await inkedRows(page, 'overlay', 'query')).includes(15));
    await page.mouse.move(5, 5);
    await rows(page, 'base', 'query', everyRow, 'all lines again');
});

test('arrow keys walk over the tokens as pointing does, Enter keeps one, Escape lets it go', async () => {
    const page = await site.open({hash: '#layer=0&heads=6'});
    const title = () => page.locator('.panel h2').textContent();
    await page.locator(query(0)).focus();
    assert.equal(await page.locator('.column.query .token[tabindex="0"]').count(), 1);
    for (const step of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp'])
        await page.keyboard.press(step);
    await until(title, now => now.startsWith('i is looked at by'), 'the key in row 1');
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.mouse.move(5, 5);
    await page.locator('#text').focus();
    assert.match(await title(), /^\[SEP\] is looked at by/);
    await page.keyboard.press('Escape');
    await until(() => page.locator('.panel').count(), 0, 'nothing chosen');
});

test('a tap chooses a token, a tap elsewhere lets it go; on a phone nothing overflows', async () => {
    const page = await site.open({width: 360, height: 740, hasTouch: true, isMobile: true});
    await page.tap(query(5));
    await until(() => page.locator('.panel').count(), 1, 'numbers of the token');
    await page.tap('.columns', {position: {x: 165, y: 60}}); // between the columns
    await until(() => page.locator('.panel').count(), 0, 'gone');
    for (const width of [320, 360]) {
        await page.setViewportSize({width, height: 740});
        assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${width}`,
        );
    }
});

test('a line under the pointer says its head, its tokens and its weight', async () => {
    const page = await site.open({hash: '#v=2&heads=6'});
    const probe = page.locator('.probe');
    await probe.waitFor({state: 'attached'});
    const {x, y, width} = await probe.boundingBox();
    // half way from the third token to the fourth, 26 px a row
    await page.mouse.move(x + width / 2, y + 4 * 26);
    await until(
        () => page.locator('.line-said').textContent(),
        /^L0·H6 to → the (>0\.99|0\.9\d)$/,
        'the line of the next word',
    );
    await page.mouse.move(x + width / 2, y - 60);
    await until(() => page.locator('.line-said').count(), 0, 'nothing');
});

test('lines on their way end where they are drawn; under reduced motion there is no frame', async () => {
    for (const reducedMotion of ['no-preference', 'reduce']) {
        const page = await site.open({hash: '#v=2&heads=6', reducedMotion});
        const moving = page.locator('canvas.motion');
        await moving.waitFor({state: 'attached'});
        await moving.evaluate(canvas => {
            window.framesSeen = 0;
            const {fillRect} = CanvasRenderingContext2D.prototype;
            CanvasRenderingContext2D.prototype.fillRect = function (...rest) {
                if (this.canvas === canvas) window.framesSeen++;
                return fillRect.apply(this, rest);
            };
        });
        await page.locator('input[name=layer]').nth(1).check();
        await until(
            () => page.url(),
            now => now.includes('layer=1'),
            'the layer',
        );
        await until(
            () => moving.evaluate(canvas => getComputedStyle(canvas).display),
            'none',
            'the end',
        );
        if (reducedMotion === 'reduce')
            assert.equal(await page.evaluate(() => window.framesSeen), 0);
    }
});

test('the pair filter shows one side of each sentence and says that weights stay', async () => {
    const page = await site.open();
    await page.getByRole('radio', {name: 'A→B'}).check();
    await until(
        () => pieces(page),
        now => now.length === 8,
        'A as queries',
    );
    assert.deepEqual(await pieces(page), STORE.slice(0, 8));
    assert.deepEqual(await pieces(page, 'key'), STORE.slice(8));
    assert.match(await page.locator('#filter-hint').textContent(), /not rescaled/);
});

test('a copied link restores text, layer, heads, view and filter', async () => {
    const first = await site.open({permissions: ['clipboard-read', 'clipboard-write']});
    await show(first, 'Cats & dogs = 100 %?', 'Yes #1.');
    await until(
        () => pieces(first),
        now => now.includes('cats'),
        'the text',
    );
    await first.getByRole('radio', {name: 'B→A'}).check();
    await first.locator('input[name=layer]').nth(4).check();
    await first.locator('.chip').nth(5).click();
    await first.locator('.share').getByRole('button', {name: 'Copy link'}).click();
    await first.getByText('Link copied').waitFor();
    const link = await first.evaluate(() => navigator.clipboard.readText());
    assert.ok(link.startsWith(site.url));
    const second = await site.open({hash: link.slice(site.url.length)});
    assert.equal(await second.inputValue('#text'), 'Cats & dogs = 100 %?');
    assert.equal(await second.inputValue('#textB'), 'Yes #1.');
    assert.equal(await second.locator('input[name=layer]:checked').inputValue(), '4');
    assert.equal(await second.locator('input[name=filter]:checked').inputValue(), 'ba');
    await heads(
        second,
        ALL.filter(head => head !== '5'),
    );
    assert.deepEqual(await pieces(second), await pieces(first));
});

test('a bad model folder gives its sentence; figure and typed text stay', async () => {
    const page = await site.open();
    await page.fill('#text', 'a draft');
    const folder = await mkdtemp(join(tmpdir(), 'headlight-'));
    await writeFile(join(folder, 'readme.txt'), 'no model');
    await page.setInputFiles('input[type=file]', folder);
    await page.locator('[role=alert]').waitFor();
    assert.match(await page.locator('[role=alert]').textContent(), /config\.json/);
    assert.equal(await page.inputValue('#text'), 'a draft');
    assert.deepEqual(await pieces(page), STORE);
    await page.press('#text', 'Enter');
    await until(
        () => pieces(page),
        now => now.includes('draft'),
        'the page goes on with the model of the menu',
    );
    assert.equal(await page.locator('[role=alert]').count(), 0);
    const linked = await site.open({hash: '#model=nothere&text=kept', ready: false});
    assert.match(await linked.locator('[role=alert]').textContent(), /models\/nothere\//);
    assert.equal(await linked.inputValue('#text'), 'kept');
});

test('text cannot become markup', async () => {
    const page = await site.open();
    await show(
        page,
        '<img src=x onerror="window.pwn=1"> <script>window.pwn=1</script>',
        '</textarea><svg onload=window.pwn=1>',
    );
    await until(
        () => pieces(page),
        now => now.includes('<'),
        'the tokens',
    );
    await page.locator('.numbers summary').click();
    await page.hover(query(1));
    assert.equal(await page.evaluate(() => window.pwn), undefined);
});

test('a long text is cut with a notice, and pointing at tokens keeps up with the mouse', async () => {
    const page = await site.open();
    const many = count =>
        Array.from({length: count}, (_, i) => ['cat', 'and', 'dog', 'or'][i % 4]).join(' ');
    await show(page, many(200), many(200));
    await until(
        () => pieces(page),
        now => now.length === 256,
        '256 tokens',
    );
    assert.match(
        await page.locator('.losses').textContent(),
        /tokens of sentence [AB] were cut: the model reads at most 256\./,
    );
    await page.evaluate(() => {
        window.slow = 0;
        new PerformanceObserver(list => {
            for (const {duration} of list.getEntries())
                window.slow = Math.max(window.slow, duration);
        }).observe({type: 'longtask'});
    });
    for (let i = 2; i < 18; i++) await page.hover(query(i));
    await until(() => page.locator('.panel').count(), 1, 'numbers');
    // finds plain hangs only: test machines are loaded
    assert.ok((await page.evaluate(() => window.slow)) < 2000, 'no task of two seconds');
    const drawn = await page.evaluate(
        () => [...document.querySelectorAll('canvas.base')].filter(canvas => canvas.width).length,
    );
    assert.ok(drawn < 8, `only tiles near the window hold pixels, not ${drawn}`);
});

test('axe finds nothing: en, zh', async () => {
    const page = await site.open({bypassCSP: true, hash: '#layer=1&filter=ab'});
    for (const summary of await page.locator('summary').all()) await summary.click();
    await page.hover(query(3));
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
    await nothingInTwoLanguages(page);
});

test('a reader of Chinese gets the page in Chinese', async () => {
    const page = await site.open({locale: 'zh-CN'});
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'zh');
});

test('a longer text has nothing of the pinned token of the one before on any tile', async () => {
    const page = await site.open({hash: ''});
    await until(
        () => inkedRows(page, 'overlay', 'query'),
        rows => rows.length > 0,
        'it, pinned',
    );
    await page.getByRole('button', {name: 'I went to the store', exact: false}).click();
    await until(() => page.locator('.tile').count(), 2, 'two tiles');
    await until(
        () =>
            page
                .locator('.tile canvas.overlay')
                .evaluateAll(all => all.map(({width, height}) => width * height)),
        sizes => same(sizes, [0, 0]),
        'both overlays are empty',
    );
});
