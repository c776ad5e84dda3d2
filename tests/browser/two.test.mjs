/* A model with an encoder and a decoder on the page in Chromium: a folder that is dropped there, opened by its own .wasm. The target is what
 * the model writes, or a text; its attention has three kinds, in links too; what is not there yet says so.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {run} from '../js/lib/model.mjs';
import {drop, useSite, until} from './page.mjs';

const site = useSite();
let folder;
before(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'headlight-two-')), 't5-tied');
    cpSync('tests/golden/two/models/t5-tied', folder, {recursive: true});
    writeFileSync(join(folder, 'vocab.txt'), '[PAD]\n[UNK]\n[CLS]\n[SEP]\n[MASK]\na\nb\nc\n');
});
after(() => rmSync(join(folder, '..'), {recursive: true}));

test('a folder: three kinds of attention, a target given or written, and what is not there yet', async () => {
    const page = await site.open({hash: '#v=5&text=a%20b%20c&textB=b'});
    const asked = [];
    page.on('request', request => asked.push(new URL(request.url()).pathname));
    await drop(page, '.stage', folder);
    await page.locator('.imported.two').waitFor();
    assert.ok(asked.some(path => /headlight-two.*\.wasm$/.test(path)));
    assert.deepEqual(await page.locator('.texts label').allTextContents(), ['Source', 'Target']);
    await page.locator('.imported.two input[value=cross]').check();
    await until(
        () => page.locator('.column.query .token').allTextContents(),
        rows => rows.length === 3 && /^b \d.*\[CLS\]$/.test(rows[1]),
        'rows that say what is read and predicted',
    );
    await until(() => page.url(), /part=cross/, 'the kind in the link');
    await page.locator('.imported.two summary').click();
    assert.deepEqual(await page.locator('.imported.two li').allTextContents(), [
        '[PAD] → [CLS]',
        '[CLS] → b',
        'b → [SEP]',
    ]);
    await nothingForAxe(page);
    for (const [view, shown] of [
        ['heatmap', '.map-frame'],
        ['model', '.model-view'],
    ]) {
        await page.locator(`.views input[value=${view}]`).check();
        await page.locator(shown).first().waitFor();
    }
    await page.locator('.views input[value=steps]').check();
    await until(
        () => page.locator('.remarks .missing').textContent(),
        /not there yet for a model with an encoder and a decoder/,
        'why it is not shown',
    );
    await page.locator('.views input[value=head]').check();
    await page.getByRole('button', {name: 'Let the model write it'}).click();
    const written = JSON.parse(run('run', folder, 'a b c', '--write', '32', '--json')).target;
    await until(
        () => page.locator('.imported.two li').count(),
        count => count === written.length,
        'what the command line writes',
    );
    await page.locator('#textB').fill('c c');
    await page.locator('#textB').press('Enter');
    await until(
        () => page.locator('.imported.two li').allTextContents(),
        rows => rows.includes('c → c'),
        'the target that was typed',
    );
    await page.locator('.imported.two input[value=decoder]').check();
    await until(
        () => page.locator('.head-view .token').allTextContents(),
        found => found.length === 8 && found.at(-1) === 'c',
        'the target’s tokens on both sides',
    );
});

test('the translator of the menu: one choice writes a translation, a press says where a word comes from; and back', async () => {
    const page = await site.open({hash: ''});
    await page.locator('.head-view .token').first().waitFor();
    const before = await page.inputValue('#text');
    await page.selectOption('#model', 'mini-de-en');
    await page.locator('.imported.two').waitFor();
    const sides = side => page.locator(`.head-view .column.${side} .token`);
    await until(
        () => sides('query').allTextContents(),
        rows => rows.length === 5 && /^▁forty \d+\.\d %▁?.*▁hundred$/.test(rows[2]),
        'what each row predicts and reads',
    );
    assert.match(page.url(), /model=mini-de-en&text=drei.*layer=1&heads=1&part=cross/);
    for (const [row, key] of ['▁drei', '▁hundert', '▁vierzig', '▁zwei'].entries()) {
        await sides('query').nth(row).click();
        await until(
            () => page.locator('.stage .aside, .stage aside').first().innerText(),
            text => /Weight in head L1·H1\s+(\S+)\s+(0\.9|>0\.99)/.exec(text)?.[1] === key,
            `the word said in row ${row} comes from ${key}`,
        );
    }
    assert.match(await page.locator('body').innerText(), /12 tokens read from mini-de-en/);
    await page.selectOption('#model', 'mini4-en');
    await page.locator('.imported.two').waitFor({state: 'detached'});
    await until(() => page.inputValue('#text'), before, 'the page’s first text');
    assert.ok(!page.url().includes('part='));
    await page.fill('#text', 'A text of the reader.');
    await page.locator('#text').press('Enter');
    await page.selectOption('#model', 'mini-de-en');
    await page.locator('.imported.two').waitFor();
    await page.locator('#text').fill('sieben');
    await page.locator('#text').press('Enter');
    await until(
        () => sides('query').allTextContents(),
        rows => rows.some(row => row.startsWith('▁seven')),
        'another number',
    );
    await page.selectOption('#model', 'mini2-en');
    await until(
        () => page.locator('.head-view .token').allTextContents(),
        pieces => pieces.includes('[CLS]'),
        'mini2-en',
    );
    assert.equal(await page.inputValue('#text'), 'sieben', 'what the reader typed stays');
});

test('the lesson of cross-attention: a question that offers the source alone, and the numbers of each step', async () => {
    const page = await site.open({hash: '#v=5&lesson=cross&tour=0'});
    const number = page.locator('.lesson .seen-number[data-value]');
    const at = step => page.locator('.lesson .pills.patterns button').nth(step).click();
    await until(() => number.textContent(), /^1\.00 <pad> → <pad>/, 'the first row');
    await at(1);
    const keys = page.locator('.pick-tokens button');
    await until(
        () => keys.allTextContents(),
        pieces => pieces.join(' ') === '▁drei ▁hundert ▁zwei ▁ und ▁vierzig </s>',
        'the source’s tokens',
    );
    await keys.filter({hasText: 'vierzig'}).click();
    await until(
        () => page.locator('.lesson .answer').textContent(),
        /^Right: ▁vierzig gets the most/,
        'the answer',
    );
    for (const [step, said] of [
        [2, /two → ▁zwei · L1·H1$/],
        [3, /forty → ▁drei · L0·H1$/],
        [4, /forty → ▁vierzig · L1·H2$/],
        [5, /^0\.6\d forty → und · L1·H1$/],
    ]) {
        await at(step);
        await until(() => number.textContent(), said, `step ${step}`);
        await page.locator('.figure .map-frame, .figure .head-view').first().waitFor();
        assert.equal(await page.locator('.remarks .missing').count(), 0);
    }
    await nothingForAxe(page);
    await page.locator('.lesson .turn button').last().click();
    await page.locator('.lesson').waitFor({state: 'detached'});
});

test('back to a model of one stack: the panel goes, and the texts are sentences again', async () => {
    const page = await site.open({hash: '#v=5&text=a%20b'});
    await drop(page, '.stage', folder);
    await page.locator('.imported.two').waitFor();
    await page.selectOption('#model', 'mini2-en');
    await page.locator('.imported.two').waitFor({state: 'detached'});
    await until(
        () => page.locator('.texts label').allTextContents(),
        labels => labels[1] === 'Sentence B',
        'its labels',
    );
    await page.locator('.head-view .token').first().waitFor();
});

test('a tag that begins by itself while its button is pressed is one figure', async () => {
    const page = await site.open({blank: true});
    const body = `<!doctype html><script type="module" src="element.js"></script>
        <head-light v="5" model="mini4-en" text="Birds sing."></head-light>`;
    /** @type {(() => Promise<void>)[]} */
    const held = [];
    await page.route('**/tag.html', route => route.fulfill({contentType: 'text/html', body}));
    await page.route('**/models/index.json', route => held.push(() => route.continue()));
    await page.goto(`${site.url}tag.html`);
    await page.locator('head-light button').first().click();
    await until(() => held.length, 2, 'the tag and the press wait for the same file');
    await page.unroute('**/models/index.json');
    await Promise.all(held.map(goOn => goOn()));
    await page.locator('.head-view .token').first().waitFor();
    assert.equal(await page.locator('.live').count(), 1);
});

test('a tag of the translator: its own worker, both texts by their names, and the choice of the kind', async () => {
    const page = await site.open({blank: true});
    const tag =
        '<head-light v="5" model="mini-de-en" text="drei hundert zwei und vierzig" layer="1" heads="1"></head-light>';
    const body = `<!doctype html><script type="module" src="element.js"></script>${tag}`;
    await page.route('**/tag.html', route => route.fulfill({contentType: 'text/html', body}));
    await page.goto(`${site.url}tag.html`);
    await page.locator('head-light button').first().click();
    await page.locator('.imported.two input[value=cross]').check();
    await until(
        () => page.locator('.head-view .column.query .token').allTextContents(),
        rows => rows.length === 5 && rows[2].startsWith('▁forty'),
        'what it writes',
    );
    assert.deepEqual(await page.locator('.texts label').allTextContents(), ['Source', 'Target']);
});
