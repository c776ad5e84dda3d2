/* interventions - the cost of each question of many passes (src/intervene/) beside the passes that it needs: begin, all
 * steps, the answer (bar: 1.15 times). A layer that is computed counts as its share of a pass, and each pass reads its
 * target, patches two; times are of all changes. wasm in Node, one thread, q8 fine, processor time, T = 32, the least of the rounds; a BERT-base with
 * random weights and models of the menu. `node tests/bench/interventions.mjs [ROUNDS]`.
 */
import {readFileSync} from 'node:fs';
import {cpus} from 'node:os';
import {join} from 'node:path';
import {loadFolder, root} from '../js/lib/model.mjs';
import {instantiate} from '../../web/worker/wasm.js';
import {writeRandomModel} from './random_model.mjs';

const rounds = Number(process.argv[2] ?? 3);
const BAR = 1.15;
const TOKENS = 32;
const PASSES = 5; // a round, of which the least counts
const base = join(root, 'build/out/bench/base-masked');
writeRandomModel(base, {
    ...{layers: 12, heads: 12, hidden: 768, inner: 3072, vocab: 30522, positions: 512},
    masked: true,
});
const wasm = await instantiate(readFileSync(join(root, 'build/out/wasm/headlight-full.wasm')));
const MODELS = {
    'BERT-base': base,
    ...Object.fromEntries(
        ['mini2-en', 'minilm-en', 'mini-gpt-en'].map(name => [name, join(root, 'models', name)]),
    ),
};

const WORDS = 'the old man went to the house and the young woman saw the man in the house'.split(
    ' ',
);

/** Two texts of TOKENS tokens, the second with other words (random) or another word. */
function textsOf(session, masked, random) {
    const words = Array.from({length: TOKENS}, (_, i) =>
        random ? `w${5 + 37 * i}` : WORDS[i % WORDS.length],
    );
    const end = masked ? ['[MASK]'] : [];
    for (let tokens; tokens !== TOKENS; words.pop()) {
        session.tokenize([...words, ...end].join(' '), null);
        tokens = session.tokens().length;
        if (tokens === TOKENS) break;
    }
    const other = words.map((word, i) =>
        random ? `w${6 + 37 * i}` : i === words.length - 1 ? 'and' : word,
    );
    return [words, other].map(list => [...list, ...end].join(' '));
}

/** What work takes of the processor, ms. */
function took(work) {
    const start = process.cpuUsage();
    work();
    const {user, system} = process.cpuUsage(start);
    return (user + system) / 1000;
}

/** Shares of a pass that the effects of an answer take. Of edges: the reader's layer once for each part without which it is read,
 * and what goes on from there, of a link that layer alone. @param {any} answer @param {number} L layers */
function passesOf({intervention, effects, layer: reader}, L) {
    if (!intervention.startsWith('edge'))
        return effects.reduce((sum, {layer = 0}) => sum + (L - layer) / L, 0);
    const parts = new Set(effects.map(({layer, head}) => `${layer}.${head}`)).size;
    return (parts + effects.length * (intervention === 'edge' ? L - reader : 1)) / L;
}

for (const [name, folder] of Object.entries(MODELS)) {
    const {session, model} = loadFolder(folder, 'q8', wasm);
    const {layers: L, special} = model;
    const random = folder === base;
    const [text, from] = textsOf(session, special.mask >= 0, random);
    const last = TOKENS - (special.mask >= 0 ? 2 : 1);
    const link = {layer: L - 1, head: 1, query: last, key: 2};
    const questions = {
        decides: {ask: {how: special.mask < 0 ? 'removed' : 'masked'}, plain: 1, reads: 1},
        patch: {ask: {from}, plain: 2, reads: 2},
        agree: {ask: {}, plain: 1, reads: 1},
        effect: {ask: {}, plain: 1, reads: 1},
        why_off: {ask: link, plain: 1, reads: 0},
        edge: {ask: {layer: L / 2, head: 1}, plain: 1, reads: 1},
        edge_link: {ask: link, plain: 1, reads: 0},
    };
    const least = new Map();
    const keep = (what, ms) => least.set(what, Math.min(least.get(what) ?? Infinity, ms));
    for (let round = 0; round < rounds; round++) {
        session.tokenize(text, null);
        for (let n = 0; n < PASSES; n++) {
            let pass;
            const run = () => session.run({precision: 'fine', keep: ['hidden'], over: null});
            keep(
                'pass',
                took(() => (pass = run())),
            );
            keep(
                'read',
                took(() => pass.measure('log_probability', [last, 1000])),
            );
            pass.release();
        }
        for (const [intervention, {ask, plain, reads}] of Object.entries(questions)) {
            const answers = [];
            const ms = took(() => {
                const steps = session.interveneBegin({intervention, ...ask});
                session.interveneStep(0, steps);
                answers.push(JSON.parse(session.interveneAnswer({})));
            });
            session.interveneEnd();
            const [answer] = answers;
            const count = answer.effects.length;
            const needs =
                (plain + passesOf(answer, L)) * least.get('pass') +
                reads * (plain + count) * least.get('read');
            keep(intervention, ms / needs);
            least.set(`${intervention}, changes`, count);
            keep(`${intervention}, ms`, ms);
        }
    }
    const said = Object.keys(questions).flatMap(one => {
        const count = least.get(`${one}, changes`);
        if (!count) return []; // of texts that say the same nothing is patched
        const times = least.get(one);
        const ms = least.get(`${one}, ms`).toFixed(0);
        return `${one} ${times.toFixed(2)}${times > BAR ? ' (over)' : ''} of ${count} changes, ${ms} ms`;
    });
    console.log(`${name}: a pass ${least.get('pass').toFixed(2)} ms; ${said.join(', ')}`);
}
const cpu = /^model\t\t: (.*)$/m.exec(readFileSync('/proc/cpuinfo', 'utf8'))?.[1];
console.log(
    `${cpus()[0].model} (model ${cpu}), T = ${TOKENS}, least of ${rounds} rounds; bar ${BAR}`,
);
