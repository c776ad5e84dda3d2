/* engine - an engine in this thread on a local server, for tests that need a headlight.wasm, real or made up.
 */
import {createEngine} from '../../../web/core/engine.js';
import {localWorker, serveRoutes} from './fakes.mjs';

/** An engine whose worker runs in this thread with the given bytes as headlight.wasm. */
export async function withWasm(t, wasm, routes = {}) {
    const workers = [];
    const server = await serveRoutes({'/headlight.wasm': wasm, '/m/config.json': '{}', ...routes});
    t.after(server.close);
    const engine = createEngine({
        workerUrl: 'worker.js', wasmUrl: `${server.url}/headlight.wasm`,
        makeWorker() { workers.push(localWorker()); return workers.at(-1); },
    });
    return {engine, workers, server, source: {url: `${server.url}/m/`}};
}
