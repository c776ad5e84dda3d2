/* insight - the cost of the methods of docs/methods.md beside a pass: norms per head of all layers (bar:
 * 3 % of a pass), the lens and the split of a similarity (bar: 50 ms a press), value zeroing of a layer, why (bar:
 * 10 % of a pass). Interleaved rounds, the least of them; wasm in Node, processor time. Questions of many passes:
 * interventions.mjs. `node tests/bench/insight.mjs [ROUNDS]`.
 */
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {sentenceFiles} from '../js/lib/sentence_folder.mjs';
import {createCore} from '../js/lib/ids.mjs';
import {opened, root} from '../js/lib/model.mjs';
import {instantiate} from '../../web/worker/wasm.js';

const rounds = Number(process.argv[2] ?? 7);
const TOKENS = 32;
const wasm = readFileSync(join(root, 'build/out/wasm/headlight.wasm'));

const CONFIG = {
    architectures: ['BertForMaskedLM'],
    model_type: 'bert',
    hidden_act: 'gelu',
    hidden_size: 768,
    intermediate_size: 3072,
    layer_norm_eps: 1e-12,
    max_position_embeddings: 512,
    num_attention_heads: 12,
    num_hidden_layers: 12,
    type_vocab_size: 2,
    vocab_size: 30522,
};

/** BERT-base with random weights, its text embeddings means. */
async function open() {
    const session = createCore(await instantiate(wasm));
    const files = sentenceFiles('pooling_mode_mean_tokens');
    session.loadText('config', Buffer.from(JSON.stringify(CONFIG)));
    session.loadText('modules', files['modules.json']);
    session.loadText('pooling', files['1_Pooling/config.json']);
    session.loadRandom('q8');
    return opened(session);
}

const {session, model} = await open();
const needs = ['zeroing', 'moved_through', 'why'].flatMap(
    name => model.measures.find(one => one.name === name).needs,
);
const keep = model.tensors.map(({name}) => name).filter(name => needs.includes(name));
const idsOf = salt =>
    Array.from({length: TOKENS}, (_, i) => 999 + ((i * 7919 + salt * 104729) % 20000));
const times = new Map();
/** What work takes of the processor, ms; the least is kept. */
function time(what, work) {
    const start = process.cpuUsage();
    const made = work();
    const {user, system} = process.cpuUsage(start);
    times.set(what, Math.min(times.get(what) ?? Infinity, (user + system) / 1000));
    return made;
}
function run(salt) {
    session.useIds(idsOf(salt), null);
    return session.run({precision: 'fast', keep, over: null});
}

for (let round = 0; round < rounds; round++) {
    const pass = time('pass', () => run(2 * round));
    const other = run(2 * round + 1);
    time('norms', () => {
        for (let layer = 0; layer < model.layers; layer++) pass.measure('moved_shares', [layer]);
    });
    time('lens at a position', () => pass.lens(3, 5, model.layers));
    time('split', () => pass.split(other));
    time('mixing, all layers', () => pass.measure('mixing'));
    time('moved_together, a layer', () => pass.measure('moved_together', [1]));
    time('zeroing, a layer', () => pass.measure('zeroing', [1]));
    time('why, all of a link', () => {
        for (const name of ['why', 'why_mlps', 'why_heads', 'why_sources'])
            pass.measure(name, [model.layers - 1, 3, 9, 4]);
    });
    pass.release();
    other.release();
}
console.log(`BERT-base (random), ${TOKENS} tokens, q8 fast, one thread, least of ${rounds} rounds`);
for (const [what, ms] of times)
    console.log(
        `${what.padEnd(26)} ${ms.toFixed(2).padStart(8)} ms  ${((100 * ms) / times.get('pass')).toFixed(1).padStart(6)} % of a pass`,
    );
