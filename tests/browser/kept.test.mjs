/* What a reader has is kept until the reader lets it go: a text that was typed and not shown yet (by the
 * buttons of a pair, by the tab of another view, in the list of earlier texts), what is pinned (Escape and
 * a press beside close one thing, the topmost). And what a press asks for next is said: Add others.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {menu, pieces, useSite, until} from './page.mjs';

const site = useSite();

const hash = page => page.evaluate(() => decodeURIComponent(window.location.hash));
const hint = page => page.textContent('#text-hint');
const isPlain = button =>
    button.evaluate(one => getComputedStyle(one).backgroundColor === 'rgba(0, 0, 0, 0)');
const isPinned = async page => /picked=3/.test(await hash(page));

test('typed, not shown: it is said; Remove B and Swap keep it; Escape takes it back, the pin stays', async () => {
    const page = await site.open({hash: '#v=2&picked=3&token=3'});
    const show = page.getByRole('button', {name: 'Show', exact: true});
    assert.ok(await isPlain(show), 'an outline only');
    assert.equal(await hint(page), '');
    await page.fill('#text', 'Birds sing.');
    await until(() => hint(page), /^Not shown yet/, 'said');
    assert.ok(!(await isPlain(show)), 'filled');
    await page.press('#text', 'Escape');
    await until(() => page.inputValue('#text'), /^I went/, 'back');
    assert.ok(await isPinned(page), 'one thing at a time');
    await page.press('#text', 'Escape');
    await until(
        () => isPinned(page),
        now => !now,
        'now the pin',
    );

    await page.fill('#text', 'Birds sing.');
    await page.getByRole('button', {name: 'Swap A and B'}).click();
    await until(() => page.inputValue('#textB'), 'Birds sing.', 'swapped');
    await page.fill('#text', 'Fish swim.');
    await page.getByRole('button', {name: 'Remove B'}).click();
    await until(
        () => hash(page),
        /text=Fish(\+| |%20)swim\.(&|$)(?!.*textB)/,
        'what was typed is shown, alone',
    );
    await until(
        () => pieces(page),
        now => now.includes('fish') && !now.includes('birds'),
        'drawn',
    );

    await page.fill('#text', 'Snow falls.');
    await page.getByRole('button', {name: 'Thinking Machines', exact: true}).click();
    await until(() => page.inputValue('#text'), 'Thinking Machines', 'the example');
    await page.getByRole('button', {name: 'Your earlier texts'}).click();
    await page.getByRole('button', {name: 'Snow falls.'}).click();
    await until(() => page.inputValue('#text'), 'Snow falls.', 'and back');
});

test('the tab of another view shows what is typed; a view begins where it does on that text', async () => {
    const page = await site.open();
    for (const [text, tab, view, word] of [
        ['Birds sing.', 'Neuron view', 'neuron', /birds/],
        ['Fish swim.', 'Heat map', 'heatmap', /fish/],
    ]) {
        await page.fill('#text', text);
        await page.getByRole('radio', {name: tab, exact: true}).check({force: true});
        await until(
            () => hash(page),
            now => now.includes(`view=${view}`) && word.test(now.toLowerCase()),
            'the link names both',
        );
        await until(
            () => page.textContent('.figure'),
            now => word.test(now),
            'the picture too',
        );
        assert.equal(await page.inputValue('#text'), text);
    }
});

test('Escape and a press beside close one thing: dialog, menu, list; then the pin', async () => {
    const page = await site.open({hash: '#v=2&picked=3&token=3'});
    const gone = selector => page.locator(selector).waitFor({state: 'detached'});
    await page.locator('details.export[open], details.export').first().waitFor();
    await menu(page, '.export');
    await page.keyboard.press('Escape');
    await gone('details.export[open]');
    assert.ok(await isPinned(page), 'after the menu');
    await menu(page, '.export');
    await page.mouse.click(700, 820);
    await gone('details.export[open]');
    assert.ok(await isPinned(page), 'after a press beside the menu');
    await page.getByRole('button', {name: 'Lessons', exact: true}).click();
    await page.locator('.offer-panel').waitFor();
    await page.keyboard.press('Escape');
    await gone('.offer-panel');
    assert.ok(await isPinned(page), 'after a list');
    await page.getByRole('button', {name: /^Precision/}).click();
    await page.locator('dialog.precision h2').first().click();
    await page.keyboard.press('Escape');
    await gone('dialog[open]');
    assert.ok(await isPinned(page), 'after a dialog');
    await page.keyboard.press('Escape');
    await until(
        () => isPinned(page),
        now => !now,
        'then the pin',
    );
});

test('Escape closes a menu also before the browser has told that it is open', async () => {
    const page = await site.open({hash: '#v=2&picked=3&token=3'});
    await page.locator('details.export').waitFor();
    await menu(page, '.export'); // and what closes it is there
    await page.keyboard.press('Escape');
    await page.locator('details.export[open]').waitFor({state: 'detached'});
    const isOpen = await page.locator('details.export').evaluate(place => {
        place.querySelector('summary').click();
        const options = {key: 'Escape', bubbles: true, cancelable: true, composed: true};
        document.activeElement.dispatchEvent(new KeyboardEvent('keydown', options));
        return place.open;
    });
    assert.equal(isOpen, false);
    assert.ok(await isPinned(page));
});

test('Add others says what to do next', async () => {
    const page = await site.open({hash: '#v=2&picked=3&token=3'});
    await page.getByRole('button', {name: 'Add others'}).click();
    await page.getByText('Now press another token').waitFor();
    await page.locator('.column.query .token').nth(5).click();
    await until(() => hash(page), /picked=3[.,]5/, 'both are pinned');
});

test('a model without the head that is shown shows its last one, not all', async () => {
    const page = await site.open({hash: '#v=2&model=mini2-en&layer=2&heads=11'});
    await page.selectOption('#model', 'mini-en');
    await until(
        () => hash(page),
        now => /model=mini-en/.test(now) && /heads=7(&|$)/.test(now) && /layer=2/.test(now),
        'the last head of eight',
    );
});
