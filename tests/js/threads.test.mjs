/* The .wasm file for several threads, in Node's threads: with any number of helpers the same bits
 * as the file for one, also when helpers come between two passes and memory grows under them; and a
 * file that is not threaded lends nobody.
 */
import assert from 'node:assert/strict';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {test} from 'node:test';
import {Worker} from 'node:worker_threads';
import {begin, compile} from '../../web/worker/instantiate.js';
import {createEngine} from '../../web/engine/engine.js';
import {loadInPage} from '../../web/engine/load_in_page.js';
import {openModel as openInEngine} from '../../web/package/api.js';
import {folderOf} from '../../web/package/node_engine.js';
import {load} from '../../web/package/node.js';
import {localWorker} from './lib/fakes.mjs';
import {createCore} from './lib/ids.mjs';
import {keptTensors, loadFolder, opened, openModel, root} from './lib/model.mjs';

const file = join(root, 'build/out/wasm/headlight-threads.wasm');
const skip = existsSync(file) ? false : `${file} is not there; run make wasm`;
const LONG = 'It was longer than what is cut by columns. '.repeat(40);
const TEXTS = [
    ['a', null],
    ['The cat sat on the mat because it was warm.', null],
    ['I went to the store.', 'At the store, I bought fresh strawberries. '.repeat(12)],
    [LONG, null],
];
const HELPER = `const {workerData: {instantiate, module, memory}} = require('node:worker_threads');
    import(instantiate).then(async ({instance}) => (await instance(module, memory)).hl_thread_join());`;

/** A team that helpers can be added to. */
async function startTeam(t) {
    const module = await compile(readFileSync(file));
    const memory = new WebAssembly.Memory({initial: 256, maximum: 65536, shared: true});
    const exports = await begin(module, memory);
    return {
        exports,
        memory,
        threads: 1,
        add() {
            this.threads++;
            const instantiate = new URL('../../web/worker/instantiate.js', import.meta.url).href;
            const worker = new Worker(HELPER, {
                eval: true,
                workerData: {instantiate, module, memory},
            });
            t.after(() => worker.terminate());
            return worker;
        },
    };
}

/** Runs until so many threads share it. */
async function gather(one, threads) {
    const {session} = one;
    session.useIds([0, 1], null);
    for (const end = Date.now() + 180_000; session.threads() < threads;) {
        assert.ok(Date.now() < end, `${session.threads()} threads of ${threads}`);
        await new Promise(done => {
            setTimeout(done, 5);
        });
        one.run('fine', []);
    }
}

for (const [name, store] of [
    ['tests/golden/models/bert-tiny-random', 'f32'],
    ['tests/golden/models/bert-tiny-q8', 'q8'],
    ['models/mini-en', 'q8'],
]) {
    test(`${name}: the same bits with 1, 2 and 4 threads`, {skip}, async t => {
        const one = await openModel(join(root, name), store);
        const team = await startTeam(t);
        const before = team.memory.buffer.byteLength;
        const several = loadFolder(join(root, name), store, team.exports);
        for (const threads of [1, 2, 4]) {
            while (team.threads < threads) team.add();
            await gather(several, threads);
            for (const [a, b] of TEXTS) {
                for (const precision of ['fine', 'fast']) {
                    for (const each of [one, several]) {
                        each.session.tokenize(a, b);
                        each.run(precision);
                    }
                    const found = new Map(keptTensors(several));
                    for (const [tensor, expected] of keptTensors(one))
                        assert.deepEqual(
                            found.get(tensor),
                            expected,
                            `${tensor} ${precision} of '${a}'`,
                        );
                }
            }
            assert.equal(several.session.threads(), threads);
        }
        if (name === 'models/mini-en')
            assert.ok(team.memory.buffer.byteLength > before, 'memory has grown');
    });
}

