/* similarity - the cosine of two sentences that the page shows and the package gives: the number of
 * `headlight similarity` and of hidden states pooled here, for each pooling; from a folder on a
 * server, of the disk and from the hub; where texts are cut; and what it costs. Skips when the wasm has not been built.
 */
import assert from 'node:assert/strict';
import {
    cpSync,
    existsSync,
    mkdirSync,
    mkdtempSync,
    readFileSync,
    rmSync,
    writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {test} from 'node:test';
import {alike} from '../../web/base/alike.js';
import {similarityOf} from '../../web/engine/similarity.js';
import {load as openInNode} from '../../web/package/node.js';
import {withWasm} from './lib/engine.mjs';
import {fails} from './lib/fails.mjs';
import {startHub} from './lib/hub.mjs';
import {root, run} from './lib/model.mjs';
import {sentenceFiles} from './lib/sentence_folder.mjs';

const built = `${root}build/out/wasm/headlight.wasm`;
const skip = existsSync(built)
    ? false
    : 'build/out/wasm/headlight.wasm is not there; run make wasm';
const A = 'The cat sat.';
const B = 'A dog sat on the mat!';
const NAMES = ['config.json', 'tokenizer_config.json', 'tokenizer.json', 'model.safetensors'];
const filesOf = model =>
    Object.fromEntries(
        NAMES.map(name => [name, readFileSync(`${root}tests/golden/models/${model}/${name}`)]),
    );
const MODEL = filesOf('bert-tiny-random');
const {signal} = new AbortController();

/** What hidden states [T, D] are pooled to. */
const POOLINGS = {
    pooling_mode_cls_token: rows => rows[0],
    pooling_mode_lasttoken: rows => rows.at(-1),
    pooling_mode_mean_tokens: rows =>
        rows[0].map((_, c) => rows.reduce((sum, row) => sum + row[c], 0) / rows.length),
    pooling_mode_max_tokens: rows => rows[0].map((_, c) => Math.max(...rows.map(row => row[c]))),
};

async function load(t, files) {
    const routes = Object.fromEntries(
        Object.entries(files).map(([name, body]) => [`/st/${name}`, body]),
    );
    const parts = await withWasm(t, readFileSync(built), routes);
    const url = `${parts.server.url}/st/`;
    return {...parts, ...(await parts.engine.load({url}, {store: 'q8'}))};
}

const inputOf = text => ({text, textB: '', precision: 'usual', changes: [], words: []});

/** By hand, from the states after the last layer. */
async function naive({engine, model, info}, pool, kind) {
    const vectors = [];
    for (const text of [A, B]) {
        const want = [{tensor: 'hidden', layer: info.layers - 1}];
        const {answers, pass} = engine.run({model, input: inputOf(text), want});
        const {data, shape} = await answers[0];
        engine.release({pass});
        const [T, D] = shape;
        vectors.push(pool(Array.from({length: T}, (_, i) => [...data.slice(i * D, (i + 1) * D)])));
    }
    return alike(...vectors, kind);
}

function printed(files) {
    const folder = mkdtempSync(join(tmpdir(), 'headlight-st-'));
    try {
        mkdirSync(join(folder, '1_Pooling'));
        for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, name), body);
        return JSON.parse(run('similarity', folder, A, B, '--json'))[0][1];
    } finally {
        rmSync(folder, {recursive: true});
    }
}

for (const [pooling, pool] of Object.entries(POOLINGS))
    test(`${pooling}: as the command line prints it, and as pooled by hand`, {skip}, async t => {
        for (const more of [[], ['Normalize']]) {
            const files = {...MODEL, ...sentenceFiles(pooling, more)};
            const loaded = await load(t, files);
            assert.ok(loaded.info.predicts.includes('embedding'));
            const found = await similarityOf(loaded, [A, B], 'usual', signal);
            assert.ok(Math.abs(found - printed(files)) < 2e-6, `${found}`);
            assert.ok(Math.abs(found - (await naive(loaded, pool))) < 2e-6, `${found}`);
            assert.ok(Math.abs(found) < 0.9999, 'the two texts differ');
            const same = await similarityOf(loaded, [A, A], 'usual', signal);
            assert.ok(Math.abs(same - 1) < 1e-6);
        }
    });

/** config_sentence_transformers.json. */
const prompts = what => ({'config_sentence_transformers.json': Buffer.from(JSON.stringify(what))});

