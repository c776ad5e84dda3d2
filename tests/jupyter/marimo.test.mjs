/* Figures in marimo, which gives scripts a frame of their own, and as a widget there. PYTHON names the
 * interpreter; without marimo this is skipped.
 */
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {test} from 'node:test';
import {LIMIT} from '../browser/page.mjs';
import {freePort, startBrowser} from './lab.mjs';

const PYTHON = process.env.PYTHON ?? 'python3';
const STAGE = resolve('build/out/wheel/stage');
const has = () => {
    try {
        execFileSync(PYTHON, ['-c', 'import marimo, anywidget, numpy'], {stdio: 'ignore'});
        return true;
    } catch {
        return false;
    }
};
const skip = has() ? false : `${PYTHON} lacks marimo, anywidget or numpy: pip install marimo`;

const APP = `import marimo
app = marimo.App()

@app.cell
def _():
    import sys
    sys.path.insert(0, ${JSON.stringify(STAGE)})
    import numpy as np
    from head_light import figure
    attention = np.stack([np.eye(4)[[1, 2, 3, 0]], np.full((4, 4), 0.25)])[None].repeat(2, 0)
    shown = figure(attention, "the cat sat down".split(), heads=[0])
    shown
    return (np, shown)

@app.cell
def _(shown):
    widget = shown.widget()
    widget.layer = 1
    widget
    return

@app.cell
def _(np):
    from head_light import head_view
    head_view(np.full((1, 1, 2, 2), 0.5), ["one", "two"])
    return
`;

async function startMarimo() {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-marimo-'));
    writeFileSync(join(folder, 'app.py'), APP);
    const port = await freePort();
    const options = ['--headless', '--no-token', '--host', '127.0.0.1', '--port', String(port)];
    const server = spawn(PYTHON, ['-m', 'marimo', 'run', 'app.py', ...options], {
        cwd: folder,
        env: {...process.env, HOME: folder, XDG_CONFIG_HOME: folder, MARIMO_SKIP_UPDATE_CHECK: '1'},
    });
    let said = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', text => (said += text));
    const url = `http://127.0.0.1:${port}`;
    for (let i = 0; ; i++) {
        if (
            await fetch(`${url}/health`).then(
                ({ok}) => ok,
                () => false,
            )
        )
            break;
        if (i > 300 || server.exitCode !== null) throw new Error(`marimo does not start: ${said}`);
        await new Promise(done => setTimeout(done, 200));
    }
    return {
        url,
        async close() {
            const ended = new Promise(done => server.once('exit', done));
            server.kill('SIGKILL');
            await ended;
            rmSync(folder, {recursive: true, force: true, maxRetries: 5});
        },
    };
}

test(
    'marimo: figures in their frames, one by a call of BertViz, and a widget',
    {skip, timeout: 3 * LIMIT},
    async t => {
        const marimo = await startMarimo();
        t.after(marimo.close);
        const {browser, context, outside} = await startBrowser();
        t.after(() => browser.close());
        const page = await context.newPage();
        await page.goto(marimo.url);
        const frame = page.frameLocator('iframe').first();
        await frame.locator('.figure .column.key .token').nth(3).waitFor();
        assert.deepEqual(
            await frame.locator('.figure .column.query .token').allInnerTexts(),
            'the cat sat down'.split(' '),
        );
        const height = await page
            .locator('iframe')
            .first()
            .evaluate(one => one.clientHeight);
        assert.ok(height > 200, `the frame is as high as the figure: ${height}`);
        const called = page.frameLocator('iframe').nth(1);
        await called.locator('.figure .column.key .token').nth(1).waitFor();
        const query = await called.locator('.figure .column.query .token').allTextContents();
        assert.match(query[0], /one/);
        assert.match(query[1], /two/);
        const own = page.locator('input[name="layer"][value="1"]:checked');
        await own.waitFor({state: 'attached'});
        assert.deepEqual(outside, []);
    },
);
