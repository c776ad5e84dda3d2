/* Ten tasks of a new reader (issue 16), each from a first visit, by what the screen shows: only controls
 * that are in the window are used, found by the names that assistive technology reads, and each task
 * ends by reading the word or the number that answers it. Actions are counted: a press, a text typed,
 * a key that chooses; choosing from a list is two presses. All ten take at most 40.
 */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {useSite, until} from './page.mjs';

const MOST = 40;
const SCREEN = {width: 1366, height: 768};
const TASKS = 10;

const site = useSite();

/** What each task has taken. @type {Map<string, number>} */
const taken = new Map();

/** Whether a reader sees it, at least in part, without scrolling.
 * @param {import('playwright-core').Locator} locator */
const inWindow = locator =>
    locator.evaluate(element => {
        const {top, bottom, left, right} = (element.labels?.[0] ?? element).getBoundingClientRect();
        return top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
    });

/** A reader: {presses, picks, types, key}, all counted. @param {import('playwright-core').Page} page */
function readerOf(page) {
    let count = 0;
    const seen = async (/** @type {import('playwright-core').Locator} */ locator) => {
        await locator.waitFor();
        assert.ok(await inWindow(locator), `in the window: ${locator}`);
        return locator;
    };
    return {
        count: () => count,
        /** @param {'button' | 'radio' | 'textbox'} role @param {string} name as it is read out */
        async presses(role, name) {
            const control = await seen(page.getByRole(role, {name, exact: true}).first());
            count++;
            // a radio button is drawn by its label, which is pressed once it stands still
            const label = await control.evaluateHandle(one => one.labels?.[0] ?? one);
            await label.click();
        },
        /** A menu, which is a <summary>: browsers give it no role of its own. @param {string} name */
        async opens(name) {
            const control = await seen(page.locator('summary', {hasText: name}).first());
            count++;
            await control.click();
        },
        /** @param {string} name of a list @param {string} label of a choice */
        async picks(name, label) {
            const list = await seen(page.getByRole('combobox', {name, exact: true}));
            count += 2;
            await list.selectOption({label});
        },
        /** @param {string} text over what stands there */
        async types(text) {
            count++;
            await page.keyboard.press('Control+a');
            await page.keyboard.type(text);
        },
        async key(/** @type {string} */ name) {
            count++;
            await page.keyboard.press(name);
        },
        /** Waits until what is read fits, and gives its first group.
         * @param {import('playwright-core').Locator} place @param {RegExp} pattern */
        async reads(place, pattern) {
            await place.first().waitFor(); // a study may run first
            const text = await until(
                () => place.first().innerText(),
                now => pattern.test(now),
                `read ${pattern}`,
            );
            return pattern.exec(text)?.[1] ?? '';
        },
    };
}

/** @param {string} name
 * @param {(page: import('playwright-core').Page, reader: ReturnType<typeof readerOf>) => Promise<void>} act */
const task = (name, act) =>
    test(name, async () => {
        const permissions = ['clipboard-read', 'clipboard-write'];
        const page = await site.open({hash: '', ...SCREEN, permissions});
        const reader = readerOf(page);
        await act(page, reader);
        taken.set(name, reader.count());
    });

task('1 which word a pronoun refers to', async (page, reader) => {
    await reader.presses('button', 'it → cat');
    const numbers = page.getByRole('complementary', {name: 'Numbers of the chosen token'});
    assert.match(await reader.reads(numbers, /^(it looks at)/), /it/);
    const row = numbers.getByRole('row').first();
    assert.ok(Number(await reader.reads(row, /cat\s+(0\.\d\d)/)) > 0.4, 'most of it to "cat"');
});

task('2 what masking a word changes', async (page, reader) => {
    await reader.presses('radio', 'What changes');
    await page.getByRole('button', {name: /^\w+ \[MASK\]$/}).waitFor();
    const heads = page.getByRole('button', {name: /of the attention moved$/});
    await heads.first().waitFor();
    const moved = (await heads.evaluateAll(all => all.map(({ariaLabel}) => ariaLabel))).map(name =>
        Number(/(\.\d\d) of/.exec(name)?.[1]),
    );
    assert.ok(Math.max(...moved) >= 0.1, `a head whose attention moved: ${moved}`);
    await reader.reads(page.locator('.change-says'), /[a-z]+\s+(\d+\.\d) %/);
});

