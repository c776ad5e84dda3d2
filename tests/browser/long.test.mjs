/* long - a text taller than the window, in the head view: how many of a pinned token's targets are out of
 * sight, at each edge of the window, and the way to them; the whole text in the height of the window.
 * Which keys a token's lines lead to is worked out here from the package's numbers. */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {test} from 'node:test';
import {load} from '../../web/package/node.js';
import {useSite, until} from './page.mjs';

const WORDS =
    'the cat sat on the mat and the old dog slept by the door while rain fell over the quiet town';
const TEXT = `${WORDS} `.repeat(20).trim();
const LAYER = 2;
const HEAD = 3;
const QUERY = 5;
const HASH = `#v=2&text=${encodeURIComponent(TEXT)}&layer=${LAYER}&heads=${HEAD}&picked=${QUERY}&side=query`;

const site = useSite();

/** Keys of the lines at rest: the four strongest, or fewer that carry 0.6, and all from 1/8 on. */
async function targets() {
    const model = await load('models/mini-en', {
        wasmBytes: readFileSync('build/out/site/headlight.wasm'),
    });
    try {
        const result = await model.run(TEXT, {pair: 'At the store, I bought fresh strawberries.'});
        const {data} = await result.attention(LAYER);
        const T = result.tokens.length;
        assert.equal(T, 256);
        const row = [...data.subarray((HEAD * T + QUERY) * T, (HEAD * T + QUERY + 1) * T)];
        const sorted = row.toSorted((a, b) => b - a);
        let sum = 0;
        const enough = sorted.findIndex(weight => (sum += weight) >= 0.6);
        const least = Math.min(1 / 8, sorted[Math.min(3, enough)]);
        return row.flatMap((weight, key) => (weight >= least ? [key] : []));
    } finally {
        await model.dispose();
    }
}

/** Of each key of a list, whether its middle is above the window, in it or below. */
const places = (page, keys) =>
    page.evaluate(
        wanted =>
            wanted.map(index => {
                const {top, bottom} = document
                    .querySelector(`.column.key [data-index="${index}"]`)
                    .getBoundingClientRect();
                const middle = (top + bottom) / 2;
                return middle < 0 ? 'above' : middle > window.innerHeight ? 'below' : 'seen';
            }),
        keys,
    );

const said = (page, where) =>
    page
        .locator(`.out-of-sight .to-${where}`)
        .evaluate(button => (button.hidden ? 0 : Number(/\d+/.exec(button.textContent)[0])));

/** What the edges say is what the columns show. */
async function agrees(page, keys) {
    const count = (list, where) => list.filter(one => one === where).length;
    await until(
        async () => {
            const now = await places(page, keys);
            return {
                ...{above: await said(page, 'above'), below: await said(page, 'below')},
                ...{isAbove: count(now, 'above'), isBelow: count(now, 'below')},
            };
        },
        ({above, below, isAbove, isBelow}) => above === isAbove && below === isBelow,
        'the edges count what is out of sight',
    );
}

test('The edges of the window count the targets out of sight, and lead there', async () => {
    const keys = await targets();
    const page = await site.open({hash: HASH, reducedMotion: 'reduce'});
    await page.locator('.out-of-sight').waitFor({state: 'attached'});
    await agrees(page, keys);
    assert.ok((await places(page, keys)).includes('below'), 'there is something to lead to');
    const shown = await places(page, keys);
    await page.locator('.out-of-sight .to-below').click();
    await until(
        () => places(page, keys),
        now => now.some((place, i) => place === 'seen' && shown[i] === 'below'),
        'a target comes into sight',
    );
    await agrees(page, keys);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await agrees(page, keys);
});

test('A switch makes the picture no taller than the window; a place in it stands for its token', async () => {
    const page = await site.open({hash: HASH.replace(/&picked.*/, ''), reducedMotion: 'reduce'});
    await page.locator('.fit-switch').click();
    await page.locator('.fit canvas').waitFor();
    const {height} = await page.locator('.head-view .columns').boundingBox();
    assert.ok(height <= 860, `${height} px`);
    const fitted = await page.locator('.fit').boundingBox();
    assert.ok(Math.abs(fitted.height - height) < 1, 'it takes the place of the picture');
    await until(
        () => page.locator('.fit').boundingBox(),
        ({y, height: tall}) => y >= 0 && y + tall <= 860,
        'all of it is in the window',
    );
    const fit = await page.locator('.fit').boundingBox();
    const row = 200;
    await page.mouse.click(fit.x + 40, fit.y + ((row + 0.5) / 256) * fit.height);
    await until(
        () => page.url(),
        url => new RegExp(`picked=${row}(&|$)`).test(url),
        'the token there is pinned',
    );
    assert.ok((await page.locator('.names.query .lit').count()) === 1);
    await page.locator('.fit-switch').click();
    await page.locator('.fit').waitFor({state: 'detached'});
    const token = page.locator(`.column.query [data-index="${row}"]`);
    await token.waitFor();
    await until(
        () => token.boundingBox(),
        ({y, height: tall}) => y > 0 && y + tall < 860,
        'what was pinned in it is in the window at full size',
    );
});

test('What is pressed does not print: Play, the fit, the ways to what is out of sight', async () => {
    const page = await site.open({hash: HASH, reducedMotion: 'reduce'});
    await page.locator('.out-of-sight .to-below').waitFor();
    assert.equal(await page.locator('.fit-switch').isVisible(), true);
    await page.emulateMedia({media: 'print'});
    for (const gone of ['.out-of-sight', '.fit-switch', '.player'])
        assert.equal(await page.locator(gone).first().isVisible(), false, gone);
    assert.equal(await page.locator('.column.query .token').first().isVisible(), true);
});

test('A text that fits the window has none of it', async () => {
    const page = await site.open({hash: '#v=2&picked=3&side=query'});
    await page.locator('.head-view .player').waitFor(); // fetched with it
    assert.equal(await page.locator('.long, .fit-switch, .out-of-sight').count(), 0);
});
