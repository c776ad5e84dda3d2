/* Layers as they arrive, in the built page: the heads of the first layers while the rest is on its
 * way, which layers can be chosen, what the progress says, and a model that turns out to be damaged.
 * The hub is one on this machine, which sends the weights as far as the test says.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {HUB} from '../../web/base/model_names.js';
import {startHub} from '../js/lib/hub.mjs';
import {inParts, largeModel, LAYERS} from '../js/lib/large_model.mjs';
import {pieces, startSite, until} from './page.mjs';

const {files, end} = largeModel();
const WEIGHTS = files['model.safetensors'];
const copy = mkdtempSync(join(tmpdir(), 'headlight-site-'));
const coming = Object.fromEntries(
    ['early', 'late', 'damaged'].map(name => [name, inParts(WEIGHTS)]),
);
let hub;
let site;
before(async () => {
    const repositories = Object.fromEntries(
        Object.entries(coming).map(([name, {answer}]) => [
            `org/${name}`,
            {files, answers: {'model.safetensors': {take: answer}}},
        ]),
    );
    const siblings = Object.entries(files).map(([rfilename, {length}]) => ({
        rfilename,
        size: length,
        lfs: {size: length, ...(length > 1e6 && {sha256: '0'.repeat(64)})},
    }));
    repositories['org/damaged'].commit = 'd'.repeat(40);
    repositories['org/damaged'].api = {
        type: 'application/json',
        body: Buffer.from(JSON.stringify({sha: 'd'.repeat(40), siblings})),
    };
    hub = await startHub(repositories);
    cpSync('build/out/site', copy, {recursive: true});
    for (const name of readdirSync(copy).filter(file => file.endsWith('.js'))) {
        const text = readFileSync(`${copy}/${name}`, 'utf8');
        if (text.includes(HUB)) writeFileSync(`${copy}/${name}`, text.replaceAll(HUB, hub.url));
    }
    site = await startSite(copy);
});
after(async () => {
    hub.close();
    await site.close();
    rmSync(copy, {recursive: true});
});

const open = (name, more = '') =>
    site.open({
        hash: `#v=2&model=org/${name}&text=a%20b%20c&textB=&view=head${more}`,
        ready: false,
    });
const there = (page, count) =>
    page.locator('.progress').getByText(`${count} of ${LAYERS} layers`).waitFor();
const enabled = page => page.locator('input[name="layer"]:enabled').count();

test('the first layers are drawn and can be chosen while the rest comes; then all of them', async () => {
    const page = await open('early');
    coming.early.send(end(1) + 1000);
    await there(page, 2);
    await until(() => enabled(page), 2, 'two layers');
    assert.equal(await page.locator('input[name="layer"]').count(), LAYERS);
    assert.deepEqual(await pieces(page), ['[CLS]', 'a', 'b', 'c', '[SEP]']);
    assert.match(
        await page.locator('.pick:has(input[name="layer"]:disabled)').first().getAttribute('title'),
        /Layer 2 is loading/,
    );
    await page.locator('input[name="layer"]').nth(1).check();
    await page.fill('#text', 'd [MASK]');
    await page.press('#text', 'Enter');
    await until(
        () => pieces(page),
        found => found.join(' ') === '[CLS] d [MASK] [SEP]',
        'another text on the same layers',
    );
    coming.early.send(end(3) + 1000);
    await there(page, 4);
    await until(() => enabled(page), 4, 'four layers');
    coming.early.send();
    await page.waitForSelector('.progress', {state: 'detached'});
    await until(() => enabled(page), LAYERS, 'all layers');
    assert.deepEqual(await pieces(page), ['[CLS]', 'd', '[MASK]', '[SEP]']);
    await until(() => page.locator('.results').textContent(), /position 2/, 'the predictions');
    await page.context().close();
});

test('a link to a later layer waits for it', async () => {
    const page = await open('late', '&layer=3&lang=zh');
    coming.late.send(end(1) + 1000);
    await page.locator('.progress').getByText(`共 ${LAYERS} 层，已有 2 层`).waitFor();
    assert.equal(await page.locator('.column').count(), 0, 'no other layer in its place');
    coming.late.send(end(3) + 1000);
    await until(() => enabled(page), 4, 'four layers');
    assert.equal(await page.locator('input[name="layer"]:checked').inputValue(), '3');
    assert.deepEqual(await pieces(page), ['[CLS]', 'a', 'b', 'c', '[SEP]']);
    coming.late.send();
    await page.waitForSelector('.progress', {state: 'detached'});
    await page.context().close();
});

test('a model that turns out to be damaged takes its layers along', async () => {
    const page = await open('damaged');
    coming.damaged.send(end(1) + 1000);
    await until(() => enabled(page), 2, 'two layers');
    coming.damaged.send();
    await page.getByRole('alert').getByText('arrived damaged').waitFor();
    await page.waitForSelector('.column', {state: 'detached'});
    assert.equal(await page.locator('.below').count(), 0);
    await page.context().close();
});
