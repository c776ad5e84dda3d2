/* The installed site, from a sub-path of a host that others share: with the server gone after one
 * visit; two versions one after the other, in two tabs; a version that is published by halves;
 * neighbours' caches; frames. The second version is the built site under another build's name, with
 * a lazily loaded script renamed as a change in it would. And the site at the root of a host, where
 * its service worker sees what the host's other sites ask for.
 */
import assert from 'node:assert/strict';
import {
    cpSync,
    mkdirSync,
    mkdtempSync,
    readdirSync,
    readFileSync,
    renameSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {makeInstallable} from '../../build/pwa.mjs';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {ARGS, CHROMIUM, launch, menu, until} from './page.mjs';

const LAZY = ['Model view', 'Neuron view', 'Step by step', 'Find a head', 'What changes'];
let root, browser, context, server, port, first, second;

const site = () => join(root, 'u', 'headlight');

/** The built site as another build: its name replaced everywhere, the find view's script under another. */
async function otherBuild(folder, before, build) {
    const isFind = name =>
        /^view-.*\.js$/.test(name) &&
        readFileSync(join(folder, name), 'utf8').includes('find-text');
    const found = readdirSync(folder).find(isFind);
    renameSync(join(folder, found), join(folder, 'view-OTHERNAME.js'));
    // sw.js is written last: a browser that looks for an update meanwhile gets the old one
    const isOther = file => /\.(js|html)$/.test(file) && file !== 'sw.js';
    for (const name of readdirSync(folder).filter(isOther)) {
        const text = readFileSync(join(folder, name), 'utf8');
        writeFileSync(
            join(folder, name),
            text.replaceAll(before, build).replaceAll(found, 'view-OTHERNAME.js'),
        );
    }
    const models = JSON.parse(readFileSync(join(folder, 'models/index.json'), 'utf8'));
    await makeInstallable(folder, models, build);
    return build;
}

async function serve() {
    server = createStaticServer(root, {isolation: false});
    port = await listen(server, port ?? anyPort(), () => {});
}

function stopServing() {
    server.closeAllConnections();
    return new Promise(done => {
        server.close(done);
    });
}

const address = path => `http://127.0.0.1:${port}/u/${path}`;
const cacheNames = page => page.evaluate(() => caches.keys());
const buildOf = page =>
    page.evaluate(() => document.querySelector('script[type=module]').src.split('?v=')[1]);

async function open(path = 'headlight/') {
    const page = await context.newPage();
    page.errors = [];
    page.on('pageerror', error => page.errors.push(error.message));
    await page.goto(address(path));
    return page;
}

async function showView(page, title) {
    await page.getByRole('radio', {name: title, exact: true}).click();
    await until(
        () => page.locator(`section.show[aria-label="${title}"] .figure`).count(),
        count => count > 0,
        `${title} is drawn`,
    );
    assert.equal(await page.locator('.notice').count(), 0);
}

const ready = page => page.waitForSelector('.figure');
const keptVersions = async (page, wanted) =>
    until(
        () => cacheNames(page),
        names => wanted(names.filter(name => name.startsWith('headlight /u/headlight/ '))),
        'the caches of the versions',
    );

before(async () => {
    root = mkdtempSync(join(tmpdir(), 'headlight-pwa-'));
    mkdirSync(join(root, 'u', 'other'), {recursive: true});
    writeFileSync(
        join(root, 'u', 'other', 'index.html'),
        '<!doctype html><title>neighbour</title><iframe src="../headlight/"></iframe>',
    );
    cpSync('build/out/site', site(), {recursive: true});
    first = readFileSync(join(site(), 'index.html'), 'utf8').match(/main\.js\?v=(\w+)"/)[1];
    await serve();
    browser = await launch(ARGS, CHROMIUM);
    context = await browser.newContext({viewport: {width: 1280, height: 860}, locale: 'en-GB'});
});

after(async () => {
    await browser?.close();
    await stopServing();
    rmSync(root, {recursive: true});
});

test('in a frame nothing is registered', async () => {
    const page = await open('other/');
    await page.frameLocator('iframe').locator('.token').first().waitFor();
    await new Promise(done => {
        setTimeout(done, 500);
    });
    assert.equal(
        await page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length),
        0,
    );
    await page.evaluate(async () => {
        for (const name of ['theirs', 'headlight /u/other/ 1', 'headlight /u/head 1'])
            await (await caches.open(name)).put('x', new Response('x'));
    });
    await page.close();
});

test('after one visit the site works with the server gone: all views, both languages, saving', async t => {
    const page = await open();
    await ready(page);
    await keptVersions(page, names => names.length === 1);
    await until(
        () => page.evaluate(() => Boolean(navigator.serviceWorker.controller)),
        Boolean,
        'the page is under its control',
    );
    await stopServing();
    t.after(serve);
    await page.reload();
    await ready(page);
    for (const title of LAZY) await showView(page, title);
    await page.getByRole('button', {name: 'Lessons', exact: true}).click();
    await page.getByRole('button', {name: 'Six patterns of attention'}).click();
    await until(
        () => page.locator('.stage.touring').count(),
        count => count > 0,
        'the tour',
    );
    await page.getByRole('radio', {name: 'Corpus', exact: true}).click();
    await until(
        () => page.locator('.study-rail').allTextContents(),
        ([text]) => /\b327\b/.test(text),
        'the shipped corpus',
    );
    assert.ok(
        await page.evaluate(() =>
            [...document.styleSheets].some(({href}) => href?.includes('study.css')),
        ),
    );
    await page.getByRole('radio', {name: 'Text', exact: true}).click();
    await page.locator('.settings summary').click();
    await page.getByRole('radio', {name: '中文'}).click();
    await until(
        () => page.evaluate(() => document.documentElement.lang),
        lang => lang.startsWith('zh'),
        'the other language',
    );
    await page.locator('.settings summary').click();
    await page.getByRole('radio', {name: 'English'}).click();
    const [download] = await Promise.all([
        page.waitForEvent('download'),
        (await menu(page, '.export'))
            .locator('button', {hasText: /page|HTML/i})
            .first()
            .click(),
    ]);
    assert.match(readFileSync(await download.path(), 'utf8'), /^<!doctype html>/i);
    await (await menu(page, '.export')).getByRole('button', {name: 'Share…'}).click();
    await page.locator('dialog.share-dialog[open] textarea').first().waitFor();
    assert.deepEqual(page.errors, []);
    await page.close();
    const again = await open('headlight/#v=5&view=model');
    await until(
        () => again.locator('section.show[aria-label="Model view"] .figure').count(),
        count => count > 0,
        'a link works too',
    );
    await again.close();
});

test('a worker that the first visit starts after the service worker has come is not refused', async () => {
    const page = await open(); // from the server, which isolates its pages
    await ready(page);
    await until(
        () => page.evaluate(() => Boolean(navigator.serviceWorker.controller)),
        Boolean,
        'the page is under its control',
    );
    await page.getByRole('radio', {name: 'Corpus', exact: true}).click();
    await until(
        () => page.locator('.study-rail').allTextContents(),
        ([text]) => /\b327\b/.test(text),
        'the shipped corpus, read by another worker',
    );
    assert.deepEqual(page.errors, []);
    await page.close();
});

test('an update is fetched whole, said quietly, used when wished; an open page keeps its own files', async () => {
    second = await otherBuild(site(), first, 'b0b0b0b0b0b0');
    const [one, two] = [await open(), await open()];
    await Promise.all([one, two].map(ready));
    assert.equal(await buildOf(one), first);
    await one.getByText('A newer version of this page is ready.').waitFor();
    assert.equal(await buildOf(await open()), first, 'until it is wished for, the old version');
    await showView(one, 'Model view');
    await one.getByRole('button', {name: 'Reload'}).click();
    await until(() => buildOf(one).catch(() => ''), second, 'the new version after a reload');
    await ready(one);
    await showView(one, 'Find a head');
    await showView(two, 'Find a head'); // whose script is no longer on the server
    assert.equal(await buildOf(two), first);
    assert.deepEqual([...one.errors, ...two.errors], []);
    for (const page of context.pages()) await page.close();
});

test("with no page left the old version goes, and nobody else's", async () => {
    await until(async () => (await browser.contexts()[0].pages()).length, 0, 'no page');
    const page = await open();
    await ready(page);
    assert.equal(await buildOf(page), second);
    const names = await keptVersions(page, own => own.length === 1);
    assert.ok(names.some(name => name.startsWith(`headlight /u/headlight/ ${second}-`)));
    for (const name of ['theirs', 'headlight /u/other/ 1', 'headlight /u/head 1'])
        assert.ok(names.includes(name), name);
    await page.close();
});

test("a version of which one file is another's is not taken", async () => {
    await otherBuild(site(), second, 'c0c0c0c0c0c0');
    const changed = readdirSync(site()).find(
        name =>
            /^[^s].*\.js$/.test(name) &&
            readFileSync(join(site(), name), 'utf8').includes('c0c0c0c0c0c0'),
    );
    writeFileSync(join(site(), changed), '// of yet another build');
    const page = await open();
    await ready(page);
    const state = await page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration();
        await registration.update().catch(() => {});
        const worker = registration.installing;
        if (worker)
            await new Promise(done => {
                worker.onstatechange = () =>
                    ['installed', 'redundant'].includes(worker.state) && done();
            });
        return worker?.state ?? (registration.waiting ? 'waiting' : 'none');
    });
    assert.ok(['redundant', 'none'].includes(state), state);
    assert.equal(await page.locator('.update p').count(), 0);
    await keptVersions(page, own => own.length === 1 && own[0].includes(second));
    await page.reload();
    await ready(page);
    assert.equal(await buildOf(page), second);
    await page.close();
});

