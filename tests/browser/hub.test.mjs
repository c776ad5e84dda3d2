/* Models of the hub in the built page: the loading box, what is asked before a download, progress and
 * calling it off, copies that serve without a network. The hub is one on this machine, put in place
 * of the one constant that names it.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {HUB} from '../../web/base/model_names.js';
import {startHub} from '../js/lib/hub.mjs';
import {sentenceFiles} from '../js/lib/sentence_folder.mjs';
import {menu, startSite, until} from './page.mjs';

const folder = 'tests/golden/models/bert-tiny-random';
const FILES = Object.fromEntries(
    readdirSync(folder).map(name => [name, readFileSync(`${folder}/${name}`)]),
);
const albert = 'tests/golden/models/albert-groups';
const ALBERT = Object.fromEntries(
    readdirSync(albert).map(name => [name, readFileSync(`${albert}/${name}`)]),
);
const {'model.safetensors': _, ...UNCONVERTED} = FILES;
const LARGE = Buffer.from(
    JSON.stringify({
        sha: 'a'.repeat(40),
        siblings: Object.entries(FILES).map(([rfilename, {length}]) => ({
            rfilename,
            size: rfilename === 'model.safetensors' ? 6e7 : length,
        })),
    }),
);
const SITE = 'build/out/site';
const copy = mkdtempSync(join(tmpdir(), 'headlight-site-'));
let hub;
let site;
before(async () => {
    hub = await startHub({
        'org/name': {files: FILES},
        'org/albert': {files: ALBERT},
        'org/sentences': {files: {...FILES, ...sentenceFiles('pooling_mode_mean_tokens')}},
        'org/large': {
            files: FILES,
            commit: 'a'.repeat(40),
            api: {body: LARGE, type: 'application/json'},
        },
        'org/slow': {files: FILES, answers: {'model.safetensors': {stall: 5000}}},
        'org/pickled': {
            files: {...UNCONVERTED, 'pytorch_model.bin': Buffer.from('x')},
            discussions: [
                {num: 1, title: 'Adding `safetensors`', isPullRequest: true, status: 'open'},
            ],
        },
        'org/pickled@refs/pr/1': {files: FILES},
    });
    site = await startSite(siteWith(hub.url));
});
after(async () => {
    hub.close();
    await site.close();
    rmSync(copy, {recursive: true});
});

/** The built site with this machine's hub in place of the one it knows. Not by replacing what the
 * browser is given: a page that does not come from this machine may not reach a server here. */
function siteWith(address) {
    cpSync(SITE, copy, {recursive: true});
    for (const name of readdirSync(copy).filter(file => file.endsWith('.js'))) {
        const text = readFileSync(`${copy}/${name}`, 'utf8');
        if (text.includes(HUB)) writeFileSync(`${copy}/${name}`, text.replaceAll(HUB, address));
    }
    return copy;
}
const open = (hash, options = {}) => site.open({hash, ...options});

const origin = page => page.locator('.status .origin').textContent();
const settled = (page, pattern) =>
    until(
        () => origin(page).catch(() => ''),
        text => pattern.test(text),
        String(pattern),
    );
const modelOf = async page =>
    new URLSearchParams(new URL(page.url()).hash.slice(1)).get('model') ?? '';

test('by name, from the box: from the hub, kept, and the next visit asks it for nothing', async () => {
    const page = await open('#v=2&model=mini-en&text=a+b');
    await page.waitForSelector('.below', {state: 'attached'});
    await (await menu(page, '.more-models')).getByRole('button', {name: 'Another model…'}).click();
    const box = page.getByRole('dialog', {name: 'Another model'});
    await box.getByLabel('Name on the Hugging Face hub').fill('bert-base');
    await page.keyboard.press('Enter');
    await box.getByText('This is not a model’s name').waitFor();
    assert.match(await box.locator('.known').textContent(), /bert-base-uncased440 MB/);
    assert.match(await box.locator('.kept').textContent(), /None yet/);
    await box.getByLabel('Name on the Hugging Face hub').fill('org/name');
    await page.keyboard.press('Enter');
    await settled(page, /^org\/name, commit [0-9a-f]{7}, from the hub\. A copy is kept/);
    await until(() => modelOf(page), 'org/name', 'the address');
    assert.equal(await page.locator('#model').inputValue(), 'org/name');

    const asked = hub.requests.filter(({file}) => file).length;
    await page.reload();
    await settled(page, /from the copy in this browser/);
    assert.equal(hub.requests.filter(({file}) => file).length, asked, 'no file is asked for');

    await (await menu(page, '.more-models')).getByRole('button', {name: 'Another model…'}).click();
    assert.match(await box.locator('.kept li').textContent(), /org\/name\d+ MB, [0-9a-f]{7}/);
    await box.getByRole('button', {name: 'Delete the copy of org/name'}).click();
    await box.getByText('The copy of org/name has been deleted.').waitFor();
    assert.equal(await box.locator('.kept li').count(), 0);
    await page.reload();
    await settled(page, /from the hub/);
    await page.context().close();
});

test('the precision panel loads a model of the hub once more, in float32', async () => {
    const page = await open('#v=2&model=org/name&text=a+b');
    await page.locator('.status [aria-haspopup=dialog]').click();
    await page.locator('.precision .main').click();
    const said = await until(
        () => page.locator('.precision').locator('.comparison, .said bdi').allTextContents(),
        texts => texts.length > 0,
        'numbers, or why there are none',
    );
    assert.match(said.join(), /^Precision fine, 15 tokens.*The checkpoint holds floats/);
    await page.context().close();
});

