/* bits - one SHA-256 a kept tensor: mini-en and the golden BERTs on 50 texts of corpora/, in each
 * store and precision. What it prints before and after a change of the core must be equal, and
 * equal in all builds: node tests/golden/bits.mjs native >before; ...; diff.
 *   node tests/golden/bits.mjs [native|wasm|relaxed|threads|relaxed-threads] [the checkout to run,
 *   this one]
 * The relaxed files need Node 22, or in Node 20 --experimental-wasm-relaxed-simd --no-liftoff
 * (web/core/relaxed.js says why). A line: model, store, precision, tensor, hash of that tensor on
 * all texts in turn. */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {pathToFileURL} from 'node:url';
import {Worker} from 'node:worker_threads';

const here = new URL('../../', import.meta.url).pathname;
const build = process.argv[2] ?? 'native', root = resolve(process.argv[3] ?? here);
const MODELS = ['models/mini-en', ...['random', 'legacy', 'bare', 'sharded', 'q8'].map(kind => `tests/golden/models/bert-tiny-${kind}`)];
const KINDS = [['f32', 'fine'], ['q8', 'fine'], ['q8', 'fast']];
const THREADS = 3, LEAST = 20000;

/** 25 sentences and 25 pairs, as [a, b or null]. */
function texts() {
    const sentences = readFileSync(join(here, 'corpora/sentences.conllu'), 'utf8').match(/^# text = .*/gm).map(line => [line.slice(9), null]);
    const pairs = readFileSync(join(here, 'corpora/pairs.tsv'), 'utf8').trim().split('\n').slice(1).map(line => line.split('\t').slice(0, 2));
    return [...sentences.slice(0, 25), ...pairs.slice(0, 25)];
}

/** The tensors of a safetensors file as [name, bytes]. */
function* tensorsOf(file) {
    const bytes = readFileSync(file), size = Number(bytes.readBigUInt64LE(0));
    for (const [name, {data_offsets: [from, to]}] of Object.entries(JSON.parse(bytes.subarray(8, 8 + size).toString()))) {
        yield [name, bytes.subarray(8 + size + from, 8 + size + to)];
    }
}

function nativeRunner(scratch) {
    const tool = join(root, 'build/out/native/headlight'), dump = join(scratch, 'dump.safetensors');
    return (folder, store) => ([a, b], precision) => {
        const pair = b === null ? [] : [b];
        execFileSync(tool, ['run', folder, a, ...pair, '--store', store, '--precision', precision, '--dump', dump],
            {stdio: ['ignore', 'ignore', 'inherit']});
        return tensorsOf(dump);
    };
}

/** Workers that lend themselves to an instance on a shared memory. */
async function team(module, {begin}) {
    const memory = new WebAssembly.Memory({initial: 256, maximum: 65536, shared: true});
    const exports = await begin(module, memory);
    const workers = Array.from({length: THREADS - 1}, () => new Worker(`const {workerData: {instantiate, module, memory}} = require('node:worker_threads');
        import(instantiate).then(async ({instance}) => (await instance(module, memory)).hl_thread_join());`,
    {eval: true, workerData: {instantiate: pathToFileURL(join(root, 'web/core/instantiate.js')).href, module, memory}}));
    return {exports, workers};
}

async function wasmRunner(name) {
    const load = path => import(pathToFileURL(join(root, path)).href);
    const tools = await load('web/core/instantiate.js'), {keptTensors, loadFolder} = await load('tests/js/lib/model.mjs');
    const module = await tools.compile(readFileSync(join(root, `build/out/wasm/headlight${name}.wasm`)));
    const threaded = name.endsWith('threads'), shared = threaded ? await team(module, tools) : null;
    return [(folder, store, exports) => {
        const opened = loadFolder(folder, store, exports);
        if (threaded) gather(opened);
        return ([a, b], precision) => {
            opened.session.tokenize(a, b);
            opened.run(precision);
            return Array.from(keptTensors(opened), ([tensor, data]) => [tensor, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
        };
    }, async () => shared?.exports ?? await tools.begin(module), () => shared?.workers.forEach(worker => worker.terminate())];
}

/** Runs until all threads share it. */
function gather(opened) {
    const {session} = opened;
    session.useIds([0, 1], null);
    for (const end = Date.now() + LEAST; session.threads() < THREADS;) {
        if (Date.now() > end) throw new Error(`${session.threads()} threads of ${THREADS}`);
        opened.run('fine', []);
    }
}

async function print(open, exports) {
    for (const model of MODELS) {
        const folder = join(here, model);
        for (const [store, precision] of existsSync(folder) ? KINDS : []) {
            const run = open(folder, store, await exports()), hashes = new Map();
            for (const text of texts()) {
                for (const [name, bytes] of run(text, precision)) {
                    if (name === '__metadata__' || /_ids$/.test(name)) continue;
                    if (!hashes.has(name)) hashes.set(name, createHash('sha256'));
                    hashes.get(name).update(bytes);
                }
            }
            for (const name of [...hashes.keys()].sort()) console.log(`${model} ${store} ${precision} ${name} ${hashes.get(name).digest('hex')}`);
        }
    }
}

const scratch = mkdtempSync(join(tmpdir(), 'headlight-bits-'));
try {
    if (build === 'native') await print(nativeRunner(scratch), () => null);
    else {
        const [open, exports, close] = await wasmRunner(build === 'wasm' ? '' : `-${build}`);
        await print(open, exports).finally(close);
    }
} finally {
    rmSync(scratch, {recursive: true});
}
