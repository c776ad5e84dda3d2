/* page - the page of forward.mjs, one for each configuration: opens an engine with a model, takes a
 * length, and does passes, each of which ends with the attention of every layer in JavaScript
 * arrays. One thread everywhere.
 */
const PACKAGES = '/build/out/bench/peers/node_modules';
const LEAST_PASSES = 3;

const bytesOf = async url => {
    const response = await fetch(url);
    if (!response.ok) throw new Error(`${response.status} for ${url}`);
    return new Uint8Array(await response.arrayBuffer());
};

/** Headlight.
 * @param {{tree: string, wasm: string, folder: string, store: 'q8' | 'f32', precision: string}}
 *     options */
async function openOurs({tree, wasm, folder, store, precision}) {
    const engine = await import(`${tree}/web/worker/wasm.js`);
    // of trees before this file was there the engine's own takes ids
    const {createCore} = await import(`${tree}/tests/js/lib/ids.mjs`).catch(() => engine);
    const session = createCore(await engine.instantiate(tree + wasm));
    for (const [kind, name] of [
        ['config', 'config.json'],
        ['vocab', 'vocab.txt'],
    ])
        session.loadText(kind, await bytesOf(folder + name));
    session.loadBegin(store);
    const weights = await bytesOf(`${folder}model.safetensors`);
    session.loadFile(0, weights.length);
    session.loadBytes(weights);
    session.loadEnd();
    const model = session.describe();
    let texts = [],
        last = null;
    return {
        prepare(ids) {
            texts = [ids.map(id => (id + 1) % model.vocab), ids];
        },
        pass() {
            // a text in turn with another: nothing is computed for the same one again
            texts.reverse();
            session.useIds(texts[0], null);
            last = session.run({precision, keep: ['attention'], over: last});
            return Array.from(
                {length: model.layers},
                (_, layer) => last.tensor('attention', layer).data,
            );
        },
    };
}

/** onnxruntime-web. @param {{file: string, layers: number}} options */
async function openOrt({file, layers}) {
    const ort = await import(`${PACKAGES}/onnxruntime-web/dist/ort.wasm.bundle.min.mjs`);
    ort.env.wasm.numThreads = 1;
    ort.env.wasm.wasmPaths = `${PACKAGES}/onnxruntime-web/dist/`;
    const session = await ort.InferenceSession.create(await bytesOf(file), {
        executionProviders: ['wasm'],
        graphOptimizationLevel: 'all',
    });
    const names = Array.from({length: layers}, (_, layer) => `attention.${layer}`);
    let feeds = {};
    return {
        prepare(ids) {
            const tensor = list =>
                new ort.Tensor('int64', BigInt64Array.from(list, BigInt), [1, ids.length]);
            feeds = {
                input_ids: tensor(ids),
                attention_mask: tensor(ids.map(() => 1)),
                token_type_ids: tensor(ids.map(() => 0)),
            };
        },
        async pass() {
            const results = await session.run(feeds, ['last_hidden_state', ...names]);
            return names.map(name => results[name].data);
        },
    };
}

/** LiteRT.js: a file for each length, which begins after the embeddings.
 * @param {{file: string, input: string, hidden: number}} options */
async function openLiteRt({file, input, hidden}) {
    const {loadAndCompile, loadLiteRt, Tensor} = await import(
        `${PACKAGES}/@litertjs/core/dist/index.js`
    );
    await loadLiteRt(`${PACKAGES}/@litertjs/core/wasm/`);
    const embedded = new Float32Array((await bytesOf(input)).buffer);
    let model = null,
        tensor = null;
    return {
        async prepare({length}) {
            tensor?.delete();
            model?.delete();
            model = await loadAndCompile(await bytesOf(file.replace('%', length)), {
                accelerator: 'wasm',
            });
            tensor = new Tensor(embedded.slice(0, length * hidden), [length, hidden]);
        },
        async pass() {
            const [state, ...attention] = await model.run([tensor]);
            const data = attention.map(one => one.toTypedArray());
            for (const one of [state, ...attention]) one.delete();
            return data;
        },
    };
}

const OPEN = {ours: openOurs, ort: openOrt, litert: openLiteRt};

let engine = /** @type {any} */ (null);

/** @param {keyof OPEN} kind @param {any} options */
export async function open(kind, options) {
    engine = await OPEN[kind](options);
}

/** Takes a text and warms up. */
export async function prepare(ids, ms) {
    await engine.prepare(ids);
    const end = performance.now() + ms;
    do await engine.pass();
    while (performance.now() < end);
}

/** Passes for so many milliseconds, at least three: how long each took. */
export async function passes(ms) {
    const times = [],
        end = performance.now() + ms;
    while (times.length < LEAST_PASSES || performance.now() < end) {
        const start = performance.now();
        await engine.pass();
        times.push(performance.now() - start);
    }
    return times;
}

/** The attention [L, H, T, T] of a text as a list of numbers. */
export async function attention(ids) {
    await engine.prepare(ids);
    return (await engine.pass()).flatMap(layer => [...layer]);
}
