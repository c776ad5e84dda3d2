/* Two figures side by side in Chromium. Two models, mini-en and its fine-tuned twin, each with an engine of
 * its own; the map of their difference. One model: two heads, all tokens and one, two texts, pattern and
 * neuron view. Pointing and pinning are linked; links name what differs; a saved file has both; 390 px;
 * and the way back to one figure. What a second model lacks is said; the menu is in all views; names of models
 * can be read. And the options beside the figures, which fade where they go on, and ask for a text.
 */
import assert from 'node:assert/strict';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {pathToFileURL} from 'node:url';
import {after, before, test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {menu, pressUnfolded, useSite, until} from './page.mjs';

const site = useSite();
let folder;
before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'headlight-beside-'));
});
after(async () => {
    await rm(folder, {recursive: true});
});

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
    const engines = () => page.workers().filter(one => one.url().includes('/worker.js')).length;
    assert.equal(engines(), 1);
    await (
        await menu(page, '.side-by-side')
    )
        .getByLabel('Another model', {exact: true})
        .selectOption('mini-en-sst2');
    await both(page);
    assert.equal(engines(), 2, 'a model of its own has its own');
    await until(() => hash(page), /&compareWith=mini-en-sst2/, 'the link');
    assert.deepEqual(await captions(page), [
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
        await until(() => figures(page).locator('.panel').count(), 2, 'with the numbers of each');
    }
    await page.getByRole('button', {name: 'Head 2', exact: true}).click();
    await until(
        () => between.locator('h2').textContent(),
        now => now.startsWith('Mean of L3·H2, H5:'),
        'several heads: their mean',
    );
    const most = page.locator('.most-moved');
    await until(
        () => most.textContent(),
        /^Of all 48 heads these differ most .*0\.\d\d/,
        'those that differ most',
    );
    const [first, name] = [most.locator('button').first(), /L(\d+)·H(\d+)/];
    const [, layer, head] = name.exec(await first.textContent());
    await first.click();
    await until(
        () => between.locator('h2').textContent(),
        now => now.startsWith(`L${layer}·H${head}:`),
        'the head that differs most',
    );
    await (
        await menu(page, '.side-by-side')
    )
        .getByLabel('Another model', {exact: true})
        .selectOption('');
    await page.waitForSelector('.beside', {state: 'detached'});
    await page.waitForSelector('.stage .head-view');
    await until(
        () => hash(page),
        now => !/compareWith/.test(now),
        'the link',
    );
    await until(engines, 1, 'the second engine has ended');
});

