/* lab - a real JupyterLab for tests: the server of a Python environment in a folder of its own, and
 * Chromium on it. Every request that would leave the machine is noted and refused.
 */
import {spawn} from 'node:child_process';
import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {chromium} from 'playwright-core';
import {LIMIT} from '../browser/page.mjs';

export const freePort = () =>
    new Promise(done => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const {port} = server.address();
            server.close(() => done(port));
        });
    });

/** A notebook of these cells. @param {string[]} sources */
export const notebook = sources => ({
    cells: sources.map((source, i) => ({
        ...{cell_type: 'code', id: `c${i}`, execution_count: null, metadata: {}, outputs: []},
        source,
    })),
    metadata: {
        kernelspec: {display_name: 'Python 3', language: 'python', name: 'python3'},
        language_info: {name: 'python'},
    },
    nbformat: 4,
    nbformat_minor: 5,
});

/** @param {string} python an interpreter with jupyterlab and ipykernel */
export async function startLab(python) {
    const folder = await mkdtemp(join(tmpdir(), 'headlight-lab-'));
    const port = await freePort();
    const settings = [
        ...['--no-browser', '--allow-root', '--ServerApp.open_browser=False', `--port=${port}`],
        ...['--ip=127.0.0.1', '--IdentityProvider.token=', '--ServerApp.disable_check_xsrf=True'],
        ...[
            '--LabApp.news_url=',
            '--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate',
        ],
    ];
    const env = {
        ...process.env,
        ...{HOME: folder, JUPYTER_RUNTIME_DIR: join(folder, '.runtime'), HF_HUB_OFFLINE: '1'},
        ...{JUPYTER_CONFIG_DIR: join(folder, '.config'), JUPYTER_DATA_DIR: join(folder, '.data')},
        ...{IPYTHONDIR: join(folder, '.ipython')},
    };
    const server = spawn(python, ['-m', 'jupyterlab', ...settings], {cwd: folder, env});
    let said = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', text => (said += text));
    const url = `http://127.0.0.1:${port}`;
    for (let i = 0; ; i++) {
        if (
            await fetch(`${url}/api`).then(
                answer => answer.ok,
                () => false,
            )
        )
            break;
        if (i > 300 || server.exitCode !== null)
            throw new Error(`jupyterlab does not start: ${said}`);
        await new Promise(done => setTimeout(done, 200));
    }
    return {
        ...{folder, url, env},
        write: (name, cells) =>
            writeFile(
                join(folder, name),
                JSON.stringify(Array.isArray(cells) ? notebook(cells) : cells),
            ),
        async close() {
            const ended = new Promise(done => server.once('exit', done));
            server.kill();
            await ended;
            await rm(folder, {recursive: true, force: true, maxRetries: 5});
        },
    };
}

/** Chromium, and what it asked for outside of this machine. */
export async function startBrowser() {
    const browser = await chromium.launch({
        executablePath: '/usr/bin/chromium',
        args: ['--no-sandbox'],
    });
    const context = await browser.newContext({viewport: {width: 1300, height: 1400}});
    context.setDefaultTimeout(LIMIT);
    /** @type {string[]} */
    const outside = [];
    await context.route(/^https?:\/\/(?!127\.0\.0\.1|localhost)/, route => {
        outside.push(route.request().url());
        return route.abort();
    });
    return {browser, context, outside};
}

/** Opens a notebook in the Lab, or, with 'notebooks', in Notebook 7, on the same server.
 * @param {import('playwright-core').BrowserContext} context */
export async function openNotebook(context, {url}, name, app = 'lab') {
    const page = await context.newPage();
    const lab = `lab/workspaces/${name.replace(/\W/g, '')}/tree`;
    await page.goto(`${url}/${app === 'lab' ? lab : app}/${name}`);
    await page.waitForSelector('.jp-Notebook .jp-CodeCell');
    // asked of a notebook that has not been opened before
    const select = page.locator('.jp-Dialog .jp-mod-accept');
    await select.click({timeout: 5000}).catch(() => {});
    return page;
}

/** Runs all cells and waits for the last one. */
export async function runAll(page) {
    await page.waitForSelector(
        '[data-status="idle"].jp-Notebook-ExecutionIndicator, .jp-NotebookKernelStatus',
        {state: 'attached'},
    );
    await page.getByText('Run', {exact: true}).first().click();
    await page.getByText('Run All Cells', {exact: true}).first().click();
    await page.waitForFunction(() =>
        [...document.querySelectorAll('.jp-CodeCell .jp-InputArea-prompt')].every(prompt =>
            /\[\d+\]/.test(prompt.textContent ?? ''),
        ),
    );
}
