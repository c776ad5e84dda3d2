#!/usr/bin/env node
/* dev - the site while one works on it: node build/dev.mjs [port]. Builds build/out/dev as
 * build/site.mjs does, but unminified, without budgets and without the service worker, serves it, and
 * builds it again whenever a file below web/, models/ or src/ is saved; pages that are open reload.
 */
import {spawn} from 'node:child_process';
import {appendFile, rm} from 'node:fs/promises';
import {watch} from 'node:fs';
import {createStaticServer, listen} from './serve.mjs';

const SITE = 'build/out/dev';
const WATCHED = ['web', 'models', 'src'];
const QUIET_MS = 100; // editors save in several steps
const RELOAD = "\nnew EventSource('reload').onmessage = () => location.reload();\n";

/** Runs one command; what it says is shown. @returns {Promise<boolean>} whether it succeeded */
const run = (command, args) =>
    new Promise(done =>
        spawn(command, args, {stdio: 'inherit', env: {...process.env, HEADLIGHT_DEV: '1'}}).on(
            'exit',
            code => done(code === 0),
        ),
    );

async function build(folders) {
    if (folders.has('src') && !(await run('make', ['-s', '-j2', 'wasm-files']))) return false;
    if (!(await run(process.execPath, ['build/site.mjs', SITE]))) return false;
    await rm(`${SITE}/sw.js`); // it would go on showing the build before
    await appendFile(`${SITE}/main.js`, RELOAD);
    return true;
}

/** The server of `make run`, and the pages that wait for a build. */
function serve() {
    const pages = new Set();
    const server = createStaticServer(SITE);
    const [files] = server.listeners('request');
    server.removeAllListeners('request').on('request', (request, response) => {
        if (request.url !== '/reload') return files(request, response);
        response.writeHead(200, {'content-type': 'text/event-stream'});
        pages.add(response.on('close', () => pages.delete(response)));
    });
    return {server, reload: () => pages.forEach(page => page.write('data:\n\n'))};
}

/** Builds after each change; changes that come meanwhile are built next. */
function rebuildOnChange(reload) {
    const changed = new Set();
    let timer = setTimeout(() => {}),
        building = false;
    const next = async () => {
        if (building || !changed.size) return;
        const folders = new Set(changed);
        changed.clear();
        building = true;
        if (await build(folders)) reload();
        building = false;
        void next();
    };
    for (const folder of WATCHED)
        watch(folder, {recursive: true}, () => {
            changed.add(folder);
            clearTimeout(timer);
            timer = setTimeout(next, QUIET_MS);
        });
}

if (!(await build(new Set()))) process.exit(1);
const {server, reload} = serve();
const port = await listen(server, Number(process.argv[2] ?? process.env.PORT ?? 8000));
console.log(`Headlight: http://localhost:${port}/   (rebuilt on save; Ctrl+C ends it)`);
rebuildOnChange(reload);
