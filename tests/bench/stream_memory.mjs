/* stream_memory - the memory of the page's process while 436 MB come over HTTP and are copied away a chunk at
 * a time in a worker of Chromium: read as one stream, in requests of 4 MB
 * (Range) each read as a stream, or each whole (arrayBuffer). The next request is made when all of the
 * one before has been copied. A new browser each, in turn: greatest resident memory above that before,
 * and seconds. `node tests/bench/stream_memory.mjs [ROUNDS]`. What a whole load takes: load_memory.mjs.
 */
import {once} from 'node:events';
import {readFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {chromium} from 'playwright-core';
import {ARGS, CHROMIUM} from '../browser/page.mjs';

const SIZE = 436e6,
    PART = 4 << 20;
const WAYS = ['one stream', 'streams of 4 MB', 'buffers of 4 MB'];
const file = Buffer.alloc(SIZE, 7);

const server = createServer((request, response) => {
    const [, from = 0, to = SIZE - 1] = /bytes=(\d+)-(\d+)/.exec(request.headers.range) ?? [];
    const body = file.subarray(Number(from), Number(to) + 1);
    if (request.url !== '/file')
        return response.writeHead(200, {'content-type': 'text/html'}).end();
    response
        .writeHead(request.headers.range ? 206 : 200, {'content-length': body.length})
        .end(body);
}).listen(0, '127.0.0.1');

/** In a worker of the page. */
const script = `onmessage = async ({data: {way, size, part}}) => {
    const room = new Uint8Array(new WebAssembly.Memory({initial: 256}).buffer);
    let bytes = 0;
    const copy = chunk => {
        for (let at = 0; at < chunk.length; at += 1 << 20) room.set(chunk.subarray(at, at + (1 << 20)));
        bytes += chunk.length;
    };
    const streamed = async answer => {
        const reader = answer.body.getReader();
        for (let next; !(next = await reader.read()).done;) copy(next.value);
    };
    if (way === 'one stream') await streamed(await fetch('/file'));
    else
        for (let from = 0; from < size; from += part) {
            const range = 'bytes=' + from + '-' + (Math.min(size, from + part) - 1);
            const answer = await fetch('/file', {headers: {range}});
            if (way === 'buffers of 4 MB') copy(new Uint8Array(await answer.arrayBuffer()));
            else await streamed(answer);
        }
    postMessage(bytes);
};`;

async function measure(url, way) {
    const browser = await chromium.launch({executablePath: CHROMIUM, args: ARGS});
    try {
        const page = await browser.newPage();
        await page.goto(url);
        const session = await browser.newBrowserCDPSession();
        const {processInfo} = await session.send('SystemInfo.getProcessInfo');
        const peak = () =>
            Math.max(
                ...processInfo
                    .filter(({type}) => type === 'renderer')
                    .map(
                        ({id}) =>
                            /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))[1],
                    ),
            ) / 1e3;
        const before = peak();
        const start = performance.now();
        const bytes = await page.evaluate(
            ({code, asked}) =>
                new Promise((done, failed) => {
                    const worker = new Worker(URL.createObjectURL(new Blob([code])));
                    worker.onerror = event => failed(new Error(event.message));
                    worker.onmessage = ({data}) => done(data);
                    worker.postMessage(asked);
                }),
            {
                code: script.replaceAll("'/file'", `'${url}file'`),
                asked: {way, size: SIZE, part: PART},
            },
        );
        if (bytes !== SIZE) throw new Error(`${bytes} bytes came`);
        return {way, MB: peak() - before, seconds: (performance.now() - start) / 1000};
    } finally {
        await browser.close();
    }
}

await once(server, 'listening');
const url = `http://127.0.0.1:${server.address().port}/`;
const found = [];
for (let round = 0; round < Number(process.argv[2] ?? 3); round++)
    for (const way of WAYS) {
        found.push(await measure(url, way));
        const {MB, seconds} = found.at(-1);
        console.log(`${way.padEnd(16)} ${MB.toFixed(0).padStart(4)} MB ${seconds.toFixed(1)} s`);
    }
server.closeAllConnections();
server.close();
