/* "What changes" in Chromium, with the real engine and the shipped model: masking, replacing,
 * switching heads off, the map, and axe.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {nothingInTwoLanguages} from './axe.mjs';
import {useSite, until} from './page.mjs';

const site = useSite();

/** The page, once the view stands there. */
async function open(hash, options = {}) {
    const page = await site.open({hash: `#view=change${hash}`, ready: false, ...options});
    await page.waitForSelector('.change-view');
    return page;
}
const moved = page => page.locator('.shift-cell .number').allTextContents();
const sum = page => page.locator('.change-sum').textContent();
const word = (page, index) => page.locator('.change-text .word').nth(index);
const hash = page => page.evaluate(() => decodeURIComponent(window.location.hash));
const isZero = numbers => numbers.length === 48 && numbers.every(number => number === '0');

test('the head that has changed most is named, and a press shows its map', async () => {
    const page = await open('&masked=5&layer=0&heads=0');
    const most = page.locator('.change-most');
    await most.waitFor();
    const [, layer, head] = /^L(\d)·H(\d) has changed most: 0\.\d+ of/.exec(
        await most.textContent(),
    );
    const cell = (await moved(page)).map(text => Number(text.replace('<', '')));
    assert.equal(Math.max(...cell), cell[8 * layer + +head]);
    await most.getByRole('button').click();
    await until(
        () => hash(page),
        now =>
            new RegExp(`heads=${head}(&|$)`).test(now) &&
            (layer === '0' || now.includes(`layer=${layer}`)),
        'its map is shown',
    );
    assert.equal(await most.getByRole('button').count(), 0);
});

test('nothing is changed at first; masking a token changes every layer, and undoing brings all back', async () => {
    const page = await open('');
    assert.ok(isZero(await moved(page)));
    assert.match(await sum(page), /No changes yet/);
    assert.match(await page.locator('.change-grid').textContent(), /each square then shows/);
    assert.equal(await page.locator('.change-map').count(), 0, 'no empty map');
    await word(page, 5).click();
    await page.getByRole('button', {name: 'Mask', exact: true}).click();
    const numbers = await until(
        () => moved(page),
        now => !isZero(now),
        'differences',
    );
    assert.ok(numbers.filter(number => number !== '0').length > 40);
    await page.locator('.change-map').waitFor();
    assert.match(await word(page, 5).textContent(), /store \[MASK\]/);
    await until(() => hash(page), /masked=5/, 'the link');
    const says = await page.locator('.change-says').textContent();
    assert.match(
        says,
        /position 5 \(store\).*store9\d\.\d %/s,
        'before, the model saw the word itself',
    );
    await page.getByRole('button', {name: 'Undo all changes'}).click();
    await until(() => moved(page), isZero, 'all as before');
    await until(
        () => hash(page),
        now => !/masked/.test(now),
        'the link',
    );
});

test('labels before and after stand beside the change of attention, and of an experiment too', async () => {
    const film =
        '#v=2&model=mini2-en-sst2&text=A%20dull%20film%2C%20but%20the%20acting%20is%20great.&textB=';
    const page = await site.open({hash: `${film}&view=change&masked=2&token=2`});
    const said = page.locator('.change-says table');
    await said.waitFor();
    assert.match(await said.textContent(), /negative 60\.\d % → positive 9\d\.\d %/);
    assert.equal(await page.getByText('Predictions before and after appear').count(), 0);
    await page.context().close();
    const other = await site.open({hash: `${film}&without=positions`});
    await other.locator('.experiments > summary').click();
    const labels = other.locator('.experiments .change-says table');
    await labels.waitFor();
    assert.match(await labels.textContent(), /negative60\.\d %98\.\d %/);
    await other.context().close();
});

test('by its tab it begins with a word masked, at the head that changed most; the link says so, and leaving gives the word back', async () => {
    const page = await site.open({hash: '#v=2'});
    const tab = view => page.locator(`.views input[value="${view}"]`);
    await tab('change').check();
    await page.waitForSelector('.change-view');
    await until(
        () => hash(page),
        now => /masked=5/.test(now) && /heads=\d+(&|$)/.test(now),
        'word and head in the link',
    );
    assert.match(await word(page, 5).textContent(), /store \[MASK\]/);
    assert.match(
        await page.locator('.begun').textContent(),
        /Headlight has masked one word: store\..* A has 6 tokens and B 10: attention is compared only/,
    );
    const numbers = await until(
        () => moved(page),
        now => !isZero(now),
        'differences',
    );
    const shown = await page.locator('.shift-cell[aria-pressed="true"] .number').textContent();
    const shares = numbers.map(number => Number(number.replace('<', '')));
    assert.equal(Number(shown), Math.max(...shares));
    const other = await site.open({hash: await page.evaluate(() => window.location.hash)});
    assert.deepEqual(await moved(other), numbers, 'the link brings it back');
    await tab('head').check();
    await page.waitForSelector('.head-view');
    await until(
        () => hash(page),
        now => !/masked/.test(now),
        'the word is given back',
    );
});

