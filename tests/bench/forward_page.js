/* forward_page - the page of tests/bench/chromium.mjs: sessions of both .wasm files, the time of a
 * pass, and a sum over all kept tensors by which two can be seen to have the same bits.
 */
import {createCore} from '/tests/js/lib/ids.mjs';
import {instantiate, startThreads} from '/web/worker/wasm.js';

const bytesOf = async url => new Uint8Array(await (await fetch(url)).arrayBuffer());

/** Of a threaded file, with its helpers on their way. */
async function threaded(wasmUrl, threads) {
    const exports = await startThreads(
        {wasmUrl, relaxedUrl: '', helperUrl: '/web/worker/helper.js', most: threads},
        false,
    );
    if (!exports) throw new Error(`${wasmUrl} cannot be started with ${threads} threads`);
    return exports;
}

/** A session with a model of one weight file. threads: more than one only in a worker, since threads
 * wait for each other */
export async function open(wasm, folder, store, threads = 1) {
    const exports = threads > 1 ? await threaded(wasm, threads) : await instantiate(wasm);
    const session = createCore(exports);
    for (const [kind, name] of [
        ['config', 'config.json'],
        ['vocab', 'vocab.txt'],
    ])
        session.loadText(kind, await bytesOf(folder + name));
    const weights = await bytesOf(`${folder}model.safetensors`);
    session.loadBegin(store);
    session.loadFile(0, weights.length);
    session.loadBytes(weights);
    session.loadEnd();
    while (session.threads() < threads) {
        session.useIds([0, 0], null);
        // takes in the threads that are there
        session.run({precision: 'fine', keep: []}).release();
        await new Promise(done => {
            setTimeout(done, 5);
        });
    }
    return {session, exports, model: session.describe()};
}

/** Fixed random ids, two texts of them: a pass over the same text again would compute nothing. */
export function setText(opened, tokens) {
    let state = 1;
    const draw = () =>
        ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % opened.model.vocab;
    opened.texts = [0, 1].map(() => Array.from({length: tokens}, draw));
    opened.session.useIds(opened.texts[0], null);
}

const kept = model =>
    model.tensors.filter(({name, per_layer: layered}) => layered && name !== 'scores');

/** Milliseconds of a pass that keeps every attention map, or the tensors named. */
export function pass(opened, precision, keep = ['attention']) {
    const {session, texts} = opened;
    texts.reverse();
    session.useIds(texts[0], null);
    const start = performance.now();
    opened.last = session.run({precision, keep, over: opened.last});
    return performance.now() - start;
}

/** SHA-256 over the SHA-256 of each layered tensor but the scores, of both texts. */
export async function bits(opened, precision) {
    const texts = [],
        keep = kept(opened.model).map(({name}) => name);
    for (let i = 0; i < 2; i++) {
        pass(opened, precision, keep);
        texts.push(await bitsOfRun(opened));
    }
    return texts.sort().join(' ');
}

async function bitsOfRun({last, model}) {
    const sums = [];
    for (const {name} of kept(model)) {
        for (let layer = 0; layer < model.layers; layer++) {
            sums.push(await crypto.subtle.digest('SHA-256', last.tensor(name, layer).data));
        }
    }
    const all = new Uint8Array(
        await crypto.subtle.digest('SHA-256', await new Blob(sums).arrayBuffer()),
    );
    return [...all].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
