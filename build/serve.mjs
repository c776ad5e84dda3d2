#!/usr/bin/env node
/* serve - a static file server for one folder, for looking at the page here: node build/serve.mjs
 * [folder] [port]. Texts, scripts and .wasm go out gzipped. Not for the open internet: it listens
 * on this machine only. It sends the headers of cross-origin isolation, so that the page can be
 * tried under them; --no-isolation leaves them out, as GitHub Pages does.
 */
import {createReadStream} from 'node:fs';
import {readFile, stat} from 'node:fs/promises';
import {createServer} from 'node:http';
import {extname, join, resolve, sep} from 'node:path';
import {pipeline} from 'node:stream';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {gzip} from 'node:zlib';

const TYPES = {
    '.html': 'text/html; charset=utf-8',
    '.css': 'text/css; charset=utf-8',
    '.js': 'text/javascript; charset=utf-8',
    '.mjs': 'text/javascript; charset=utf-8',
    '.json': 'application/json',
    '.map': 'application/json',
    '.wasm': 'application/wasm',
    '.svg': 'image/svg+xml',
    '.png': 'image/png',
    '.ico': 'image/x-icon',
    '.txt': 'text/plain; charset=utf-8',
    '.webmanifest': 'application/manifest+json',
    '.safetensors': 'application/octet-stream',
};
// as GitHub Pages does
const ZIPPED = ['.html', '.css', '.js', '.mjs', '.json', '.wasm', '.svg', '.txt'];
const PIECE = 1 << 19; // bytes of a file that are read at once
const ISOLATION = {
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
};

/** The file that the path of a request names, or null when it would lie outside of the folder. */
function fileOf(folder, encoded) {
    try {
        const path = decodeURIComponent(encoded);
        if (path.includes('\0') || path.includes('\\')) return null;
        const file = resolve(folder, `.${path.startsWith('/') ? path : '/'}`);
        return file === folder || file.startsWith(folder + sep) ? file : null;
    } catch {
        return null; // bad percent-encoding
    }
}

/** Files gzipped once: path -> what it was made of, and the bytes.
 * @type {Map<string, {mark: string, bytes: Promise<Buffer>}>} */
const gzipped = new Map();

/** @param {string} file @param {import('node:fs').Stats} info */
function gzippedBytes(file, {mtimeMs, size}) {
    const mark = `${mtimeMs} ${size}`;
    const found = gzipped.get(file);
    if (found?.mark === mark) return found.bytes;
    const bytes = readFile(file).then(body => promisify(gzip)(body));
    bytes.catch(() => gzipped.delete(file));
    gzipped.set(file, {mark, bytes});
    return bytes;
}

async function answer(folder, headers, request, response) {
    const say = (status, text, more = {}) =>
        response
            .writeHead(status, {'content-type': 'text/plain', ...headers, ...more})
            .end(`${text}\n`);
    if (!['GET', 'HEAD'].includes(request.method)) return say(405, 'only GET and HEAD');
    const path = request.url.split(/[?#]/)[0];
    let file = fileOf(folder, path);
    let info = file && (await stat(file).catch(() => null));
    if (info?.isFile() && path.endsWith('/')) info = null;
    if (info?.isDirectory()) {
        if (!path.endsWith('/'))
            return say(301, 'moved', {location: `/${path.replace(/^\/+/, '')}/`});
        file = join(file, 'index.html');
        info = await stat(file).catch(() => null);
    }
    if (!info?.isFile()) return say(404, 'there is no such file');
    const modified = info.mtime.toUTCString();
    const common = {...headers, 'last-modified': modified, 'cache-control': 'no-cache'};
    if (request.headers['if-modified-since'] === modified)
        return response.writeHead(304, common).end();
    const type = TYPES[extname(file)] ?? 'application/octet-stream';
    const zipped =
        ZIPPED.includes(extname(file)) && /\bgzip\b/.test(request.headers['accept-encoding'] ?? '');
    const bytes = zipped ? await gzippedBytes(file, info) : null;
    const body = bytes
        ? {'content-encoding': 'gzip', vary: 'accept-encoding', 'content-length': bytes.length}
        : {'content-length': info.size};
    response.writeHead(200, {...common, 'content-type': type, ...body});
    if (request.method === 'HEAD') return response.end();
    if (bytes) return response.end(bytes);
    // a reader who leaves is no error
    pipeline(createReadStream(file, {highWaterMark: PIECE}), response, () => {});
}

/** @param {string} folder @returns {import('node:http').Server} not yet listening */
export function createStaticServer(folder, {isolation = true} = {}) {
    const root = resolve(folder);
    // As GitHub Pages does: frames without an origin of their own, and other sites, fetch the
    // element from here.
    const headers = {
        'x-content-type-options': 'nosniff',
        'access-control-allow-origin': '*',
        ...(isolation ? ISOLATION : {}),
    };
    return createServer((request, response) => {
        answer(root, headers, request, response).catch(() => response.destroy());
    });
}

/** For a server of a test: below those that Linux gives to connections, so that it is still free when
 * the server comes back to it. */
export const anyPort = () => 20000 + Math.floor(Math.random() * 12000);

/** Listens on the port, or on the first free one after it, and says so.
 * @returns {Promise<number>} the port */
export function listen(server, port, say = console.log) {
    return new Promise((resolvePort, reject) => {
        server.once('error', error => {
            if (error.code !== 'EADDRINUSE' || port >= 65535) return reject(error);
            say(`port ${port} is busy, trying ${port + 1}`);
            listen(server, port + 1, say).then(resolvePort, reject);
        });
        server.listen(port, '127.0.0.1', () => resolvePort(server.address().port));
    });
}

async function main() {
    const words = process.argv.slice(2).filter(word => !word.startsWith('--'));
    const [folder = 'build/out/site', port = process.env.PORT ?? '8000'] = words;
    if (!/^\d{1,5}$/.test(port) || !(await stat(folder).catch(() => null))?.isDirectory()) {
        console.error(
            'serve: usage: node build/serve.mjs [folder] [port] [--no-isolation]; ' +
                'the folder must be there (make site builds it)',
        );
        process.exit(1);
    }
    const server = createStaticServer(folder, {
        isolation: !process.argv.includes('--no-isolation'),
    });
    console.log(
        `Headlight: http://localhost:${await listen(server, Number(port))}/   (Ctrl+C ends it)`,
    );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
