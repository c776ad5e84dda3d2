/* Where the pictures begin: in every view the picture's upper edge is in the upper third of a laptop's
 * window, whatever stands around it; and the greeting of a first visit does not push it down. */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {useSite, until} from './page.mjs';

const MOST = 260; // px
const PICTURES = {
    head: '.columns',
    heatmap: '.map-frame canvas, .figure canvas',
    model: '.figure canvas',
    neuron: '.rows-body',
    steps: '.cells',
    find: '.find-map svg',
    change: '.change-grid canvas',
};

const site = useSite();

const topOf = async (page, selector) => {
    const place = page.locator(`.figure :is(${selector})`).first();
    await place.waitFor();
    return (await place.boundingBox()).y;
};

for (const [width, height] of [
    [1440, 900],
    [1366, 768],
])
    for (const [view, selector] of Object.entries(PICTURES))
        test(`${view}: the picture begins within ${MOST} px at ${width}x${height}`, async () => {
            const page = await site.open({hash: `#v=3&model=mini2-en&view=${view}`, width, height});
            const top = await topOf(page, selector);
            assert.ok(top > 40 && top <= MOST, `${view}: ${top} px`);
        });

test('a visit begins with its question, and the whole picture is in the window; a link to another text has none', async () => {
    const page = await site.open({hash: '', width: 1366, height: 768});
    assert.equal(await page.locator('.lede').isVisible(), true);
    const {y, height} = await page.locator(PICTURES.head).first().boundingBox();
    assert.ok(y + height <= 768, `${y} + ${height} px`);
    await page.goto(`${site.url}?again#v=2`);
    await page.locator('.below').waitFor();
    assert.equal(await page.locator('.lede').count(), 0);
});

test('what a picture shows is explained on demand, and the next visit remembers that', async () => {
    const page = await site.open({
        hash: '#v=3&model=mini2-en&view=neuron',
        width: 1366,
        height: 768,
    });
    const button = page.getByRole('button', {name: 'How to read this picture'});
    assert.equal(await page.locator('.how').count(), 0);
    await button.click();
    await until(
        () => page.locator('.how').boundingBox(),
        box => box && box.y < 768,
        'it is on screen',
    );
    assert.equal(await button.getAttribute('aria-expanded'), 'true');
    await page.reload();
    await page.locator('.how').waitFor();
});
