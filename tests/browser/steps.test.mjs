/* The steps view in Chromium, with the real engine and the shipped model: stepping by buttons, keys
 * and formula, the two forms, and what cells say.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {useSite, until} from './page.mjs';

const VIEW = '#view=steps&layer=1&heads=6';

const site = useSite();

const text = (page, selector) => page.locator(selector).first().textContent();
const title = (page, pattern) =>
    until(
        () => text(page, '.stage-text h2'),
        now => pattern.test(now),
        `${pattern}`,
    );
const hash = page => page.evaluate(() => location.hash);

async function open(options = {}) {
    const page = await site.open({hash: VIEW, ready: false, ...options});
    await page.waitForSelector('.steps-view');
    return page;
}

test('next and back, arrow keys, the list and the formula all lead from step to step; the step is in the link', async () => {
    const page = await open();
    await title(page, /Step 1 of 9 Embedding/);
    await page.getByRole('button', {name: 'Next', exact: true}).click();
    await title(page, /Step 2 of 9 Query, key, value/);
    await until(() => hash(page), /step=1/, 'step in the link');
    await page.keyboard.press('ArrowRight');
    await title(page, /Step 3 of 9 Scores/);
    await page.keyboard.press('ArrowLeft');
    await title(page, /Step 2/);
    await page.getByRole('button', {name: '8 Output'}).click();
    await title(page, /Step 8 of 9 Output/);
    await page.keyboard.press('ArrowRight');
    await title(page, /Step 9 of 9 Feed-forward/);
    await page.keyboard.press('ArrowRight');
    await title(page, /Step 9/);
    assert.equal(
        await page.getByRole('button', {name: 'Next', exact: true}).getAttribute('aria-disabled'),
        'true',
    );
    await page.locator('.whole button', {hasText: 'softmax'}).click();
    await title(page, /Step 5 of 9 Softmax/);
    assert.equal(await page.locator('.whole [aria-current="step"]').count(), 1);
});

test('every step draws in both forms, with shapes written', async () => {
    const page = await open();
    for (let step = 0; step < 9; step++) {
        for (const form of ['vectors', 'matrices']) {
            await page.evaluate(
                ([n, f]) => {
                    location.hash = `#view=steps&layer=1&heads=6&step=${n}&form=${f}`;
                },
                [step, form],
            );
            await title(page, new RegExp(`Step ${step + 1} of`));
            await until(
                () => page.locator('.equation').count(),
                count => form === 'vectors' || count > 0,
                form,
            );
            assert.doesNotMatch(await text(page, '.steps-view'), /NaN|undefined/);
            if (form === 'matrices')
                assert.match(await text(page, '.steps-view'), /\[19 × (19|32|256)\]/);
        }
    }
});

test('a token is chosen by click and by arrow keys, and the numbers are its own', async () => {
    const page = await open({hash: `${VIEW}&step=3`});
    const numbers = () => page.locator('.figures').last().locator('.now').allTextContents();
    const first = await numbers();
    await page.locator('.token-list button').nth(5).click();
    await until(() => hash(page), /token=5/, 'token');
    await until(numbers, now => `${now}` !== `${first}`, 'other scores');
    await page.keyboard.press('ArrowRight');
    await until(() => hash(page), /token=6/, 'the next token');
    await title(page, /Step 4/);
});

test('the tokens to choose from keep their place, whatever the step and the token; help takes nothing from the figure', async () => {
    const page = await open({hash: `${VIEW}&step=0`, width: 1440, height: 900});
    const boxOf = place => page.locator(place).first().boundingBox();
    const token = () => page.locator('.token-list button').nth(3).boundingBox();
    const before = await token();
    for (let step = 1; step < 5; step++) {
        await page.getByRole('button', {name: 'Next', exact: true}).click();
        await title(page, new RegExp(`Step ${step + 1}`));
        assert.deepEqual(await token(), before, `step ${step + 1}`);
    }
    await page.locator('.token-list button').nth(6).click();
    await until(() => hash(page), /token=6/, 'token');
    assert.deepEqual(await token(), before, 'another token');
    for (const view of ['steps', 'find', 'change', 'heatmap']) {
        await page.locator(`.views input[value="${view}"]`).check();
        await page.waitForSelector(`.${view}-view`);
        const {width} = await boxOf('.figure');
        const help = page.getByRole('button', {name: 'How to read this picture'});
        await help.click();
        await page.locator('.how').waitFor();
        assert.equal((await boxOf('.figure')).width, width, view);
        await help.click();
        await page.locator('.how').waitFor({state: 'detached'});
    }
});

test('what was pointed at is said no longer than its numbers are shown: another head, another step', async () => {
    const page = await open({hash: `${VIEW}&step=2`});
    const read = () => page.locator('.readout').textContent();
    for (const change of ['layer=1&heads=7&step=2', 'layer=1&heads=7&step=3']) {
        await page.mouse.move(0, 0);
        await page
            .locator('.rows-body .cells')
            .first()
            .hover({position: {x: 40, y: 40}});
        const before = await until(read, /: −?\d\.\d{4}$/, 'a number');
        await page.evaluate(now => {
            location.hash = `#view=steps&${now}`;
        }, change);
        await until(read, now => !/\d/.test(now), `nothing of before: ${before}`);
    }
});

for (const [width, height, locale] of [
    [390, 844, 'en-GB'],
    [320, 640, 'zh-CN'],
])
    test(`a phone: whose numbers, what the step does and Next are in sight from the start, and Next stays: ${width}`, async () => {
        const page = await open({
            ...{width, height, locale, hasTouch: true, isMobile: true},
            hash: `${VIEW}&step=4&token=16`,
        });
        const inWindow = selector =>
            page.locator(selector).evaluate(element => {
                const {top, bottom, left, right} = element.getBoundingClientRect();
                return top >= 0 && bottom <= innerHeight && left >= 0 && right <= innerWidth;
            });
        const piece = await page.locator('.token-list [aria-pressed=true]').textContent();
        for (const what of [
            ...['.token-list [aria-pressed=true]', '.stage-text p', '.whose'],
            ...['.stepper .main >> nth=0', '.stepper .main >> nth=1', '.stepper ol'],
        ])
            assert.ok(await inWindow(what), what);
        assert.equal(await text(page, '.whose bdi'), piece);
        assert.match(await text(page, '.whose'), /5\/9.*L1·H6/);
        assert.ok((await text(page, '.stage-text p')).includes(`“${piece}”`));
        await page.locator('.whole').scrollIntoViewIfNeeded();
        await page.evaluate(() => scrollBy(0, 120));
        const next = page.locator('.stepper .main').nth(1);
        assert.ok(await inWindow('.stepper .main >> nth=1'), 'while one reads below');
        await next.tap();
        await until(() => text(page, '.whose'), /6\/9/, 'the next step');
        await until(
            () => inWindow('.stage-text p'),
            seen => seen,
            'from its beginning',
        );
    });

test('a table that is wider than its place keeps the column that names the rows', async () => {
    const page = await open({hash: `${VIEW}&step=2`, width: 390, height: 844});
    await page.locator('.numbers summary').click();
    const table = page.locator('.numbers .scroll');
    const [key, last] = [
        table.locator('tbody th').first(),
        table.locator('tbody tr:first-child td').last(),
    ];
    await key.waitFor();
    const from = (await table.boundingBox()).x;
    await table.evaluate(one => {
        one.scrollLeft = one.scrollWidth;
    });
    await until(
        () => last.boundingBox(),
        ({x, width}) => x + width <= 390,
        'the last column',
    );
    const {x} = await key.boundingBox();
    assert.ok(Math.abs(x - from) < 2, `${x} for ${from}`);
});

test('weights of the softmax step sum to one', async () => {
    const page = await open({hash: `${VIEW}&step=4`});
    assert.match(await text(page, '.steps-view'), /exponentials sum to/);
    await page.locator('.numbers summary').click();
    const weights = await until(
        () => page.locator('.numbers tbody tr td:last-child').allTextContents(),
        all => all.length === 19,
        'a row a key',
    );
    assert.ok(Math.abs(weights.reduce((sum, weight) => sum + Number(weight), 0) - 1) < 0.002);
});

for (const [width, step, count] of [
    [1440, 2, 3], // Q Kᵀ = S
    [1440, 4, 2], // softmax(S) = A
    [1366, 6, 3], // A V = Z
]) {
    test(`an equation of ${count} matrices of tokens stands in one line: step ${step + 1}, ${width} px`, async () => {
        const page = await open({hash: `${VIEW}&step=${step}&form=matrices`, width});
        const all = await page.locator('.equation > *').evaluateAll(list =>
            list.map(one => {
                const {top, bottom} = one.getBoundingClientRect();
                return (top + bottom) / 2;
            }),
        );
        assert.equal(await page.locator('.equation .matrix').count(), count);
        assert.ok(Math.max(...all) - Math.min(...all) < 2, `${all}`);
        const widths = await page
            .locator('.equation')
            .evaluate(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth]);
        assert.ok(widths[0] <= widths[1], `${widths}`);
    });
}

test('a cell of a matrix says its token, column and number; a vector its index', async () => {
    const page = await open({hash: `${VIEW}&step=4&form=matrices`});
    const map = page.locator('.matrix .cells').last(); // of 19 tokens, query down, key to the right
    const {width, height} = await map.boundingBox();
    await map.hover({position: {x: (1.5 * width) / 19, y: (2.5 * height) / 19}});
    await until(() => text(page, '.readout'), /^A, went, i: −?\d\.\d{4}$/, 'the weight');
    await page.evaluate(() => {
        location.hash = '#view=steps&layer=1&heads=6&step=0';
    });
    await title(page, /Step 1/);
    await page.hover('.strip .cells');
    await until(() => text(page, '.readout'), /^word \[\d+\]: −?\d\.\d{4}$/, 'the number');
});

test('256 numbers unfold, and nothing overflows on a phone in any step', async () => {
    const page = await open({width: 360, height: 740, hasTouch: true, isMobile: true});
    await page.locator('.vector summary').first().click();
    await until(() => page.locator('.number-cells span').count(), 256, 'numbers');
    for (let step = 0; step < 9; step++) {
        for (const form of ['vectors', 'matrices']) {
            await page.evaluate(
                ([n, f]) => {
                    location.hash = `#view=steps&layer=1&heads=6&step=${n}&form=${f}`;
                },
                [step, form],
            );
            await title(page, new RegExp(`Step ${step + 1} of`));
            assert.ok(
                await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth),
                `step ${step}, ${form}`,
            );
        }
    }
});

for (const step of [1, 5]) {
    for (const form of ['vectors', 'matrices']) {
        test(`axe finds nothing: step ${step}, ${form}`, async () => {
            const page = await open({bypassCSP: true, hash: `${VIEW}&step=${step}&form=${form}`});
            await nothingForAxe(page);
        });
    }
}
