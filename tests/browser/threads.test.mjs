/* Threads of one pass in Chromium: an isolated page runs with more than one and the numbers are
 * those of one; without the files, or without isolation, it runs with one and says nothing. On a
 * host that sends no headers the service worker isolates the page from the second visit on, which
 * then still works offline, in frames, and with models of other hosts.
 */
import assert from 'node:assert/strict';
import {readFileSync} from 'node:fs';
import {availableParallelism} from 'node:os';
import {after, before, test} from 'node:test';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {launch, until} from './page.mjs';

const skip = availableParallelism() < 2 && 'this machine has one core';
const servers = [];
let browser;

async function serve(folder, options, port = anyPort()) {
    const server = createStaticServer(folder, options);
    servers.push(server);
    const found = await listen(server, port, () => {});
    return {
        url: `http://127.0.0.1:${found}/`,
        port: found,
        stop: () => {
            server.closeAllConnections();
            return new Promise(done => {
                server.close(done);
            });
        },
    };
}

before(async () => {
    browser = await launch();
});
after(async () => {
    await browser?.close();
    for (const server of servers) {
        server.closeAllConnections();
        server.close();
    }
});

/** In a page of the source tree: runs texts with an engine that has these files for threads, and
 * one that has none. */
async function compare({files, wanted}) {
    const {createEngine} = await import('/web/engine/engine.js');
    const own = {workerUrl: '/web/worker/worker.js', wasmUrl: '/build/out/wasm/headlight.wasm'};
    const engines = [createEngine({...own, threads: files}), createEngine(own)];
    const numbers = {threads: [1, 1], equal: true};
    const models = [];
    for (const engine of engines) models.push((await engine.load({url: '/models/mini-en/'})).model);
    for (let i = 0; i < 200 && (i < 5 || numbers.threads[0] < wanted); i++) {
        const found = [];
        for (const [e, engine] of engines.entries()) {
            const input = {
                text: `The cat number ${i} sat on the mat, where it was warm.`,
                textB: '',
                precision: i % 2 ? 'fine' : 'fast',
                changes: [],
                words: [],
            };
            const {facts, answers} = engine.run({
                model: models[e],
                input,
                want: [
                    {tensor: 'attention', layer: 5},
                    {tensor: 'hidden', layer: 5},
                ],
            });
            numbers.threads[e] = (await facts).threads;
            found.push(...(await Promise.all(answers)).map(({data}) => data));
        }
        numbers.equal &&= [0, 1].every(k =>
            found[k].every((value, at) => Object.is(value, found[k + 2][at])),
        );
        await new Promise(done => {
            setTimeout(done, 20);
        });
    }
    for (const engine of engines) engine.close();
    return {...numbers, isolated: globalThis.crossOriginIsolated};
}

const FILES = {
    wasmUrl: '/build/out/wasm/headlight-threads.wasm',
    helperUrl: '/web/worker/helper.js',
};
for (const {what, files = FILES, isolation = true, threads} of [
    {what: 'isolated: several', threads: Math.min(4, availableParallelism())},
    {what: 'not isolated: one', isolation: false, threads: 1},
    {
        what: 'without the threaded file: one',
        files: {...FILES, wasmUrl: '/build/out/wasm/absent.wasm'},
        threads: 1,
    },
    {
        what: 'with a file that takes no memory: one',
        files: {...FILES, wasmUrl: '/web/main.js'},
        threads: 1,
    },
    {
        what: 'without the script of helpers: one',
        files: {...FILES, helperUrl: '/web/core/absent.js'},
        threads: 1,
    },
]) {
    test(`threads, ${what}, and the same numbers`, {skip}, async () => {
        const {url} = await serve('.', {isolation});
        const page = await browser.newPage();
        const errors = [];
        page.on('pageerror', error => errors.push(error.message));
        await page.goto(`${url}tests/bench/forward_page.js`);
        assert.deepEqual(await page.evaluate(compare, {files, wanted: threads}), {
            threads: [threads, 1],
            equal: true,
            isolated: isolation,
        });
        assert.deepEqual(errors, []);
        await page.close();
    });
}

const isolated = page => page.evaluate(() => globalThis.crossOriginIsolated);
const helpers = page => page.workers().filter(worker => worker.url().includes('/helper.js')).length;
const figure = page => page.waitForSelector('.below', {state: 'attached'});

test(
    'a host without headers: one thread at first, several from the second visit on; offline, in a frame, with a model of another host',
    {skip},
    async () => {
        const host = await serve('build/out', {isolation: false});
        const context = await browser.newContext({
            viewport: {width: 1280, height: 860},
            locale: 'en-GB',
        });
        const errors = [];
        const open = async (address = `${host.url}site/`) => {
            const page = await context.newPage();
            page.on('pageerror', error => errors.push(error.message));
            await page.goto(address);
            return page;
        };
        const first = await open();
        await figure(first);
        await until(
            () => first.evaluate(() => Boolean(navigator.serviceWorker.controller)),
            Boolean,
            'the page is under its control',
        );
        assert.deepEqual([await isolated(first), helpers(first)], [false, 0]);
        await first.close();

        const second = await open();
        await figure(second);
        assert.equal(await isolated(second), true);
        await until(
            () => helpers(second),
            count => count === Math.min(4, availableParallelism()) - 1,
            'the helpers',
        );
        await context.route('https://models.example/**', route => {
            const name = route.request().url().split('/').pop();
            const body =
                ['config.json', 'tokenizer.json', 'model.safetensors'].includes(name) &&
                readFileSync(`tests/golden/models/bert-tiny-random/${name}`);
            return body
                ? route.fulfill({body, headers: {'access-control-allow-origin': '*'}})
                : route.fulfill({status: 404, headers: {'access-control-allow-origin': '*'}});
        });
        await second.evaluate(() => {
            window.location.hash = '#model=https%3A%2F%2Fmodels.example%2Ftiny%2F&text=the';
        });
        await second.getByRole('button', {name: 'Download it'}).click();
        await until(
            () => second.locator('.column.query .token').allTextContents(),
            ([token]) => token === '[CLS]',
            'the other model',
        );
        assert.equal(await second.locator('.notice').count(), 0);
        await second.getByRole('radio', {name: 'Corpus', exact: true}).click();
        await until(
            () => second.locator('.study-rail').allTextContents(),
            ([text]) => /\b327\b/.test(text),
            'the shipped corpus, read by a worker of its own',
        );
        await second.close();

        await context.route(`${host.url}frame.html`, route =>
            route.fulfill({
                contentType: 'text/html',
                body: '<!doctype html><iframe src="site/embed.html"></iframe><iframe src="site/"></iframe>',
            }),
        );
        const framing = await open(`${host.url}frame.html`);
        await framing.frameLocator('iframe').last().locator('.token').first().waitFor();
        assert.deepEqual(
            await Promise.all(
                framing.frames().map(frame => frame.evaluate(() => globalThis.crossOriginIsolated)),
            ),
            [false, false, false],
        );
        await framing.close();

        await host.stop();
        const offline = await open();
        await figure(offline);
        assert.equal(await isolated(offline), true);
        await until(
            () => helpers(offline),
            count => count > 0,
            'the helpers',
        );
        assert.deepEqual(errors, []);
        await context.close();
    },
);