test(
    'layers as large as those of BERT-base, whose products are cut by columns: the same bits with 1, 2 and 4 threads',
    {skip},
    async t => {
        const config = {
            model_type: 'bert',
            num_hidden_layers: 1,
            num_attention_heads: 12,
            hidden_size: 768,
            intermediate_size: 3072,
            vocab_size: 200,
            max_position_embeddings: 128,
            type_vocab_size: 2,
        };
        const open = exports => {
            const session = createCore(exports);
            session.loadText('config', Buffer.from(JSON.stringify(config)));
            session.loadRandom('q8');
            return opened(session);
        };
        const one = open(
            await begin(await compile(readFileSync(join(root, 'build/out/wasm/headlight.wasm')))),
        );
        const team = await startTeam(t),
            several = open(team.exports);
        for (const threads of [1, 2, 4]) {
            while (team.threads < threads) team.add();
            await gather(several, threads);
            for (const [length, first] of [
                [5, 3],
                [40, 5],
                [128, 7],
            ]) {
                for (const each of [one, several]) {
                    each.session.useIds(
                        Array.from({length}, (_, i) => (threads + first * i) % 200),
                        null,
                    );
                    each.run('fast');
                }
                const found = new Map(keptTensors(several));
                for (const [tensor, expected] of keptTensors(one))
                    assert.ok(
                        Buffer.from(found.get(tensor).buffer).equals(Buffer.from(expected.buffer)),
                        `${tensor} of ${length}`,
                    );
            }
        }
    },
);

test(
    'a helper that ends between two passes: the next ones go on, with the same bits',
    {skip},
    async t => {
        const folder = join(root, 'models/mini-en');
        const [one, team] = [await openModel(folder, 'q8'), await startTeam(t)];
        const several = loadFolder(folder, 'q8', team.exports);
        const helper = team.add();
        await gather(several, 2);
        await helper.terminate();
        for (const [a, b] of TEXTS) {
            for (const each of [one, several]) {
                each.session.tokenize(a, b);
                each.run('fast');
            }
            const found = new Map(keptTensors(several));
            for (const [tensor, expected] of keptTensors(one))
                assert.deepEqual(found.get(tensor), expected, `${tensor} of '${a}'`);
        }
    },
);

/** A thread whose first part is a trap: its table of functions is empty. */
const DIES = `const {parentPort, workerData} = require('node:worker_threads');
    const {instantiate} = WebAssembly;
    WebAssembly.instantiate = async (...from) => {
        const made = await instantiate(...from);
        const table = made.exports.__indirect_function_table;
        for (let i = 0; i < table.length; i++) table.set(i, null);
        return made;
    };
    parentPort.once('message', data => import(workerData).then(({help}) => help(data)));`;

test(
    'a helper that dies with a part in hand: a sentence, and the same pass by one thread, with the same bits',
    {skip},
    async t => {
        const helpers = [];
        const makeHelper = url => {
            helpers.push(new Worker(DIES, {eval: true, workerData: url}));
            t.after(() => helpers.at(-1).terminate());
            return helpers.at(-1);
        };
        const wasm = name => readFileSync(join(root, 'build/out/wasm', name));
        const engine = createEngine({
            wasmBytes: wasm('headlight.wasm'),
            makeWorker: () => localWorker(makeHelper),
            loadInPage,
            threads: {
                wasmUrl: new Uint8Array(wasm('headlight-threads.wasm')),
                helperUrl: new URL('../../web/worker/helper.js', import.meta.url),
                most: 2,
            },
        });
        const folder = join(root, 'models/mini-en');
        const [model, one] = [
            await openInEngine(engine, await folderOf(folder), {}, {name: folder}),
            await load(folder, {wasmBytes: wasm('headlight.wasm')}),
        ];
        t.after(() => Promise.all([model.dispose(), one.dispose()]));
        const said = [];
        const {run} = engine;
        engine.run = (...asked) => {
            const made = run(...asked);
            made.facts.catch(error => said.push(error.message));
            return made;
        };
        for (const end = Date.now() + 180_000; !said.length;) {
            assert.ok(Date.now() < end, 'the helper has not died');
            const [result, expected] = await Promise.all([model.run(LONG), one.run(LONG)]);
            for (let layer = 0; layer < model.info.layers; layer++)
                assert.deepEqual(await result.attention(layer), await expected.attention(layer));
            assert.equal(result.threads, 1, 'it dies in the first pass that it shares');
        }
        assert.deepEqual(said, [
            'the computation stopped unexpectedly (a thread has ended; it goes on with one); load the model again, and please report this',
        ]);
        assert.equal(helpers.length, 1);
        await model.run(LONG);
        assert.equal(said.length, 1);
    },
);

test(
    'a file for one thread returns from hl_thread_join at once and stays alone',
    {skip},
    async () => {
        const exports = await begin(
            await compile(readFileSync(join(root, 'build/out/wasm/headlight.wasm'))),
        );
        exports.hl_thread_join();
        assert.equal(exports.hl_threads(), 1);
    },
);