test('a link to another site asks first, names it, and asks for nothing before', async () => {
    const address = `${hub.url}/org/elsewhere/`;
    const page = await open(`#v=2&model=${encodeURIComponent(address)}`, {ready: false});
    const question = page.getByRole('alertdialog');
    await question.waitFor();
    assert.match(
        await question.textContent(),
        new RegExp(`another site.*${new URL(address).host}`),
    );
    assert.ok(!hub.requests.some(({path}) => path?.includes('elsewhere')));
    await question.getByRole('button', {name: 'No, thanks'}).click();
    await page.waitForSelector('.below', {state: 'attached'});
    await until(
        () => modelOf(page),
        model => !model.startsWith('http'),
        'the address is of another model',
    );
    await page.goBack();
    await question.getByRole('button', {name: 'Download it'}).click();
    await until(
        () => hub.requests.some(({path}) => path?.includes('elsewhere')),
        Boolean,
        'it is asked',
    );
    await page.context().close();
});

test('a second model beside the first, by its name; above 50 MB it asks where it will stand', async () => {
    const page = await open('#v=2&model=mini-en&text=a+b&textB=');
    const second = page.locator('.beside .two section').nth(1);
    const choose = async name => {
        const models = await menu(page, '.side-by-side');
        await models.getByRole('button', {name: 'Load another…'}).click();
        const box = page.getByRole('dialog', {name: 'Another model'});
        await box.getByLabel('Name on the Hugging Face hub').fill(name);
        await page.keyboard.press('Enter');
    };
    await choose('org/name@main');
    await second.locator('.head-view').waitFor();
    assert.equal(await second.locator('h2').textContent(), 'org/name@main');
    await until(
        () => page.locator('.beside .why').textContent(),
        /^The two cannot be subtracted: mini-en, English has 6 layers/,
        'why there is no difference',
    );
    assert.equal(await modelOf(page), 'mini-en');
    await choose('org/large');
    await second.getByRole('alertdialog').waitFor();
    assert.match(await second.textContent(), /60 MB.*org\/large/);
    await second.getByRole('button', {name: 'No, thanks'}).click();
    await page.waitForSelector('.beside', {state: 'detached'});
    await page.context().close();
});

test('above 50 MB it asks with the size, also for a link; in Chinese too', async () => {
    for (const [lang, pattern, no] of [
        ['en', /download of 60 MB: org\/large/, 'No, thanks'],
        ['zh', /需要下载 60 MB： org\/large/, '不用了'],
    ]) {
        hub.requests.length = 0;
        const page = await open(`#v=2&model=org%2Flarge&lang=${lang}`, {ready: false});
        const question = page.getByRole('alertdialog');
        await question.waitFor();
        assert.match(await question.textContent(), pattern);
        assert.ok(!hub.requests.some(({file}) => file === 'model.safetensors'));
        await question.getByRole('button', {name: no}).click();
        await page.waitForSelector('.below', {state: 'attached'});
        await page.context().close();
    }
});

test('pickles only: the sentence, and a button that loads the conversion', async () => {
    const page = await open('#v=2&model=org%2Fpickled', {ready: false});
    await page.getByRole('alert').getByText('a Python pickle').waitFor();
    await page.getByRole('button', {name: 'Load org/pickled@refs/pr/1'}).click();
    await settled(page, /^org\/pickled, commit/);
    await page.context().close();
});

test('called off while it comes: the model before is back', async () => {
    const page = await open('#v=2&model=mini-en&text=a+b');
    await page.waitForSelector('.below', {state: 'attached'});
    await (await menu(page, '.more-models')).getByRole('button', {name: 'Another model…'}).click();
    await page.getByLabel('Name on the Hugging Face hub').fill('org/slow');
    await page.keyboard.press('Enter');
    await page.getByRole('button', {name: 'Cancel'}).click();
    await until(() => modelOf(page), 'mini-en', 'the model before');
    await page.waitForSelector('.progress', {state: 'detached'});
    await page.context().close();
});

test('ALBERT says the order of two sentences below the figure', async () => {
    const page = await open('#v=2&model=org/albert&text=the%20cat&textB=a%20dog');
    await page.locator('.results').getByText('A comes before B').waitFor();
    const said = await page.locator('.results').textContent();
    assert.match(said, /Sentence order.*A comes before B[\d.]+ %B comes before A[\d.]+ %/);
    await page.context().close();
});

test('a sentence-transformers model: the cosine of A and B below the figure, from the hub and from its copy', async () => {
    const cosineOf = (page, not = '') =>
        until(
            () => page.locator('.similarity output').textContent(),
            text => /^−?[01]\.\d{4}$/.test(text) && text !== not,
            'a cosine',
        );
    const page = await open('#v=2&model=org/sentences&text=the%20cat&textB=the%20cat');
    assert.equal(await cosineOf(page), '1.0000');
    await page.fill('#textB', 'a dog sat on the mat');
    await page.press('#textB', 'Enter');
    const other = await cosineOf(page, '1.0000');
    await settled(page, /A copy is kept/);
    await page.fill('#textB', '');
    await page.press('#textB', 'Enter');
    await page.waitForSelector('.similarity', {state: 'detached'});
    hub.requests.length = 0;
    await page.goto('about:blank');
    await page.goto(
        `${site.url}#v=2&lang=zh&model=org/sentences&text=the%20cat&textB=a%20dog%20sat%20on%20the%20mat`,
    );
    await page.getByRole('heading', {name: '句子相似度'}).waitFor();
    assert.equal(await cosineOf(page), other, 'the copy has the two files');
    assert.ok(!hub.requests.some(({file}) => file));
    await page.context().close();
});