test('the heat map: both, their difference; the other model is not loaded again', async () => {
    const page = await site.open({hash: `${HASH}&compareWith=mini-en-sst2`, ready: false});
    await both(page);
    const asked = [];
    page.on('request', request => asked.push(request.url()));
    await page.locator('.views input[value="heatmap"]').check();
    await until(() => page.locator('.beside .two .map-frame').count(), 2, 'two maps');
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
    await until(() => figures(page).locator('.grid').count(), 2, 'all heads of both');
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
    await nothingForAxe(page, {place: '.beside'});
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

const TIRED = 'The cat sat on the mat because it was tired.';
const ONE = `#v=2&model=mini-en&layer=2&heads=3&text=${encodeURIComponent(TIRED)}&textB=`;
const captions = page => figures(page).locator('> .what > h2').allTextContents();
const choose = async (page, name) =>
    (await menu(page, '.side-by-side')).getByRole('button', {name, exact: true}).click();

/** What a press on a row of Save makes. */
async function saved(page, label) {
    const place = await menu(page, '.export');
    const [file] = await Promise.all([page.waitForEvent('download'), pressUnfolded(place, label)]);
    const path = join(folder, file.suggestedFilename());
    await file.saveAs(path);
    return {path, text: await readFile(path, 'utf8'), name: file.suggestedFilename()};
}

/** Both have drawn. */
const two = page => page.waitForSelector('.beside .two section + section .figure');

test('two heads: each its own numbers, one pass of the pointer; link, SVG, JSON and page of both', async () => {
    const page = await site.open({hash: ONE});
    await choose(page, 'Another head');
    await two(page);
    assert.deepEqual(await captions(page), ['L2·H3', 'L2·H4']);
    await figures(page).nth(1).getByLabel('Layer').selectOption('0');
    await figures(page).nth(1).getByLabel('Head').selectOption('6');
    await until(
        () => captions(page),
        now => now.join() === 'L2·H3,L0·H6',
        'the second head, as chosen',
    );
    await until(
        () => hash(page),
        now => /&beside=layer=0&heads=6/.test(decodeURIComponent(now)),
        'the link',
    );
    await token(page, 1, 2).hover();
    const panels = figures(page).locator('.panel');
    await until(
        () => panels.allTextContents(),
        now => now.length === 2 && now[0] !== now[1] && now.every(text => text.includes('cat')),
        'the numbers of cat by both heads',
    );
    await token(page, 1, 2).click();
    await until(
        () => Promise.all([marks(page, 0), marks(page, 1)]),
        now => now.join() === '1,1',
        'pinned in both',
    );

    const svg = await saved(page, 'SVG');
    for (const word of ['a  L2·H3', 'b  L0·H6'])
        assert.ok(svg.text.includes(`>${word}<`), `the sheet has ${word}`);
    assert.equal(svg.text.match(/<text[^>]*>tired</g).length, 4, 'both columns of both figures');
    assert.equal(svg.text.split(`>${TIRED}<`).length - 1, 1, 'the text once, above both');
    const [one, other] = JSON.parse((await saved(page, 'JSON')).text);
    assert.deepEqual([one.layer, one.heads, other.layer, other.heads], [2, [3], 0, [6]]);
    assert.notDeepEqual(one.rows, other.rows);

    const file = await saved(page, 'Web page');
    const shown = await page.context().newPage();
    await shown.goto(pathToFileURL(file.path).href);
    await two(shown);
    assert.deepEqual(await captions(shown), ['L2·H3', 'L0·H6']);
    await token(shown, 0, 4).hover();
    await until(
        () => Promise.all([marks(shown, 0), marks(shown, 1)]),
        now => now.every(count => count > 0),
        'linked without an engine',
    );

    const again = await site.open({hash: new URL(page.url()).hash});
    await two(again);
    assert.deepEqual(await captions(again), ['L2·H3', 'L0·H6']);
    await choose(again, 'Back to one figure');
    await again.waitForSelector('.beside', {state: 'detached'});
    await until(
        () => hash(again),
        now => !/beside/.test(now),
        'the link of one figure',
    );
});

test('all tokens and one: a press in either changes the one; the first keeps all', async () => {
    const page = await site.open({hash: ONE});
    await choose(page, 'All tokens and one token');
    await two(page);
    assert.deepEqual(await captions(page), ['All tokens', 'From the']);
    await token(page, 0, 8).click();
    await until(
        () => captions(page),
        now => now[1] === 'From it',
        'the pressed token',
    );
    await page.mouse.move(0, 0);
    await until(
        () => Promise.all([marks(page, 0), marks(page, 1)]),
        now => now.join() === '0,1',
        'pinned in the second alone',
    );
});

test('two texts: what they have in common is linked; what differs is not', async () => {
    const page = await site.open({hash: ONE});
    await choose(page, 'Another text');
    await two(page);
    const box = page.getByLabel('Text of b');
    await box.fill('The big cat sat on the mat because it was wide.');
    await box.press('Enter');
    await until(
        () => figures(page).nth(1).locator('.column.query .token').allTextContents(),
        now => now.includes('wide') && now.includes('big'),
        'the second text',
    );
    const pinnedIn = side => figures(page).nth(side).locator('.panel').textContent();
    await token(page, 0, 1).hover();
    await until(
        () => Promise.all([marks(page, 0), marks(page, 1)]),
        now => now.join() === '1,1',
        'the first word is the same',
    );
    await token(page, 0, 2).hover();
    await until(
        () => Promise.all([pinnedIn(0), pinnedIn(1).catch(() => '')]),
        now => now.every(text => text.includes('cat')),
        'cat is cat, at another position',
    );
    await token(page, 1, 2).hover();
    await until(
        () => Promise.all([marks(page, 0), marks(page, 1)]),
        now => now.join() === '0,1',
        'big is in b alone',
    );
    await token(page, 1, 12).hover();
    await until(
        () => Promise.all([pinnedIn(0).catch(() => ''), pinnedIn(1)]),
        now => now.every(text => text.includes('.')),
        'the full stop, at another position',
    );
});

test('pattern and neuron view of one head, at 390 px one below the other; on the way the same scores', async () => {
    const page = await site.open({hash: `${ONE}&lang=zh`, width: 390, bypassCSP: true});
    await choose(page, '同一个头的神经元视图');
    await page.waitForSelector('.beside section + section .neuron-view');
    const svg = (await saved(page, 'SVG')).text;
    assert.ok(/>a  /.test(svg) && />softmax</.test(svg), 'a sheet of two views');
    const [, table] = JSON.parse((await saved(page, 'JSON')).text);
    assert.equal(table.view, 'neuron');
    await page.keyboard.press('Escape');
    const [one, other] = await Promise.all([0, 1].map(i => figures(page).nth(i).boundingBox()));
    assert.ok(other.y >= one.y + one.height, 'stacked');
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await nothingForAxe(page, {place: '.beside'});
});

const tops = async page => {
    const boxes = [0, 1].map(i => figures(page).nth(i).locator('.axes').boundingBox());
    return (await Promise.all(boxes)).map(({y}) => y);
};

test('a second model with fewer heads: another head is named, and can be chosen; level, also after a visit to the studies', async () => {
    const hash12 = HASH.replace('model=mini-en&layer=3&heads=5', 'model=mini2-en&layer=3&heads=10');
    const page = await site.open({hash: `${hash12}&compareWith=mini-en`, ready: false});
    const said = page.locator('.beside .why');
    await until(
        () => said.textContent(),
        text =>
            text ===
            'mini-en, English has 6 layers of 8 heads, and so no L3·H10. Shown instead: L3·H7. The two cannot be subtracted.',
        'what it lacks',
    );
    assert.deepEqual(await captions(page), [
        'Small BERT, mini2-en · L3·H10',
        'mini-en, English · L3·H7',
    ]);
    assert.match(await page.locator('#describe-1').textContent(), /\b7\b/);
    const level = () =>
        until(
            () => tops(page),
            ([one, other]) => one === other,
            'both figures begin at one height',
        );
    await level();

    await page.locator('.modes input[value="corpus"]').check();
    await page.waitForSelector('.study-rail');
    await page.locator('.modes input[value="text"]').check();
    await page.waitForSelector('.study-rail', {state: 'detached'});
    await level();

    await figures(page).nth(1).getByLabel('Head').selectOption('2');
    await until(
        () => said.textContent(),
        /^The two cannot be subtracted: Small BERT, mini2-en has 6/,
        'nothing is lacking any more',
    );
    assert.equal((await captions(page))[1], 'mini-en, English · L3·H2');
    await until(() => hash(page), /&beside=layer=3&heads=2/, 'the link');
});

test('while a second model loads, the first figure stands where it will stand', async () => {
    for (const [shown, model] of [
        ['model=mini-en&layer=3&heads=5', 'mini-en-sst2'],
        ['model=mini2-en&layer=3&heads=10', 'mini-en'], // which has no head 10
    ]) {
        const page = await site.open({hash: HASH.replace('model=mini-en&layer=3&heads=5', shown)});
        let go = () => {};
        const held = new Promise(done => {
            go = done;
        });
        await page.route(`**/models/${model}/model.safetensors`, async route => {
            await held;
            await route.continue();
        });
        await (
            await menu(page, '.side-by-side')
        )
            .getByLabel('Another model', {exact: true})
            .selectOption(model);
        await page.locator('.compared .progress').waitFor();
        const top = () =>
            figures(page)
                .first()
                .locator('.axes')
                .evaluate(axes => axes.getBoundingClientRect().top);
        const before = await top();
        go();
        await page.waitForSelector('.compared .head-view');
        await page.locator('.compared .progress').waitFor({state: 'detached'});
        await until(
            () => page.locator('.beside .why').textContent(),
            text => text !== '' && !/^Loading/.test(text),
            'what is said of the two',
        );
        assert.equal(await top(), before, model);
        await page.context().close();
    }
});

test('one text, masked and not: the titles say which is which; both begin at one height', async () => {
    const text = encodeURIComponent(encodeURIComponent(TIRED));
    const page = await site.open({hash: `${ONE}&masked=2&beside=text%3D${text}`, ready: false});
    await two(page);
    assert.deepEqual(await captions(page), [`${TIRED} · [MASK] at cat`, `${TIRED} · as typed`]);
    await until(
        () => tops(page),
        ([one, other]) => one === other,
        'both figures begin at one height',
    );
});

test('another text stands beside in views that show no head, too; it can be written over at once', async () => {
    const page = await site.open({hash: `${ONE}&view=change`});
    await choose(page, 'Another text');
    await until(() => figures(page).locator('.change-view').count(), 2, 'two figures');
    const selected = () => page.evaluate(() => String(window.getSelection()));
    await until(selected, TIRED, 'the text of b');
    assert.equal(await page.evaluate(() => document.activeElement.id), 'second-text');
});

test('two texts of as many tokens: a press names the head in which attention differs most; others are told', async () => {
    const page = await site.open({hash: `${ONE}&view=change`});
    await choose(page, 'Another text');
    await until(() => figures(page).locator('.change-view').count(), 2, 'two figures');
    const why = page.locator('.beside > .why');
    assert.equal(await why.count(), 0, 'nothing differs yet');
    const write = async text => {
        await page.getByLabel('Text of b').fill(text);
        await page.keyboard.press('Enter');
    };
    await write('The cat sat.');
    await until(() => why.allTextContents(), /^A has \d+ tokens and B 4: .*as many tokens/, 'told');
    assert.equal(await why.locator('button').count(), 0);
    await write(TIRED.replace('cat', 'dog'));
    await why.getByRole('button', {name: 'In which head does attention differ most?'}).click();
    await until(() => hash(page), /replaced=2:dog/, 'one figure, of both');
    const named = /^L(\d)·H(\d) has changed most: 0\.\d\d of .* Its largest change: from /;
    await until(
        async () => [
            named.exec(await page.locator('.change-most').textContent()) ?? [],
            await page.locator('.shift-cell[aria-pressed="true"]').getAttribute('data-cell'),
        ],
        ([[, layer, head], cell]) => cell === `${layer}.${head}`,
        'the head, framed',
    );
    assert.equal(await figures(page).count(), 0);
    await page.getByRole('button', {name: 'Undo all changes'}).click();
    await until(() => figures(page).locator('.change-view').count(), 2, 'both, as before');
});

test('of another head in some views only; another model in all of them', async () => {
    const page = await site.open({hash: `${ONE}&view=find`});
    const more = await menu(page, '.side-by-side');
    assert.deepEqual(await more.locator('ul button').allTextContents(), ['Another text']);
    await more.getByLabel('Another model', {exact: true}).selectOption('mini-en-sst2');
    await until(() => figures(page).locator('.find-view').count(), 2, 'two figures');
    await page.locator('.views input[value="head"]').check();
    await both(page);
    await choose(page, 'Another head');
    await two(page);
    await page.locator('.views input[value="steps"]').check();
    await page.waitForSelector('.stage > .figure');
});

test('a control in one press: random layers, words shuffled, and back', async () => {
    const page = await site.open({hash: ONE});
    const press = name => page.click(`.controls-beside button:text-is("${name}")`);
    await press('random layers');
    await both(page);
    assert.deepEqual(await captions(page), ['mini-en, English', 'random layers']);
    assert.match(await page.textContent('.beside > .why'), /layers drawn at random/);
    assert.match(await page.textContent('.between h2'), /random layers minus mini-en/);
    await page.locator('.views input[value="change"]').check();
    await until(() => figures(page).locator('.change-view').count(), 2, 'in every view');
    await page.locator('.views input[value="head"]').check();
    await both(page);
    await press('words shuffled');
    await until(
        () => captions(page),
        now => now.length === 2 && now[1] && now[1] !== now[0] && !now[1].includes('random'),
        'the text beside',
    );
    const [text, other] = await captions(page);
    const words = one => one.match(/\w+/g).sort();
    assert.deepEqual(words(other), words(text));
    await until(
        () => page.textContent('.beside > .why'),
        now => now.includes('another order'),
        'what it is',
    );
    await press('Back to one figure');
    await page.waitForSelector('.stage > .figure');
});

test('a model does not stand beside itself: not offered, nor kept when the first becomes the second', async () => {
    const page = await site.open({hash: `${HASH}&compareWith=mini-en-sst2`});
    await page.waitForSelector('.compared .head-view');
    const place = await menu(page, '.side-by-side');
    const offered = place.getByLabel('Another model', {exact: true}).locator('option');
    const values = await offered.evaluateAll(all => all.map(one => one.value));
    assert.ok(values.includes('mini-en-sst2') && !values.includes('mini-en'), values.join());
    await page.selectOption('#model', 'mini-en-sst2');
    await until(
        () => page.evaluate(() => window.location.hash),
        now => /model=mini-en-sst2/.test(now) && !/compareWith/.test(now),
        'one figure, of the second model',
    );
    await page.locator('.compared').waitFor({state: 'detached'});
});

test('the name of a model can be read whole in both menus, also at 390 px', async () => {
    for (const [width, lang] of [
        [1366, 'en'],
        [390, 'en'],
        [390, 'zh'],
    ]) {
        const page = await site.open({
            hash: `#v=2&model=mini2-en-sst2&text=A&textB=&lang=${lang}`,
            width,
        });
        await menu(page, '.side-by-side');
        for (const id of ['model', 'compare-with']) {
            const [room, wanted] = await page.locator(`#${id}`).evaluate(select => {
                const style = getComputedStyle(select);
                const context = document.createElement('canvas').getContext('2d');
                context.font = style.font;
                const name = document.querySelector('#model [value="mini2-en-sst2"]').textContent;
                const ARROW = 16;
                const padding = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
                return [
                    select.clientWidth - padding - ARROW,
                    Math.floor(context.measureText(name).width),
                ];
            });
            assert.ok(room >= wanted, `${id} at ${width} px, ${lang}: ${room} of ${wanted} px`);
        }
        const sheet = await page.locator('.side-by-side .sheet').boundingBox();
        assert.ok(sheet.x >= 0 && sheet.x + sheet.width <= width, 'the menu is in the window');
        await page.context().close();
    }
});

test('the options fade where they go on below the window, and only there', async () => {
    const page = await site.open({hash: HASH, width: 1366, height: 700, bypassCSP: true});
    const rail = page.locator('.rail');
    await page.waitForSelector('.experiments'); // the last of the options
    /** Does the fade change what is seen of the options? */
    const fades = async () => {
        const [x, y] = [24, 400];
        const end = await page
            .locator('.lens')
            .evaluate(lens => Math.floor(lens.getBoundingClientRect().bottom));
        const height = Math.min(page.viewportSize().height, end) - y;
        const clip = {x, y, width: 270, height};
        const seen = await page.screenshot({clip});
        const off = await page.addStyleTag({content: '.rail::after { visibility: hidden }'});
        const bare = await page.screenshot({clip});
        await off.evaluate(element => element.remove());
        return !seen.equals(bare);
    };
    await until(fades, Boolean, 'they go on');
    await rail.evaluate(element => element.scrollTo(0, element.scrollHeight));
    await until(fades, now => !now, 'at their end');
    await page.setViewportSize({width: 1366, height: 1600});
    await until(fades, now => !now, 'with room for all');
});

test('a link without a text draws what it drew, and asks for a word', async () => {
    for (const width of [1280, 390]) {
        const page = await site.open({hash: '#v=2&model=mini-en&text=&textB=', width});
        const hint = page.locator('#text-hint');
        await until(() => hint.textContent(), /^Type a word first/, 'a word is asked for');
        assert.ok(await hint.isVisible());
        assert.equal(await page.locator('.column.query .token').count(), 2);
        if (width > 390) {
            await page.fill('#text', 'A film.');
            await page.press('#text', 'Enter');
            await until(() => hint.textContent(), '', 'it is there');
        }
        await page.context().close();
    }
});

test('what two classifiers say stands below their figures, and of one in the window', async () => {
    const text = encodeURIComponent('A dull film, but the acting is great.');
    const hash = `#v=4&model=mini2-en-sst2&text=${text}`;
    for (const viewport of [
        {width: 1440, height: 900},
        {width: 1280, height: 800},
    ]) {
        const page = await site.open({hash, viewport});
        const box = await page.locator('.below .results').boundingBox();
        assert.ok(box.y + box.height <= viewport.height, `its end is at ${box.y + box.height}`);
    }
    const page = await site.open({hash: `${hash}&compareWith=mini-en-sst2`, ready: false});
    const said = page.locator('.two-say .results');
    await until(
        () => said.allTextContents(),
        ([first, second]) =>
            /negative60\.4 %positive39\.6 %/.test(first) &&
            /negative9\d\.\d %positive/.test(second),
        'what both say',
    );
    assert.equal(await page.locator('.below .results').count(), 0);
});
