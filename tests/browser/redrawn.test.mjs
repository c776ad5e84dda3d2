/* The picture after a change is the one after a reload: nothing of the text, the head or the view before is left
 * in it, until the pointer moves or for good. The pointer is where a reader has it, on the pressed button,
 * after it has crossed the figure. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {until, useSite} from './page.mjs';

const site = useSite();
const IT = 10; // of the visit's sentence, which begins with it pinned

/** All that is drawn, with a number for the pixels of each canvas that shows. Not in it: ids, which count up, and
 * what only the keyboard sees, nor moving dots and what a change has begun with. @param {import('playwright-core').Page} page */
const drawn = page =>
    page.evaluate(() => {
        const figure = document.querySelector('.figure');
        if (!figure || figure.ariaBusy === 'true' || document.getAnimations().length) return 'busy';
        const inks = [...figure.querySelectorAll('canvas:not(.motion)')].map(canvas => {
            const {width, height} = canvas;
            if (!width || !height || getComputedStyle(canvas).visibility === 'hidden')
                return 'none';
            const {data} = canvas.getContext('2d').getImageData(0, 0, width, height);
            let sum = 0;
            for (let i = 0; i < data.length; i++)
                if (data[i]) sum = (sum * 31 + data[i] + i) % 2 ** 31;
            return `${width} × ${height}: ${sum}`;
        });
        const copy = figure.cloneNode(true);
        for (const element of copy.querySelectorAll('*'))
            for (const name of [
                'id',
                'for',
                'name',
                'tabindex',
                'style',
                'aria-describedby',
                'aria-labelledby',
            ])
                element.removeAttribute(name);
        for (const dots of copy.querySelectorAll('.motion, .begun')) dots.remove();
        return [...inks, copy.innerHTML.replaceAll('><', '>\n<')].join('\n');
    });

/** Crosses the figure and presses as a hand does. @param {import('playwright-core').Page} page
 * @param {import('playwright-core').Locator} button */
async function press(page, button) {
    await button.scrollIntoViewIfNeeded();
    const [figure, box] = [await page.locator('.figure').boundingBox(), await button.boundingBox()];
    await page.mouse.move(figure.x + figure.width / 2, figure.y + 100);
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, {steps: 4});
    await page.mouse.down();
    await page.mouse.up();
}

/** Two pages: one is used, the other opens its address anew. @param {string} hash */
async function two(hash = '', options = {}) {
    const [page, again] = [
        await site.open({hash, ...options}),
        await site.open({blank: true, ...options}),
    ];
    return {
        page,
        /** @param {string} after */
        async same(after) {
            await page.evaluate(() => scrollTo(0, 0));
            await again.goto('about:blank');
            let pair = [];
            await until(
                async () => {
                    if (again.url() !== page.url()) await again.goto(page.url());
                    pair = await Promise.all([page, again].map(drawn));
                    return pair[0] !== 'busy' && pair[0] === pair[1];
                },
                Boolean,
                `the picture after ${after} is the one after a reload`,
            ).catch(error => {
                assert.equal(...pair, error.message);
            });
        },
    };
}

for (const from of ['the pinned token of a visit', 'no token'])
    test(`after each example, from ${from}`, async () => {
        const {page, same} = await two();
        const chips = page.locator('.example-chips button');
        const names = await chips.allTextContents();
        assert.ok(names.length >= 6, names.join());
        for (const [i, name] of names.entries()) {
            await page.goto('about:blank');
            await page.goto(site.url);
            await page.waitForSelector(`.column.query [data-index="${IT}"]`);
            if (from === 'no token') await page.keyboard.press('Escape');
            await press(page, chips.nth(i));
            await same(`“${name}”`);
        }
    });

test('after each view, each way from a pinned token and back; after heads and a layer', async () => {
    const {page, same} = await two();
    await press(page, page.locator(`.column.query [data-index="${IT - 4}"]`));
    const views = await page.locator('.tabs label').allTextContents();
    assert.ok(views.length >= 7, views.join());
    for (const name of views.slice(1)) {
        await press(page, page.locator('.tabs').getByText(name, {exact: true}));
        await same(name);
        await press(page, page.locator('.tabs').getByText(views[0], {exact: true}));
        await same(`${name}, and back`);
    }
    for (const selector of ['.chip >> nth=5', '.chip >> nth=2']) {
        await press(page, page.locator(selector));
        await page.mouse.move(1, 1); // a head that is pointed at shows alone
        await same(`the head ${selector}`);
    }
});

test('after each step of the first lesson', async () => {
    const {page, same} = await two('#v=5&lesson=patterns');
    const next = page.getByRole('button', {name: 'Next', exact: true}).first();
    for (let step = 1; await next.count(); step++) {
        await same(`step ${step}`);
        await press(page, next);
    }
    await same('the last step');
});