test('similarity_fn_name is followed, and what it is said to be', {skip}, async t => {
    const files = {...MODEL, ...sentenceFiles('pooling_mode_mean_tokens', [])};
    assert.equal((await load(t, files)).info.similarity, 'cosine');
    for (const kind of ['cosine', 'dot', 'euclidean', 'manhattan']) {
        const given = {...files, ...prompts({similarity_fn_name: kind})};
        const loaded = await load(t, given);
        assert.equal(loaded.info.similarity, kind);
        const found = await similarityOf({...loaded, kind}, [A, B], 'usual', signal);
        const expected = await naive(loaded, POOLINGS.pooling_mode_mean_tokens, kind);
        const size = Math.max(1, Math.abs(expected));
        assert.ok(Math.abs(found - expected) < 2e-6 * size, `${kind}: ${found} ${expected}`);
        assert.ok(Math.abs(found - printed(given)) < 1e-5 * size, `${kind}: ${printed(given)}`);
    }
    await fails(
        load(t, {...files, ...prompts({similarity_fn_name: 'hamming'})}),
        'config',
        /^"similarity_fn_name" in config_sentence_transformers.json is "hamming"; one of/,
    );
});

test(
    'the default prompt goes before each text, and spaces around them are left out',
    {skip},
    async t => {
        const files = {...MODEL, ...sentenceFiles('pooling_mode_mean_tokens')};
        const plain = await load(t, files);
        const [apart, together] = [
            [A, B],
            [`  the dog: ${A}`, `the dog: ${B}`],
        ];
        const without = await similarityOf(plain, apart, 'fast', signal);
        const expected = await similarityOf(plain, together, 'fast', signal);
        const spaced = [`\u3000\n${A}\x1c`, `\u00a0 ${B} \t`];
        assert.equal(await similarityOf(plain, spaced, 'fast', signal), without);
        const bytes = {...filesOf('roberta-masked'), ...sentenceFiles('pooling_mode_mean_tokens')};
        const kept = await load(t, bytes); // whose tokenizer drops no character
        const usual = await similarityOf(kept, [A, B], 'fast', signal);
        for (const space of ' \t\n\x0b\x0c\r\x1c\x1d\x1e\x1f\x85\u2028\u3000') {
            const around = await similarityOf(kept, [`${space}${A}${space}`, B], 'fast', signal);
            assert.equal(around, usual, escape(space));
        }
        for (const other of '\x1b\u200b') {
            const around = await similarityOf(kept, [`${other}${A}`, B], 'fast', signal);
            assert.notEqual(around, usual, escape(other));
        }
        const named = prompts({prompts: {query: '\tthe dog: '}, default_prompt_name: 'query'});
        const loaded = await load(t, {...files, ...named});
        assert.equal(await similarityOf(loaded, apart, 'fast', signal), expected);
        assert.ok(Math.abs(expected - without) > 1e-3, 'it makes a difference');
        assert.equal(
            await similarityOf(
                await load(t, {
                    ...files,
                    ...prompts({prompts: {query: 'x'}, default_prompt_name: null}),
                }),
                apart,
                'fast',
                signal,
            ),
            without,
        );
        await fails(
            load(t, {...files, ...prompts({prompts: {}, default_prompt_name: 'query'})}),
            'config',
            /^"default_prompt_name" in config_sentence_transformers.json is "query", which is none/,
        );
        const pooling = JSON.parse(files['1_Pooling/config.json']);
        const skips = Buffer.from(JSON.stringify({...pooling, include_prompt: false}));
        const {info} = await load(t, {...files, ...named, '1_Pooling/config.json': skips});
        assert.ok(!info.predicts.includes('embedding'));
        assert.match(info.warnings.join(), /include_prompt/);
    },
);

test('a pooling or a module that is not known: a warning, and no embeddings', {skip}, async t => {
    for (const [files, why] of [
        [
            sentenceFiles('pooling_mode_weightedmean_tokens'),
            /asks for pooling_mode_weightedmean_tokens; one of cls, mean/,
        ],
        [
            sentenceFiles('pooling_mode_mean_tokens', ['Dense']),
            /modules.json has .*Dense.*in this order/,
        ],
        ...[
            ['a.Pooling', 'a.Transformer'],
            ['a.Transformer', 'a.Normalize', 'a.Pooling'],
            ['a.Transformer', 'a.Pooling', 'a.Pooling'],
            ['a.Transformer'],
            [],
        ].map(types => [
            {
                ...sentenceFiles('pooling_mode_mean_tokens'),
                'modules.json': Buffer.from(JSON.stringify(types.map(type => ({type})))),
            },
            /modules.json has .*in this order: there are no text embeddings/,
        ]),
    ]) {
        const {info} = await load(t, {...MODEL, ...files});
        assert.ok(!info.predicts.includes('embedding'));
        assert.match(info.warnings.join(), why);
    }
    const {info} = await load(t, MODEL);
    assert.ok(!info.predicts.includes('embedding'));
    assert.deepEqual(info.warnings, []);
});

