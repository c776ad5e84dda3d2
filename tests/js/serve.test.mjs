/* build/serve.mjs: the right types, nothing from outside of its folder, and another port when one
 * is busy. Requests go through a bare socket, since fetch would tidy their paths. */
import assert from 'node:assert/strict';
import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {connect} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {after, before, test} from 'node:test';
import {createStaticServer, listen} from '../../build/serve.mjs';

const top = mkdtempSync(join(tmpdir(), 'serve-'));
const folder = join(top, 'site');
let server, port;

before(async () => {
    mkdirSync(join(folder, 'sub dir'), {recursive: true});
    mkdirSync(join(top, 'site-secret'));
    writeFileSync(join(top, 'secret.txt'), 'SECRET');
    writeFileSync(join(top, 'site-secret/a.txt'), 'SECRET');
    for (const name of [
        'index.html',
        'a.js',
        'a.wasm',
        'a.json',
        'a.safetensors',
        'a.css',
        'sub dir/index.html',
        'a..b.txt',
    ]) {
        writeFileSync(join(folder, name), `content of ${name}`);
    }
    server = createStaticServer(folder);
    port = await listen(server, 0);
});
after(() => {
    server.close();
    server.closeAllConnections();
    rmSync(top, {recursive: true});
});

/** @returns {Promise<{status: number, text: string}>} */
const ask = (path, method = 'GET', more = '') =>
    new Promise((resolve, reject) => {
        let text = '';
        const socket = connect(port, '127.0.0.1', () =>
            socket.write(
                `${method} ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`,
            ),
        );
        socket
            .on('data', data => {
                text += data;
            })
            .on('error', reject);
        socket.on('end', () => resolve({status: Number(text.slice(9, 12)), text}));
    });

for (const [path, type] of [
    ['/', 'text/html'],
    ['/index.html', 'text/html'],
    ['/a.js', 'text/javascript'],
    ['/a.wasm', 'application/wasm'],
    ['/a.json', 'application/json'],
    ['/a.safetensors', 'application/octet-stream'],
    ['/a.css', 'text/css'],
    ['/sub%20dir/', 'text/html'],
    ['/a..b.txt', 'text/plain'],
    ['/a.js?x=/../y#z', 'text/javascript'],
]) {
    test(`${path} is ${type}`, async () => {
        const {status, text} = await ask(path);
        assert.equal(status, 200);
        assert.match(text, new RegExp(`content-type: ${type}`, 'i'));
        assert.match(text, /cache-control: no-cache/i);
        assert.match(text, /cross-origin-opener-policy: same-origin/i);
        assert.match(text, /cross-origin-embedder-policy: require-corp/i);
        assert.match(text, /content of /);
    });
}

for (const path of [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/%2e%2e%2fsecret.txt',
    '/..%5csecret.txt',
    '/..\\secret.txt',
    '//../secret.txt',
    '/sub%20dir/../../secret.txt',
    '/../site-secret/a.txt',
    '/%00',
    '/a.js%00.html',
    '/%',
    '/%c0%ae%c0%ae/secret.txt',
    '..',
    '../secret.txt',
    '*',
    'http://x/../secret.txt',
    '/%252e%252e/secret.txt',
    '/nothing',
    '/a.js/',
]) {
    test(`${path} gives nothing away`, async () => {
        const {status, text} = await ask(path);
        assert.ok(
            [301, 400, 404].includes(status) ||
                (status === 200 && text.includes('content of index.html')),
            `${status}`,
        );
        assert.doesNotMatch(text, /SECRET/);
        assert.doesNotMatch(text, new RegExp(top));
    });
}

test('a folder without its slash is redirected within this server', async () => {
    assert.match((await ask('/sub%20dir')).text, /301[^]*location: \/sub%20dir\//i);
    assert.doesNotMatch((await ask('//evil.example/..')).text, /location: \/\//i);
});

test('HEAD has no body, POST is refused, an unchanged file is 304', async () => {
    const {status, text} = await ask('/a.js', 'HEAD');
    assert.equal(status, 200);
    assert.doesNotMatch(text, /content of/);
    assert.equal((await ask('/a.js', 'POST')).status, 405);
    const modified = /last-modified: (.*)\r/i.exec(text)[1];
    assert.equal((await ask('/a.js', 'GET', `If-Modified-Since: ${modified}\r\n`)).status, 304);
});

test('a busy port is said and the next one taken', async () => {
    const said = [];
    const other = createStaticServer(folder, {isolation: false});
    const taken = await listen(other, port, line => said.push(line));
    assert.ok(taken > port);
    assert.match(said[0], new RegExp(`port ${port} is busy, trying ${port + 1}`));
    const plain = await fetch(`http://127.0.0.1:${taken}/`);
    assert.equal(plain.headers.get('cross-origin-opener-policy'), null);
    other.close();
});
