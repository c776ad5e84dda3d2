/* The package head-light in Chromium: as it lies there behind <script type="module">, from another
 * host (a CDN), bundled by esbuild, and with a worker and a wasm of the caller's, under a strict
 * policy. Each gives the same numbers. A model of the hub is kept for the next visit. Vite: tests/npm/.
 */
import assert from 'node:assert/strict';
import {copyFileSync, cpSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {build} from 'esbuild';
import {anyPort, createStaticServer, listen} from '../../build/serve.mjs';
import {startHub} from '../js/lib/hub.mjs';
import {makeProject} from '../js/lib/package.mjs';
import {launch, until} from './page.mjs';

const POLICY =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self'";
const use = (from, options = '') => `import {HeadlightError, load} from '${from}';
${options && "const here = name => new URL('./node_modules/head-light/' + name, import.meta.url);"}
const model = await load('./mini-en/'${options && `, ${options}`});
const result = await model.run('I went to the [MASK].', {pair: 'It was closed.'});
const {data, shape} = await result.attention(3);
const [{predictions: [{token}]}] = await result.predict([5], {top: 1});
const error = await result.attention(99).catch(thrown => thrown);
document.title = JSON.stringify({shape, token, refused: error instanceof HeadlightError && error.category, sum: data.reduce((all, value) => all + value, 0), fifth: data[5]});
`;
const html = (
    script,
    policy = '',
) => `<!doctype html><meta charset="utf-8">${policy && `<meta http-equiv="Content-Security-Policy" content="${policy}">`}
<title>...</title><script type="module" src="${script}"></script>`;
let project, server, url, browser, cleaners, expected;

before(async () => {
    cleaners = [];
    project = makeProject({after: clean => cleaners.push(clean)}).folder;
    cpSync('models/mini-en', join(project, 'mini-en'), {recursive: true});
    server = createStaticServer(project, {isolation: false});
    url = `http://127.0.0.1:${await listen(server, anyPort(), () => {})}/`;
    browser = await launch();
});

after(async () => {
    await browser?.close();
    server?.closeAllConnections();
    server?.close();
    cleaners.forEach(clean => clean());
});

async function open(name, script, policy) {
    writeFileSync(join(project, `${name}.html`), html(`${name}.js`, policy));
    writeFileSync(join(project, `${name}.js`), script);
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', error => errors.push(error.message));
    // files are tried for
    page.on(
        'console',
        message =>
            message.type() === 'error' &&
            !/404/.test(message.text()) &&
            errors.push(message.text()),
    );
    await page.goto(`${url}${name}.html`);
    const title = await until(
        async () => (errors.length ? errors.join() : page.title()),
        text => text !== '...',
        `the numbers of ${name}`,
    );
    await page.close();
    assert.deepEqual(errors, []);
    return JSON.parse(title);
}

test('plain modules', async () => {
    expected = await open('plain', use('./node_modules/head-light/index.js'), POLICY);
    assert.deepEqual([expected.shape.length, expected.refused], [3, 'state']);
    assert.ok(Math.abs(expected.sum - expected.shape[0] * expected.shape[1]) < 1e-2);
});

test('bundled by esbuild, the two files copied beside', async () => {
    writeFileSync(join(project, 'entry.js'), use('head-light'));
    const {outputFiles} = await build({
        entryPoints: [join(project, 'entry.js')],
        bundle: true,
        format: 'esm',
        minify: true,
        write: false,
        logLevel: 'error',
    });
    for (const name of ['worker.js', 'headlight.wasm'])
        copyFileSync(join(project, 'node_modules/head-light', name), join(project, name));
    assert.deepEqual(await open('bundled', outputFiles[0].text, POLICY), expected);
});

test("with addresses, with bytes, with a worker of the caller's", async () => {
    const options = {
        addresses: "{workerUrl: here('worker.js'), wasmUrl: here('headlight.wasm')}",
        bytes: "{wasmBytes: await (await fetch(here('headlight.wasm'))).arrayBuffer(), makeWorker: () => new Worker(here('worker.js'), {type: 'module'})}",
    };
    for (const [name, text] of Object.entries(options)) {
        assert.deepEqual(
            await open(name, use('./node_modules/head-light/index.js', text), POLICY),
            expected,
            name,
        );
    }
});

test('from another host that allows it', async t => {
    const files = createStaticServer(join(project, 'node_modules/head-light'), {isolation: false});
    const cdn = createServer((request, response) => {
        response.setHeader('access-control-allow-origin', '*');
        files.emit('request', request, response);
    });
    t.after(() => {
        cdn.closeAllConnections();
        cdn.close();
    });
    const port = await listen(cdn, anyPort(), () => {});
    assert.deepEqual(await open('cdn', use(`http://localhost:${port}/index.js`)), expected);
});

test('a model of the hub: the second visit asks for none of its files', async t => {
    const folder = 'tests/golden/models/bert-tiny-random';
    const files = Object.fromEntries(
        readdirSync(folder).map(name => [name, readFileSync(`${folder}/${name}`)]),
    );
    const hub = await startHub({'org/name': {files}});
    t.after(hub.close);
    const asked = () => hub.requests.splice(0).flatMap(({file}) => file ?? []);
    const script = `import {load} from './node_modules/head-light/index.js';
const told = [];
const model = await load({hub: 'org/name', host: '${hub.url}'}, {progress_callback: one => told.push(one)});
const {data} = await (await model.run('a b')).attention(0);
document.title = JSON.stringify({data: [...data], statuses: [...new Set(told.map(({status}) => status))], last: told.at(-1)});
`;
    writeFileSync(join(project, 'hub.html'), html('hub.js'));
    writeFileSync(join(project, 'hub.js'), script);
    const page = await browser.newPage();
    const visit = async () => {
        await page.goto(`${url}hub.html`);
        return JSON.parse(
            await until(
                () => page.title(),
                text => text !== '...',
                'the numbers of a model of the hub',
            ),
        );
    };
    const first = await visit();
    assert.ok(asked().includes('model.safetensors'));
    assert.ok(first.statuses.includes('download'));
    const isKept = async () => {
        const cache = await caches.open('headlight-copies');
        return (await cache.keys()).some(({url: one}) => one.endsWith('mark.json'));
    };
    await until(() => page.evaluate(isKept), Boolean, 'the copy');
    const second = await visit();
    assert.deepEqual(asked(), []);
    assert.deepEqual(second.data, first.data);
    assert.deepEqual(second.last, {status: 'ready', model: 'org/name'});
    assert.ok(!second.statuses.includes('download'));
    await page.close();
});

test('a server that does not call the worker a script: its type is named', async t => {
    const files = createStaticServer(project, {isolation: false});
    const wrong = createServer((request, response) => {
        const {writeHead} = response;
        if (/worker\.js/.test(request.url))
            response.writeHead = (status, headers) =>
                writeHead.call(response, status, {...headers, 'content-type': 'text/plain'});
        files.emit('request', request, response);
    });
    t.after(() => {
        wrong.closeAllConnections();
        wrong.close();
    });
    const port = await listen(wrong, anyPort(), () => {});
    const at = `http://127.0.0.1:${port}/`;
    writeFileSync(join(project, 'type.html'), html('type.js'));
    writeFileSync(
        join(project, 'type.js'),
        `import {load} from './node_modules/head-light/index.js';
document.title = await load('./mini-en/').catch(error => error.category + ': ' + error.message);`,
    );
    const page = await browser.newPage();
    await page.goto(`${at}type.html`);
    const said = await until(
        () => page.title(),
        text => text !== '...',
        'the sentence',
    );
    assert.match(
        said,
        /^engine: http:\S+\/worker\.js is sent as text\/plain, and browsers take modules as text\/javascript only/,
    );
    await page.close();
});
