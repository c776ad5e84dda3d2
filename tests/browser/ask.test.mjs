/* Questions to an index of the corpus in Chromium: from a head on a text to where else it does this, a
 * sentence and back; filters; what is refused; files; keyboard, screen reader, a phone.
 */
import assert from 'node:assert/strict';
import {readFile} from 'node:fs/promises';
import {test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {typeAndChoose, until, useSite} from './page.mjs';

const site = useSite();
const hashOf = question =>
    `#v=4&model=mini2-en&desk=corpus&study=ask&asked=${encodeURIComponent(question)}`;
const openAsk = async (question, options = {}) => {
    const page = await site.open({hash: hashOf(question), ready: false, ...options});
    await answered(page, '.ask-view');
    return page;
};
/** The whole is indexed: on a busy machine what is built so far is shown before. */
async function answered(page, selector = '.ask-rows') {
    await page.waitForSelector(selector);
    await page.waitForSelector('.study-progress', {state: 'detached'});
}
const says = page => page.textContent('.study-says');

test('the same question beside random layers, and beside another checkpoint', async () => {
    const page = await openAsk('head layer=3 head=1 query.word=it');
    const notes = () => page.locator('.ask-bars .bar-note').allTextContents();
    const compare = async (other, name) => {
        await page.selectOption('#other-model', other);
        await page.click('.study-stage .run-row .main');
        const found = await until(
            notes,
            all => all.length > 0 && all.every(text => text.includes(`· ${name} `)),
            `each bar has what ${name} gives`,
        );
        assert.ok(found.some(text => /· .* [\d.]+×$/.test(text)));
        return found;
    };
    assert.ok((await notes()).every(text => !text.includes('·')));
    const random = await compare('random-layers', 'random layers');
    const sibling = await compare('mini2-en-pos', 'other model');
    assert.notDeepEqual(
        random.map(text => text.split(' ').pop()),
        sibling.map(text => text.split(' ').pop()),
    );
    assert.match(await page.textContent('.study-results > .hint'), /mini2-en-pos|parts of speech/);
});

test('where else does this head do this? Two presses from a pinned token, and back to a sentence', async () => {
    const hash = `#v=4&model=mini2-en&layer=3&heads=1&picked=7&side=query&text=${encodeURIComponent('The cat was sad because of rain and it could not find food.')}`;
    const page = await site.open({hash, ready: false});
    const way = page.locator('.over-corpus button').nth(1);
    await way.waitFor();
    assert.match(await way.textContent(), /^Where else L3·H1 does this with “\w+”$/);
    const [, word] = /“(\w+)”/.exec(await way.textContent());
    await way.click();
    await answered(page);
    assert.match(await says(page), /^L3·H1: [\d,]+ of 4,511 tokens\./);
    assert.equal(await page.inputValue('#ask-query-word'), word);
    const first = page.locator('.kwic').first();
    assert.equal((await first.locator('mark.query').textContent()).toLowerCase(), word);
    const sentence = (await first.locator('span[dir]').textContent()).replace(
        /^\[CLS\] | \[SEP\]$/g,
        '',
    );
    await first.click();
    await page.waitForSelector('.token', {state: 'visible'});
    assert.equal(await page.inputValue('#text'), sentence);
    await until(
        () => page.evaluate(() => location.hash),
        hash =>
            !/desk=corpus/.test(hash) && /layer=3&heads=1.*picked=(\d+).*marks=\1\.\d+/.test(hash),
        'the head with its query pinned and its pair marked is in the address',
    );
    await page.waitForSelector('.head-view .own-marks path');
    await page.goBack();
    await page.waitForSelector('.ask-rows');
});

test('the page of a head: its numbers, those nearest to it, and all heads to choose from', async () => {
    const page = await openAsk('head layer=1 head=8');
    const next = page.locator('[data-measure="next"] td');
    assert.equal(await next.first().textContent(), '85.4 %');
    assert.equal(await next.last().textContent(), '1 of 72');
    assert.match(
        await says(page),
        /Looks at the next token: 85\.4 % of all tokens, .* \(mean of all heads 4\.0 %\)/,
    );
    assert.match(await page.textContent('.ask-near'), /L4·H9\s+55\.1\s%/);
    await page.selectOption('#ask-y', 'governor');
    await until(
        () => page.evaluate(() => decodeURIComponent(location.hash)),
        /settings=y:governor/,
        'the axes are in the address',
    );
    const plot = page.locator('.head-scatter');
    await plot.scrollIntoViewIfNeeded();
    const {x, y, width, height} = await plot.boundingBox();
    await page.mouse.move(x + 60, y + 30);
    await page.mouse.down();
    await page.mouse.move(x + width - 10, y + height - 40, {steps: 3});
    const drawn = await page.locator('.head-scatter .brush').boundingBox();
    for (const [found, meant] of [
        [drawn.x, x + 60],
        [drawn.y, y + 30],
        [drawn.y + drawn.height, y + height - 40],
    ])
        assert.ok(
            Math.abs(found - meant) < 2,
            `the rectangle is at ${found}, the pointer at ${meant}`,
        );
    await page.mouse.up();
    const found = page.locator('.ask-near[role="status"]');
    assert.match(await found.textContent(), /^\d+ heads in the rectangle: /);
    assert.match(await says(page), /^L1·H8/, 'the end of a rectangle is no press');
    await found.locator('button').first().click();
    await until(
        () => says(page),
        text => !/^L1·H8/.test(text),
        'another head',
    );
    await page.focus('.head-scatter [role="listbox"]');
    await page.keyboard.press('ArrowRight');
    const named = await page.textContent('.hm-say');
    await page.keyboard.press('Enter');
    const name = named.split(':')[0];
    await until(
        () => says(page),
        text => text.startsWith(`${name} over`),
        'the head that was named',
    );
    assert.equal(await page.isVisible('.study-progress'), false);
    await page.click('.ask-filters summary');
    await page.selectOption('#ask-query-pos', 'ADV');
    await page.waitForSelector('.ask-head', {state: 'detached'});
});

test('the roles of a head and the entropy of all are measured beside, and are axes then', async () => {
    const page = await openAsk('head layer=1 head=8');
    assert.equal(await page.locator('#ask-y option[value="entropy"]').count(), 0);
    await page.click('.ask-ways button:text-is("Test its roles and measure its entropy")');
    const entropy = page.locator('[data-measure="entropy"] td');
    await entropy.first().waitFor();
    assert.match(
        await page.textContent('.ask-roles'),
        /^Its roles, tested: .*amod \(12\.0× uniform attention, q < 0\.001\)/,
    );
    assert.equal(await entropy.first().textContent(), '0.20');
    await page.selectOption('#ask-y', 'entropy');
    assert.match(await page.textContent('.hm-say'), /\(entropy\) 0\.20/);
    await page.click('.ask-ways button:text-is("Roles of all heads")');
    await page.locator('.role-panel h3', {hasText: 'L1·H8'}).waitFor();
});

test('what the model loses without a head is measured on request, and is an axis then', async () => {
    const hash = `${hashOf('head layer=2 head=0')}&settings=limit:10`;
    const page = await site.open({hash, ready: false});
    await answered(page, '.ask-view');
    assert.equal(await page.locator('#ask-y option[value="importance"]').count(), 0);
    await page.click('.ask-ways button:text-is("Measure what the model loses without it")');
    await page.locator('[data-measure="importance"] td').first().waitFor();
    const lost = await page.locator('[data-measure="importance"] td').first().textContent();
    assert.match(lost, /^−?\d\.\d\d$/);
    assert.match(
        await page.textContent('.ask-needed'),
        /^Without L2·H0 the right word loses −?\d\.\d\d points of its \d\d\.\d % probability .*\d+ hidden words in 10 texts/,
    );
    await page.selectOption('#ask-y', 'importance');
    await until(
        () => page.textContent('.hm-say'),
        text => text.includes(`Lost without it, points of probability ${lost}`),
        'the axis',
    );
    assert.equal(
        await page.locator('.ask-ways button').count(),
        2,
        'its name and the roles are left',
    );
});

test('an answer is in sight at once, says when it is empty, and its words lead to cards', async () => {
    const size = {viewport: {width: 1280, height: 800}};
    const page = await openAsk('head layer=3 head=1 query.word=it', size);
    const {y, height} = await page.locator('.kwic').nth(4).boundingBox();
    assert.ok(y + height < 800, `the fifth sentence ends at ${y + height}`);
    await page.click('.study-says [data-card="3.1"]');
    await page.waitForSelector('.head-card');
    const empty = await openAsk('head layer=1 head=8 query.word=it weight=0.9999', size);
    assert.match(await says(empty), /^L1·H8: 0 of 4,511 tokens\.$/);
    assert.match(await empty.textContent('.nothing-yet'), /^Nothing in this corpus fits/);
    assert.equal(await empty.locator('.ask-bars section').count(), 0);
    assert.doesNotMatch(await empty.textContent('.ask-view'), /base rate\)/);
});

