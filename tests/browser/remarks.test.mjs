/* What the page says of a text or a model that is not what it seems, and the way out of each: an empty
 * text, changes that a new text sheds, tokens that the vocabulary lacks, an experiment of a link; and
 * the way from a head to its study over a corpus, which runs by itself each time a press leads to one.
 */
import assert from 'node:assert/strict';
import {test} from 'node:test';
import {pieces, show, useSite, until} from './page.mjs';

const site = useSite();

const stateOf = page => page.evaluate(() => window.location.hash);

test('an empty text asks for a word, and what is shown stays', async () => {
    const page = await site.open();
    const shown = await pieces(page);
    await page.fill('#text', '  ');
    await page.press('#text', 'Enter');
    await until(
        () => page.textContent('#text-hint'),
        'Type a word first: there is nothing to look at yet.',
        'a word is asked for',
    );
    assert.deepEqual(await pieces(page), shown);
    await page.fill('#text', 'Birds sing.');
    await until(
        () => page.textContent('#text-hint'),
        /^Not shown yet: Enter shows it/,
        'what is typed is not shown yet',
    );
});

test('a new text sheds masks and heads that are off, says so, and there is a way back', async () => {
    const page = await site.open({hash: '#v=2&masked=5&off=0.1'});
    await page.fill('#text', 'Birds sing.');
    await page.press('#text', 'Enter');
    const shed = page.locator('.shed');
    await shed.waitFor();
    assert.match(
        await shed.textContent(),
        /without the masked tokens and switched-off heads of the previous one/,
    );
    await until(
        () => pieces(page),
        now => now.includes('birds'),
        'the new text',
    );
    await until(
        () => stateOf(page),
        now => /Birds/.test(now) && !/masked|off=/.test(now),
        'the link has no changes',
    );
    await shed.getByRole('button', {name: 'Back to the previous text'}).click();
    await until(
        () => stateOf(page),
        now => /masked=5/.test(now) && /off=0\.1/.test(now),
        'all is back',
    );
    await until(() => page.inputValue('#text'), /^I went/, 'the text before');
    await until(() => shed.count(), 0, 'nothing more to say');
});

test('what a new text shed is said until the reader goes on, or closes it', async () => {
    const page = await site.open({hash: '#v=2&masked=5'});
    const shed = page.locator('.shed');
    const types = async text => {
        await page.fill('#text', text);
        await page.press('#text', 'Enter');
        await until(
            () => pieces(page),
            now => now.includes(text.split(' ')[0].toLowerCase()),
            text,
        );
    };
    await types('Birds sing.');
    await shed.getByRole('button', {name: 'Close'}).click();
    await shed.waitFor({state: 'detached'});
    await page.locator('.column.query .token').nth(1).dblclick();
    await until(() => stateOf(page), /masked=1/, 'masked');
    await types('Fish swim.');
    await shed.waitFor();
    await page.locator('.column.query .token').nth(1).dblclick();
    await shed.waitFor({state: 'detached'});
});

test('what the vocabulary lacks stands before [UNK], with a model that reads it and a text that can be read', async () => {
    const page = await site.open({hash: `#v=2&text=${encodeURIComponent('我喜欢鱼')}&textB=`});
    const notice = page.locator('.remarks .unread');
    await notice.waitFor();
    await until(
        () => pieces(page),
        now => now.some(piece => /^\p{Script=Han}+ \[UNK\]$/u.test(piece)),
        'the own characters',
    );
    await notice.getByRole('button', {name: 'Load mini-zh'}).waitFor();
    await notice.getByRole('button', {name: 'Use a text it can read'}).click();
    await until(
        () => pieces(page),
        now => now.includes('animal'),
        'a text that can be read',
    );
    await until(() => notice.count(), 0, 'nothing more to say');
});

test('a gap of ___ is a mask after one more press; a model without gaps says nothing of it', async () => {
    const page = await site.open({hash: `#v=2&text=${encodeURIComponent('Paris is ___.')}&textB=`});
    const notice = page.locator('.remarks .unread');
    await until(
        () => notice.textContent(),
        /^___ is no gap to the model\. One that it fills is written \[MASK\]\./,
        'what the model reads',
    );
    await notice.getByRole('button', {name: 'Write [MASK] there'}).click();
    await until(() => page.inputValue('#text'), 'Paris is [MASK].', 'a gap');
    await until(
        () => pieces(page),
        now => now.includes('[MASK]'),
        'the model reads it',
    );
    assert.equal(await notice.count(), 0);
    await show(page, 'The __init__ of ____ is', '__ sits. A ___');
    await until(() => notice.textContent(), /^____ is no gap/, 'the first of all');
    await notice.getByRole('button', {name: 'Write [MASK] there'}).click();
    await until(
        () => page.inputValue('#text'),
        'The __init__ of [MASK] is',
        'no name of a program',
    );
    assert.equal(await page.inputValue('#textB'), '[MASK] sits. A [MASK]');
    await until(() => page.getByText('is no gap to the model').count(), 0, 'all are gaps');
    const writes = await site.open({
        hash: `#v=2&model=mini-gpt-en&text=${encodeURIComponent('Paris is ___.')}&textB=`,
    });
    await until(
        () => pieces(writes),
        now => now.some(piece => piece.includes('_')),
        'read',
    );
    assert.equal(await writes.locator('.remarks .unread').count(), 0);
});

