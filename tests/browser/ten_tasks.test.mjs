/* Ten tasks of a new reader, each from a first visit, by the shortest way that the screen shows. What
 * the reader does is counted: a press, a text typed, a key; choosing from a list is two presses. All
 * ten take at most 40 (issue 16). TASKS_SHOTS=FOLDER: a picture after each. */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {after, before, test} from 'node:test';
import {startSite, until} from './page.mjs';

const MOST = 40;
const SCREEN = {width: 1440, height: 900};
const SHOTS = process.env.TASKS_SHOTS;

let site;
before(async () => {
    site = await startSite();
});

/** What each task has taken. @type {Map<string, number>} */
const taken = new Map();
after(async () => {
    const all = [...taken.values()].reduce((sum, count) => sum + count, 0);
    for (const [name, count] of taken) console.log(`# ${String(count).padStart(2)} ${name}`);
    console.log(`# ${all} actions for ${taken.size} tasks, at most ${MOST}`);
    await site.close();
    assert.ok(all <= MOST, `${all} actions`);
});

/** Whether a reader sees it without scrolling. @param {import('playwright-core').Locator} locator */
async function isOnScreen(locator) {
    const box = await locator.boundingBox();
    return Boolean(
        box && box.y >= 0 && box.y < SCREEN.height && box.x >= 0 && box.x < SCREEN.width,
    );
}

/** A reader, whose actions are counted; only what is on the screen can be pressed.
 * @param {import('playwright-core').Page} page */
function reader(page) {
    let count = 0;
    const press = async (/** @type {import('playwright-core').Locator} */ locator) => {
        await locator.waitFor();
        assert.ok(await isOnScreen(locator), `on the screen: ${locator}`);
        count++;
        await locator.click({force: true});
    };
    return {
        press,
        async type(/** @type {string} */ text) {
            count++;
            await page.keyboard.press('Control+a');
            await page.keyboard.type(text);
        },
        async key(/** @type {string} */ name) {
            count++;
            await page.keyboard.press(name);
        },
        async choose(
            /** @type {import('playwright-core').Locator} */ list,
            /** @type {string} */ value,
        ) {
            assert.ok(await isOnScreen(list), `on the screen: ${list}`);
            count += 2;
            await list.selectOption(value);
        },
        count: () => count,
    };
}

/** @param {string} name
 * @param {(page: import('playwright-core').Page, does: ReturnType<typeof reader>) => Promise<void>} steps */
const task = (name, steps) =>
    test(name, async () => {
        const page = await site.open({
            hash: '',
            ...SCREEN,
            permissions: ['clipboard-read', 'clipboard-write'],
        });
        const does = reader(page);
        await steps(page, does);
        taken.set(name, does.count());
        if (SHOTS) {
            await new Promise(done => setTimeout(done, 500));
            await page.screenshot({path: `${SHOTS}/task${taken.size}.png`});
        }
        await page.context().close();
    });

const button = (page, name) => page.getByRole('button', {name, exact: true});
const tab = (page, name) => page.locator('.tabs .pick', {hasText: name}).locator('input');
const mode = (page, name) => page.locator('.modes .pick', {hasText: name}).locator('input');

task('which word does the pronoun refer to', async (page, does) => {
    await does.press(button(page, 'it → cat'));
    const first = page.locator('.panel.query tbody tr').first();
    await until(
        () => first.textContent(),
        text => /cat/.test(text),
        'its strongest key',
    );
    assert.match(await page.locator('.panel h2').textContent(), /it/);
    assert.ok(await isOnScreen(first));
});

task('what does masking a word change', async (page, does) => {
    await does.press(tab(page, 'What changes'));
    await page.locator('.word', {hasText: '[MASK]'}).waitFor();
    const sum = page.locator('.change-sum');
    await until(
        () => sum.textContent(),
        text => /\d/.test(text),
        'how much',
    );
    assert.ok(await isOnScreen(page.locator('.change-grid canvas, .change-grid svg').first()));
});

task('a head of the previous word, on an own text', async (page, does) => {
    await does.press(page.locator('#text'));
    await does.type('A small dog barks at the moon.');
    await does.key('Enter');
    await page.locator('.token', {hasText: 'moon'}).first().waitFor();
    await does.press(tab(page, 'Find a head'));
    await does.press(page.locator('.find-text .word', {hasText: 'moon'}));
    await does.press(page.locator('.find-text .word', {hasText: 'the'}).last());
    const best = page.locator('.heads-list li').first();
    await until(
        () => best.textContent(),
        text => /0\.[5-9]/.test(text),
        'a head with that weight',
    );
    assert.ok(await isOnScreen(best));
});

task('the link and an SVG of the figure', async (page, does) => {
    await does.press(button(page, 'Copy link').first());
    await page.getByText('Link copied').first().waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^http.*#v=2/);
    await does.press(page.locator('.export summary'));
    const saved = page.waitForEvent('download');
    await does.press(button(page, 'SVG'));
    assert.match(await readFile(await (await saved).path(), 'utf8'), /^<svg/);
});

task('does it hold over many sentences', async (page, does) => {
    await does.press(mode(page, 'Corpus'));
    await page.locator('.study-facts').waitFor();
    await does.press(page.locator('.study-list input[value=patterns]'));
    await does.press(page.locator('.run-row button'));
    await page.locator('.hm').first().waitFor({timeout: 60000});
});

task('another model', async (page, does) => {
    await does.choose(page.locator('#model'), 'mini-en-sst2');
    await until(
        () => page.evaluate(() => location.hash),
        hash => /model=mini-en-sst2/.test(hash),
        'link',
    );
    await page.getByText('What the model says of this text').waitFor({timeout: 30000});
});

task('what query and key mean', async (page, does) => {
    await does.press(page.getByRole('button', {name: 'How to read this picture'}));
    assert.match(await page.locator('.how').textContent(), /query.*key/);
    assert.ok(await isOnScreen(page.locator('.how')));
});

task('how the softmax weights come about', async (page, does) => {
    await does.press(tab(page, 'Step by step'));
    await does.press(button(page, '5 Softmax'));
    await page.getByText(/exp\(/).first().waitFor();
});

task('Chinese and dark', async (page, does) => {
    const pick = name => page.locator('.settings .pick', {hasText: name}).locator('input');
    await does.press(pick('中文'));
    await does.press(pick('深色'));
    const root = page.locator('html');
    await until(
        () => root.getAttribute('lang'),
        lang => lang?.startsWith('zh'),
        'Chinese',
    );
    assert.equal(await root.getAttribute('data-theme'), 'dark');
});

task('two models', async (page, does) => {
    await does.press(page.locator('.more-models summary'));
    await does.choose(page.getByLabel('Compare with'), 'mini-en-sst2');
    await page.locator('.beside .two section').nth(1).locator('.columns').waitFor({timeout: 30000});
    assert.equal(await page.locator('.more-models .sheet').isVisible(), false, 'it covers nothing');
});