test('which words does this head link? The pairs above chance; one of them leads to its sentences', async () => {
    const page = await openAsk('head layer=3 head=1');
    const links = page.locator('.ask-bars section', {hasText: 'Words it links most'});
    const first = links.locator('li').first();
    const [query, key] = (await first.locator('button').textContent()).split(' → ');
    const [, times] = /^([\d.]+)×/.exec(await first.locator('.bar-note').textContent());
    assert.ok(Number(times) > 1, `${times} times chance`);
    await first.locator('button').click();
    await until(
        () => page.locator('.kwic mark.key').allTextContents(),
        all => all.length > 1 && all.every(text => key.startsWith(text.toLowerCase())),
        'sentences of that link alone',
    );
    assert.equal(await page.inputValue('#ask-query-word'), query);
    assert.equal(await page.inputValue('#ask-key-word'), key);
});

test('a word that is typed stays while another answer comes; a lasting one is asked for', async () => {
    const page = await openAsk('find word=it');
    const before = await says(page);
    await typeAndChoose(page, '#ask-match-word', 'ca', '#ask-match-pos', 'NOUN');
    await until(
        () => says(page),
        text => text !== before,
        'the answer to the menu',
    );
    assert.equal(await page.inputValue('#ask-match-word'), 'ca');
    await page.fill('#ask-match-word', 'time');
    await page.press('#ask-match-word', 'Enter');
    await page
        .locator('.kwic mark', {hasText: /^time$/i})
        .first()
        .waitFor();
});

