/* chance - verdicts of studies on untrained models, which should find nothing: every study that
 * gives a verdict, on models of random weights by their seed (with 5 draws of random layers beside,
 * as the page and the command line run it), and on labels that were shuffled. For
 * study_chance.test.mjs (two seeds) and chance_long.mjs (all).
 */
import {copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createCore, instantiate} from '../../../web/worker/wasm.js';
import {root, run} from './model.mjs';

const SHAPE = join(root, 'models/mini-en');
const FILES = [
    ['config', 'config.json'],
    ['tokenizerConfig', 'tokenizer_config.json'],
    ['vocab', 'vocab.txt'],
];
export const SEEDS = Array.from({length: 20}, (_, i) => i + 1); // fixed before the work
const LEVEL = 0.05; // of each verdict, after the study's own corrections
const DRAWS = 5;

const corpus = name => join(root, 'corpora', name);

/** The same numbers everywhere: mulberry32. */
function drawn(seed) {
    let state = seed;
    return () => {
        state = (state + 0x6d2b79f5) | 0;
        let t = Math.imul(state ^ (state >>> 15), 1 | state);
        t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    };
}

/** The pairs with their labels dealt out anew. */
function shuffled(seed) {
    const [head, ...rows] = readFileSync(corpus('pairs.tsv'), 'utf8').trim().split('\n');
    const next = drawn(seed);
    const labels = rows.map(row => row.split('\t').at(-1));
    for (let i = labels.length - 1; i > 0; i--) {
        const j = Math.floor(next() * (i + 1));
        [labels[i], labels[j]] = [labels[j], labels[i]];
    }
    return [
        head,
        ...rows.map((row, i) => [...row.split('\t').slice(0, -1), labels[i]].join('\t')),
    ].join('\n');
}

/** Writes a model of mini-en's shape and vocabulary whose weights are all drawn into a folder, and
 * returns it. @param {string} scratch @param {number} seed */
async function untrained(scratch, seed) {
    const exports = await instantiate(readFileSync(join(root, 'build/out/wasm/headlight.wasm')));
    const session = createCore(exports);
    const folder = join(scratch, `seed-${seed}`);
    mkdirSync(folder);
    for (const [kind, name] of FILES) {
        session.loadText(kind, readFileSync(join(SHAPE, name)));
        copyFileSync(join(SHAPE, name), join(folder, name));
    }
    session.loadRandom('q8', seed);
    const weights = Buffer.alloc(session.saveBegin());
    for (let at = 0; at < weights.length;) {
        const bytes = session.saveBytes();
        weights.set(bytes, at);
        at += bytes.length;
    }
    writeFileSync(join(folder, 'model.safetensors'), weights);
    session.close();
    return folder;
}

/** @param {string} study @param {string} model @param {string} text @param {Record<string, any>}
 *     options */
function answer(study, model, text, options) {
    const settings = Object.entries(options).flatMap(([key, value]) => [
        '--set',
        `${key}=${value}`,
    ]);
    return JSON.parse(run('study', study, model, text, ...settings));
}

const better = ({better: said}) => said;

/** Every study that gives a verdict: its corpus, options, and its verdicts in an answer (true: in
 * favour of the model). Benjamini and Hochberg hold the rate of a whole family of roles: that is
 * one verdict. Two models that are compared have none in favour of either. */
const STUDIES = {
    labels: ['pairs.tsv', {draws: DRAWS}, all => [better(all)]],
    parse: ['sentences.conllu', {draws: DRAWS, limit: 150}, all => all.relations.map(better)],
    importance: ['sentences.conllu', {draws: DRAWS, limit: 40}, all => all.scores.map(better)],
    induction: ['sentences.conllu', {draws: DRAWS, limit: 40}, all => all.scores.map(better)],
    coref: ['pronouns.txt', {draws: DRAWS}, all => [better(all)]],
    claims: [
        'sentences.conllu',
        {draws: DRAWS, limit: 100},
        all =>
            all.claims
                .filter(({verdict}) => verdict !== 'lacks' && verdict !== 'foreign')
                .map(({verdict}) => verdict === 'found' || verdict === 'uncompared'),
    ],
    roles: [
        'sentences.conllu',
        {limit: 100},
        all => [all.roles.some(({has}) => has.some(Boolean))],
    ],
};

/** The verdicts on models of random weights, by study, and of the label probe of mini-en on
 * shuffled labels ("shuffled"). @param {number[]} seeds
 * @returns {Promise<Record<string, boolean[]>>} */
export async function verdictsOf(seeds) {
    const scratch = mkdtempSync(join(tmpdir(), 'headlight-chance-'));
    const found = Object.fromEntries([...Object.keys(STUDIES), 'shuffled'].map(name => [name, []]));
    try {
        for (const seed of seeds) {
            const model = await untrained(scratch, seed);
            for (const [study, [file, options, read]] of Object.entries(STUDIES))
                found[study].push(...read(answer(study, model, corpus(file), options)));
            const dealt = join(scratch, `${seed}.tsv`);
            writeFileSync(dealt, shuffled(seed));
            found.shuffled.push(better(answer('labels', SHAPE, dealt, {draws: DRAWS})));
        }
    } finally {
        rmSync(scratch, {recursive: true});
    }
    return found;
}

/** The most of n verdicts that chance makes at LEVEL in 99 of 100 cases. @param {number} n */
export function most(n) {
    let [k, p, below] = [0, (1 - LEVEL) ** n, 0];
    for (; below + p < 0.99; k++) {
        below += p;
        p *= (((n - k) / (k + 1)) * LEVEL) / (1 - LEVEL);
    }
    return k;
}
