/* minilm-en in Chromium: the published BERT of the menu, its weights in two files. Chosen by a link
 * it shows the heads that models/minilm-en/README.md names, with their weights, and predicts a masked
 * word; chosen in the menu it is called by its name and size, in both languages. A visit that does
 * not choose it asks for none of its files.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pieces, show, useSite, until} from './page.mjs';

const site = useSite();

const link = (layer, head, text) =>
    `#v=2&model=minilm-en&layer=${layer}&heads=${head}&text=${encodeURIComponent(text)}&textB=`;

/** The weight that a token puts on another, as the panel says it of the token under the pointer. */
async function weight(page, [query, word], key) {
    await page.hover(`.column.query [data-index="${query}"]`);
    const found = new RegExp(`^×${word} looks at.*?${key}>?(\\d\\.\\d\\d)`);
    const said = await until(
        () => page.locator('.panel').textContent(),
        now => found.test(now),
        `${word} looks at ${key}`,
    );
    return Number(found.exec(said)[1]);
}

test('a link opens it: the head of the previous word, then the heads that find what "it" means', async () => {
    const page = await site.open({hash: link(0, 2, 'I went to the store.')});
    assert.ok((await weight(page, [2, 'went'], 'i')) >= 0.9);
    assert.ok((await weight(page, [5, 'store'], 'the')) >= 0.9);
    const animal = 'The animal didn’t cross the street because it was too tired.';
    for (const [layer, head] of [
        [3, 1],
        [5, 11],
    ]) {
        const other = await site.open({hash: link(layer, head, animal)});
        assert.equal((await pieces(other))[4], '’', 'a piece of its own');
        assert.ok(
            (await weight(other, [10, 'it'], 'animal')) >= 0.6,
            `layer ${layer} head ${head}`,
        );
        await other.close();
    }
});

test('it predicts masked words', async () => {
    const page = await site.open({hash: link(0, 2, 'The president of the United [MASK].')});
    await until(
        () => page.locator('.results').textContent(),
        /position 6states\d/,
        'the predictions',
    );
    const weak = page.locator('.remarks .weak');
    await weak.waitFor();
    assert.match(await weak.textContent(), /minilm-en.*20 %.*mini4-en, the default, finds 38 %/);
    await show(page, 'The [MASK] barked at the cat.', '');
    await until(
        () => page.locator('.results').textContent(),
        /position 2dog\d/,
        'another masked word',
    );
    await show(page, 'The dog barked at the cat.', '');
    await weak.waitFor({state: 'detached'});
    await show(page, 'The [MASK] barked at the cat.', '');
    await weak.waitFor();
    await page.selectOption('#model', 'mini2-en');
    await weak.waitFor({state: 'detached'});
});

test('the menu says what it is and how large; it is fetched when it is chosen, not before', async () => {
    for (const [lang, name] of [
        ['en', 'minilm-en, a published BERT (24 MB)'],
        ['zh', 'minilm-en，已发布的 BERT (24 MB)'],
    ]) {
        const page = await site.open({blank: true});
        const asked = [];
        page.on('request', request => asked.push(request.url()));
        await page.goto(`${site.url}#v=2&lang=${lang}`);
        await page.waitForSelector('.below', {state: 'attached'});
        assert.deepEqual(
            asked.filter(url => url.includes('minilm-en')),
            [],
        );
        assert.ok((await page.locator('#model option').allTextContents()).includes(name));
        await page.selectOption('#model', 'minilm-en');
        const files = () => asked.filter(url => /minilm-en\/model-0000\d-of/.test(url)).length;
        await until(files, 2, 'both files of its weights are asked for');
        await until(() => page.locator('.chip').count(), 12, 'its twelve heads');
        await page.close();
    }
});