test('a question is narrowed down, and another kind is asked, without a new run', async () => {
    const page = await openAsk('head layer=1 head=8');
    assert.match(await says(page), /^L1·H8 over 4,511 tokens.*in 8\d\.\d % the next token \(13×\)/);
    await page.click('.ask-filters summary');
    await page.selectOption('#ask-query-pos', 'ADV');
    await until(() => says(page), /^L1·H8: \d+ of 4,511/, 'adverbs');
    await page.selectOption('#ask-offset', '1:1');
    const hash = await until(
        () => page.evaluate(() => location.hash),
        /offset/,
        'the address says what is asked',
    );
    await until(
        () => page.locator('.kwic small').allTextContents(),
        all => all.length > 0 && all.every(text => text.endsWith('· 1 token after')),
        'next tokens alone',
    );
    const again = await site.open({hash, ready: false});
    await answered(again);
    assert.equal(await says(again), await says(page));
    await page.selectOption('#ask-kind', 'like');
    await until(() => says(page), /^Which tokens are like this one: 100 of/, 'like it');
    const like = page.locator('.ask-row > .plain').nth(1);
    await like.click();
    await until(() => page.inputValue('#ask-of'), /^sentence \d+, token \d+$/, 'a token');
    assert.equal(await page.isVisible('.study-progress'), false);
});

test('a word that the corpus lacks is refused with a sentence, and the form stays', async () => {
    const page = await openAsk('head layer=1 head=8 query.word=strawberryish');
    assert.match(
        await page.textContent('.ask-view .study-problem'),
        /the corpus does not have the word strawberryish\./,
    );
    await page.fill('#ask-query-word', 'The');
    await page.press('#ask-query-word', 'Enter');
    await page.waitForSelector('.ask-rows');
    const forged = await openAsk('head layer=99 head=x');
    assert.match(
        await forged.textContent('.ask-view .study-problem'),
        /layer must be a whole number/,
    );
});

test('an index stays in the browser: the next visit builds none', async () => {
    const page = await openAsk('head layer=3 head=1 query.word=it', {own: true});
    const [of, says1] = [await page.textContent('.study-results > .hint'), await says(page)];
    assert.match(of, /on \d workers?\./);
    await until(
        () =>
            page.evaluate(async () => {
                const cache = await caches.open('headlight-indexes-1');
                return (await cache.keys()).length;
            }),
        1,
        'it is kept',
    );
    await page.reload();
    await answered(page);
    assert.match(await page.textContent('.study-results > .hint'), /kept in this browser\.$/);
    assert.equal(await says(page), says1);
});

test('files: all rows, the bars, the answer, a picture and the index itself', async () => {
    const page = await openAsk('head layer=3 head=1 query.word=it');
    const get = async name => {
        const coming = page.waitForEvent('download');
        await page.click(`.study-results .export button:text-is("${name}")`);
        const file = await coming;
        return {name: file.suggestedFilename(), bytes: await readFile(await file.path())};
    };
    const rows = await get('Sentences (CSV)');
    assert.equal(rows.name, 'headlight-ask-sentences.csv');
    const [, count] = /^L3·H1: (\d+) of/.exec(await says(page));
    assert.equal(rows.bytes.toString().trim().split('\n').length, Number(count) + 1);
    assert.match((await get('Bars (CSV)')).bytes.toString(), /^of,by,label,count/);
    assert.equal(JSON.parse((await get('JSON')).bytes).answers.ask.about.tokens, 4511);
    assert.match((await get('SVG')).bytes.toString(), /^<svg/);
    const index = await get('The index');
    assert.match(index.bytes.subarray(8, 200).toString(), /headlight_index/);
});

test('in Chinese on a phone, in the dark: nothing is wider than the screen, nothing for axe', async () => {
    for (const [options, question] of [
        [{viewport: {width: 390, height: 800}, colorScheme: 'dark'}, 'context of=it layer=3'],
        [{viewport: {width: 1280, height: 800}}, 'head layer=3 head=1 query.pos=PRON'],
        [{viewport: {width: 320, height: 700}, colorScheme: 'dark'}, 'head layer=1 head=8'],
    ]) {
        const page = await site.open({
            hash: `${hashOf(question)}&lang=zh`,
            ready: false,
            ...options,
        });
        await answered(page);
        await page.click('.ask-reading summary');
        const [wide, window] = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            innerWidth,
        ]);
        assert.ok(wide <= window, `${wide} > ${window}`);
        await nothingForAxe(page);
    }
});
