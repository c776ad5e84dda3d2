/* Folders dropped on the page in Chromium, by real drag events with paths of the disk: a
 * sentence-transformers folder with its folder below brings the similarity; on the second of two
 * models side by side, or on the box that asks for it, a folder becomes the second.
 */
import assert from 'node:assert/strict';
import {
    cpSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    rmSync,
    symlinkSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join, resolve} from 'node:path';
import {after, before, test} from 'node:test';
import {nothingForAxe} from './axe.mjs';
import {sentenceFiles} from '../js/lib/sentence_folder.mjs';
import {drop, menu, useSite, until} from './page.mjs';

const site = useSite();
let folders;
before(async () => {
    folders = mkdtempSync(join(tmpdir(), 'headlight-dropped-'));
});
after(async () => {
    rmSync(folders, {recursive: true});
});

const HASH = '#v=2&model=mini-en&layer=3&heads=5&text=A%20dull%20film.&textB=It%20is%20bad.';

const picked = page =>
    page.locator('#model').evaluate(({selectedOptions: [one]}) => one.textContent);
const names = page => page.locator('.beside .two section > .what > h2').allTextContents();

test('a sentence-transformers folder: the files below it count as well', async () => {
    const folder = join(folders, 'sentences');
    cpSync('tests/golden/models/bert-tiny-random', folder, {recursive: true});
    mkdirSync(join(folder, '.git'));
    const more = {...sentenceFiles('pooling_mode_mean_tokens'), '.git/config.json': '{}'};
    for (const [name, body] of Object.entries(more)) {
        mkdirSync(dirname(join(folder, name)), {recursive: true});
        writeFileSync(join(folder, name), body);
    }
    const page = await site.open({hash: HASH});
    await drop(page, '.stage', folder);
    await until(() => picked(page), /sentences/, 'the name of the folder');
    await until(
        () => page.locator('.similarity output').textContent(),
        /^−?0\.\d{4}$/,
        'the cosine',
    );
    await page.getByRole('button', {name: 'Why? Token by token'}).click();
    await page.locator('.pairs-map td').first().waitFor();
    const number = async selector =>
        Number((await page.locator(selector).textContent()).replace('−', '-'));
    const sums = await page.locator('.pairs-map tbody td:last-child').allTextContents();
    const sum = sums.reduce((all, text) => all + Number(text.replace('−', '-')), 0);
    assert.ok(Math.abs(sum - (await number('.similarity output'))) < 0.001, `${sums}`);
    const several = page.locator('details.several-texts');
    await several.locator('summary').click();
    await several.getByRole('textbox').fill('A dull film.\nIt is bad.\nGood.');
    await several.getByRole('button', {name: 'Compare all'}).click();
    await several.getByRole('button', {name: /^Text 1 and text 3/}).click();
    await until(
        () => page.locator('.similarity .token-pairs thead').allTextContents(),
        ([head]) => /good/i.test(head),
        'the pairs of tokens of these two',
    );
    const saved = page.waitForEvent('download');
    await several.getByRole('button', {name: '.csv'}).click();
    const csv = readFileSync(await (await saved).path(), 'utf8');
    assert.equal(csv.trim().split('\r\n').length, 4);
    await nothingForAxe(page, {place: '.similarity'});
    assert.match(await page.locator('.origin').textContent(), /1_Pooling\/config\.json/);
    assert.equal(await page.locator('.drop').count(), 0);
});

test('a folder in the place of the first visit’s model: nothing is said of that one, and no link names it', async () => {
    const page = await site.open({hash: ''});
    await page.locator('.intro .lede').waitFor();
    const heading = () => page.locator('h1').textContent();
    const before = await heading();
    await drop(page, '.stage', 'tests/golden/models/bert-tiny-random');
    await until(
        () => page.evaluate(() => window.location.hash),
        hash => hash.length > 1 && !hash.includes('model='),
        'no model in the link',
    );
    assert.match(await picked(page), /bert-tiny-random/);
    assert.notEqual(await heading(), before);
    assert.equal(await page.locator('.lede, .role').count(), 0);
    // its own steps lead back to it; the one before it is the model's
    await page.locator('.views input[value=model]').check();
    await page.waitForSelector('.model-view');
    await until(() => page.url(), /view=model/, 'a step');
    await page.goBack();
    await page.waitForSelector('.head-view');
    assert.match(await picked(page), /bert-tiny-random/);
    await page.goBack();
    await until(heading, before, 'the visit');
    await until(
        () => picked(page),
        name => !/folder/.test(name),
        'its model',
    );
    await drop(page, '.stage', 'tests/golden/models/bert-tiny-random');
    await until(() => picked(page), /bert-tiny-random/, 'the folder again');
    const [own] = await page.locator('#model option').evaluateAll(all => all.map(one => one.value));
    await page.selectOption('#model', own);
    await until(heading, before, 'the first model, chosen');
});