test(
    'the figure’s tensors stay; a newer text calls the rest off; nothing is left',
    {skip},
    async t => {
        const files = {...MODEL, ...sentenceFiles('pooling_mode_mean_tokens')};
        let passes = 0;
        const {instantiate} = WebAssembly;
        t.mock.method(WebAssembly, 'instantiate', async (...args) => {
            const made = await instantiate.apply(WebAssembly, args);
            const hl_run = (...given) => {
                passes++;
                return made.exports.hl_run(...given);
            };
            return {exports: {...made.exports, hl_run}};
        });
        const loaded = await load(t, files);
        const {engine, model} = loaded;
        const figure = engine.run({
            model,
            input: {...inputOf(A), textB: B},
            keep: ['attention'],
            want: [{tensor: 'attention', layer: 0}],
        });
        const before = await figure.answers[0];
        await similarityOf(loaded, [A, B], 'usual', signal);
        assert.equal(passes, 3);
        const again = engine.read({pass: figure.pass, want: [{tensor: 'attention', layer: 0}]});
        assert.deepEqual(await again.answers[0], before);
        assert.equal(passes, 3, 'the pass of the figure was not run again');

        const controller = new AbortController();
        const called = similarityOf(loaded, [B, A], 'usual', controller.signal);
        controller.abort();
        await assert.rejects(called);
        assert.equal(await similarityOf(loaded, [B, B], 'usual', signal).then(Math.round), 1);
    },
);

test('from the hub and from a chosen folder the two files come as well', {skip}, async t => {
    const files = {...MODEL, ...sentenceFiles('pooling_mode_mean_tokens')};
    const hub = await startHub({'org/st': {files}});
    t.after(hub.close);
    const {engine, ...server} = await load(t, files);
    const chosen = Object.entries({...files, '2_Dense/config.json': '{}'}).map(([name, body]) => {
        const file = new File([body], name.split('/').pop());
        Object.defineProperty(file, 'webkitRelativePath', {value: `m/${name}`});
        return file;
    });
    const expected = await similarityOf({engine, ...server}, [A, B], 'usual', signal);
    for (const source of [{hub: 'org/st', host: hub.url}, {files: chosen.reverse()}]) {
        const {model, info} = await engine.load(source, {store: 'q8'});
        assert.ok(info.from.files.includes('1_Pooling/config.json'));
        assert.equal(await similarityOf({engine, model}, [A, B], 'usual', signal), expected);
    }
});

test(
    'max_seq_length cuts texts for their embedding, as the command line has it, and no figure',
    {skip},
    async t => {
        const files = {
            ...MODEL,
            ...sentenceFiles('pooling_mode_mean_tokens'),
            'sentence_bert_config.json': Buffer.from(
                '{"max_seq_length": 6, "do_lower_case": false}',
            ),
        };
        const loaded = await load(t, files);
        const {engine, model} = loaded;
        const whole = await engine.tokenize({model, text: B, textB: ''});
        assert.ok(whole.length > 6, 'B is cut');
        const cut = B.slice(0, whole[4].to); // [CLS], four tokens, [SEP]
        assert.equal((await engine.tokenize({model, text: cut, textB: ''})).length, 6);
        const found = await similarityOf(loaded, [A, B], 'usual', signal);
        assert.equal(found, await similarityOf(loaded, [A, cut], 'usual', signal));
        assert.ok(Math.abs(found - printed(files)) < 2e-6, `${found}`);
        delete files['sentence_bert_config.json'];
        const uncut = await similarityOf(await load(t, files), [A, B], 'usual', signal);
        assert.ok(Math.abs(found - uncut) > 1e-4, 'it makes a difference');
        const {facts} = engine.run({model, input: inputOf(B), want: []});
        assert.equal((await facts).tokens.length, whole.length);
    },
);

