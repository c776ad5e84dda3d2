/* engine - an engine in this thread on a local server, for tests that need a headlight.wasm, real
 * or made up.
 */
import {createEngine} from '../../../web/engine/engine.js';
import {localWorker, serveRoutes} from './fakes.mjs';

/** An engine whose worker runs in this thread with the given bytes as headlight.wasm. */
export async function withWasm(t, wasm, routes = {}, onWorker = () => {}) {
    const workers = [];
    const server = await serveRoutes({'/headlight.wasm': wasm, '/m/config.json': '{}', ...routes});
    t.after(server.close);
    const full = '/headlight-full.wasm' in routes && {
        full: {workerUrl: 'worker-full.js', wasmUrl: `${server.url}/headlight-full.wasm`},
    };
    const two = '/headlight-two.wasm' in routes && {
        two: () => ({workerUrl: 'worker-full.js', wasmUrl: `${server.url}/headlight-two.wasm`}),
    };
    const engine = createEngine({
        workerUrl: 'worker.js',
        wasmUrl: `${server.url}/headlight.wasm`,
        ...full,
        ...two,
        makeWorker() {
            workers.push(localWorker());
            onWorker(workers.at(-1));
            return workers.at(-1);
        },
    });
    return {engine, workers, server, source: {url: `${server.url}/m/`}};
}

/** A worker that answers when the test says so. */
function scriptedWorkers() {
    const made = [];
    return {
        made,
        makeWorker(url) {
            const worker = {
                url,
                inbox: [],
                ended: false,
                onmessage: null,
                onerror: null,
                onmessageerror: null,
                terminate() {
                    worker.ended = true;
                },
                postMessage(message, transfer) {
                    worker.inbox.push(structuredClone(message, {transfer}));
                },
                reply(content) {
                    worker.onmessage({data: {id: worker.inbox.at(-1).id, ...content}});
                },
            };
            made.push(worker);
            return worker;
        },
    };
}

export const URLS = {workerUrl: 'worker.js', wasmUrl: 'http://127.0.0.1/headlight.wasm'};
export function scripted(more = {}) {
    const {made, makeWorker} = scriptedWorkers();
    return {made, engine: createEngine({...URLS, makeWorker, ...more})};
}
export const ops = worker => worker.inbox.map(({op}) => op);
