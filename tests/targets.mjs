#!/usr/bin/env node
/* targets - each target that a person calls first, alone, from a fresh clone of HEAD; what it makes is used once.
 *
 *     node tests/targets.mjs [TARGET ...]      native npm offline wheel site run
 *
 * What is not committed is not in it. What is fetched (packages, utf8proc) is fetched anew each time.
 */
import {execFileSync, spawn, spawnSync} from 'node:child_process';
import {
    existsSync,
    mkdtempSync,
    openSync,
    readFileSync,
    readdirSync,
    rmSync,
    statSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {createStaticServer, listen} from '../build/serve.mjs';

const root = resolve(new URL('..', import.meta.url).pathname);
const ENDS = {timeout: 30 * 60_000}; // of a target that hangs

/** @param {string} clone @param {string[]} words */
const said = (clone, ...words) =>
    execFileSync(words[0], words.slice(1), {cwd: clone, encoding: 'utf8'});

/** @param {boolean} holds @param {string} sentence */
function expect(holds, sentence) {
    if (!holds) throw new Error(sentence);
}

/** The page, and every .wasm file that it may ask for. @param {string} address @param {string[]} files */
async function isServed(address, files) {
    const page = await (await fetch(address)).text();
    expect(page.includes('<script type="module"'), `${address} is not the page`);
    for (const file of files) {
        const answer = await fetch(new URL(file, address));
        const [first] = new Uint8Array(await answer.arrayBuffer());
        expect(answer.ok && first === 0, `${file} is not served (${answer.status})`);
    }
}

/** @param {string} site a folder */
const wasmFiles = site => readdirSync(site).filter(name => name.endsWith('.wasm'));

/** What a target has made, used. @type {Record<string, (clone: string) => void | Promise<void>>} */
const USES = {
    native: clone =>
        expect(
            /^\[MASK\] at 3: /m.test(
                said(
                    clone,
                    'build/out/native/headlight',
                    'run',
                    'models/mini2-en',
                    'The cat [MASK].',
                ),
            ),
            'the command line predicts nothing',
        ),
    async npm(clone) {
        const {load} = await import(pathToFileURL(join(clone, 'build/out/npm/node.js')).href);
        const model = await load(join(clone, 'models/mini2-en'));
        const tokens = await model.tokenize('The cat sat.');
        expect(tokens.length === 6, `the package has ${tokens.length} tokens of six`);
        await model.dispose();
    },
    offline: clone =>
        expect(
            statSync(join(clone, 'build/out/headlight.html')).size > 10e6,
            'headlight.html has no models',
        ),
    wheel(clone) {
        const folder = join(clone, 'build/out/wheel');
        const [wheel] = readdirSync(folder).filter(name => name.endsWith('.whl'));
        const list = said(clone, 'python3', '-m', 'zipfile', '-l', join(folder, wheel));
        expect(/static\/headlight\.wasm/.test(list), 'the wheel has no headlight.wasm');
    },
    async site(clone) {
        const site = join(clone, 'build/out/site');
        const files = wasmFiles(site);
        expect(files.length >= 5, `the site has ${files.length} .wasm files`);
        const server = createStaticServer(site);
        try {
            await isServed(`http://127.0.0.1:${await listen(server, 0)}/`, files);
        } finally {
            server.close();
            server.closeAllConnections();
        }
    },
};

/** `make run` serves until it is ended: the page is asked for where it says that it is.
 * @param {string} clone @param {number} log @param {string} name of the log */
async function runs(clone, log, name) {
    const server = spawn('make', ['run'], {
        cwd: clone,
        detached: true,
        stdio: ['ignore', log, log],
    });
    const ended = new Promise((_, reject) =>
        server.on('exit', code => reject(new Error(`make run has ended with ${code}`))),
    );
    const served = async () => {
        for (;;) {
            const [address] = /http:\/\/localhost:\d+\/?/.exec(readFileSync(name, 'utf8')) ?? [];
            if (address) return isServed(address, wasmFiles(join(clone, 'build/out/site')));
            await new Promise(done => setTimeout(done, 500));
        }
    };
    const late = new Promise((_, reject) =>
        setTimeout(() => reject(new Error('make run says no address')), ENDS.timeout).unref(),
    );
    try {
        await Promise.race([served(), ended, late]);
    } finally {
        ended.catch(() => {});
        if (server.exitCode === null) process.kill(-(server.pid ?? 0)); // it and what it has started
    }
}

/** @param {string} target */
async function tried(target) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-target-'));
    const [clone, name] = [join(folder, 'project'), join(folder, 'log')];
    try {
        said(root, 'git', 'clone', '-q', '--no-hardlinks', root, clone);
        said(clone, 'git', 'checkout', '-q', said(root, 'git', 'rev-parse', 'HEAD').trim());
        const log = openSync(name, 'w');
        if (target === 'run') await runs(clone, log, name);
        else {
            const {status} = spawnSync('make', [target], {
                ...ENDS,
                cwd: clone,
                stdio: ['ignore', log, log],
            });
            expect(status === 0, `make ${target} ends with ${status}`);
            await USES[target](clone);
        }
        return '';
    } catch (error) {
        const log = existsSync(name) ? readFileSync(name, 'utf8').trim() : '';
        const last = log.split('\n').slice(-20).join('\n');
        return `${error instanceof Error ? error.message : error}\n${last}`;
    } finally {
        rmSync(folder, {recursive: true, force: true});
    }
}

if (said(root, 'git', 'status', '--porcelain'))
    console.log('targets: there are changes that are not committed; they are not in the clones');
for (const target of process.argv.length > 2
    ? process.argv.slice(2)
    : [...Object.keys(USES), 'run']) {
    const start = Date.now();
    const fault =
        target in USES || target === 'run' ? await tried(target) : 'there is no such target';
    const seconds = Math.round((Date.now() - start) / 1000);
    console.log(`targets: make ${target} ${fault ? `FAILS: ${fault}` : `passes (${seconds} s)`}`);
    if (fault) process.exitCode = 1;
}
