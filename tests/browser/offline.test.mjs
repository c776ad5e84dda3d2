/* headlight.html opened from the disk: every view, both languages, saving, a folder of the
 * reader's; and not one request, not even to a server that would answer. Then a page that
 * `headlight bundle` has made of a model with a hostile name and vocabulary.
 */
import assert from 'node:assert/strict';
import {execFileSync} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {pathToFileURL} from 'node:url';
import {launch, menu, until} from './page.mjs';

const PAGE = 'build/out/headlight.html';
const VIEWS = [
    'Model view',
    'Neuron view',
    'Step by step',
    'Find a head',
    'What changes',
    'Head view',
];
const EVIL = '<img src=x onerror="window.pwn=1">';
let browser, folder;

before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'headlight-file-'));
    browser = await launch();
});

after(async () => {
    await browser?.close();
    rmSync(folder, {recursive: true});
});

/** A page from the disk: what it asks for, and what goes wrong. */
async function open(t, path, hash = '') {
    const context = await browser.newContext({
        viewport: {width: 1280, height: 860},
        locale: 'en-GB',
        acceptDownloads: true,
    });
    t.after(() => context.close());
    const page = await context.newPage();
    const [requests, errors] = [[], []];
    const own = pathToFileURL(resolve(path)).href;
    context.on('request', request => {
        if (!/^(blob|data):/.test(request.url()) && request.url().split('#')[0] !== own)
            requests.push(request.url());
    });
    page.on('pageerror', error => errors.push(error.message));
    page.on('console', message => message.type() === 'error' && errors.push(message.text()));
    await page.goto(own + hash);
    await page.waitForSelector('.figure'); // 28 MB are read
    return {page, requests, errors};
}

async function showView(page, title) {
    await page.getByRole('radio', {name: title, exact: true}).click();
    await until(
        () => page.locator(`section.show[aria-label="${title}"] .figure`).count(),
        count => count > 0,
        `${title} is drawn`,
    );
}

test('all of the page works from the disk without a request', async t => {
    const {page, requests, errors} = await open(t, PAGE);
    assert.equal(await page.inputValue('#model'), 'mini2-en');
    for (const title of VIEWS) await showView(page, title);
    await page.getByRole('button', {name: 'Lessons', exact: true}).click();
    await page.getByRole('button', {name: 'Six patterns of attention'}).click();
    await until(
        () => page.locator('.stage.touring').count(),
        count => count > 0,
        'the tour',
    );
    await page.getByRole('button', {name: 'As in the articles'}).click();
    await page.locator('[data-panel=articles] li').first().waitFor();
    assert.equal(await page.locator('.as-published').count(), 0, 'no files beside it');
    await page.getByRole('button', {name: 'As in the articles'}).click();
    await page.locator('.settings summary').click();
    await page.getByRole('radio', {name: '中文'}).click();
    await until(
        () => page.evaluate(() => document.documentElement.lang),
        lang => lang.startsWith('zh'),
        'the other language',
    );
    await page.locator('.settings summary').click();
    await page.getByRole('radio', {name: 'English'}).click();
    await page.fill('#text', 'The president of the United [MASK].');
    await page.press('#text', 'Enter');
    await until(
        () => page.locator('body').textContent(),
        text => text.includes('states'),
        'a filling',
    );
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        (await menu(page, '.export')).getByRole('button', {name: 'Web page'}).click(),
    ]);
    const saved = join(folder, 'saved.html');
    await download.saveAs(saved);
    assert.match(readFileSync(saved, 'utf8'), /^<!doctype html>/i);
    await page.getByRole('radio', {name: 'Corpus', exact: true}).click();
    await until(() => page.locator('.study-rail').textContent(), /\b327\b/, 'the shipped corpus');
    await page.getByRole('radio', {name: /^Patterns/}).click();
    await page.getByRole('button', {name: 'Run', exact: true}).click();
    await page.getByRole('button', {name: 'Run again'}).waitFor();
    assert.equal(await page.locator('.notice').count(), 0);
    await page.getByRole('radio', {name: 'Text', exact: true}).click();
    const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        (await menu(page, '.more-models')).locator('label.folder').click(),
    ]);
    await chooser.setFiles(resolve('tests/golden/models/bert-tiny-random'));
    await until(() => page.locator('#model').inputValue(), ' picked', 'the folder is open');
    assert.deepEqual({requests, errors}, {requests: [], errors: []});
    const again = await open(t, saved);
    assert.deepEqual({requests: again.requests, errors: again.errors}, {requests: [], errors: []});
});

test('a link into the page, and a model that is not in it: a sentence', async t => {
    const {page, requests, errors} = await open(t, PAGE, '#view=model&layer=2');
    assert.equal(await page.locator('section.show[aria-label="Model view"]').count(), 1);
    assert.equal(await page.inputValue('#model'), 'mini-en', 'a link of version 1 means it');
    await page.evaluate(() => {
        window.location.hash = '#model=bert-base';
    });
    const said = await until(
        () => page.locator('.notice').allTextContents(),
        ([text]) => text,
        'a notice',
    );
    assert.match(
        said[0],
        /opened from disk may not read other files.*choose the files of the model/,
    );
    assert.deepEqual({requests, errors}, {requests: [], errors: []});
});

test('a bundled model with a hostile name and vocabulary does nothing but work', async t => {
    const model = join(folder, `<!--model--><script>"'&\\<img src=x onerror=pwn=1>`);
    cpSync('models/mini-en', model, {recursive: true});
    const vocabulary = readFileSync(join(model, 'vocab.txt'), 'utf8');
    assert.match(vocabulary, /^states$/m);
    writeFileSync(
        join(model, 'vocab.txt'),
        vocabulary
            .replace(/^states$/m, EVIL)
            .replace(/^nations$/m, '</script><script>pwn=1</script>'),
    );
    const path = join(folder, 'page.html');
    execFileSync('build/out/native/headlight', ['bundle', model, '-o', path]);
    const {page, requests, errors} = await open(
        t,
        path,
        `#text=${encodeURIComponent('The president of the United [MASK].')}`,
    );
    await until(
        () => page.locator('body').textContent(),
        text => text.includes(EVIL),
        'the filling, as a text',
    );
    assert.equal(
        (await page.locator('#model option').allTextContents())[0],
        `<!--model--><script>"'&\\<img src=x onerror=pwn=1>`,
    );
    for (const title of VIEWS) await showView(page, title);
    assert.equal(await page.evaluate(() => window.pwn), undefined);
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual({requests, errors}, {requests: [], errors: []});
});

test('a bundled model of two stacks, by its SentencePiece files: each word at the one that it comes from', async t => {
    const path = join(folder, 'two.html');
    execFileSync('build/out/native/headlight', ['bundle', 'models/mini-de-en', '-o', path]);
    const hash = '#v=5&text=drei%20hundert%20zwei%20und%20vierzig&layer=1&heads=1&part=cross';
    const {page, requests, errors} = await open(t, path, hash);
    await until(
        () => page.locator('.head-view .column.query .token').allTextContents(),
        rows => rows.length === 5 && rows[2].startsWith('▁forty'),
        'what it writes',
    );
    assert.deepEqual({requests, errors}, {requests: [], errors: []});
});