test('a family that the page’s own file leaves out: the one with everything opens it, in every view; a family of neither is refused with all of them', async () => {
    const page = await site.open({hash: HASH});
    const asked = [];
    page.on('request', request => asked.push(new URL(request.url()).pathname));
    await drop(page, '.stage', 'tests/golden/models/gpt-neox-next');
    await until(() => picked(page), /gpt-neox-next/, 'the name of the folder');
    await page.locator('.head-view .token').first().waitFor();
    assert.ok(asked.some(path => /headlight-full.*\.wasm$/.test(path)));
    for (const [view, shown] of [
        ['next', '.next-view'],
        ['steps', '.below'],
        ['head', '.head-view .token'],
    ]) {
        await page.locator(`.views input[value=${view}]`).check();
        await page.locator(shown).first().waitFor();
    }
    const wrong = join(folders, 'wrong');
    cpSync('tests/golden/models/gpt-neox-next', wrong, {recursive: true});
    writeFileSync(join(wrong, 'config.json'), '{"model_type": "mixtral"}');
    await drop(page, '.stage', wrong);
    await page.locator('[role=alert]').waitFor();
    assert.match(
        await page.locator('[role=alert]').textContent(),
        /model_type in config\.json is "mixtral"; .*bert, .*mistral, gpt_neox/,
    );
});

test('on the second of two models, or on its box: it becomes the second, and stands in no link', async () => {
    const page = await site.open({hash: HASH});
    await (await menu(page, '.side-by-side')).getByRole('button', {name: 'Load another…'}).click();
    await drop(page, '.load-box h2', 'build/out/site/models/mini-en-sst2');
    await page.waitForSelector('.between .map-frame');
    assert.equal(await page.locator('dialog[open]').count(), 0);
    assert.deepEqual(await names(page), ['mini-en, English', 'mini-en-sst2']);
    assert.match(await page.locator('.between h2').textContent(), /mini-en-sst2 minus mini-en/);
    assert.doesNotMatch(page.url(), /compareWith/);
    const chosen = (await menu(page, '.side-by-side')).getByLabel('Another model', {exact: true});
    assert.match(
        await chosen.evaluate(({selectedOptions: [one]}) => one.textContent),
        /mini-en-sst2/,
    );

    await page.keyboard.press('Escape');
    await drop(page, '.compared .head-view', 'tests/golden/models/bert-tiny-random');
    await until(
        () => names(page),
        now => now[1].startsWith('bert-tiny-random'), // with a head where each shows another
        'another folder',
    );
    await until(
        () => page.locator('.beside .why').textContent(),
        /^bert-tiny-random has 3 layers of 4 heads, .*cannot be subtracted/,
        'what it lacks, and so why there is no difference',
    );
    assert.match(await picked(page), /^mini-en/);

    await (
        await menu(page, '.side-by-side')
    )
        .getByLabel('Another model', {exact: true})
        .selectOption('');
    await page.waitForSelector('.beside', {state: 'detached'});
    await page.waitForSelector('.stage .head-view');
});

test('a folder chosen for the second; another model of the menu takes its place', async () => {
    const page = await site.open({hash: HASH});
    const more = await menu(page, '.side-by-side');
    await more.getByRole('button', {name: 'Load another…'}).click();
    const box = page.getByRole('dialog', {name: 'Another model'});
    await box
        .getByLabel('Choose a folder…')
        .setInputFiles(resolve('build/out/site/models/mini-en-sst2'));
    await page.waitForSelector('.between .map-frame');
    assert.equal((await names(page))[1], 'mini-en-sst2');
    await (
        await menu(page, '.side-by-side')
    )
        .getByLabel('Another model', {exact: true})
        .selectOption('mini-en-sst2');
    await until(
        () => names(page),
        now => now[1] === 'mini-en, fine-tuned on film reviews',
        'that of the menu',
    );
});

test('a folder of links and an adapter: a sentence says what they are, and the way out', async () => {
    const [links, adapter] = ['snapshot', 'adapter'].map(name => join(folders, name));
    const model = resolve('tests/golden/models/bert-tiny-random');
    (mkdirSync(links), mkdirSync(adapter));
    for (const name of readdirSync(model)) symlinkSync(join(model, name), join(links, name));
    writeFileSync(
        join(adapter, 'adapter_config.json'),
        '{"peft_type": "LORA", "base_model_name_or_path": "bert-base-uncased"}',
    );
    writeFileSync(join(adapter, 'vocab.txt'), '[PAD]\n');
    for (const [folder, said] of [
        [links, /no files: a browser leaves out symbolic links/],
        [adapter, /LORA adapter of bert-base-uncased/],
    ]) {
        const page = await site.open({hash: HASH});
        await drop(page, '.stage', folder);
        await page.getByText(said).first().waitFor();
    }
});
