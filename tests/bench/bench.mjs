/* bench - milliseconds a forward pass with every attention map kept, tokens a second: native and
 * wasm (Node), store f32 and q8, mini-en and a random BERT-base. One interleaved run: in each round
 * every configuration takes its turn. Prints a table, writes build/out/bench/bench.json. `node
 * tests/bench/bench.mjs [ROUNDS]`.
 */
import {mkdirSync, writeFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {openModel, root, run} from '../js/lib/model.mjs';
import {writeRandomModel} from './random_model.mjs';

const LENGTHS = [16, 64, 128, 512];
const rounds = Number(process.argv[2] ?? 3);
const out = join(root, 'build/out/bench');

const base = join(out, 'base');
writeRandomModel(base, {
    layers: 12,
    heads: 12,
    hidden: 768,
    inner: 3072,
    vocab: 30522,
    positions: 512,
});
const models = {'mini-en': join(root, 'models/mini-en'), 'BERT-base (random)': base};

/** As `headlight bench` does it: fixed random ids, everything layered kept but the scores. */
function timeWasm(opened, tokens) {
    const {session, model} = opened;
    let state = 1;
    const ids = Array.from(
        {length: tokens},
        () => ((state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 8) % model.vocab,
    );
    const keep = model.tensors
        .filter(({name, per_layer: layered}) => layered && name !== 'scores')
        .map(({name}) => name);
    // the same one again would cost nothing
    const texts = [ids, ids.map(id => (id + 1) % model.vocab)];
    const once = () => {
        texts.reverse();
        session.useIds(texts[0], null);
        const start = performance.now();
        opened.run('fast', keep);
        return performance.now() - start;
    };
    once();
    return Math.min(once(), once(), once());
}

function timeNative(folder, store, lengths) {
    const lines = run(
        'bench',
        '--threads',
        '1',
        folder,
        '--store',
        store,
        '--rounds',
        '3',
        '--tokens',
        lengths.join(' '),
    )
        .trim()
        .split('\n');
    return new Map(lines.map(line => JSON.parse(line)).map(({tokens, min_ms: ms}) => [tokens, ms]));
}

const median = list => list.toSorted((a, b) => a - b)[list.length >> 1];
const times = new Map(); // 'model|store|engine|tokens' -> one number a round
const note = (key, ms) => times.set(key, [...(times.get(key) ?? []), ms]);

for (let round = 0; round < rounds; round++) {
    for (const [name, folder] of Object.entries(models)) {
        for (const store of ['f32', 'q8']) {
            const opened = await openModel(folder, store);
            const lengths = LENGTHS.map(n => Math.min(n, opened.model.positions));
            for (const [tokens, ms] of timeNative(folder, store, lengths))
                note([name, store, 'native', tokens].join('|'), ms);
            for (const tokens of new Set(lengths))
                note([name, store, 'wasm', tokens].join('|'), timeWasm(opened, tokens));
        }
    }
}

const rows = [...times].map(([key, list]) => {
    const [model, store, engine, tokens] = key.split('|');
    return {
        model,
        store,
        engine,
        tokens: Number(tokens),
        median_ms: median(list),
        min_ms: Math.min(...list),
        tokens_per_s: Math.round((Number(tokens) / median(list)) * 1000),
    };
});
mkdirSync(out, {recursive: true});
writeFileSync(
    join(out, 'bench.json'),
    JSON.stringify({cpu: cpus()[0].model, node: process.version, rounds, rows}, null, 1),
);
console.log(
    `${cpus()[0].model}, Node ${process.version}, one thread, best of 3 in each of ${rounds} rounds`,
);
console.log(
    'model              | T   | f32 native | f32 wasm | q8 native | q8 wasm   (ms, median of rounds; tokens/s)',
);
for (const name of Object.keys(models)) {
    for (const tokens of new Set(rows.filter(row => row.model === name).map(row => row.tokens))) {
        const cell = (store, engine) => {
            const row = rows.find(
                r =>
                    r.model === name &&
                    r.store === store &&
                    r.engine === engine &&
                    r.tokens === tokens,
            );
            return `${row.median_ms.toFixed(1)} (${row.tokens_per_s})`;
        };
        console.log(
            [
                name.padEnd(18),
                String(tokens).padEnd(3),
                cell('f32', 'native'),
                cell('f32', 'wasm'),
                cell('q8', 'native'),
                cell('q8', 'wasm'),
            ].join(' | '),
        );
    }
}
