/* The package head-light in a project with Vite, which is installed from the npm registry (make
 * test-npm): what `vite build` makes, served by `vite preview`, and `vite dev` with the setting
 * that the package's README names. Each opened in Chromium.
 */
import assert from 'node:assert/strict';
import {spawn} from 'node:child_process';
import {cpSync, mkdirSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';
import {anyPort} from '../../build/serve.mjs';
import {ARGS, CHROMIUM, until} from '../browser/page.mjs';
import {makeProject, npm} from '../js/lib/package.mjs';

const VITE = process.env.VITE ?? '8.3.8';
const FILES = {
    'index.html':
        '<!doctype html><meta charset="utf-8"><title>...</title><script type="module" src="/main.js"></script>',
    'main.js': `import {load} from 'head-light';
const model = await load('./mini-en/');
const result = await model.run('I went to the [MASK].', {pair: 'It was closed.'});
const {data, shape} = await result.attention(3);
document.title = JSON.stringify({shape, sum: Math.round(data.reduce((all, value) => all + value, 0))});
`,
    'vite.config.js': `export default {base: './', build: {target: 'es2022'}, optimizeDeps: {exclude: ['head-light']}, clearScreen: false};`,
};
let project, browser;
const cleaners = [];

before(async () => {
    project = makeProject({after: clean => cleaners.push(clean)}, FILES).folder;
    npm(project, 'install', '--ignore-scripts', `vite@${VITE}`);
    mkdirSync(join(project, 'public'));
    cpSync('models/mini-en', join(project, 'public', 'mini-en'), {recursive: true});
    browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
});

after(async () => {
    await browser?.close();
    for (const clean of cleaners) clean();
});

const vite = (...args) =>
    spawn('node', ['node_modules/vite/bin/vite.js', ...args], {
        cwd: project,
        stdio: ['ignore', 'pipe', 'pipe'],
    });

/** Serves until the test ends, and gives the numbers of the page. */
async function numbers(t, ...args) {
    const port = anyPort();
    const server = vite(...args, '--port', String(port), '--strictPort', '--host', '127.0.0.1');
    const ended = new Promise(done => {
        server.on('exit', done);
    });
    t.after(() => {
        server.kill();
        return ended;
    });
    const url = `http://127.0.0.1:${port}/`;
    await until(
        () =>
            fetch(url).then(
                answer => answer.ok,
                () => false,
            ),
        Boolean,
        'Vite answers',
    );
    const page = await browser.newPage();
    const errors = [];
    page.on('pageerror', error => errors.push(error.message));
    await page.goto(url);
    const title = await until(
        () => errors[0] ?? page.title(),
        text => text !== '...',
        'the numbers',
    );
    assert.deepEqual(errors, []);
    await page.close();
    return JSON.parse(title);
}

test('vite build, vite preview', async t => {
    const child = vite('build');
    let said = '';
    child.stdout.on('data', text => {
        said += text;
    });
    child.stderr.on('data', text => {
        said += text;
    });
    assert.equal(
        await new Promise(done => {
            child.on('exit', done);
        }),
        0,
        said,
    );
    const assets = readdirSync(join(project, 'dist', 'assets'));
    // which of the two is fetched, the page decides: the one for threads where it is isolated
    const wasm = assets.filter(name => name.endsWith('.wasm'));
    assert.deepEqual(wasm.map(name => name.replace(/-[\w-]{8}\.wasm$/, '')).sort(), [
        'headlight',
        'headlight-threads',
    ]);
    assert.equal(assets.filter(name => /^worker-.*\.js$/.test(name)).length, 1, assets.join());
    const {shape, sum} = await numbers(t, 'preview');
    assert.deepEqual([shape[0], shape[1], sum], [8, shape[2], 8 * shape[1]]);
});

test('vite dev', async t => {
    const {shape, sum} = await numbers(t);
    assert.deepEqual([shape[0], shape[1], sum], [8, shape[2], 8 * shape[1]]);
});
