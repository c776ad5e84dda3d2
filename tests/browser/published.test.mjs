/* The figures of the articles as published models have them: where the site was built with their files,
 * a step of a lesson and a row of "As in the articles" open one, without the model, with its layer, head
 * and pinned token, and its number beside that of the page's model; where not, the page is as ever.
 */
import assert from 'node:assert/strict';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {runPublished, startPublishedHub} from '../js/lib/published.mjs';
import {pieces, shownHeads, startSite, until} from './page.mjs';

const folder = mkdtempSync(join(tmpdir(), 'headlight-published-'));
const sites = {};
let index;
before(async () => {
    const hub = await startPublishedHub(`${folder}/model`);
    const {status, stderr} = await runPublished(hub.url, `${folder}/published`);
    hub.close();
    assert.equal(status, 0, stderr);
    index = JSON.parse(readFileSync(`${folder}/published/index.json`, 'utf8'));
    for (const name of ['with', 'without']) {
        cpSync('build/out/site', `${folder}/${name}`, {recursive: true});
        rmSync(`${folder}/${name}/published`, {recursive: true});
    }
    cpSync(`${folder}/published`, `${folder}/with/published`, {recursive: true});
    cpSync('build/out/site/published', `${folder}/without/published`, {
        recursive: true,
        filter: path => !path.endsWith('.safetensors'),
    });
    writeFileSync(`${folder}/without/published/index.json`, '[]');
    for (const name of ['with', 'without']) sites[name] = await startSite(`${folder}/${name}`);
});
after(async () => {
    for (const site of Object.values(sites)) await site.close();
    rmSync(folder, {recursive: true});
});

const figureOf = id => {
    const row = index.find(({figures}) => figures[id]);
    return {...row, ...row.figures[id]};
};
const line = '.published';
const liveNumber = page =>
    until(
        () => page.evaluate(at => document.querySelector(at)?.dataset.live, line),
        value => value !== undefined,
        'the number of the picture',
    ).then(Number);
const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-3, `${a}, ${b}`);

test('a step: the published number beside the page’s own; opened, its layer, head and token; back again', async () => {
    const page = await sites.with.open({hash: '#v=2&lang=en&lesson=vig1&step=1'});
    const {value, model} = figureOf('vig1.1');
    await page.locator(line).waitFor();
    const said = await page.locator(line).textContent();
    assert.ok(said.startsWith('bert-base-uncased L2·H0: ') && /I → went/.test(said), said);
    assert.equal(model, 'google-bert/bert-base-uncased');
    near(Number(await page.locator(line).getAttribute('data-value')), value);
    const own = page.locator('.lesson .seen-number');
    await page.locator(`.lesson .seen-number[data-value]`).waitFor();
    const ownNumber = await own.getAttribute('data-value');
    assert.ok(ownNumber >= 0.9);
    await page.getByRole('button', {name: 'Show it (106 kB)'}).click();
    near(await liveNumber(page), value);
    await until(
        () => shownHeads(page),
        heads => String(heads) === '0',
        'its head',
    );
    assert.equal(await page.locator('input[name=layer]').count(), 12);
    assert.ok(await page.locator('input[name=layer][value="2"]').isChecked());
    assert.equal((await pieces(page))[16], '##berries');
    assert.equal(await own.getAttribute('data-value'), ownNumber, 'both numbers stand there');
    assert.match(
        await page.locator('.imported').textContent(),
        /bert-base-uncased-store\.safetensors/,
    );
    await until(
        () => new URLSearchParams(new URL(page.url()).hash.slice(1)).get('picked'),
        '1',
        'the pinned token in the link, which is written a moment later',
    );
    await page.getByRole('button', {name: 'Back to this page’s model'}).click();
    await until(() => page.locator('input[name=layer]').count(), 6, 'the model of the page');
    await page.getByRole('button', {name: 'Show it (106 kB)'}).click();
    await liveNumber(page);
    // The next step is the page's model again, also on the same text.
    await page.locator('.lesson .turn button').last().click();
    await page.locator('[data-step="vig1.2"] .seen-number[data-value]').waitFor();
    await page.locator('.imported').waitFor({state: 'detached'});
    await page.context().close();
});

test('every figure opens from the list, where it says its model; no model is loaded from the hub', async () => {
    const page = await sites.with.open();
    const asked = [];
    page.on('request', request => {
        if (!request.url().startsWith(sites.with.url)) asked.push(request.url());
    });
    await page.route(/huggingface\.co/, route => route.abort());
    const all = index.flatMap(({figures}) => Object.keys(figures));
    const count = all.length;
    for (let i = 0; i < count; i++) {
        await page.getByRole('button', {name: 'As in the articles'}).click();
        const buttons = page.locator('.as-published');
        await until(() => buttons.count(), count, 'one for each figure');
        await buttons.nth(i).click();
        await page.locator(line).waitFor();
        const id = await until(
            () =>
                page.evaluate(
                    at => document.querySelector(at)?.closest('[data-step]')?.dataset.step,
                    line,
                ),
            step => all.includes(step),
            `figure ${i}`,
        );
        const {value, name} = figureOf(id);
        await until(
            () =>
                page
                    .locator('.imported')
                    .textContent({timeout: 1000})
                    .catch(() => ''),
            text => text.includes(name),
            id,
        );
        near(await liveNumber(page), value);
        await page.locator('.missing').waitFor({state: 'detached'});
        assert.equal(await page.locator('.question, [role=alertdialog]').count(), 0, id);
        all.splice(all.indexOf(id), 1);
    }
    assert.deepEqual(all, [], 'each once');
    assert.ok(
        asked.every(url => !/resolve|safetensors/.test(url)),
        `no weights: ${asked}`,
    );
    await page.context().close();
});

test('Chinese', async () => {
    const page = await sites.with.open({hash: '#v=2&lang=zh&lesson=vig2&step=2'});
    await page.getByRole('button', {name: /^看它的图（106 kB）$/}).click();
    near(await liveNumber(page), figureOf('vig2.2').value);
    assert.match(await page.locator(line).textContent(), /已发布模型的注意力/);
    await page.context().close();
});

test('without files: no button, no failed request, nothing in the console', async () => {
    const page = await sites.without.open({blank: true});
    const faults = [];
    page.on('response', answer => {
        if (answer.status() >= 400) faults.push(answer.url());
    });
    page.on('requestfailed', request => faults.push(request.url()));
    page.on('console', message => {
        if (message.type() === 'error') faults.push(message.text());
    });
    await page.goto(`${sites.without.url}#v=2&lang=en&lesson=vig1&step=1`);
    await page.locator('.lesson .seen-number[data-value]').waitFor();
    assert.equal(await page.locator(line).count(), 0);
    await page.getByRole('button', {name: 'As in the articles'}).click();
    await page.locator('[data-panel=articles] li').first().waitFor();
    assert.equal(await page.locator('.as-published').count(), 0);
    assert.deepEqual(faults, []);
    await page.context().close();
});
