/* What a reader writes onto a figure, from the fields where it is written to all that it travels in:
 * title and note (menu Save, dialog Share), marked links (the panel of a token), in the page, its link,
 * saved files, printed pages and <head-light>; and the word predicted at a [MASK], at its row.
 */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {after, before, test} from 'node:test';
import {snippet, startHost, visitor} from './host.mjs';
import {menu, pressUnfolded, useSite, until} from './page.mjs';

const site = useSite();
let host;
before(async () => {
    host = await startHost();
});
after(async () => {
    host.close();
});

const PINNED = '#v=2&model=mini-en&textB=&heads=6&picked=2&token=2&side=query';
const hashOf = page => page.evaluate(() => decodeURIComponent(window.location.hash));
const hasHash = (page, pattern) =>
    until(
        () => hashOf(page),
        now => pattern.test(now),
        `the link says ${pattern}`,
    );

async function saved(page, name) {
    const place = await menu(page, '.export');
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        pressUnfolded(place, name),
    ]);
    return readFile(await download.path(), 'utf8');
}

test('title and note: written in Save, shown in the page, its link, its print and its files', async () => {
    const page = await site.open({hash: PINNED});
    await menu(page, '.export');
    await page.fill('#save-heading', 'A <b>title</b> & more');
    await page.fill('#save-note', 'x'.repeat(610));
    assert.match(
        await page.locator('.own-fields .too-long').textContent(),
        /At most 600 characters are shown; the last 10 are left out/,
    );
    await page.fill('#save-note', 'One line.\nAnother.');
    assert.equal(await page.locator('.own-fields .too-long').count(), 0);
    assert.equal(await page.textContent('.own-heading'), 'A <b>title</b> & more');
    assert.equal(await page.innerText('.own-note'), 'One line.\nAnother.');
    await hasHash(page, /heading=A <b>title<\/b> & more&note=One line\.\nAnother\./);
    const svg = await saved(page, 'SVG');
    for (const words of ['A &lt;b&gt;title', 'One line.', 'Another.'])
        assert.ok(svg.includes(words), words);
    const html = await saved(page, 'Web page');
    const file = await site.open({hash: '#v=2', ready: false, blank: true});
    await file.setContent(html);
    await file.waitForSelector('.own-heading');
    assert.equal(await file.textContent('.own-heading'), 'A <b>title</b> & more');
    assert.equal(await file.innerText('.own-note'), 'One line.\nAnother.');
    await page.emulateMedia({media: 'print'});
    assert.ok(await page.locator('.own-heading').isVisible());
    assert.ok(await page.locator('.own-note').isVisible());
});

test('a new text begins without them, says so, and there is a way back', async () => {
    const page = await site.open({hash: `${PINNED}&heading=Mine&marks=2.3%3Ahere`});
    await page.fill('#text', 'Birds sing.');
    await page.press('#text', 'Enter');
    const shed = page.locator('.shed');
    await shed.waitFor();
    assert.match(
        await shed.textContent(),
        /without the title and marked links of the previous one/,
    );
    assert.equal(await page.locator('.own-heading').count(), 0);
    await shed.getByRole('button', {name: 'Back to the previous text'}).click();
    await hasHash(page, /heading=Mine.*marks=2\.3:here/);
});

test('a link is marked in the panel of a token, drawn with its label, and taken away again', async () => {
    const page = await site.open({hash: PINNED});
    await page.getByRole('button', {name: 'Mark a line…'}).click();
    await page.getByLabel('Label').fill('look here');
    await page.getByRole('button', {name: 'Mark', exact: true}).click();
    await page.locator('svg.own-marks text', {hasText: 'look here'}).waitFor();
    await hasHash(page, /marks=2\.3:look%20here/);
    assert.match(await saved(page, 'SVG'), />look here<\/text>/);
    await page.getByRole('radio', {name: 'Heat map', exact: true}).check();
    await page.locator('svg.own-marks text', {hasText: 'look here'}).waitFor();
    assert.match(await saved(page, 'SVG'), />look here<\/text>/);
    await page.getByRole('button', {name: 'Remove the mark: went → to'}).click();
    await page.locator('svg.own-marks').waitFor({state: 'detached'});
});

test('<head-light> shows them before it has a model, as Share hands them out', async () => {
    const own = {heading: 'A <i>title</i>', note: 'A note', marks: ['2.3:look here']};
    const code = await snippet('element', site.url, {heads: [6], ...own});
    const {page} = await visitor(site, host)(code);
    const at = selector => page.locator(`head-light ${selector}`);
    await at('svg.own-marks text').waitFor();
    assert.equal(await at('svg.own-marks text').textContent(), 'look here');
    assert.equal(await at('.own-heading').textContent(), 'A <i>title</i>');
    assert.equal(await at('.own-note').textContent(), 'A note');
});

test('the word predicted at a [MASK] stands at its row, wide and narrow, and in files', async () => {
    for (const width of [1280, 390]) {
        const page = await site.open({
            ...{
                hash: '#v=2&model=mini-en&text=I%20went%20to%20the%20[MASK].&textB=&masked=2',
                width,
            },
        });
        const rows = page.locator('.column.query .token:has(.under)');
        assert.equal(await rows.count(), 2);
        assert.match(await rows.last().textContent(), /^\S+ [<>]?\d+\.\d %\[MASK\]$/);
        const [word, token] = await Promise.all(
            ['.under', '.piece'].map(part => rows.last().locator(part).boundingBox()),
        );
        const row = await rows.last().boundingBox();
        assert.ok(word.y >= token.y + 8 && word.y + word.height <= row.y + row.height + 1);
        assert.equal(row.height, 26, 'the row keeps its height');
        const said = (await rows.last().locator('.under').textContent()).replace(/[<>&]/g, '');
        assert.ok((await saved(page, 'SVG')).includes(said), said);
    }
});

test('a label of each word stands at its row: beside it, on a phone below it, and in files', async () => {
    for (const width of [1280, 390]) {
        const page = await site.open({
            hash: '#v=2&model=mini2-en-pos&text=They%20can%20fish.&textB=&layer=5',
            width,
        });
        const rows = page.locator('.column.query .token');
        const labels = await rows.locator('.filling').allTextContents();
        assert.deepEqual(
            labels.map(label => label.split(' ')[0]),
            ['PRON', 'AUX', 'VERB', 'PUNCT'],
            '[CLS] and [SEP] have none',
        );
        const row = await rows.nth(1).boundingBox();
        const [label, piece] = await Promise.all(
            ['.filling', '.piece'].map(part => rows.nth(1).locator(part).boundingBox()),
        );
        if (width > 500) assert.ok(label.x + label.width <= piece.x, 'beside the word');
        else assert.ok(label.y >= piece.y + 8, 'below the word');
        assert.ok(label.y + label.height <= row.y + row.height + 1);
        assert.equal(row.height, 26, 'the row keeps its height');
        const written = labels[0].replace(/[<>&]/g, '');
        assert.ok((await saved(page, 'SVG')).includes(written), written);
    }
});

test('narrow: the sheet of a token has a button that closes it', async () => {
    const page = await site.open({hash: PINNED, width: 390, height: 844});
    await page.locator('.panel').getByRole('button', {name: 'Close'}).click();
    await page.locator('.panel').waitFor({state: 'detached'});
    await until(
        () => hashOf(page),
        now => !/picked=/.test(now),
        'nothing is pinned',
    );
});