test(
    'the package in Node: of a folder, the same number; refused where there is none',
    {skip},
    async t => {
        const wasmBytes = readFileSync(built);
        const files = {...MODEL, ...sentenceFiles('pooling_mode_mean_tokens')};
        const folder = mkdtempSync(join(tmpdir(), 'headlight-st-'));
        t.after(() => rmSync(folder, {recursive: true}));
        mkdirSync(join(folder, '1_Pooling'));
        for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, name), body);
        const model = await openInNode(folder, {wasmBytes});
        const expected = await similarityOf(await load(t, files), [A, B], 'usual', signal);
        assert.equal(await model.similarity(A, B), expected);
        assert.equal(await model.similarity(B, B).then(Math.round), 1);
        const fast = await model.similarity(A, B, {precision: 'fast'}); // so narrow a model is fine by itself
        assert.ok(fast !== expected && Math.abs(fast - expected) < 0.02);
        const {data, shape, tokens} = await model.split(A, B);
        assert.deepEqual(
            shape,
            tokens.map(list => list.length),
        );
        assert.ok(Math.abs(data.reduce((sum, cell) => sum + cell, 0) - expected) < 1e-5);
        await fails(model.similarity(A), 'text', /^similarity was given undefined/);
        await fails(model.similarity(A, B, {pair: 'x'}), 'state', /takes: precision, signal$/);
        await fails(
            model.similarity(A, B, {precision: 'int4'}),
            'state',
            /one of usual, fast, fine/,
        );
        await assert.rejects(model.similarity(A, B, {signal: AbortSignal.abort()}), {
            name: 'AbortError',
        });
        await model.dispose();
        const other = await openInNode(join(root, 'models/mini-en'), {wasmBytes});
        await fails(other.similarity(A, B), 'state', /needs a sentence-transformers folder/);
        await other.dispose();
    },
);

/** What pairs of tokens add to the similarity of A and B. */
async function splitOf({engine, model}) {
    const runs = [A, B].map(text =>
        engine.run({model, input: {...inputOf(text), embeds: true}, want: []}),
    );
    await Promise.all(runs.map(({facts}) => facts));
    const {answers, done} = engine.read({pass: runs[0].pass, want: [{split: runs[1].pass}]});
    await done;
    return answers[0];
}

test(
    'the similarity split over pairs of tokens: its cells sum to it, mean pooling only',
    {skip},
    async t => {
        for (const [kind, more] of [
            ['cosine', []],
            ['dot', []],
        ]) {
            const files = {
                ...MODEL,
                ...sentenceFiles('pooling_mode_mean_tokens', more),
                'config_sentence_transformers.json': Buffer.from(
                    JSON.stringify({similarity_fn_name: kind}),
                ),
            };
            const loaded = await load(t, files);
            const {data, shape} = await splitOf(loaded);
            assert.equal(data.length, shape[0] * shape[1]);
            const sum = data.reduce((total, cell) => total + cell, 0);
            const whole = await similarityOf(
                {engine: loaded.engine, model: loaded.model, kind},
                [A, B],
                'usual',
                signal,
            );
            assert.ok(
                Math.abs(sum - whole) < 1e-5 * Math.max(1, Math.abs(whole)),
                `${sum} ${whole}`,
            );
        }
        for (const [pooling, said] of [
            ['pooling_mode_cls_token', /made of the first token/],
            ['pooling_mode_max_tokens', /made of the largest number of each neuron/],
        ]) {
            const loaded = await load(t, {...MODEL, ...sentenceFiles(pooling)});
            await fails(splitOf(loaded), 'state', said);
        }
    },
);

test(
    'the split as the command line writes it: long texts and one token; its cells sum to the cosine as written',
    {skip},
    async t => {
        const folder = mkdtempSync(join(tmpdir(), 'headlight-st-'));
        t.after(() => rmSync(folder, {recursive: true}));
        cpSync(`${root}tests/golden/models/bert-512`, folder, {recursive: true});
        mkdirSync(join(folder, '1_Pooling'));
        for (const [name, body] of Object.entries(sentenceFiles('pooling_mode_mean_tokens')))
            writeFileSync(join(folder, name), body);
        const cellsOf = (...texts) =>
            run('similarity', folder, ...texts, '--split')
                .trim()
                .split('\n')
                .slice(1)
                .map(line => Number(line.split(',').at(-1)));
        for (const [texts, least] of [
            [[A.repeat(40), B.repeat(25)], 150 ** 2],
            [['', ''], 4],
        ]) {
            const cells = cellsOf(...texts);
            assert.ok(cells.length >= least, `${cells.length} cells`);
            const cosine = JSON.parse(run('similarity', folder, ...texts, '--json'))[0][1];
            const sum = cells.reduce((total, cell) => total + cell, 0);
            assert.ok(Math.abs(sum - cosine) <= 1e-5, `${sum} ${cosine}`);
        }
    },
);