test('words that a model of few words has never seen are named, with a text that it can read', async () => {
    const text = 'Siebenundneunzig zwei, siebenundneunzig';
    const page = await site.open({
        hash: `#v=2&model=mini-de-en&part=cross&text=${text}&textB=`.replaceAll(' ', '%20'),
    });
    const notice = page.locator('.remarks .unread');
    await until(
        () => notice.textContent(),
        /apart as in “drei hundert zwei und vierzig”\. It has never seen siebenundneunzig: /,
        'what it has not seen',
    );
    await notice.getByRole('button', {name: 'Use a text it can read'}).click();
    await until(() => page.inputValue('#text'), 'drei hundert zwei und vierzig', 'its own text');
    await until(() => notice.count(), 0, 'nothing more to say');
});

test('a Chinese sentence typed in the Chinese page is drawn after one more press, with 8 MB', async () => {
    const page = await site.open({hash: '#v=2&lang=zh&model=mini2-en'});
    const sizes = [];
    page.on('requestfinished', request => {
        if (request.url().includes('/models/mini-zh/')) sizes.push(request.sizes());
    });
    await show(page, '小猫很难过，因为它找不到食物。', '');
    const notice = page.locator('.remarks .unread');
    await notice.getByRole('button', {name: '载入 mini-zh'}).click();
    await until(
        () => pieces(page),
        now => now.join('') === '[CLS]小猫很难过，因为它找不到食物。[SEP]',
        'every character is a token',
    );
    assert.equal(await notice.count(), 0);
    const bytes = (await Promise.all(sizes)).reduce((sum, of) => sum + of.responseBodySize, 0);
    assert.ok(bytes > 1e6 && bytes <= 8e6, `${bytes} bytes`);
    await show(page, '我吃鱻。', '');
    await notice.getByRole('button', {name: '载入 google-bert/bert-base-chinese'}).waitFor();
    await show(page, 'すしが好き', '');
    await notice
        .getByRole('button', {name: '载入 google-bert/bert-base-multilingual-cased'})
        .waitFor();
});

test('an experiment of a link is said, and a button turns it off', async () => {
    const page = await site.open({hash: '#v=2&without=positions&swapped=2%2C5'});
    const notice = page.locator('.remarks .experiment');
    await notice.waitFor();
    assert.match(await notice.textContent(), /without position embeddings.*positions 2 and 5/);
    await notice.getByRole('button', {name: 'Turn it off'}).click();
    await until(() => notice.count(), 0, 'it is off');
    await until(
        () => stateOf(page),
        now => !/without|swapped/.test(now),
        'the link has no experiment',
    );
});

test('changes that a view does not show are said there, with the way to what they do, and back', async () => {
    const page = await site.open({hash: '#v=2&view=heatmap&masked=3&off=1.2'});
    const notice = page.locator('.remarks .experiment');
    await notice.waitFor();
    assert.match(
        await notice.textContent(),
        /your changes: masked tokens and switched-off heads\./,
    );
    await notice.getByRole('button', {name: 'Undo'}).click();
    await until(
        () => stateOf(page),
        now => !/masked|off/.test(now),
        'nothing is changed',
    );
    assert.equal(await notice.count(), 0);
    // In the head view the mask shows by itself; its panel leads to what it does.
    await page.goto(page.url().replace(/#.*/, '#v=2&masked=3&picked=3&token=3'));
    const changes = page.locator('.actions').getByRole('button', {name: 'What changes'});
    await changes.waitFor();
    assert.equal(await notice.count(), 0);
    await changes.click();
    await until(
        () => stateOf(page),
        now => /view=change/.test(now) && /masked=3/.test(now) && /token=3/.test(now),
        'the view of changes has the mask and the word',
    );
});

test('a head leads to its page over a corpus, which runs by itself, also the second time', async () => {
    const page = await site.open({hash: '#v=2&heads=6'});
    const bridge = page.locator('.over-corpus button').first();
    await bridge.waitFor();
    await until(
        () => bridge.textContent(),
        'What L0·H6 does over many sentences',
        'the head is named',
    );
    await bridge.click();
    await page.locator('.ask-head h3', {hasText: 'L0·H6 in numbers'}).waitFor();
    await page.getByRole('radio', {name: 'Text'}).check({force: true});
    await page.locator('.chip', {hasText: /^2$/}).click();
    await bridge.filter({hasText: 'each head'}).click();
    await page.locator('.patterns-view').waitFor();
});