/** A folder on a server of its own, until the end of the test.
 * @returns {Promise<string>} its address */
async function serveFolder(t, folder) {
    const own = createStaticServer(folder, {isolation: false});
    t.after(() => {
        own.closeAllConnections();
        own.close();
    });
    return `http://127.0.0.1:${await listen(own, anyPort(), () => {})}/`;
}

/** What the neighbour's worker says of a picture of another host, which COEP would keep from it. */
const neighbourSays = page =>
    page.evaluate(
        () =>
            new Promise(done => {
                new Worker('worker.js').onmessage = ({data}) => done(data);
            }),
    );

test('at the root of a host the workers of its other sites stay as they are, and those of this site are isolated', async t => {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-root-'));
    t.after(() => rmSync(folder, {recursive: true}));
    const elsewhere = await serveFolder(t, 'web/icons');
    const picture = `${elsewhere}${readdirSync('web/icons').find(name => name.endsWith('.png'))}`;
    cpSync('build/out/site', folder, {recursive: true});
    mkdirSync(join(folder, 'other'));
    writeFileSync(join(folder, 'other', 'index.html'), '<!doctype html><title>neighbour</title>');
    writeFileSync(
        join(folder, 'other', 'worker.js'),
        `fetch('${picture}', {mode: 'no-cors'}).then(answer => postMessage(answer.type), error => postMessage(String(error)));`,
    );
    const url = await serveFolder(t, folder);
    const rootContext = await browser.newContext({locale: 'en-GB'});
    t.after(() => rootContext.close());
    const page = await rootContext.newPage();
    await page.goto(url);
    await until(
        () => page.evaluate(() => Boolean(navigator.serviceWorker.controller)),
        Boolean,
        'the page is under its control',
    );
    await page.reload();
    assert.equal(await page.evaluate(() => crossOriginIsolated), true);
    // computed by a worker, which without the header would be refused
    await page.waitForSelector('.below', {state: 'attached'});

    const neighbour = await rootContext.newPage();
    await neighbour.goto(`${url}other/`);
    assert.equal(
        await neighbour.evaluate(() => Boolean(navigator.serviceWorker.controller)),
        true,
        'its requests pass the service worker',
    );
    assert.equal(await neighbourSays(neighbour), 'opaque');
});
