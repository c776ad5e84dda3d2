/* forward_page - what tests/bench/chromium.mjs runs in the page: sessions of both .wasm files, the time of a pass, and a sum over
 * all kept tensors by which two can be seen to have the same bits.
 */
import {createSession, instantiate, STORE, TEXT} from '/web/core/wasm.js';

const bytesOf = async url => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** A session with a model of one weight file. */
export async function open(wasm, folder, store) {
    const exports = await instantiate(wasm);
    const session = createSession(exports);
    for (const [kind, name] of [['config', 'config.json'], ['vocab', 'vocab.txt']]) session.loadText(TEXT[kind], await bytesOf(folder + name));
    const weights = await bytesOf(`${folder}model.safetensors`);
    session.loadBegin(STORE[store]);
    session.loadFile(0, weights.length);
    session.loadBytes(weights);
    session.loadEnd();
    return {session, exports, model: session.describe()};
}

/** As `headlight bench` does it: fixed random ids. */
export function setText({session, model}, tokens) {
    let state = 1;
    session.setIds(Array.from({length: tokens}, () =>
        ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % model.vocab), null);
}

const kept = model => model.tensors.filter(({name, per_layer: layered}) => layered && name !== 'scores');

/** Milliseconds of a pass that keeps everything layered but the scores. */
export function pass({session, model}, precision) {
    const keep = kept(model).reduce((bits, {id}) => bits | 1 << id, 0);
    const start = performance.now();
    session.run(keep, precision);
    return performance.now() - start;
}

/** SHA-256 over the SHA-256 of each tensor kept by the last run. */
export async function bits({session, model}) {
    const sums = [];
    for (const {id} of kept(model)) {
        const size = session.shape(id).reduce((product, n) => product * n, 1);
        for (let layer = 0; layer < model.layers; layer++) {
            sums.push(await crypto.subtle.digest('SHA-256', session.tensor(id, layer, size)));
        }
    }
    const all = new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob(sums).arrayBuffer()));
    return [...all].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
