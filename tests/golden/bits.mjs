/* bits - hashes of every kept tensor: of all golden models at nine lengths, of rows of 3,072 and 4,096 weights, of mini-en on 50
 * texts of corpora/; in each store and precision. bits.json has those that the program must give; `exact` holds for every build,
 * and so does `fast`, which alone may change when kernels of the precision fast do.
 *
 *   node tests/golden/bits.mjs [native|wasm|relaxed|threads|relaxed-threads]      prints and compares; 1 where one differs
 *     --only PART     of the models' names       --tokens 33,512       of the lengths       --tensors   a line for each tensor
 *     --record exact|fast   writes that half of bits.json (a build that was compared before, in full)
 *
 * A line: model, f32 | fine | fast (both on q8), tokens, hash. The relaxed files need Node 22, or in Node 20
 * --experimental-wasm-relaxed-simd --no-liftoff (relaxed.js of web/ says why).
 *
 * Golden models have 40 positions. Here they get 512, so that long rows are computed in all families: the table of positions is
 * repeated, and where there is none (rotation) only the config says so. Left out are 512 tokens of mini-en, which has 256. */
import {execFileSync} from 'node:child_process';
import {createHash} from 'node:crypto';
import {cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import {begin, compile} from '../../web/worker/instantiate.js';
import {writeRandomLlama, writeRandomModel} from '../bench/random_model.mjs';
import {headlight, keptTensors, loadFolder, root} from '../js/lib/model.mjs';
import {writeSafetensors} from '../js/lib/safetensors.mjs';

export const LENGTHS = [2, 5, 31, 32, 33, 100, 128, 203, 512];
export const KINDS = {f32: ['f32', 'fine'], fine: ['q8', 'fine'], fast: ['q8', 'fast']};
const RECORD = join(root, 'tests/golden/bits.json');
const INSTANTIATE = new URL('../../web/worker/instantiate.js', import.meta.url).href;
const [POSITIONS, TEXTS, SHOWN, THREADS, PATIENCE] = [512 + 2, 'texts', 12, 3, 20000];   // two: RoBERTa counts from its padding on

export const record = () => JSON.parse(readFileSync(RECORD, 'utf8'));

/** Small in all but the rows of the feed-forward network: of four channels in 64 the activations are far larger, as in trained models. */
const WIDE = {layers: 1, heads: 4, hidden: 64, vocab: 100, positions: 512};
const OUTLIERS = {3: 20, 17: 40, 18: 12, 50: 60};
const wide = {
    'bert-3072': folder => writeRandomModel(folder, {...WIDE, inner: 3072}, 0.08, OUTLIERS),
    'bert-4096': folder => writeRandomModel(folder, {...WIDE, inner: 4096}, 0.08, OUTLIERS),
    'llama-4096': folder => writeRandomLlama(folder, {...WIDE, vocab: 338, keyHeads: 2, inner: 4096}, 0.1),
};
const golden = join(root, 'tests/golden/models');
export const MODELS = ['mini-en', ...Object.keys(wide), ...readdirSync(golden).sort()];

/** The weights with as many positions, the given rows over and over. */
function stretched(bytes) {
    const start = 8 + Number(bytes.readBigUInt64LE(0)), {__metadata__, ...header} = JSON.parse(bytes.subarray(8, start));
    return writeSafetensors(Object.fromEntries(Object.entries(header).map(([name, {dtype, shape, data_offsets: [from, to]}]) => {
        const data = bytes.subarray(start + from, start + to);
        if (!/(position_embeddings|wpe)\.weight$/.test(name)) return [name, {dtype, shape, bytes: data}];
        const times = Math.ceil(POSITIONS / shape[0]), row = data.length / shape[0];
        return [name, {dtype, shape: [POSITIONS, ...shape.slice(1)], bytes: Buffer.concat(Array(times).fill(data)).subarray(0, POSITIONS * row)}];
    })), __metadata__);
}

/** The folder of a model that can run 512 tokens, without its tokenizer. */
function folderOf(name, scratch) {
    const from = join(golden, name), to = join(scratch, name);
    if (name === 'mini-en') return join(root, 'models/mini-en');
    if (wide[name]) {
        wide[name](to);
        return to;
    }
    mkdirSync(to);
    for (const file of readdirSync(from)) {
        if (file.endsWith('.safetensors')) writeFileSync(join(to, file), stretched(readFileSync(join(from, file))));
        else if (file.endsWith('.index.json')) cpSync(join(from, file), join(to, file));
    }
    const config = JSON.parse(readFileSync(join(from, 'config.json'), 'utf8'));
    const key = 'n_positions' in config ? 'n_positions' : 'max_position_embeddings';
    writeFileSync(join(to, 'config.json'), JSON.stringify({...config, [key]: POSITIONS}));
    return to;
}

/** The same ids for every model, as far as its vocabulary goes; two sentences where it tells them apart. */
function idsOf({vocab, types}, tokens) {
    let state = tokens;
    const next = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8;
    return {ids: Array.from({length: tokens}, () => next() % vocab), types: types > 1 ? Array.from({length: tokens}, (_, i) => Number(2 * i >= tokens)) : null};
}

/** 25 sentences and 25 pairs, as [a, b or null]. */
function texts() {
    const sentences = readFileSync(join(root, 'corpora/sentences.conllu'), 'utf8').match(/^# text = .*/gm).map(line => [line.slice(9), null]);
    const pairs = readFileSync(join(root, 'corpora/pairs.tsv'), 'utf8').trim().split('\n').slice(1).map(line => line.split('\t').slice(0, 2));
    return [...sentences.slice(0, 25), ...pairs.slice(0, 25)];
}

/** The tensors of a safetensors file as [name, bytes]. */
function* tensorsOf(file) {
    const bytes = readFileSync(file), size = Number(bytes.readBigUInt64LE(0));
    const {__metadata__, ...header} = JSON.parse(bytes.subarray(8, 8 + size).toString());
    for (const [name, {data_offsets: [from, to]}] of Object.entries(header)) {
        if (!name.endsWith('_ids')) yield [name, bytes.subarray(8 + size + from, 8 + size + to)];
    }
}

/** What runs the texts [a, b] or the ids of a model: {sizes, run(input) -> [name, bytes]..., close}. */
function nativeRunner(folder, [store, precision], scratch) {
    const dump = join(scratch, 'dump.safetensors');
    const options = ['--store', store, '--precision', precision, '--dump', dump];
    const tool = args => execFileSync(headlight, args, {stdio: ['ignore', 'ignore', 'inherit']});
    return {
        run({ids, types, text}) {
            if (text) tool(['run', folder, ...text.filter(part => part !== null), ...options]);
            else tool(['run', folder, '--ids', ids.join(' '), ...types ? ['--types', types.join(' ')] : [], ...options]);
            return tensorsOf(dump);
        },
        close() {},
    };
}

function wasmRunner(folder, [store, precision], exports, threaded) {
    const opened = loadFolder(folder, store, exports), {session} = opened;
    if (threaded) gather(opened);
    return {
        run({ids, types, text}) {
            if (text) session.tokenize(...text);
            else session.useIds(ids, types);
            opened.run(precision);
            return Array.from(keptTensors(opened), ([name, data]) => [name, Buffer.from(data.buffer, data.byteOffset, data.byteLength)]);
        },
        close: () => session.close(),
    };
}

/** Runs until all threads share it. */
function gather(opened) {
    const {session} = opened;
    session.useIds([0, 1], null);
    for (const end = Date.now() + PATIENCE; session.threads() < THREADS;) {
        if (Date.now() > end) throw new Error(`${session.threads()} threads of ${THREADS}`);
        opened.run('fine', []);
    }
}

/** Workers that lend themselves to an instance on a shared memory. */
async function team(module) {
    const memory = new WebAssembly.Memory({initial: 256, maximum: 65536, shared: true}), exports = await begin(module, memory);
    const workers = Array.from({length: THREADS - 1}, () => new Worker(`const {workerData: {instantiate, module, memory}} = require('node:worker_threads');
        import(instantiate).then(async ({instance}) => (await instance(module, memory)).hl_thread_join());`,
    {eval: true, workerData: {instantiate: INSTANTIATE, module, memory}}));
    return {exports, close: () => workers.forEach(worker => worker.terminate())};
}

/** How a build opens a model, and what ends it. */
async function opener(build, scratch) {
    if (build === 'native') return {open: (folder, kind) => nativeRunner(folder, kind, scratch), close() {}};
    const made = new Map();
    const file = async has => {
        const module = await compile(readFileSync(join(root, `build/out/wasm/headlight${has}${build === 'wasm' ? '' : `-${build}`}.wasm`)));
        return {module, shared: build.endsWith('threads') ? await team(module) : null};
    };
    const runner = async (has, folder, kind) => {
        if (!made.has(has)) made.set(has, await file(has));
        const {module, shared} = made.get(has);
        return wasmRunner(folder, kind, shared?.exports ?? await begin(module), shared !== null);
    };
    return {
        // what the page's own file refuses, the one with everything opens, as in the page
        open: (folder, kind) => runner('', folder, kind).catch(error => {
            if (!error.message.startsWith('config: ')) throw error;
            return runner('-full', folder, kind);
        }),
        close: () => made.forEach(({shared}) => shared?.close()),
    };
}

/** One hash of the inputs' tensors, and one for each of them. */
function hashed(inputs, run) {
    const each = new Map();
    for (const input of inputs) {
        for (const [name, bytes] of run(input)) each.set(name, (each.get(name) ?? createHash('sha256')).update(bytes));
    }
    const tensors = [...each].map(([name, hash]) => [name, hash.digest('hex').slice(0, SHOWN)]).sort();
    return {tensors, hash: createHash('sha256').update(JSON.stringify(tensors)).digest('hex').slice(0, SHOWN)};
}

function sizesOf(folder) {
    const config = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
    const tables = config.model_type === 'electra' || config.model_type === 'albert' || config.model_type === 'bert';
    return {vocab: config.vocab_size, types: tables ? config.type_vocab_size ?? 2 : 0};
}

/** {model, kind, tokens, hash, tensors} of a build; which: what of it, see above. */
export async function* bits(build, {models = MODELS, lengths = [TEXTS, ...LENGTHS], kinds = Object.keys(KINDS)} = {}) {
    const scratch = mkdtempSync(join(tmpdir(), 'headlight-bits-')), {open, close} = await opener(build, scratch);
    try {
        for (const model of models) {
            const folder = folderOf(model, scratch), most = model === 'mini-en' ? 256 : POSITIONS - 2;
            for (const kind of kinds) {
                const opened = await open(folder, KINDS[kind]);
                for (const tokens of lengths) {
                    if (tokens === TEXTS ? model !== 'mini-en' : tokens > most) continue;
                    const inputs = tokens === TEXTS ? texts().map(text => ({text})) : [idsOf(sizesOf(folder), tokens)];
                    yield {model, kind, tokens, ...hashed(inputs, opened.run)};
                }
                opened.close();
            }
        }
    } finally {
        close();
        rmSync(scratch, {recursive: true});
    }
}

/** What the record says of one of them. */
export const recorded = ({exact, fast}, {model, kind, tokens}) => (kind === 'fast' ? fast[model] : exact[model]?.[kind])?.[tokens];

/** bits.json with one half made anew. */
function rewrite(half, found) {
    const rows = {exact: {}, fast: {}, ...record()};
    rows[half] = {};
    for (const {model, kind, tokens, hash} of found.filter(({kind}) => (kind === 'fast') === (half === 'fast'))) {
        const row = (rows[half][model] ??= {});
        (half === 'fast' ? row : (row[kind] ??= {}))[tokens] = hash;
    }
    const lines = rows => Object.entries(rows).map(([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`).join(',\n');
    writeFileSync(RECORD, `{\n "exact": {\n${lines(rows.exact)}\n },\n "fast": {\n${lines(rows.fast)}\n }\n}\n`);
}

async function main([build = 'native', ...options]) {
    const option = name => (options.includes(name) ? options[options.indexOf(name) + 1] : null);
    const only = option('--only'), given = option('--tokens')?.split(',').map(value => (value === TEXTS ? value : Number(value)));
    const found = [], known = record();
    let differ = 0;
    for await (const row of bits(build, {models: MODELS.filter(name => !only || name.includes(only)), ...given && {lengths: given}})) {
        const same = recorded(known, row) === row.hash;
        found.push(row);
        differ += !same;
        console.log(`${row.model} ${row.kind} ${row.tokens} ${row.hash}${same ? '' : ' differs'}`);
        if (options.includes('--tensors')) for (const [name, hash] of row.tensors) console.log(`    ${name} ${hash}`);
    }
    const half = option('--record');
    if (half) rewrite(half, found);
    console.error(`${build}: ${found.length} hashes, ${differ} differ from bits.json`);
    if (differ && !half) process.exitCode = 1;
}

if (process.argv[1] === new URL(import.meta.url).pathname) await main(process.argv.slice(2));
