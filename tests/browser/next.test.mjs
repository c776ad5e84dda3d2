/* The view of next words in Chromium: a press writes, continuing stops, taking back, other views have what
 * was written; a masked model is asked about a hidden word; sliders change what is drawn only.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {menu, pressUnfolded, until, useSite} from './page.mjs';

const site = useSite();

const TEXT = '#v=2&model=mini-gpt-en&view=next&text=The%20teacher%20read%20the%20book&textB=';
const open = async (hash, options) => {
    const page = await site.open({hash, ...options});
    await page.waitForSelector('.next-words .head-row');
    return page;
};
const written = page =>
    page.evaluate(() => (/written=([\d.]+)/.exec(location.hash)?.[1] ?? '').split('.'));

test('a press writes a word, continuing writes on until it is stopped, and other views have it', async () => {
    const page = await open(TEXT);
    const words = page.locator('.next-words .head-row .name');
    const [first] = await words.allTextContents();
    await words.first().click();
    await until(
        () => page.locator('.next-text .written').allTextContents(),
        now => now.length === 1 && now[0] === first,
        'the word is part of the text',
    );
    await page.locator('.next-buttons .main').click();
    await until(
        () => written(page),
        now => now.length >= 4,
        'it writes on',
    );
    const stop = page.getByRole('button', {name: 'Stop'});
    if (await stop.count()) await stop.click({timeout: 2000}).catch(() => {});
    await page.getByRole('button', {name: /^Write 5/}).waitFor();
    const count = async () =>
        parseInt(await page.locator('.next-writing [role="status"]').textContent(), 10);
    const many = await count();
    const text = () => page.locator('.next-plain').textContent();
    const pieces = await page.locator('.next-text .written').allTextContents();
    assert.equal(await text(), pieces.join('').replaceAll('␣', ' '), 'once as plain text');
    await page.getByRole('button', {name: 'Take one back'}).click();
    await until(count, now => now === many - 1, 'one less');
    await page.locator('.views input[value="head"]').check();
    await page.waitForSelector('.head-view');
    await until(
        () => page.locator('.token[data-side="query"]').count(),
        now => now === 6 + many - 1,
        'the head view has what was written',
    );
});

test('five words by one press; the word that was not taken; what each layer says is in sight', async () => {
    const text = 'text=Once%20upon%20a%20time&textB=';
    const page = await open(`#v=4&model=mini-gpt-en&view=next&${text}`, {width: 1280, height: 800});
    const list = page.locator('.next-words');
    const rank = n => list.locator('.head-row').nth(n).locator('.number').last().textContent();
    const [before, first] = [await rank(1), await list.locator('.name').first().textContent()];
    const {y, height} = await page
        .getByText('is the most probable word after the last layer')
        .boundingBox();
    assert.ok(y + height < 800, 'when it settled');
    await page.getByRole('button', {name: 'Write 5 tokens'}).click();
    await until(
        () => page.locator('.next-text .written').count(),
        count => count === 5,
        'five',
    );
    await page.getByRole('button', {name: 'Write 5 tokens'}).waitFor();
    assert.equal(await page.locator('.next-text .written').count(), 5, 'and no more');
    await page.locator('.next-text .word', {hasText: 'time'}).click();
    await list.getByText(`The text goes on with “${first}”: the most probable word, `).waitFor();
    assert.equal(await rank(1), before, 'the second best of then');
});

test('sliders change what is drawn and compute nothing; every position has its prediction', async () => {
    const page = await open(TEXT);
    await page.waitForSelector('.next-all .rows');
    assert.equal(await page.locator('.next-all .over-tokens').count(), 2);
    await nothingForAxe(page);
    const shares = () =>
        page.locator('.next-words .head-row > .number:nth-child(4)').allTextContents();
    const models = () => page.locator('.next-words .head-row > :nth-child(5)').allTextContents();
    const [before, lens] = [
        await shares(),
        await page.locator('.next-lens .figures > div').allTextContents(),
    ];
    assert.ok(lens.includes(before[0]), `${before[0]} is the model's own, as at the last layer`);
    assert.ok(
        (await models()).every(text => text === ''),
        'one percentage a word',
    );
    const off = page.locator('output[for="top-k"]');
    assert.equal(await off.textContent(), 'off');
    const hash = await page.evaluate(() => location.hash);
    await page.locator('#top-k').fill('1');
    await until(shares, now => now.length === 1 && now[0] === '100.0 %', 'greedy');
    assert.deepEqual(await models(), [`model ${before[0]}`]);
    await page.locator('#top-k').fill('100');
    await until(shares, now => `${now}` === `${before}`, 'the model’s own again');
    await page.locator('#top-p').fill('0.05');
    await until(shares, now => now.length < 10, 'the nucleus');
    assert.equal(await off.textContent(), '100', 'what can be drawn is limited');
    await page.locator('#top-p').fill('1');
    await page.locator('#temperature').fill('2');
    await until(shares, now => parseFloat(now[0]) < parseFloat(before[0]), 'hotter');
    assert.equal(await page.evaluate(() => location.hash), hash);
});

test('a masked model is asked about a hidden word, and a press puts another one there', async () => {
    const page = await site.open({
        hash: '#v=2&model=mini2-en&view=next&text=The%20cat%20sat%20down.&textB=&token=2',
    });
    await page.getByRole('button', {name: 'Mask “cat” and ask'}).click();
    await until(() => page.evaluate(() => location.hash), /masked=2/, 'masked');
    const other = page.locator('.next-words .head-row').nth(1);
    const name = await other.locator('.name').textContent();
    await other.click();
    await until(
        () => page.evaluate(() => decodeURIComponent(location.hash)),
        now => now.includes(`replaced=2:${name}`),
        'put there',
    );
});

test('entered by its tab, a masked model is asked about the last word, and leads to a model that writes', async () => {
    const page = await site.open({hash: '#v=4&model=mini2-en&text=The%20cat%20sat%20down.'});
    await page.locator('.views input[value="next"]').check();
    await page.getByRole('button', {name: 'Mask “down” and ask'}).waitFor();
    await page.locator('.views input[value="head"]').check();
    await until(
        () => page.url(),
        now => !now.includes('token='),
        'given back',
    );
    await page.locator('.views input[value="next"]').check();
    await page.locator('.next-text .hint button').click();
    await until(() => page.url(), /model=mini-gpt-en/, 'the small GPT');
    await page.getByRole('button', {name: /^Write 5/}).waitFor();
    const tints = () =>
        page
            .locator('.next-text .word')
            .evaluateAll(all =>
                all.map(one => parseInt(one.style.getPropertyValue('--tint') || 0, 10)),
            );
    const [first, ...rest] = await until(tints, now => now.some(Boolean), 'shades');
    assert.ok(first === 0 && rest.every(one => one >= 0 && one <= 100) && Math.max(...rest) > 20);
});

test('the lens at every position: a press, the link, its readout, and its CSV', async () => {
    const page = await open(TEXT);
    await page.locator('.next-lens input[value="all"]').check();
    await page.waitForSelector('.next-lens .map-frame');
    await until(
        () => page.evaluate(() => location.hash),
        hash => hash.includes('lens=1'),
        'the link',
    );
    const readout = page.locator('.next-lens .shift-readout');
    assert.match(await readout.textContent(), /^Layer 5, ␣book 5: .*Rank of the final word .*: 1,/);
    await page.locator('.next-lens .surface').focus();
    await page.keyboard.press('ArrowUp');
    await until(
        () => readout.textContent(),
        text => text.startsWith('Layer 4'),
        'the layer above',
    );
    await nothingForAxe(page);
    const place = (await menu(page, '.export')).locator('.all', {hasText: 'logit lens'});
    const saved = page.waitForEvent('download');
    await pressUnfolded(place, '.csv');
    const text = readFileSync(await (await saved).path(), 'utf8');
    assert.equal(text.trim().split('\r\n').length, 1 + 6 * 6);
    assert.match(text, /Rank of the final word/);
});
