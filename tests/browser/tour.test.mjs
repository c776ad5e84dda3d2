/* The lesson of the six patterns in Chromium, which was the guided tour: the head it opens, its own
 * texts and the reader's, what it says where there is none, keyboard, link, back button, links to the
 * tour, and that nothing is amiss for axe. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {show, shownHeads, useSite, until} from './page.mjs';

const site = useSite();

const patterns = (page, step) => page.locator('.patterns button').nth(step);
const begin = async page => {
    await page.getByRole('button', {name: 'Lessons', exact: true}).click();
    await page.getByRole('button', {name: 'Six patterns of attention'}).click();
    await page.locator('.tour .found').waitFor();
};
const title = page => page.locator('.tour h2').textContent();
const layer = page => page.locator('input[name=layer]:checked').inputValue();
const at = (page, wanted) =>
    until(async () => `${await layer(page)}.${await shownHeads(page)}`, wanted, `head ${wanted}`);
const found = page => page.locator('.tour .found').textContent();

test('each pattern opens the head that shows it most, on the first text that shows it, its example pinned', async () => {
    const page = await site.open();
    await begin(page);
    const heads = ['0.6', '1.0', '1.7', '2.4', '1.5', '2.7', '0.3'];
    for (const [step, head] of heads.entries()) {
        await patterns(page, step).click();
        await at(page, head);
        assert.equal(await page.locator('.patterns [aria-current]').count(), 1);
        if (step) assert.equal(await page.evaluate(() => document.activeElement.id), 'tour-title');
    }
    await patterns(page, 0).click();
    await until(
        () => found(page),
        now =>
            /L0·H6 shows it clearly.*this head0\.90.*uniform attention0\.05.*the mark0\.33/.test(
                now,
            ),
        'numbers and what they are compared with',
    );
    assert.match(await found(page), /18\.0 times uniform attention/);
    assert.match(await found(page), /For instance: \S+ looks at/);
    await page.locator('.column.query .token[aria-pressed=true]').waitFor();
    await patterns(page, 4).click();
    await until(
        () => page.locator('.strongest').textContent(),
        /jeff looks at ##erson 0\.7\d/,
        'its own text for pieces of a word',
    );
    const both = page.getByRole('button', {name: 'All tokens and one, side by side'});
    await both.click();
    await page.locator('.two .compared .token[aria-pressed=true]').first().waitFor();
    assert.equal(
        await page.locator('.two section:first-child .token[aria-pressed=true]').count(),
        0,
    );
    await both.click();
    await page.locator('.two').waitFor({state: 'detached'});
    await page.locator('.column.query .token[aria-pressed=true]').waitFor();
    await both.click();
    await page.locator('.two').waitFor();
    await page.getByRole('button', {name: 'How does it do it? (neuron view)'}).click();
    await page.locator('.rows-head').first().waitFor();
    await page.getByRole('button', {name: 'Show this head'}).click();
    await at(page, '1.5');
    await page.getByRole('button', {name: 'End the lesson'}).first().click();
    await until(
        () => page.inputValue('#textB'),
        'At the store, I bought fresh strawberries.',
        'what the reader had',
    );
});

test('a link to the tour keeps its text, and a pattern that no head shows there is said to be missing', async () => {
    const page = await site.open({hash: '#tour=4'});
    await until(
        () => found(page),
        /No head of this model does it on this text\. L0·H7 comes closest/,
        'said',
    );
    await page.setViewportSize({width: 1280, height: 860});
    const zh = await site.open({hash: '#tour=4', locale: 'zh-CN'});
    await until(
        () => found(zh),
        now => now.includes('这个模型没有这样的头'),
        'in Chinese',
    );
});

test('where the text has nothing to measure the lesson says so and offers its sentences', async () => {
    const page = await site.open({hash: '#tour=3'});
    await page.locator('.tour .found').waitFor();
    assert.equal(await page.getByRole('button', {name: 'Use the lesson’s sentences'}).count(), 0);
    await show(page, 'One sentence.', '');
    await until(
        () => page.locator('.finding').textContent(),
        now => now.includes('This needs two sentences that share a word'),
        'said',
    );
    await page.getByRole('button', {name: 'Use the lesson’s sentences'}).click();
    await page.locator('.tour .found').waitFor();
    assert.equal(await page.inputValue('#text'), 'I went to the store.');
});

test('next and back, arrow keys and Escape; focus comes back to the links', async () => {
    const page = await site.open();
    await begin(page);
    assert.equal(await page.getByRole('button', {name: 'Back', exact: true}).isDisabled(), true);
    await page.getByRole('button', {name: 'Next', exact: true}).click();
    await until(() => title(page), 'The previous word', 'second step');
    await at(page, '1.0');
    await page.keyboard.press('ArrowRight');
    await until(() => title(page), 'The same word', 'third step');
    await page.keyboard.press('ArrowLeft');
    await until(() => title(page), 'The previous word', 'second again');
    await page.keyboard.press('Escape');
    await until(() => page.locator('.tour').count(), 0, 'ended');
    assert.match(await page.evaluate(() => document.activeElement.textContent), /^I went/);
    await begin(page);
    await patterns(page, 6).click();
    await page.getByRole('button', {name: 'End the lesson'}).last().click();
    await until(() => page.locator('.tour').count(), 0, 'ended by the last button');
});

test('the reader may look elsewhere and come back; the tour does not pull', async () => {
    const page = await site.open({hash: '#tour=0'});
    await at(page, '0.6');
    await page.locator('input[name=layer]').nth(3).check();
    await page.waitForTimeout(500);
    await at(page, '3.6');
    await page.getByRole('button', {name: 'Show this head'}).click();
    await at(page, '0.6');
    await until(() => page.getByRole('button', {name: 'Show this head'}).count(), 0, 'it is shown');
});

test('the step is in the link and in the history; a link to another head is obeyed', async () => {
    const page = await site.open();
    await begin(page);
    await patterns(page, 1).click();
    await at(page, '1.0');
    await until(() => page.evaluate(() => document.location.hash), /tour=1/, 'in the address');
    await patterns(page, 0).click();
    await at(page, '0.6');
    await until(() => page.evaluate(() => document.location.hash), /tour=0/, 'in the address');
    await page.goBack();
    await until(() => title(page), 'The previous word', 'back');
    await at(page, '1.0');
    const linked = await site.open({hash: '#tour=1&layer=4&heads=2'});
    await linked.locator('.tour .found').waitFor();
    await linked.waitForTimeout(300);
    await at(linked, '4.2');
});

test('a link to another head is obeyed also when the model is there before the tour', async () => {
    const page = await site.open({blank: true});
    let held = 0;
    await page.context().route('**/player-*.js', async route => {
        await page.waitForSelector('.below', {state: 'attached'});
        held++;
        await route.continue();
    });
    await page.goto(`${site.url}#tour=1&layer=4&heads=2`);
    await page.locator('.tour .found').waitFor();
    assert.equal(held, 1);
    await page.waitForTimeout(300);
    await at(page, '4.2');
    await patterns(page, 0).click();
    await at(page, '0.6');
    await patterns(page, 1).click();
    await at(page, '1.0');
});

test('on a phone the panel comes into view and nothing overflows', async () => {
    const page = await site.open({width: 360, height: 740, hasTouch: true, isMobile: true});
    await page.getByRole('button', {name: 'Lessons', exact: true}).tap();
    await page.getByRole('button', {name: 'Six patterns of attention'}).tap();
    await page.locator('.tour .found').waitFor();
    await patterns(page, 2).tap();
    await at(page, '1.7');
    const box = await page.locator('.tour h2').boundingBox();
    assert.ok(box.y >= 0 && box.y < 740, `${box.y}`);
    const picture = await page.locator('.columns').boundingBox();
    assert.ok(picture.y >= 0 && picture.y + 200 < box.y, `the picture is above it: ${picture.y}`);
    for (const width of [320, 360]) {
        await page.setViewportSize({width, height: 740});
        assert.ok(
            await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
            `${width}`,
        );
    }
});

for (const hash of ['#tour=0', '#tour=4', '#v=2&lesson=inside', '#v=2&lesson=heads']) {
    test(`axe finds nothing: ${hash}`, async () => {
        const page = await site.open({bypassCSP: true, hash});
        await page.locator('.lesson :is(.found, .seen-number[data-value])').waitFor();
        await nothingForAxe(page);
    });
}