test('a sentence B of as many tokens is set against A: the head that differs most is named, framed, and goes along', async () => {
    const page = await site.open({hash: '#v=2'});
    await page.getByLabel('Sentence B').fill('I came to the house.');
    await page.getByRole('button', {name: 'Show', exact: true}).click();
    await page.locator('.views input[value="change"]').check();
    await page.waitForSelector('.change-view');
    const most = () => page.locator('.change-most').textContent();
    const framed = () => page.locator('.shift-cell[aria-pressed="true"]').getAttribute('data-cell');
    const named = async (changes, isCell = () => true) => {
        await until(() => hash(page), changes, 'what is changed');
        return until(
            async () => {
                const said =
                    /^L(\d)·H(\d) has changed most: 0\.\d\d of its attention has moved\. Its largest change: from “(.*)” (\d+) to “(.*)” (\d+), ([+−]0\.\d{3})\.$/;
                return [said.exec(await most()) ?? [], await framed()];
            },
            ([[, layer, head], cell]) => cell === `${layer}.${head}` && isCell(cell),
            'the frame is where the sentence says',
        );
    };
    const [[, ...first]] = await named(/replaced=2:came,5:house(&|$)/);
    const cells = (await moved(page)).map(text => Number(text.replace('<', '')));
    assert.equal(Math.max(...cells), cells[8 * first[0] + +first[1]]);
    const [, , query, i, key, j, difference] = first;
    assert.match(
        await page.locator('.shift-readout').textContent(),
        new RegExp(`^${query} ${i} to `.replace(/[[\]]/g, '\\$&')),
    );
    assert.ok((await page.locator('.shift-readout').textContent()).endsWith(difference));
    assert.ok((await page.locator('.shift-readout').textContent()).includes(`to ${key} ${j}:`));
    assert.match(await page.locator('.begun').textContent(), /B is set against A/);
    assert.equal(await page.locator('#textB').inputValue(), '');

    await word(page, 4).click();
    await page.getByRole('button', {name: 'Mask', exact: true}).click();
    const cell = first.slice(0, 2).join('.');
    await named(/masked=4/, now => now !== cell); // another head, framed too
    await page.getByRole('button', {name: 'Put it back'}).click();
    await named(/^(?!.*masked).*replaced=2:came,5:house(&|$)/, now => now === cell);
    await page.getByRole('button', {name: 'Undo all changes'}).click();
    await until(
        () => hash(page),
        now => !/replaced/.test(now),
        'nothing is changed',
    );
    assert.equal(await page.locator('#textB').inputValue(), 'I came to the house.');
});

test('what it has masked by itself is said: one press puts it back, or masks another word instead', async () => {
    const page = await site.open({hash: '#v=2&picked=15&token=15'});
    const tab = view => page.locator(`.views input[value="${view}"]`);
    await tab('change').check();
    await page.waitForSelector('.begun');
    assert.match(await page.locator('.begun').textContent(), /the token you had chosen.*: straw\./);
    await word(page, 2).click();
    await until(() => hash(page), /masked=2(&|$)/, 'the pressed word is masked instead');
    assert.equal(await page.locator('.begun').count(), 0, 'that was the reader');
    await page.getByRole('button', {name: 'Put it back'}).click();
    await until(
        () => hash(page),
        now => !/masked/.test(now),
        'nothing is masked',
    );
    await word(page, 3).click();
    await until(() => hash(page), /token=3/, 'chosen');
    assert.doesNotMatch(await hash(page), /masked/, 'a press chooses only, as ever');
});

