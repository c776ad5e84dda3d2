#!/usr/bin/env node
/* claims - the table of published claims (web/views/study/claims/) in the terminal, for a model
 * folder: studies by the command line over the three corpora that ship, sentences by the
 * WebAssembly engine in this thread. Every measured number is computed when it is run. Usage: node
 * tests/bench/claims.mjs [MODEL] [--trees FILE] [--pairs FILE] [--mentions FILE] [--with MODEL2]
 */
import {execFileSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {createEngine} from '../../web/core/engine.js';
import {studies as studyEn} from '../../web/text/en/studies.js';
import {TEXTS, MODELS} from '../../web/views/study/claims/list.js';
import {claimRows} from '../../web/views/study/claims/rows.js';
import {expectedOf, hereOf, titleOf} from '../../web/views/study/claims.js';
import {localWorker, serveRoutes} from '../js/lib/fakes.mjs';

const TOOL = 'build/out/native/headlight';
const WASM = 'build/out/wasm/headlight.wasm';

function readArguments() {
    const args = process.argv.slice(2);
    const take = (name, fallback) => {
        const at = args.indexOf(`--${name}`);
        return at < 0 ? fallback : args.splice(at, 2)[1];
    };
    const given = {
        trees: take('trees', 'corpora/sentences.conllu'),
        pairs: take('pairs', 'corpora/pairs.tsv'),
        mentions: take('mentions', 'corpora/pronouns.txt'),
        other: take('with', 'models/mini-en-sst2'),
    };
    return {...given, model: args[0] ?? 'models/mini-en'};
}

/** One study by the command line; null when the corpus does not fit. */
function runStudy(study, model, corpus, ...more) {
    try {
        return JSON.parse(
            execFileSync(TOOL, ['study', study, model, corpus, ...more], {
                maxBuffer: 1 << 28,
                stdio: ['ignore', 'pipe', 'pipe'],
            }),
        );
    } catch (error) {
        console.error(`${study} over ${corpus}: ${String(error.stderr ?? error.message).trim()}`);
        return null;
    }
}

/** Attention and measures of the sentences that claims are about. */
async function readTexts(folder) {
    const files = readdirSync(folder).filter(name => /\.(json|txt|safetensors)$/.test(name));
    const routes = Object.fromEntries(
        files.map(name => [`/m/${name}`, readFileSync(`${folder}/${name}`)]),
    );
    const server = await serveRoutes({'/headlight.wasm': readFileSync(WASM), ...routes});
    const engine = createEngine({
        workerUrl: 'worker.js',
        wasmUrl: `${server.url}/headlight.wasm`,
        makeWorker: localWorker,
    });
    const {model: handle, info: model} = await engine.load({url: `${server.url}/m/`});
    const passes = [];
    for (const {text, textB = ''} of TEXTS) {
        const want = [
            {measure: 'patterns'},
            {measure: 'even'},
            ...Array.from({length: model.layers}, (_, layer) => ({tensor: 'attention', layer})),
        ];
        const {facts, answers} = engine.run({
            model: handle,
            input: {text, textB, precision: 'fine', changes: [], words: []},
            want,
        });
        const [pass, patterns, even, ...attention] = await Promise.all([facts, ...answers]);
        passes.push({pass, attention, patterns, even});
    }
    engine.close();
    server.close();
    return {model, passes};
}

/** Rows of both corpora: of the trees, and where those have nothing to measure, of the pairs. */
function allRows({model, passes}, {trees, pairs, mentions, other, model: folder}) {
    const compare = existsSync(other) ? runStudy('compare', folder, trees, '--with', other) : null;
    const coref = runStudy('coref', folder, mentions);
    const answersOf = corpus => ({
        roles: runStudy('roles', folder, corpus),
        patterns: runStudy('patterns', folder, corpus),
        coref,
        compare,
    });
    const name = folder.replace(/\/+$/, '');
    const first = claimRows({
        model,
        name,
        passes,
        answers: {...answersOf(trees), parse: runStudy('parse', folder, trees)},
    });
    const second = claimRows({model, name, passes, answers: answersOf(pairs)});
    return first.map((row, i) =>
        row.verdict === 'lacks'
            ? {...second[i], of: pairs}
            : {...row, of: row.claim.needs === 'coref' ? mentions : trees},
    );
}

const given = readArguments();
for (const file of [TOOL, WASM])
    if (!existsSync(file)) throw new Error(`${file} is missing; make native wasm builds it`);
const read = await readTexts(given.model);
const rows = allRows(read, given);
console.log(
    `Published claims on ${given.model} (${read.model.layers} layers of ${read.model.heads} heads)\n`,
);
console.log(
    '| claim | published on | published | here | over | verdict |\n|---|---|---|---|---|---|',
);
for (const row of rows) {
    const over = row.claim.needs === 'text' ? 'sentence' : row.verdict === 'lacks' ? '' : row.of;
    console.log(
        `| ${[
            titleOf(row.claim, studyEn),
            MODELS[row.claim.model].name,
            expectedOf(row.claim, false, studyEn),
            hereOf(row, false, studyEn),
            over,
            studyEn.claims.verdicts[row.verdict],
        ].join(' | ')} |`,
    );
}
