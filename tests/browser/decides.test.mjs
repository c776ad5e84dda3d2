/* "What decides": from the predictions of a [MASK] to what they rest on, tokens masked or removed, another word, the
 * link; a label; where an answer starts; a similarity.
 */
import assert from 'node:assert/strict';
import {resolve} from 'node:path';
import {test} from 'node:test';
import {show, typeAndChoose, until, useSite} from './page.mjs';

const site = useSite();
const said = page => page.textContent('.decides-asked p');
const whole = page =>
    until(
        () => said(page),
        now => now.includes('What changes this most'),
        'all passes',
    );

const linked = (page, part) =>
    until(
        () => page.evaluate(() => location.hash),
        now => now.includes(part),
        `the link has ${part}`,
    );
/** The number beside a name in a list. */
const row = (page, list, name) =>
    page
        .locator(`.decides-${list} li`)
        .filter({hasText: name})
        .locator('.number:not(.chance)')
        .textContent();

test('which tokens and heads matter for the word at [MASK], in one press', async () => {
    const text = encodeURIComponent('The capital of France is [MASK].');
    const page = await site.open({hash: `#v=4&model=mini2-en&text=${text}`});
    await page.click('.outcome button:text-is("What decides")');
    await page.waitForSelector('.terms');
    await whole(page);
    assert.match(
        await said(page),
        /“paris” at position 6 .* What changes this most: MLP of layer 4\./,
    );
    const lists = await page.locator('.decides-lists h2').allTextContents();
    assert.deepEqual(lists, ['Each token masked', 'Each head off', 'Each MLP off']);
    assert.equal(await page.locator('.decides-head li').count(), 10);
    const words = page.getByLabel('Explain another word');
    const second = await words.locator('option').nth(1).getAttribute('value');
    await words.selectOption(second);
    await until(
        () => said(page),
        now => !now.includes('“paris” at'),
        'another word',
    );
    await whole(page);
    await linked(page, `ask=${second}`);
});

test('what is predicted stands above the figure; where nothing is, the tab is pale and the view masks a word', async () => {
    const shown = async (model, text) => {
        const page = await site.open({
            hash: `#v=4&model=${model}&text=${encodeURIComponent(text)}`,
        });
        return {
            page,
            verdict: async () => (await page.locator('.outcome').allTextContents()).join(),
            reason: () => page.locator('.views .pick:has([value=decides])').getAttribute('title'),
        };
    };
    const review = await shown('mini2-en-sst2', 'A dull film, but the acting is good.');
    await until(review.verdict, /^positive \d\d\.\d % negative \d\d\.\d % What decides$/, 'labels');
    const gpt = await shown('mini-gpt-en', 'The capital of France is');
    await until(gpt.verdict, /^␣is → ␣\w+ \d+\.\d % What decides$/, 'the next word');
    await gpt.page.locator('.column.query .token').last().click();
    await gpt.page.locator('.panel h2').waitFor();
    assert.equal(await gpt.page.getByText('Predicted for').count(), 0, 'it is of what follows');
    const {page, verdict, reason} = await shown('mini2-en', 'The capital of France is Paris.');
    await until(reason, 'Nothing is predicted here', 'pale');
    assert.equal(await verdict(), '');
    await page.locator('.views input[value="decides"]').check();
    assert.equal(
        await page.locator('.decides-asked .hint button').textContent(),
        'Small GPT, mini-gpt-en',
    );
    await page.getByRole('button', {name: 'Mask “capital”'}).click();
    await until(() => said(page), /“\w+” at position 2 /, 'explained');
    assert.ok(!(await reason()));
    await page.locator('.views input[value="head"]').check();
    await until(verdict, /^\[MASK\] → \w+ \d+\.\d % What decides$/, 'the masked word');
});

