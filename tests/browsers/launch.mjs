/* launch - starts the browser that BROWSER names (chromium, firefox or webkit) with what drives it,
 * headless, with a profile of its own, and ends all of it again. WebKitGTK has no headless mode, so
 * it gets a screen of its own (Xvfb). */
import {spawn} from 'node:child_process';
import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm, writeFile} from 'node:fs/promises';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {LIMIT} from '../browser/page.mjs';
import {overHttp, overMarionette, windowOf} from './webdriver.mjs';

const PREFERENCES = {
    'marionette.port': 0,
    'intl.accept_languages': 'en-GB',
    'browser.shell.checkDefaultBrowser': false,
    'datareporting.policy.dataSubmissionEnabled': false,
    'app.update.enabled': false,
    'toolkit.telemetry.enabled': false,
    'network.captive-portal-service.enabled': false,
    'network.connectivity-service.enabled': false,
    'browser.safebrowsing.downloads.remote.enabled': false,
    'services.settings.server': 'data:,#remote-settings-dummy/v1',
    'security.fileuri.strict_origin_policy': true,
    'dom.disable_open_during_load': false,
    'dom.ipc.processPrelaunch.enabled': false,
};
const CHROMIUM_ARGS = [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--no-first-run',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    '--lang=en-GB',
    '--window-size=1280,900',
];

const pause = milliseconds =>
    new Promise(done => {
        setTimeout(done, milliseconds);
    });

/** Asks until the answer is not null. */
async function waitFor(question, what) {
    for (const end = Date.now() + LIMIT; Date.now() < end; await pause(50)) {
        const answer = await question().catch(() => null);
        if (answer !== null) return answer;
    }
    throw new Error(`${what} did not start within ${LIMIT / 1000} seconds`);
}

const freePort = () =>
    new Promise(done => {
        const server = createServer().listen(0, '127.0.0.1', () => {
            const {port} = server.address();
            server.close(() => done(port));
        });
    });

/** What has been started, so that all of it ends. */
class Started {
    children = [];
    folder = '';

    run(command, args, env = {}) {
        const child = spawn(command, args, {
            stdio: 'ignore',
            detached: true,
            env: {...process.env, ...env},
        });
        child.on('error', () => {});
        this.children.push(child);
    }

    async end() {
        for (const {pid} of this.children.toReversed()) {
            try {
                if (pid) process.kill(-pid, 'SIGKILL'); // with its own children
            } catch {
                // It has ended by itself.
            }
        }
        await pause(100);
        await rm(this.folder, {recursive: true, force: true, maxRetries: 5});
    }
}

async function overDriver(started, command, capabilities, env) {
    const port = await freePort();
    started.run(command, [`--port=${port}`], env);
    const address = `http://127.0.0.1:${port}`;
    await waitFor(async () => (await fetch(`${address}/status`)).ok || null, command);
    return overHttp(address, capabilities);
}

async function startScreen(started) {
    for (let number = 90 + (process.pid % 900); ; number++) {
        if (existsSync(`/tmp/.X11-unix/X${number}`)) continue;
        started.run('Xvfb', [`:${number}`, '-screen', '0', '1400x1000x24', '-nolisten', 'tcp']);
        await waitFor(async () => existsSync(`/tmp/.X11-unix/X${number}`) || null, 'Xvfb');
        return `:${number}`;
    }
}

const miniBrowser = () =>
    ['x86_64', 'aarch64']
        .map(kind => `/usr/lib/${kind}-linux-gnu/webkit2gtk-4.1/MiniBrowser`)
        .find(existsSync);

const BROWSERS = {
    chromium: started =>
        overDriver(started, 'chromedriver', {
            'goog:chromeOptions': {
                binary: '/usr/bin/chromium',
                args: [...CHROMIUM_ARGS, `--user-data-dir=${started.folder}`],
            },
        }),
    async firefox(started) {
        const lines = Object.entries(PREFERENCES).map(
            ([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});`,
        );
        await writeFile(join(started.folder, 'user.js'), lines.join('\n'));
        started.run(
            existsSync('/usr/bin/firefox-esr') ? 'firefox-esr' : 'firefox',
            ['-headless', '-marionette', '-no-remote', '-profile', started.folder, 'about:blank'],
            {HOME: started.folder},
        );
        const port = await waitFor(
            async () =>
                Number(await readFile(join(started.folder, 'MarionetteActivePort'), 'utf8')) ||
                null,
            'firefox-esr',
        );
        return overMarionette(port, {});
    },
    webkit: async started =>
        overDriver(
            started,
            'WebKitWebDriver',
            {'webkitgtk:browserOptions': {binary: miniBrowser(), args: ['--automation']}},
            {
                DISPLAY: await startScreen(started),
                WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
                HOME: started.folder,
                LANG: 'en_GB.UTF-8',
                XDG_CACHE_HOME: started.folder,
                XDG_DATA_HOME: started.folder,
                GDK_BACKEND: 'x11',
                LIBGL_ALWAYS_SOFTWARE: '1',
            },
        ),
};

export const BROWSER = process.env.BROWSER ?? 'chromium';

/** A window of the browser; its `end` ends everything. */
export async function launch() {
    if (!BROWSERS[BROWSER])
        throw new Error(`BROWSER is ${BROWSER}; it can be ${Object.keys(BROWSERS).join(', ')}`);
    const started = new Started();
    started.folder = await mkdtemp(join(tmpdir(), `headlight-${BROWSER}-`));
    try {
        const link = await BROWSERS[BROWSER](started);
        const opened = windowOf(link);
        await link.send('timeouts', {script: LIMIT / 2, pageLoad: LIMIT / 2});
        await opened.size(1280, 900);
        return {...opened, end: () => opened.end().finally(() => started.end())};
    } catch (error) {
        await started.end();
        throw error;
    }
}