test('a word takes the place of a token; one of several pieces or of none is refused in a sentence', async () => {
    const page = await open('&token=5');
    await page.fill('#put', 'house');
    await page.press('#put', 'Enter');
    await until(
        () => moved(page),
        now => !isZero(now),
        'differences',
    );
    await until(() => hash(page), /replaced=5:house/, 'the link');
    assert.match(await word(page, 5).textContent(), /store house/);
    for (const [typed, sentence] of [
        ['strawberries', /is 2 tokens in this vocabulary \(straw ##berries\)/],
        ['😀', /is not in this model’s vocabulary/],
    ]) {
        await page.fill('#put', typed);
        await page.press('#put', 'Enter');
        assert.match(
            await until(
                () => page.locator('.refused').allTextContents(),
                now => now.some(line => sentence.test(line)),
                typed,
            ).then(lines => lines.join()),
            sentence,
        );
        await until(() => moved(page), isZero, 'a refused word changes nothing');
    }
    await page.fill('#put', 'two words');
    await page.press('#put', 'Enter');
    assert.equal(
        await page.locator('#put-problem').textContent(),
        'One word only, without spaces.',
    );
    await page.getByRole('button', {name: 'Put it back'}).click();
    await until(() => page.locator('.refused').count(), 0, 'put back');
});

test('a piece that no typing gives can be put in by name, and links bring every change back', async () => {
    const page = await open('&replaced=15%3A%252523%2523berries,5%3A%252C&off=0.1,2.3');
    const other = await open(
        `&replaced=${encodeURIComponent('15:%23%23berries,5:%2C')}&off=0.1,2.3`,
    );
    await until(() => sum(other), /2 tokens, 2 heads off/, 'both');
    assert.match(await word(other, 15).textContent(), /straw ##berries/);
    assert.match(await word(other, 5).textContent(), /store ,/);
    assert.equal(await other.locator('.shift-cell.off').count(), 2);
    assert.match(await sum(page), /./, 'a link that is encoded once too often is no error');
});

test('a head switched off moves attention in later layers only, and opens again', async () => {
    const page = await open('');
    await page.getByLabel('switches it off or on').click();
    const cell = place => page.locator(`[data-cell="${place}"]`);
    await cell('1.3').click();
    const numbers = await until(
        () => moved(page),
        now => !isZero(now),
        'differences',
    );
    assert.deepEqual(numbers.slice(0, 16), Array(16).fill('0'), 'layers 0 and 1 are as before');
    assert.ok(numbers.slice(16).filter(number => number !== '0').length > 20, 'later ones are not');
    await until(() => hash(page), /off=1\.3/, 'the link');
    assert.match(await cell('1.3').getAttribute('aria-label'), /switched off/);
    await cell('1.3').click();
    await until(() => moved(page), isZero, 'on again');
});

test('a press shows a head large; pointing and arrow keys name the numbers of a cell', async () => {
    const page = await open('&masked=5');
    await page.locator('[data-cell="3.5"]').click();
    await until(() => page.locator('.change-map h2').textContent(), /L3·H5/, 'the title');
    const readout = () => page.locator('.shift-readout').textContent();
    const first = await readout();
    assert.match(first, /: 0\.\d\d → 0\.\d\d [+−]0\.\d{3}/);
    await page.locator('.surface').focus();
    await page.keyboard.press('ArrowDown');
    await until(readout, now => now !== first, 'the cell below');
    const box = await page.locator('.surface').boundingBox();
    await page.mouse.move(box.x + 3, box.y + 3);
    await until(readout, /^\[CLS\] 0 to \[CLS\] 0/, 'the first cell');
    await page.locator('[data-cell="3.5"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    assert.equal(
        await page.evaluate(() => document.activeElement.getAttribute('data-cell')),
        '2.6',
    );
});

test('the numbers are those of two passes of the head view’s own attention', async () => {
    const page = await open('&masked=5&layer=2&heads=4');
    await page.locator('.numbers summary').click();
    await page.waitForSelector('.numbers tbody tr');
    const cells = await page
        .locator('.numbers tbody tr')
        .nth(5)
        .locator('td, th')
        .allTextContents();
    assert.equal(cells[1], '[MASK]');
    const total = Number(cells[2]);
    assert.ok(total > 0 && total < 1);
    for (const at of [3, 7, 11]) {
        const [was, is, change] = [1, 2, 3].map(i =>
            Number(cells[at + i].replace('−', '-').replace('<', '')),
        );
        assert.ok(Math.abs(is - was - change) < 0.011, `${cells}`);
    }
});

test('axe finds nothing: en, zh', async () => {
    const page = await open('&masked=5&replaced=15:strawberries&token=5&off=1.3&layer=3&heads=5', {
        bypassCSP: true,
    });
    await page.locator('.numbers summary').click();
    await nothingInTwoLanguages(page);
});

test('at 360 px nothing is wider than the window', async () => {
    const page = await open('&masked=5&token=5', {width: 360, height: 800});
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
});
