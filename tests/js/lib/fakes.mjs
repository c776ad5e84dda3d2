/* fakes - fakes for several tests: a server that answers as a test tells it, a worker in this
 * thread that runs the real operations, and a writer of tiny WebAssembly modules for the handshake
 * and for traps.
 */
import {createServer} from 'node:http';
import {serve} from '../../../web/worker/worker.js';

/** A server on a free port. routes: path -> (request, response) => void, or a body. Others are 404.
 * Gives {url, requests, close}; closing cuts open connections, so that a stalled answer does not
 * hold up the test. */
export async function serveRoutes(routes) {
    const requests = [];
    const server = createServer((request, response) => {
        requests.push(request.url);
        const route = routes[request.url];
        if (route === undefined) return response.writeHead(404).end('not here');
        if (typeof route === 'function') return route(request, response);
        response.writeHead(200, {'content-type': 'application/octet-stream'}).end(route);
    });
    await new Promise(done => server.listen(0, '127.0.0.1', done));
    return {
        url: `http://127.0.0.1:${server.address().port}`,
        requests,
        close() {
            server.closeAllConnections();
            server.close();
        },
    };
}

/** A worker in this thread: the same operations, messages cloned and transferred as between threads.
 * makeHelper: makes threads that share its passes. */
export function localWorker(makeHelper) {
    const worker = {
        onmessage: null,
        onerror: null,
        onmessageerror: null,
        ended: false,
        terminate() {
            worker.ended = true;
        },
        postMessage(message, transfer) {
            port.onmessage({data: structuredClone(message, {transfer})});
        },
    };
    const port = {
        onmessage: null,
        postMessage(message, transfer) {
            if (!worker.ended) worker.onmessage({data: structuredClone(message, {transfer})});
        },
    };
    serve(port, makeHelper);
    return worker;
}

const text = string => [string.length, ...new TextEncoder().encode(string)];
const section = (id, bytes) => [id, bytes.length, ...bytes];

/** A module that exports memory and functions without parameters: functions[name] is an i32, or
 * 'trap'. */
export function tinyWasm(functions) {
    const names = Object.keys(functions);
    const bodies = Object.values(functions).map(value =>
        value === 'trap' ? [0, 0x00, 0x0b] : [0, 0x41, value, 0x0b],
    );
    return new Uint8Array([
        0,
        0x61,
        0x73,
        0x6d,
        1,
        0,
        0,
        0,
        ...section(1, [1, 0x60, 0, 1, 0x7f]),
        ...section(3, [names.length, ...names.map(() => 0)]),
        ...section(5, [1, 0, 1]),
        ...section(7, [
            names.length + 1,
            ...text('memory'),
            2,
            0,
            ...names.flatMap((name, i) => [...text(name), 0, i]),
        ]),
        ...section(10, [names.length, ...bodies.flatMap(body => [body.length, ...body])]),
    ]);
}