task('3 the previous-word head, on a text of one’s own', async (page, reader) => {
    await reader.presses('textbox', 'Sentence A');
    await reader.types('A small dog barks at the moon.');
    await reader.key('Enter');
    await reader.presses('radio', 'Find a head');
    await reader.presses('button', 'previous token');
    const share = await reader.reads(
        page.getByRole('status').filter({hasText: 'does this'}),
        /^L0·H2 does this: >?(0\.\d\d|1\.00) of its attention/,
    );
    assert.ok(Number(share) > 0.7, `how strongly: ${share}`);
    await reader.presses('button', 'Does it hold over many sentences?');
    await page.getByRole('button', {name: 'Run', exact: true}).waitFor();
});

task('4 the link and an SVG of the figure', async (page, reader) => {
    await reader.presses('button', 'Copy link');
    await page.getByText('Link copied').waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^http.*#v=5.*heads=/);
    await reader.opens('Save');
    const saved = page.waitForEvent('download');
    await reader.presses('button', 'SVG');
    const svg = await readFile(await (await saved).path(), 'utf8');
    assert.match(svg, /^<svg.*animal.*street/s);
});

task('5 whether it holds over many sentences', async (page, reader) => {
    await reader.presses('radio', 'Corpus');
    const patterns = page.getByRole('radio', {name: /^Patterns/});
    await patterns.waitFor();
    await reader.presses('radio', await patterns.evaluate(input => input.labels[0].innerText));
    await page.locator('#patterns-show').waitFor(); // its settings, which come with its view
    await reader.presses('button', 'Run');
    const mean = await reader.reads(
        page.getByText(/does it most/),
        /L\d·H\d+ does it most, mean (0\.\d+)/,
    );
    assert.ok(Number(mean) > 0.7);
});

task('6 another model', async (page, reader) => {
    await reader.picks('Model', 'mini-en, fine-tuned on film reviews');
    const says = page.getByRole('table', {name: 'Its labels and their probabilities:'});
    const negative = await reader.reads(says, /negative\s+(\d+\.\d) %/);
    assert.ok(Number(negative) > 0);
});

task('7 what query and key mean', async (page, reader) => {
    await reader.presses('button', 'How to read this picture');
    await page.getByText('A line runs from the').waitFor();
    await reader.presses('button', 'query');
    await reader.reads(
        page.getByText('The token that looks.'),
        /(query vector says what it looks for)/,
    );
});

task('8 how softmax weights come about', async (page, reader) => {
    await reader.presses('radio', 'Step by step');
    await reader.presses('button', '5 Softmax');
    const figure = page.locator('.figure');
    await reader.reads(figure, /(es − max\s+softmax)/); // e with an exponent
    await reader.reads(figure, /\d\.\d{3}[^]*\s(0\.[3-8]\d)\s/); // scores, the largest weight: one of several
});

task('9 Chinese and dark', async (page, reader) => {
    await reader.opens('中文');
    await reader.presses('radio', '中文');
    await reader.opens('English');
    await reader.presses('radio', '深色');
    await reader.reads(page.getByRole('heading', {level: 1}), /(指什么)/);
    const [red] = await page.evaluate(() =>
        getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number),
    );
    assert.ok(red < 60, 'a dark page');
});

task('10 two models', async (page, reader) => {
    await reader.opens('Side by side');
    await reader.picks('Another model', 'mini-en, fine-tuned on film reviews');
    const other = page.getByRole('region', {name: 'mini-en, fine-tuned on film reviews'});
    assert.ok(await inWindow(other.first()), 'what is fetched is said where the reader looks');
    await reader.reads(other, /(animal)/);
    assert.ok(await inWindow(other.getByText('is looked at')), 'beside the first');
});

test(`all ${TASKS} take at most ${MOST} actions`, () => {
    assert.equal(taken.size, TASKS, 'every task has come to its end');
    const actions = [...taken.values()].reduce((sum, count) => sum + count, 0);
    assert.ok(actions <= MOST, JSON.stringify([...taken]));
    console.log(`# ${actions} actions: ${[...taken.values()].join(' + ')}`);
});
