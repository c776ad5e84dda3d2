/* play - motion, and only after a press: Play goes through the layers and through the steps and
 * stops where the reader goes elsewhere; after the layers it is back at the reader's; a step's
 * numbers move when it was pressed, not when a link opens it, and not where the reader wants no
 * motion. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {LONG} from '../js/lib/sample.mjs';
import {useSite, until} from './page.mjs';

const site = useSite();

const layerOf = page => page.locator('input[name=layer]:checked').inputValue();
const isPlaying = page => page.locator('.player').getAttribute('aria-pressed');

test('Play shows the layers one after the other, from the first to the last, and goes back to the reader’s', async () => {
    const page = await site.open({hash: '#v=2&layer=3', reducedMotion: 'reduce'});
    await page.locator('.player').click();
    const seen = [await layerOf(page)];
    await until(
        async () => {
            const layer = await layerOf(page);
            if (layer !== seen.at(-1)) seen.push(layer);
            return isPlaying(page);
        },
        'false',
        'Play ends',
    );
    await until(() => layerOf(page), '3', 'back at the layer of the reader');
    const way = seen.filter((layer, i) => i > 0 || layer !== '3');
    if (way.at(-1) === '3') way.pop();
    assert.equal(way.at(-1), '5');
    assert.deepEqual(way, way.toSorted());
});

test('Play stops when it is pressed again, and when the reader chooses a layer', async () => {
    const page = await site.open({hash: '#v=2', reducedMotion: 'reduce'});
    await page.locator('.player').click();
    assert.equal(await isPlaying(page), 'true');
    await page.locator('.player').click();
    assert.equal(await isPlaying(page), 'false');
    await page.locator('input[name=layer][value="0"]').check({force: true});
    await page.locator('.player').click();
    await page.locator('input[name=layer][value="4"]').check({force: true});
    await until(() => isPlaying(page), 'false', 'a layer chosen by the reader ends it');
    assert.equal(await layerOf(page), '4');
});

const skip = !LONG && 'long: LONG=1';
test(
    'Play goes through the layers in the heat map too: the same head, another picture',
    {skip},
    async () => {
        const page = await site.open({
            hash: '#v=2&view=heatmap&layer=4&heads=3',
            reducedMotion: 'reduce',
        });
        const read = () => page.locator('.shift-readout').textContent();
        const before = await read();
        await page.locator('.player').click();
        await until(read, now => now !== before, 'the strongest cell is another');
        await until(
            async () => [await layerOf(page), await isPlaying(page)].join(),
            '4,false',
            'Play ends at the layer of the reader',
        );
        await until(read, before, 'as before');
        assert.match(page.url(), /heads=3/);
    },
);

/** Names of the animations of a page, also of those that have not begun. */
const animations = page =>
    page.evaluate(() => [...new Set(document.getAnimations().map(one => one.animationName))]);

/** On from the second step to the scores. */
async function toScores(options) {
    const page = await site.open({hash: '#v=2&view=steps&step=1&heads=3', ...options});
    await page.locator('.stepper').waitFor();
    await page.evaluate(() => {
        globalThis.moved = [];
        addEventListener('animationstart', ({animationName}) =>
            globalThis.moved.push(animationName),
        );
    });
    await page.locator('.stepper button.main').nth(1).click();
    await page.locator('.steps-view .rows').waitFor();
    return page;
}

test('The query passes over the keys when the step is pressed; the numbers stand there already', async () => {
    const page = await toScores();
    assert.equal(await page.locator('.steps-view').getAttribute('data-moves'), 'scores');
    const numbers = await page.locator('.figures .now').allTextContents();
    assert.equal(numbers.length, 19);
    assert.ok(numbers.every(text => /^−?\d+\.\d{3}$/.test(text)));
    await until(
        () => page.evaluate(() => globalThis.moved),
        moved => moved.includes('pass') && moved.includes('light'),
        'the query passes and the products light up',
    );
});

test('Nothing moves where the reader wants no motion, nor when a link opens the step', async () => {
    const calm = await toScores({reducedMotion: 'reduce'});
    assert.deepEqual(await animations(calm), []);
    assert.equal(await calm.locator('.slider').isVisible(), false);
    await calm.context().close();
    const linked = await site.open({hash: '#v=2&view=steps&step=2&heads=3'});
    await linked.locator('.steps-view .rows').waitFor();
    assert.equal(await linked.locator('.steps-view').getAttribute('data-moves'), null);
    assert.equal(await linked.locator('.slider').isVisible(), false);
    await linked.context().close();
});

test('Play goes through the steps', async () => {
    const page = await site.open({hash: '#v=2&view=steps&step=7&heads=3', reducedMotion: 'reduce'});
    await page.locator('.stepper .player').click();
    await page.locator('.stepper li:nth-child(9) [aria-current=step]').waitFor();
    await until(() => isPlaying(page), 'false', 'it stops at the last step');
});