test('a word against another one: typed or chosen, kept in the link, and taken back', async () => {
    const text = encodeURIComponent('The cats on the mat [MASK] asleep.');
    const page = await site.open({
        hash: `#v=4&model=mini2-en&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await whole(page);
    const against = page.getByLabel('Against the word');
    await against.fill('is');
    await against.press('Enter');
    await until(
        () => said(page),
        now => /against “is”.* − ln p\(is\) = .*What changes this most/.test(now),
        'the contrast, all passes',
    );
    await linked(page, 'against=is');
    assert.equal(await page.locator('.decides-readings').count(), 0);
    await against.fill('nosuchword');
    await against.press('Enter');
    await until(
        () => said(page),
        now => now.includes('is no single entry of the vocabulary'),
        'a refusal',
    );
    await against.fill('');
    await against.press('Enter');
    await whole(page);
    await page.waitForSelector('.decides-readings');
});

test('what wrote it: behind one press, kept in the link, closed by the next; another word keeps it', async () => {
    const text = encodeURIComponent('The capital of France is [MASK].');
    const page = await site.open({
        hash: `#v=4&model=mini2-en&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await whole(page);
    const press = page.getByRole('button', {name: 'What wrote it'});
    const list = page.locator('.decides-wrote');
    assert.equal(await press.getAttribute('aria-expanded'), 'false');
    assert.equal(await list.count(), 0);
    await press.click();
    await list.waitFor();
    await linked(page, 'ask=.wrote');
    const numbers = async which =>
        (await list.locator(which).allTextContents()).map(text => Number(text.replace('−', '-')));
    const wrote = await numbers('.number:not(.chance)');
    const sum = wrote.pop();
    assert.ok(Math.abs(wrote.reduce((all, x) => all + x, 0) - sum) < 0.1, `${wrote}: ${sum}`);
    const without = await numbers('.number.chance');
    assert.ok(without.filter(Number).length >= 8, 'the change without each head and MLP');
    assert.equal(
        await row(page, 'mlp', 'layer 4'),
        await list.locator('.chance').first().textContent(),
    );
    const words = page.getByLabel('Explain another word');
    const second = await words.locator('option').nth(1).getAttribute('value');
    await words.selectOption(second);
    await linked(page, `ask=${second}.wrote`);
    await until(
        () => numbers('.total .number:not(.chance)'),
        ([now]) => now && now !== sum,
        'its own',
    );
    await press.click();
    await until(
        () => list.count(),
        count => count === 0,
        'closed',
    );
});

test('a token removed is another question than a token masked; the link keeps which', async () => {
    const text = encodeURIComponent('The capital of France is [MASK].');
    const page = await site.open({
        hash: `#v=4&model=mini2-en&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await whole(page);
    const stop = async list => Number((await row(page, list, '. (7)')).replace('−', '-'));
    assert.ok((await stop('token')) > -1, 'the full stop is masked: 0.4 nats (docs/methods.md)');
    await page.getByLabel('Each token').selectOption('removed');
    await page.waitForSelector('.decides-removed');
    await whole(page);
    assert.ok((await stop('removed')) < -6, 'removed: 6.6 nats');
    assert.equal(await page.locator('.decides-token').count(), 0);
    await linked(page, 'ask=.removed');
    await page.reload();
    await page.waitForSelector('.decides-removed');
    assert.equal(await page.getByLabel('Each token').inputValue(), 'removed');
});

test('heads by the mean of the other tokens, and several at once; the link keeps both', async () => {
    const text = encodeURIComponent('The capital of France is [MASK].');
    const page = await site.open({
        hash: `#v=4&model=mini2-en&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.decides-together');
    await whole(page);
    const zero = await row(page, 'head', 'L1·H8');
    await page.getByLabel('Heads and MLPs off').selectOption('mean');
    await until(
        () => row(page, 'head', 'L1·H8'),
        now => now !== zero,
        'another number',
    );
    await whole(page);
    const told = page.locator('.decides-together p');
    assert.match(await told.textContent(), /^Choose two or more/);
    for (const head of ['L1·H8', 'L4·H9'])
        await page.locator('.decides-together').getByLabel(head, {exact: true}).check();
    const sentence = await until(
        () => told.textContent(),
        now => /^L1·H8, L4·H9 off at once: .*; the sum of each alone: /.test(now),
        'both sums',
    );
    const number = text => Number(text.replace('−', '-'));
    const [, sum] = /alone: (.*)\.$/.exec(sentence);
    const alone = await Promise.all(['L1·H8', 'L4·H9'].map(head => row(page, 'head', head)));
    const expected = alone.map(number).reduce((a, b) => a + b);
    assert.ok(Math.abs(number(sum) - expected) < 0.011, `${sum}, not ${expected}`);
    await linked(page, 'by=mean');
    await linked(page, 'together=1.8%2C4.9');
    await page.reload();
    await until(
        () => told.textContent(),
        now => now === sentence,
        'the same again',
    );
});

test('where an answer starts, of a model of a folder; another start', async () => {
    const page = await site.open({hash: '#v=4&model=mini2-en'});
    await page.setInputFiles(
        '.models input[type=file]',
        resolve('tests/golden/models/bert-answers'),
    );
    await page
        .locator('#model option:checked', {hasText: 'bert-answers'})
        .waitFor({state: 'attached'});
    await show(page, 'who sat', 'the cat sat on the mat');
    await page.click('.outcome button:text-is("What decides")');
    await whole(page);
    const starts = page.getByLabel('Explain another start');
    const [first, second] = await starts.locator('option').allTextContents();
    const told = async one => {
        const [piece, p] = one.split(' ');
        return (
            (await said(page)).startsWith(`The answer starts at “${piece}” (`) &&
            (await said(page)).includes(`): ${p} %, ln p = `)
        );
    };
    assert.ok(await told(first), `${first}: ${await said(page)}`);
    assert.equal(await page.locator('.decides-readings').count(), 0, 'readings are of words');
    const place = await starts.locator('option').nth(1).getAttribute('value');
    await starts.selectOption(place);
    await until(() => told(second), Boolean, `the other start, ${second}`);
    await whole(page);
    await linked(page, `ask=${place}`);
});

test('a similarity: tokens of either sentence, heads and MLPs of both', async () => {
    const pair = 'text=A+man+plays+a+guitar.&textB=Someone+is+playing+an+instrument.';
    const page = await site.open({
        hash: `#v=4&model=all-minilm-l6-v2&${pair}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await whole(page);
    const [, cosine] = /\(cosine\): (0\.\d{4})\./.exec(await said(page));
    assert.ok(Math.abs(cosine - 0.6825) < 0.005, `${cosine}; see similar.test.mjs`);
    const tokens = await page.locator('.decides-token .name').allTextContents();
    assert.deepEqual(new Set(tokens.map(name => name.slice(-4))), new Set(['in A', 'in B']));
    assert.equal(await page.locator('.decides-mlp li').count(), 6);
    assert.equal(await page.locator('.decides-readings').count(), 0);
});

test('why a review is called negative', async () => {
    const text = encodeURIComponent('The film was dull and far too long.');
    const page = await site.open({
        hash: `#v=4&model=mini2-en-sst2&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await whole(page);
    assert.match(await said(page), /The label “negative” .* against “positive”/);
    assert.equal(await page.locator('.decides-token .name').first().textContent(), 'dull (4)');
});

test('patches from another text: shares of the difference, kept in the link', async () => {
    const text = encodeURIComponent('The film was dull.');
    const page = await site.open({
        hash: `#v=4&model=mini2-en-sst2&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await page.fill('.decides-patch input', 'The film was great.');
    await page.press('.decides-patch input', 'Enter');
    await until(
        () => said(page),
        now => now.includes('The last token vector that still brings half'),
        'all patches',
    );
    assert.match(await said(page), /“positive” less that of “negative”/);
    assert.match(await page.locator('.decides-parts li').first().textContent(), /^great \(4\)/);
    await linked(page, 'patch=The');
    await page.fill('.decides-patch input', '');
    await page.press('.decides-patch input', 'Enter');
    await page.waitForSelector('.decides-token');
});

test('what is typed stays while the answers to another question come', async () => {
    const text = encodeURIComponent('The capital of France is [MASK].');
    const page = await site.open({
        hash: `#v=4&model=mini2-en&text=${text}&view=decides`,
        ready: false,
    });
    await page.waitForSelector('.terms');
    await whole(page);
    const field = '.decides-patch input';
    await typeAndChoose(page, field, 'The capital of', '.decides-ways', 'removed');
    await page.waitForSelector('.decides-removed');
    await whole(page);
    assert.equal(await page.inputValue(field), 'The capital of');
    await page.fill(field, 'The capital of Spain is [MASK].');
    await page.press(field, 'Enter');
    await linked(page, 'patch=The%20capital%20of%20Spain');
    await page.evaluate(() => {
        location.hash = location.hash.replace(/&patch=[^&]*/, '');
    });
    await until(() => page.inputValue(field), '', 'the field of a link without another text');
});
